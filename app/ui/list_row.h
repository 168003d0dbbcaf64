#pragma once

namespace loom::window {

/// The gap between the rows of menus and popup lists, in design px; for text of 13 px the distance from row to row
/// is then 20. Whoever draws such a list pushes the gap, in px, as ImGuiStyleVar_ItemSpacing; the functions below go by
/// the spacing that is set.
inline constexpr float kRowGap = 7;

/// Returns the height, in px, of a row of a list. A list whose height is a multiple of it shows whole rows only.
float listRowHeight();

/// Begins the rows of a list. A row is an ImGui::Selectable with one line of text, which covers half of the gaps above
/// and below it; this call adds that half before the first row.
void beginListRows();
/// Ends the rows of a list: adds half of a gap after the last row.
void endListRows();

/// Scrolls the list, by as little as possible, so that the row drawn last is fully visible.
void keepRowInSight();

}  // namespace loom::window
