#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace loom::tune {

/// Returns the median of |prediction / measured − 1| over the rows that have both: `told` points to the member with the
/// prediction, and `measured`, a std::optional in the same unit, must be positive. Of an even number of rows, the upper
/// one of the two middle values counts. Returns nothing if no row has both.
template <class Row>
std::optional<double> medianError(const std::vector<Row>& rows, std::optional<double> Row::*told) {
  std::vector<double> off;
  for (const Row& row : rows)
    if (row.measured && row.*told) off.push_back(std::abs(*(row.*told) / *row.measured - 1));
  if (off.empty()) return std::nullopt;
  std::ranges::nth_element(off, off.begin() + std::ptrdiff_t(off.size() / 2));
  return off[off.size() / 2];
}

}  // namespace loom::tune
