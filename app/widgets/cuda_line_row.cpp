#include "app/widgets/cuda_line_row.h"

#include "app/panels/code/view/code.h"
#include "app/session/session.h"

namespace loom::panels {

void drawCudaLineRow(PanelContext& context, const session::Program* program, int line, const char* label,
                     ImGuiSelectableFlags flags, float height) {
  session::Selection& selection = context.session->selection();
  const bool chosen = line > 0 && selection.cudaLine() == line;
  const bool clicked = ImGui::Selectable(label, chosen, ImGuiSelectableFlags_SpanAllColumns | flags, {0, height});
  if (clicked && program != nullptr && line > 0)
    selection.selectCudaLine(line, session::idsOfCudaLine(program->kernel, line));
}

}  // namespace loom::panels
