// Finds the layout (a map from the coordinates of some dimensions, such as lane and register, to those of others, such
// as row and column) that produces a given table of points, such as a table measured by a probe kernel.
#pragma once
#include <vector>

#include "core/layout/layout.h"

namespace loom::layout {

// Returns the layout that maps the i-th point of `inputs`, in row-major order, to table[i], which has a coordinate for
// each of `outputs`. In this layout, an output is its value in table[0] plus a fixed amount for each bit that is set in
// an input. Bits that change nothing are left out. Error "LayoutError" if an extent of the inputs isn't a power
// of two, the table has another number of points than the inputs, a point has another number of coordinates than the
// outputs, or no such layout exists.
Result<Layout> fitDigits(const std::vector<Dimension>& inputs, const std::vector<Dimension>& outputs,
                         const std::vector<Point>& table);

}  // namespace loom::layout
