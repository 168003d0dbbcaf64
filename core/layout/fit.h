// From a table to a layout: what a probe saw, as digits.
#pragma once
#include <vector>

#include "core/layout/layout.h"

namespace loom::layout {

// Returns the layout that maps the points of `inputs`, in row-major order, to those of `table`, so that every bit of an
// input adds a fixed amount to each output. Bits that change nothing are left out. Errors "LayoutError": extents that
// are no powers of two, a table of another size, or a table that no such layout has.
Result<Layout> fitDigits(const std::vector<Dimension>& inputs, const std::vector<Dimension>& outputs,
                         const std::vector<Point>& table);

}  // namespace loom::layout
