#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/document/history.h"

namespace loom::workbench {

/// A measured state and how it compares. Ratios above 1 are faster.
struct SpeedUp {
  int node = 0;
  double microseconds = 0;
  std::optional<double> overPrevious;  ///< the closest measured ancestor's time over this one's
  double overFirst = 1;                ///< the time of the first measured state on the way here over this one's
  std::optional<double> vendorShare;   ///< the vendor's time over this one's: 1 is as fast
};

/// One entry per state that has a time, in the order of the tree's indices; removed states are left out. `time` gives
/// microseconds, nothing where none is known; `vendor` likewise, 0 where unknown.
std::vector<SpeedUp> speedUps(const document::History& history, const std::function<std::optional<double>(int)>& time,
                              double vendor);

/// Powers of ten that enclose all positive values: {0, 4} for 1…10000; {0, 1} where there are none.
struct Decades {
  int low = 0, high = 1;
};
Decades decadesAround(const std::vector<double>& values);

}  // namespace loom::workbench
