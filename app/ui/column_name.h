#pragma once

namespace loom::panels {

/// Draws the name of a table's current column in its row of heads. Over figures, which stand at the right of their
/// cells, the name stands to the right, too.
void drawColumnName(const char* name, bool overFigures);

}  // namespace loom::panels
