#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/code/view/issue_columns.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The number of columns beside SASS: live registers, clocks until the warp's next instruction issues, and the warp's
/// six scoreboards (one column with six parts). In the functions below, `margin` has the figures of the columns, `line`
/// is the index of a line of the text (from 0), and `without` is how many of the three, from the first on, are left out
/// because there is too little room. The code font must be the current one.
inline constexpr int kIssueParts = 3;
/// Returns the width of the columns in px; 0 if none is drawn. A column whose figures aren't known isn't drawn, either:
/// registers with IssueColumns::noAlive, clocks and scoreboards with noControl.
float issueColumnsWidth(const window::Look& look, const session::IssueColumns& margin, int without);
/// Draws the columns of one line of SASS with their upper left corner at `at` (px of the screen). `height` is the
/// height of a row and `whole` the height of all rows of the line, which is larger if the line is wrapped; both in px.
/// In the part of a scoreboard, a square says that the instruction sets the scoreboard (hollow: until its sources are
/// read), a line that the scoreboard may be outstanding, and a bar that the instruction waits for it.
void drawIssueLine(const window::Look& look, const session::IssueColumns& margin, int without, std::size_t line,
                   ImVec2 at, float height, float whole);
/// Draws the heads of the columns from `at` on (px of the screen), each with a tooltip that says what the column shows.
void drawIssueHeads(const window::Look& look, const session::IssueColumns& margin, int without, ImVec2 at);
/// Returns the contents of a line's columns as a text for a tooltip; "" for a label, and if nothing is known. `lines`
/// are the lines of the SASS text, from which up to four instructions are quoted that set the awaited scoreboards.
std::string issueTip(const window::Look& look, const session::IssueColumns& margin,
                     const std::vector<std::string>& lines, std::size_t line);

}  // namespace loom::panels
