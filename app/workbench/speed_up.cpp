#include "app/workbench/speed_up.h"

#include <algorithm>
#include <cmath>

namespace loom::workbench {

std::vector<SpeedUp> speedUps(const document::History& history, const std::function<std::optional<double>(int)>& time,
                              double vendor) {
  std::vector<SpeedUp> rows;
  const std::vector<bool> hidden = history.hidden();
  for (int index = 0; index < static_cast<int>(history.nodes().size()); ++index) {
    const std::optional<double> own = time(index);
    if (!own || *own <= 0 || hidden[static_cast<std::size_t>(index)]) {
      continue;
    }
    SpeedUp row{index, *own, {}, 1, {}};
    bool first = true;
    for (const int ancestor : history.path(index)) {
      const std::optional<double> theirs = ancestor == index ? std::nullopt : time(ancestor);
      if (theirs && *theirs > 0) {
        row.overPrevious = *theirs / *own;
        row.overFirst = first ? *row.overPrevious : row.overFirst;
        first = false;
      }
    }
    if (vendor > 0) {
      row.vendorShare = vendor / *own;
    }
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

}  // namespace loom::workbench
