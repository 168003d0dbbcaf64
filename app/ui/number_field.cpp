#include "app/ui/number_field.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/thread_binding/words.h"
#include "app/ui/look.h"

namespace loom::panels {

bool drawNumber(const window::Look& look, const char* id, const char* name, std::int64_t& value, std::int64_t least,
                std::int64_t count, float width) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name);
  ImGui::SameLine(0, look.px(4));
  ImGui::SetNextItemWidth(look.px(width));
  const std::int64_t most = count - 1;
  const std::string format = value < 0 ? look.say(text::binding::kAll) : fmt::format("%lld / {}", count);
  const bool changed = ImGui::DragScalar(id, ImGuiDataType_S64, &value, 0.08F, &least, &most, format.c_str());
  value = std::clamp(value, least, most);
  return changed;
}

void flowOn(const window::Look& look, float width) {
  const float end = ImGui::GetItemRectMax().x + look.px(12) + width;
  if (end < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine(0, look.px(12));
}

}  // namespace loom::panels
