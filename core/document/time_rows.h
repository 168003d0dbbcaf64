#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/document/bench.h"
#include "core/document/history.h"

namespace loom::document {

/// A measured time and the name of the device that it was measured on. Only times of the same device are compared.
struct TimeOn {
  double microseconds = 0;
  std::string device;
};
/// Returns the median of a kernel's measurement with its device; nothing if nothing was measured.
std::optional<TimeOn> timeOn(const KnownTime& timed);
/// Returns the median of the measurement of the vendor's library with its device; nothing if nothing was measured.
std::optional<TimeOn> timeOn(const std::optional<VendorLine>& vendor);
/// Returns `time` divided by `over`; nothing if one isn't known or isn't above 0, or if they are from two devices.
std::optional<double> ratioOf(const std::optional<TimeOn>& time, const std::optional<TimeOn>& over);
/// Returns the device that most of the times were taken on; of equally frequent ones the first, and "" without times.
std::string deviceOfMost(const std::vector<std::optional<TimeOn>>& times);

/// A row of the table of times: a measured state (the program after some schedule steps), and how it compares with
/// others that were measured on the same device. Each ratio is another time divided by this one, so that a ratio above
/// 1 means that this state is faster.
struct TimeRow {
  int node = 0;                        ///< index of the state in the history
  double microseconds = 0;             ///< median time of the state
  std::optional<double> overPrevious;  ///< compared with the closest state before it that has a time; nothing: none has
  int previous = -1;                   ///< that state; −1: none
  double overFirst = 1;                ///< compared with the first state before it that has a time; 1: none has
  std::optional<double> vendorShare;   ///< the vendor's library compared so, may be above 1; nothing: not known
};

/// Returns a row for each state that has a time, in the order of their indices; deleted states are left out. `time`
/// returns the time of the state with an index, and `vendor` is that of the vendor's library. `multipliesAlike` returns
/// whether a state's kernel rounds its factors to as many mantissa bits as the vendor's product does (float32 factors
/// may be multiplied as tf32); if not, the state isn't compared with `vendor`. With an empty function, all states are
/// compared.
/// The states before a state are its ancestors and, unless `before` is empty, further ones: before(s) returns the index
/// of a state that comes before s, −1 if there is none (for lessons this is comparedEnd,
/// core/document/chapter_order.h). It is called with the earliest ancestor that has a time, if there is one, and then,
/// unless that gave a state, with the state itself. The state that it returns, the ancestors of that state, and what
/// `before` gives for them in the same way, are before the row's state, too.
std::vector<TimeRow> timeRows(const History& history, const std::function<std::optional<TimeOn>(int)>& time,
                              const std::optional<TimeOn>& vendor, const std::function<bool(int)>& multipliesAlike = {},
                              const std::function<int(int)>& before = {});

/// The exponents of two powers of ten that enclose a range.
struct Decades {
  int low = 0, high = 1;
};
/// Returns the closest two different powers of ten that enclose all positive finite values: {0, 4} for values from 1 to
/// 10000, {1, 2} if all are 10. Without positive values, {0, 1}.
Decades decadesAround(const std::vector<double>& values);

}  // namespace loom::document
