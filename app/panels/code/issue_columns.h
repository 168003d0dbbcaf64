#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/code/view/issue_columns.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The columns beside SASS, in the code face: registers alive, clocks until the next issue, and the six barriers: a
/// square sets one (hollow: for its sources), a line runs down while it may be outstanding, a bar waits for it. A line
/// of SASS is `whole` px high where it is wrapped, with what belongs to it on its first row of `height`.
/// Where there is too little room, the first `without` of the three are left out.
inline constexpr int kMarginParts = 3;
float marginWidth(const window::Look& look, const session::IssueColumns& margin, int without);
void drawMarginLine(const window::Look& look, const session::IssueColumns& margin, int without, std::size_t line,
                    ImVec2 at, float height, float whole);
/// Their heads, `at` being the same column; each says in its hover what it shows.
void drawMarginHeads(const window::Look& look, const session::IssueColumns& margin, int without, ImVec2 at);
/// In words, for a line's hover; empty for a label. `lines` is the text, for what is waited for.
std::string marginTip(const window::Look& look, const session::IssueColumns& margin,
                      const std::vector<std::string>& lines, std::size_t line);

}  // namespace loom::panels
