#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/code/view/issue_columns.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The number of columns beside SASS: live registers, clocks until the next issue, and the warp's six scoreboards. If
/// there is too little room, the first `without` of the three are left out.
inline constexpr int kIssueParts = 3;
/// Returns the width of the columns, in px of the code font.
float issueColumnsWidth(const window::Look& look, const session::IssueColumns& margin, int without);
/// Draws the columns of one line of SASS, which is `whole` px high if it is wrapped, on its first row of `height` px.
/// Of a scoreboard, a square says that the instruction sets it (hollow: for its sources), a line that it may be
/// outstanding, and a bar that the instruction waits for it.
void drawIssueLine(const window::Look& look, const session::IssueColumns& margin, int without, std::size_t line,
                   ImVec2 at, float height, float whole);
/// Draws the heads of the columns; `at` is the same column. Each has a tooltip that says what it shows.
void drawIssueHeads(const window::Look& look, const session::IssueColumns& margin, int without, ImVec2 at);
/// Returns the columns of a line in words, for its tooltip; empty for a label. `lines` is the text, which names the
/// instructions that are waited for.
std::string issueTip(const window::Look& look, const session::IssueColumns& margin,
                     const std::vector<std::string>& lines, std::size_t line);

}  // namespace loom::panels
