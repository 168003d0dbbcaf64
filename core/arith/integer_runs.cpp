#include "core/arith/integer_runs.h"

#include <algorithm>

namespace loom::arith {

Runs joined(Runs runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  Runs out;
  for (const Run& run : runs) {
    if (!out.empty() && run.first <= out.back().first + out.back().count) {
      out.back().count = std::max(out.back().count, run.first + run.count - out.back().first);
    } else {
      out.push_back(run);
    }
  }
  return out;
}

Runs runsOf(std::vector<std::int64_t> values) {
  Runs runs;
  runs.reserve(values.size());
  for (std::int64_t value : values) runs.push_back({value, 1});
  return joined(std::move(runs));
}

Runs sum(const Runs& a, const Runs& b) {
  Runs runs;
  runs.reserve(a.size() * b.size());
  for (const Run& x : a) {
    for (const Run& y : b) runs.push_back({x.first + y.first, x.count + y.count - 1});
  }
  return joined(std::move(runs));
}

Runs within(const Runs& runs, std::int64_t extent) {
  Runs out;
  for (const Run& run : runs) {
    const std::int64_t from = std::max<std::int64_t>(run.first, 0), to = std::min(run.first + run.count, extent);
    if (from < to) out.push_back({from, to - from});
  }
  return out;
}

std::int64_t sizeOf(const Runs& runs) {
  std::int64_t size = 0;
  for (const Run& run : runs) size += run.count;
  return size;
}

}  // namespace loom::arith
