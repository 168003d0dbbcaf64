#include "app/window/frame_times.h"

#include <algorithm>
#include <cmath>

namespace loom::window {

double FrameTimes::percentile(double share) const {
  if (milliseconds_.empty()) {
    return 0;
  }
  std::vector<double> sorted = milliseconds_;
  std::sort(sorted.begin(), sorted.end());
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace loom::window
