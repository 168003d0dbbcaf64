#pragma once

#include <imgui.h>

#include "app/session/program.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// Draws the first cell of a row of a table whose rows come from lines of the CUDA text, after the caller has begun the
/// row and gone to its first column. The whole row can be clicked: that selects the line, with its loop and block, in
/// every panel; while the line is selected, the row is lit. `label` is shown in the cell and ends in an id
/// ("FFMA###row"); `line` counts from 1, and with 0 or without a `program` (null) the row selects nothing. Further
/// `flags` are added to those that make the cell span the row. The row is `height` px high; 0: as high as a line of
/// text.
void drawCudaLineRow(PanelContext& context, const session::Program* program, int line, const char* label,
                     ImGuiSelectableFlags flags = 0, float height = 0);

}  // namespace loom::panels
