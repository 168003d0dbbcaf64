#include "core/document/time_rows.h"

#include <algorithm>
#include <cmath>
#include <set>

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
                              const std::optional<TimeOn>& vendor, const std::function<bool(int)>& multipliesAlike,
                              const std::function<int(int)>& before) {
  std::vector<TimeRow> rows;
  const std::vector<bool> hidden = history.hidden();
  for (int index = 0; index < static_cast<int>(history.nodes().size()); ++index) {
    const std::optional<TimeOn> own = time(index);
    if (!own || own->microseconds <= 0 || hidden[static_cast<std::size_t>(index)]) {
      continue;
    }
    TimeRow row{index, own->microseconds, {}, -1, 1, {}};
    // Back to the first state with a time: on the path, and from the first one there on that of the state before it.
    std::set<int> seen;  // a chapter's end may lie on the path of an earlier chapter, which it is compared with
    for (int end = index; end >= 0 && seen.insert(end).second;) {
      int first = end;
      const std::vector<int> path = history.path(end);
      for (auto at = path.rbegin(); at != path.rend(); ++at) {
        const auto ratio = *at == index ? std::nullopt : ratioOf(time(*at), own);
        if (!ratio) continue;
        first = *at;
        row.overFirst = *ratio;
        if (row.overPrevious) continue;
        row.overPrevious = *ratio;
        row.previous = *at;
      }
      // A state amid a chapter has none before it: the chapter's end has.
      const int ofFirst = before ? before(first) : -1;
      end = ofFirst < 0 && before && first != end ? before(end) : ofFirst;
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
