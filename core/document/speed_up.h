#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/document/bench.h"
#include "core/document/history.h"

namespace loom::document {

/// A measured time and the device that it was taken on. Only times of one device are set against each other.
struct TimeOn {
  double microseconds = 0;
  std::string device;
};
/// What was measured; nothing where nothing was.
std::optional<TimeOn> timeOn(const KnownTime& timed);
std::optional<TimeOn> timeOn(const std::optional<VendorLine>& vendor);
/// The first over the second; nothing where one isn't known, or they are of two devices.
std::optional<double> ratioOf(const std::optional<TimeOn>& time, const std::optional<TimeOn>& over);
/// The device that most of the times were taken on, the first of several; "" without times.
std::string deviceOfMost(const std::vector<std::optional<TimeOn>>& times);

/// A measured state and how it compares with others of its device. Ratios above 1 are faster.
struct SpeedUp {
  int node = 0;
  double microseconds = 0;
  std::optional<double> overPrevious;  ///< the time of the closest ancestor measured there over this one's
  double overFirst = 1;                ///< the time of the first state measured there on the way here over this one's
  std::optional<double> vendorShare;   ///< the vendor's time there over this one's: 1 is as fast
};

/// One entry per state that has a time, in the order of the tree's indices; removed states are left out.
std::vector<SpeedUp> speedUps(const History& history, const std::function<std::optional<TimeOn>(int)>& time,
                              const std::optional<TimeOn>& vendor);

/// Powers of ten that enclose all positive values: {0, 4} for 1…10000; {0, 1} where there are none.
struct Decades {
  int low = 0, high = 1;
};
Decades decadesAround(const std::vector<double>& values);

}  // namespace loom::document
