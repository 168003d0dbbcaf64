#pragma once

namespace loom::window {

/// The gap between the rows of menus and popup lists, in design px; the distance from row to row is then 20.
inline constexpr float kRowGap = 7;

/// Returns the height, in px, of a row of a list. A list whose height is a multiple of it shows whole rows only.
float listRowHeight();

/// Begin and end the rows of a list. A row is an ImGui::Selectable with one line of text, which covers half of the gaps
/// above and below it; these calls add that half before the first and after the last row.
void beginListRows();
void endListRows();

/// Scrolls the list, by as little as possible, so that the row drawn last is fully visible.
void keepRowInSight();

}  // namespace loom::window
