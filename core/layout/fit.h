// From a table to a layout: what a probe saw, as digits.
#pragma once
#include <vector>

#include "core/layout/layout.h"

namespace loom::layout {

// The layout whose points, in row-major order of `inputs`, go to the points of `table`: every bit of an input adds a
// fixed amount to each output. Bits that change nothing are left out. Errors "LayoutError": extents that are no powers
// of two, a table of another size, or one that no such layout has.
Result<Layout> fitDigits(const std::vector<Dimension>& inputs, const std::vector<Dimension>& outputs,
                         const std::vector<Point>& table);

}  // namespace loom::layout
