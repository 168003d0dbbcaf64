#include "core/arith/integer_runs.h"

#include <algorithm>

namespace loom::arith {

namespace {

Runs sorted(Runs runs) {
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

}  // namespace

Runs runsOf(std::vector<std::int64_t> values) {
  Runs runs;
  runs.reserve(values.size());
  for (std::int64_t value : values) runs.push_back({value, 1});
  return sorted(std::move(runs));
}

Runs sum(const Runs& a, const Runs& b) {
  Runs runs;
  runs.reserve(a.size() * b.size());
  for (const Run& x : a) {
    for (const Run& y : b) runs.push_back({x.first + y.first, x.count + y.count - 1});
  }
  return sorted(std::move(runs));
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

std::int64_t Cuboid::points() const { return (to[0] - from[0]) * (to[1] - from[1]) * (to[2] - from[2]); }

Cuboid hull(const Cuboid& a, const Cuboid& b) {
  Cuboid out;
  for (std::size_t d = 0; d < 3; ++d) {
    out.from[d] = std::min(a.from[d], b.from[d]);
    out.to[d] = std::max(a.to[d], b.to[d]);
  }
  return out;
}

std::vector<Cuboid> joined(std::vector<Cuboid> parts) {
  for (std::size_t axis : {2U, 1U, 0U}) {
    const std::size_t p = (axis + 1) % 3, q = (axis + 2) % 3;
    auto section = [&](const Cuboid& c) { return std::array{c.from[p], c.to[p], c.from[q], c.to[q]}; };
    std::sort(parts.begin(), parts.end(), [&](const Cuboid& a, const Cuboid& b) {
      const auto sa = section(a), sb = section(b);
      return sa != sb ? sa < sb : a.from[axis] < b.from[axis];
    });
    std::vector<Cuboid> out;
    for (const Cuboid& part : parts) {
      if (!out.empty() && section(out.back()) == section(part) && part.from[axis] <= out.back().to[axis]) {
        out.back().to[axis] = std::max(out.back().to[axis], part.to[axis]);
      } else {
        out.push_back(part);
      }
    }
    parts = std::move(out);
  }
  return parts;
}

}  // namespace loom::arith
