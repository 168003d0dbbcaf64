#include "core/document/time_rows.h"

#include <algorithm>
#include <cmath>

namespace loom::document {

std::optional<TimeOn> timeOn(const KnownTime& timed) {
  const gpu::Outcome* measured = timed.measured();
  return measured ? std::optional(TimeOn{measured->timing.median, timed.device}) : std::nullopt;
}

std::optional<TimeOn> timeOn(const std::optional<VendorLine>& vendor) {
  if (!vendor || !vendor->outcome.available) return std::nullopt;
  return TimeOn{vendor->outcome.timing.median, vendor->device};
}

std::optional<double> ratioOf(const std::optional<TimeOn>& time, const std::optional<TimeOn>& over) {
  if (!time || !over || time->microseconds <= 0 || over->microseconds <= 0 || time->device != over->device)
    return std::nullopt;
  return time->microseconds / over->microseconds;
}

std::string deviceOfMost(const std::vector<std::optional<TimeOn>>& times) {
  auto count = [&](const std::string& device) {
    return std::count_if(times.begin(), times.end(), [&](const auto& t) { return t && t->device == device; });
  };
  std::string most;
  for (const std::optional<TimeOn>& t : times)
    if (t && (most.empty() || count(t->device) > count(most))) most = t->device;
  return most;
}

std::vector<TimeRow> timeRows(const History& history, const std::function<std::optional<TimeOn>(int)>& time,
                              const std::optional<TimeOn>& vendor, const std::function<bool(int)>& multipliesAlike) {
  std::vector<TimeRow> rows;
  const std::vector<bool> hidden = history.hidden();
  for (int index = 0; index < static_cast<int>(history.nodes().size()); ++index) {
    const std::optional<TimeOn> own = time(index);
    if (!own || own->microseconds <= 0 || hidden[static_cast<std::size_t>(index)]) {
      continue;
    }
    TimeRow row{index, own->microseconds, {}, 1, {}};
    bool first = true;
    for (const int ancestor : history.path(index)) {
      const auto ratio = ancestor == index ? std::nullopt : ratioOf(time(ancestor), own);
      if (ratio) {
        row.overPrevious = *ratio;
        row.overFirst = first ? *ratio : row.overFirst;
        first = false;
      }
    }
    if (!multipliesAlike || multipliesAlike(index)) row.vendorShare = ratioOf(vendor, own);
    rows.push_back(row);
  }
  return rows;
}

Decades decadesAround(const std::vector<double>& values) {
  double low = 0;
  double high = 0;
  for (const double value : values) {
    if (value > 0 && std::isfinite(value)) {
      low = low == 0 ? value : std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low == 0) {
    return {};
  }
  Decades decades{static_cast<int>(std::floor(std::log10(low))), static_cast<int>(std::ceil(std::log10(high)))};
  decades.high = std::max(decades.high, decades.low + 1);
  return decades;
}

}  // namespace loom::document
