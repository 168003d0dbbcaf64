#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/notation/palette.h"
#include "core/document/stall_view.h"

namespace loom::window {
struct Look;
}
namespace loom::session {
struct MachineText;
}

namespace loom::panels {

/// A column beside code: which share of a kernel's samples stands before each line, and why.
struct StallColumn {
  std::vector<profile::StallCount> lines;  ///< by line of the code
  std::int64_t total = 0, most = 0;        ///< samples of the kernel, and of one line
};
StallColumn stallColumn(const session::MachineText& sass, const document::StallView& view);
/// Makes the column. `lines` is the number of lines of the CUDA text.
StallColumn stallColumn(std::size_t lines, const document::StallView& view);

/// Returns the column's width, in px of the code font, as for the columns of issue_columns.h.
float stallColumnWidth(const window::Look& look);
void drawStallLine(const window::Look& look, const StallColumn& column, std::size_t line, ImVec2 at, float height);
void drawStallHead(const window::Look& look, ImVec2 at);
/// Returns the column of a line in words, for its tooltip; empty if the line has no samples.
std::string stallTip(const window::Look& look, const StallColumn& column, std::size_t line);

}  // namespace loom::panels
