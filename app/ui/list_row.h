#pragma once

namespace loom::window {

/// Between the rows of menus and of lists over the panels, design px: 20 from one to the next.
inline constexpr float kRowGap = 7;

/// The height of a row of a list that keys go through, px: a whole number of them fills one exactly.
float listRowHeight();

/// Around the rows, which are ImGui::Selectable with one line of text: makes room for the half gap above the first and
/// below the last, which they cover.
void beginListRows();
void endListRows();

/// Scrolls by as little as shows all of the last row.
void keepRowInSight();

}  // namespace loom::window
