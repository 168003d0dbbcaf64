#include "core/schedule/slices.h"

#include <algorithm>

namespace loom::schedule {

std::vector<std::size_t> slicePositions(std::size_t size, std::optional<std::int64_t> from,
                                        std::optional<std::int64_t> to, std::optional<std::int64_t> step) {
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t by = step.value_or(1);
  const std::int64_t low = by > 0 ? 0 : -1, high = by > 0 ? count : count - 1;
  auto clip = [&](std::optional<std::int64_t> bound, std::int64_t otherwise) {
    if (!bound) return otherwise;
    return std::clamp(*bound < 0 ? *bound + count : *bound, low, high);
  };
  const std::int64_t first = clip(from, by > 0 ? low : high), last = clip(to, by > 0 ? high : low);
  std::vector<std::size_t> positions;
  for (std::int64_t i = first; by > 0 ? i < last : i > last; i += by) {
    positions.push_back(static_cast<std::size_t>(i));
    if (by > 0 ? by > last - i : by < last - i) break;  // the next might not be a number any more
  }
  return positions;
}

std::optional<std::size_t> indexPosition(std::size_t size, std::int64_t index) {
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t at = index < 0 ? index + count : index;
  if (at < 0 || at >= count) return std::nullopt;
  return static_cast<std::size_t>(at);
}

}  // namespace loom::schedule
