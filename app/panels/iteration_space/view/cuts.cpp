// Which points of the box a piece covers.

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>

#include "app/panels/iteration_space/view/parts.h"
#include "core/arith/integer_runs.h"
#include "core/device/lane_values.h"
#include "core/ir/visit.h"

namespace loom::session {

namespace {

constexpr std::int64_t kJoinedAtMost = 1 << 21;  // combinations of a cluster's loops
constexpr std::size_t kPartsAtMost = 1024;       // of a piece that is drawn
constexpr std::size_t kExactAtMost = 1 << 17;    // of a piece while it is joined

using Points = std::vector<Point>;

AxisRange coverOf(const arith::Runs& runs) {
  AxisRange cover;
  if (runs.empty()) return {0, 0, 0, 0, true, 0};
  cover.first = runs.front().first;
  cover.run = runs.front().count;
  cover.runs = std::int64_t(runs.size());
  cover.size = arith::sizeOf(runs);
  if (runs.size() > 1) cover.stride = runs[1].first - runs[0].first;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    cover.even = cover.even && runs[i].count == cover.run && runs[i].first - runs[i - 1].first == cover.stride;
  }
  return cover;
}

// The set as one along each axis and all combinations of them.
using Product = std::array<arith::Runs, 3>;

std::optional<Product> productOf(const Points& points) {
  Product product;
  std::int64_t size = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<std::int64_t> values;
    values.reserve(points.size());
    for (const Point& p : points) values.push_back(p[d]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    size *= std::int64_t(values.size());
    product[d] = arith::runsOf(std::move(values));
  }
  return size == std::int64_t(points.size()) ? std::optional(product) : std::nullopt;
}

// How many children a piece stands for: a divisor of their count where one is near.
std::int64_t mergedFor(std::int64_t count, std::int64_t piecesAtMost) {
  const std::int64_t least = (count + piecesAtMost - 1) / piecesAtMost;
  for (std::int64_t m = least; m < 2 * least; ++m)
    if (count % m == 0) return m;
  return least;
}

}  // namespace

void IterationParts::group(const std::vector<ir::Expr>& conditions) {
  // Things that are joined: levels, then one for all blocks, one for all threads.
  const int n = int(levels.size());
  std::vector<int> parent(std::size_t(n) + 2);
  std::iota(parent.begin(), parent.end(), 0);
  auto rootOf = [&](int x) {
    while (parent[std::size_t(x)] != x) x = parent[std::size_t(x)];
    return x;
  };
  auto join = [&](int a, int b) { parent[std::size_t(rootOf(a))] = rootOf(b); };
  if (const int i = levelOf(SpaceLevel::Kind::kBlocks); i >= 0) join(i, n);
  if (const int i = levelOf(SpaceLevel::Kind::kWarps); i >= 0) join(i, n + 1);
  if (const int i = levelOf(SpaceLevel::Kind::kLanes); i >= 0) join(i, n + 1);
  auto thingOf = [&](const Loop& loop) { return loop.hardware >= 3 ? n + 1 : loop.hardware >= 0 ? n : loop.level; };
  auto thingsIn = [&](const ir::Expr& e) {
    std::vector<int> things;
    ir::usesVar(e, [&](const ir::VarNode* var) {
      for (const Loop& loop : loops)
        if (loop.var == var && thingOf(loop) >= 0) things.push_back(thingOf(loop));
      return false;
    });
    return things;
  };
  auto joinAll = [&](const ir::Expr& e) {
    const auto things = thingsIn(e);
    for (std::size_t i = 1; i < things.size(); ++i) join(things[0], things[i]);
    return things.empty() ? -1 : things[0];
  };
  std::vector<int> ofTerm, ofCondition;
  for (const Term& term : terms) ofTerm.push_back(joinAll(term.atom));
  for (const ir::Expr& condition : conditions) ofCondition.push_back(joinAll(condition));
  std::map<int, int> number;
  auto clusterOf = [&](int thing) {
    // What depends on no loop of more than one run has a cluster of its own.
    const auto [at, added] = number.emplace(thing < 0 ? -1 : rootOf(thing), int(clusters.size()));
    if (added) clusters.emplace_back();
    return at->second;
  };
  for (int i = 0; i < n; ++i) clusters[std::size_t(clusterOf(i))].levels.push_back(i);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i].cluster = clusterOf(ofTerm[i]);
    clusters[std::size_t(terms[i].cluster)].terms.push_back(int(i));
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    clusters[std::size_t(clusterOf(ofCondition[i]))].conditions.push_back(conditions[i]);
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i].cluster = clusterOf(thingOf(loops[i]));
    clusters[std::size_t(loops[i].cluster)].loops.push_back(int(i));
  }
}

class IterationSpace::Cutter {
 public:
  explicit Cutter(const Parts& parts) : p_(parts) {
    for (const SpaceLevel& level : parts.levels) taken_.push_back({0, level.count});
  }

  // From here on the level takes these values; at first each takes all of its.
  void fix(int level, const arith::Run& values) { taken_[std::size_t(level)] = values; }
  // How many different places the level's children have along each axis; zeros when they are too many to tell.
  std::array<std::int64_t, 3> across(int level);

  struct Cover {
    std::vector<Cuboid> parts;
    Cuboid bounds;
    std::array<AxisRange, 3> axes;
    std::int64_t points = 0;
    bool box = true, product = true, boundsOnly = false;
  };
  Result<Cover> cover();

 private:
  Result<const Points*> pointsOf(int cluster);
  Result<Points> enumerate(int cluster) const;

  const Parts& p_;
  arith::Runs taken_;  // by level: the values that it takes
  std::map<std::pair<int, std::vector<std::int64_t>>, Points> known_;
};

Result<const Points*> IterationSpace::Cutter::pointsOf(int cluster) {
  std::vector<std::int64_t> key;
  for (int level : p_.clusters[std::size_t(cluster)].levels) {
    key.push_back(taken_[std::size_t(level)].first);
    key.push_back(taken_[std::size_t(level)].count);
  }
  const auto [at, added] = known_.try_emplace({cluster, std::move(key)});
  if (added) {
    auto points = enumerate(cluster);
    if (!points) return Failure(points.error());
    std::sort(points->begin(), points->end());
    points->erase(std::unique(points->begin(), points->end()), points->end());
    at->second = std::move(*points);
  }
  return &at->second;
}

Result<Points> IterationSpace::Cutter::enumerate(int number) const {
  const IterationParts::Cluster& cluster = p_.clusters[std::size_t(number)];
  std::int64_t total = 1;
  for (int level : cluster.levels) {
    total *= taken_[std::size_t(level)].count;
    if (total > kJoinedAtMost) {
      return fail("TooMany", message("more than {} combinations of loops that one index joins", kJoinedAtMost));
    }
  }
  const int blocks = p_.levelOf(SpaceLevel::Kind::kBlocks), warps = p_.levelOf(SpaceLevel::Kind::kWarps),
            lanes = p_.levelOf(SpaceLevel::Kind::kLanes);
  Points points;
  points.reserve(std::size_t(total));
  std::vector<std::int64_t> value(p_.levels.size(), 0);
  device::WarpState state;
  for (std::int64_t first = 0; first < total; first += layout::kLanes) {
    std::uint32_t active = 0;
    std::vector<device::LaneValues> set(cluster.loops.size());
    for (auto& v : set) v.uniform = false;
    for (int lane = 0; lane < layout::kLanes && first + lane < total; ++lane) {
      std::int64_t rest = first + lane;
      for (int level : cluster.levels) {
        const arith::Run& taken = taken_[std::size_t(level)];
        value[std::size_t(level)] = taken.first + rest % taken.count;
        rest /= taken.count;
      }
      auto at = [&](int level) { return level < 0 ? 0 : value[std::size_t(level)]; };
      const std::int64_t block = at(blocks), thread = at(warps) * layout::kLanes + at(lanes);
      const std::array<std::int64_t, 6> hardware = {
          block % p_.grid[0],     block / p_.grid[0] % p_.grid[1],        block / p_.grid[0] / p_.grid[1],
          thread % p_.threads[0], thread / p_.threads[0] % p_.threads[1], thread / p_.threads[0] / p_.threads[1]};
      bool runs = hardware[5] < p_.threads[2];
      for (std::size_t i = 0; i < cluster.loops.size(); ++i) {
        const IterationParts::Loop& loop = p_.loops[std::size_t(cluster.loops[i])];
        const std::int64_t digit = loop.hardware >= 0 ? hardware[std::size_t(loop.hardware)] : at(loop.level);
        runs = runs && digit < loop.extent;
        set[i].each[std::size_t(lane)] = loop.min + digit;
      }
      if (runs) active |= 1U << lane;
    }
    for (auto& v : set) {
      for (std::int64_t lane = total - first; lane < layout::kLanes; ++lane) v.each[std::size_t(lane)] = v.each[0];
    }
    for (std::size_t i = 0; i < cluster.loops.size(); ++i) {
      state.set(p_.loops[std::size_t(cluster.loops[i])].var, set[i]);
    }
    for (const ir::Expr& condition : cluster.conditions) {
      const auto holds = state.evaluate(condition);
      if (!holds) return fail("NotEvaluable", message("a block's condition is more than integers' arithmetic"));
      for (int lane = 0; lane < layout::kLanes; ++lane)
        if ((*holds)[lane] == 0) active &= ~(1U << lane);
    }
    Point sums[layout::kLanes] = {};
    for (int t : cluster.terms) {
      const IterationParts::Term& term = p_.terms[std::size_t(t)];
      const auto here = state.evaluate(term.atom);
      if (!here) return fail("NotEvaluable", message("a block's binding is more than integers' arithmetic"));
      for (int lane = 0; lane < layout::kLanes; ++lane) sums[lane][term.axis] += term.coefficient * (*here)[lane];
    }
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) points.push_back(sums[std::countr_zero(rest)]);
  }
  return points;
}

Result<IterationSpace::Cutter::Cover> IterationSpace::Cutter::cover() {
  Cover out;
  Product product;
  for (std::size_t d = 0; d < 3; ++d) product[d] = {{p_.base[d], p_.tile[d]}};
  Points odd;  // of clusters whose points are no product
  for (std::size_t c = 0; c < p_.clusters.size(); ++c) {
    const auto points = pointsOf(int(c));
    if (!points) return Failure(points.error());
    if ((*points)->empty()) {
      out.points = 0;
      for (auto& axis : out.axes) axis = coverOf({});
      return out;
    }
    if (const auto here = productOf(**points)) {
      for (std::size_t d = 0; d < 3; ++d) product[d] = sum(product[d], (*here)[d]);
      continue;
    }
    if (odd.empty()) odd.push_back({});
    if (odd.size() * (*points)->size() > std::size_t(kJoinedAtMost)) {
      return fail("TooMany", message("more than {} combinations of loops that one index joins", kJoinedAtMost));
    }
    Points sums;
    for (const Point& a : odd) {
      for (const Point& b : **points) sums.push_back({a[0] + b[0], a[1] + b[1], a[2] + b[2]});
    }
    odd = std::move(sums);
  }
  // Along each axis.
  std::array<arith::Runs, 3> along;
  for (std::size_t d = 0; d < 3; ++d) {
    arith::Runs shifts = {{0, 1}};
    if (!odd.empty()) {
      std::vector<std::int64_t> values;
      for (const Point& p : odd) values.push_back(p[d]);
      shifts = arith::runsOf(std::move(values));
    }
    along[d] = within(sum(product[d], shifts), p_.axes[d].extent);
    out.axes[d] = coverOf(along[d]);
    if (along[d].empty()) return out;
    out.bounds.from[d] = along[d].front().first;
    out.bounds.to[d] = along[d].back().first + along[d].back().count;
  }
  auto add = [&](const Product& runs, const Point& at) {
    for (const arith::Run& i : within(sum(runs[0], {{at[0], 1}}), p_.axes[0].extent)) {
      for (const arith::Run& j : within(sum(runs[1], {{at[1], 1}}), p_.axes[1].extent)) {
        for (const arith::Run& k : within(sum(runs[2], {{at[2], 1}}), p_.axes[2].extent)) {
          out.parts.push_back({{i.first, j.first, k.first}, {i.first + i.count, j.first + j.count, k.first + k.count}});
        }
      }
    }
  };
  if (odd.empty()) {
    out.points = arith::sizeOf(along[0]) * arith::sizeOf(along[1]) * arith::sizeOf(along[2]);
    out.box = along[0].size() * along[1].size() * along[2].size() == 1;
    if (along[0].size() * along[1].size() * along[2].size() <= kPartsAtMost) {
      add(product, {});
    } else {
      out.boundsOnly = true;
    }
  } else {
    const std::size_t parts = odd.size() * product[0].size() * product[1].size() * product[2].size();
    if (parts > kExactAtMost) {
      return fail("TooMany", message("a piece of more than {} parts", kExactAtMost));
    }
    for (const Point& p : odd) add(product, p);
    out.parts = joined(std::move(out.parts));
    for (const Cuboid& part : out.parts) out.points += part.points();
    out.box = out.parts.size() == 1;
    out.product = out.points == out.axes[0].size * out.axes[1].size * out.axes[2].size;
    out.boundsOnly = out.parts.size() > kPartsAtMost;
  }
  if (out.boundsOnly) out.parts = {out.bounds};
  return out;
}

std::array<std::int64_t, 3> IterationSpace::Cutter::across(int level) {
  std::array<std::int64_t, 3> places{1, 1, 1};
  for (std::size_t c = 0; c < p_.clusters.size(); ++c) {
    const auto& levels = p_.clusters[c].levels;
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) continue;
    // Where the first iteration of each child lies.
    const arith::Runs taken = taken_;
    for (int other : levels) {
      arith::Run& run = taken_[std::size_t(other)];
      run = other == level ? arith::Run{0, p_.levels[std::size_t(other)].count} : arith::Run{run.first, 1};
    }
    const auto points = pointsOf(int(c));
    taken_ = taken;
    if (!points) return {};
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<std::int64_t> values;
      for (const Point& p : **points) values.push_back(p[d]);
      std::sort(values.begin(), values.end());
      places[d] = std::unique(values.begin(), values.end()) - values.begin();
    }
  }
  return places;
}

Result<IterationView> IterationSpace::view(std::vector<std::int64_t> path, int level, int piecesAtMost) const {
  IterationView view;
  view.path = clamped(std::move(path));
  view.level = std::clamp(level, -1, int(parts_->levels.size()) - 1);
  Cutter cutter(*parts_);
  for (int l = 0; l <= view.level; ++l) {
    const std::int64_t count = parts_->levels[std::size_t(l)].count;
    Partition cut;
    cut.chosen = view.path[std::size_t(l)];
    cut.merged = mergedFor(count, piecesAtMost);
    std::size_t parts = 0;
    cut.across = cutter.across(l);
    for (std::int64_t first = 0; first < count; first += cut.merged) {
      PartitionPart piece{first, std::min(cut.merged, count - first), {}, {}};
      cutter.fix(l, {piece.first, piece.count});
      auto cover = cutter.cover();
      if (!cover) return Failure(cover.error());
      piece.bounds = cover->bounds;
      piece.parts = std::move(cover->parts);
      parts += piece.parts.size();
      cut.pieces.push_back(std::move(piece));
    }
    cutter.fix(l, {cut.chosen, 1});
    auto cover = cutter.cover();
    if (!cover) return Failure(cover.error());
    cut.chosenPart = {cut.chosen, 1, std::move(cover->parts), cover->bounds};
    cut.cover = cover->axes;
    cut.points = cover->points;
    cut.box = cover->box;
    cut.product = cover->product;
    cut.boundsOnly = cover->boundsOnly;
    // Strided pieces can have very many parts together: then each is its bounds.
    if (parts > std::size_t(4 * piecesAtMost)) {
      for (PartitionPart& piece : cut.pieces) {
        if (!piece.parts.empty()) piece.parts = {piece.bounds};
      }
      cut.boundsOnly = true;
    }
    if (!cut.boundsOnly) {
      std::int64_t points = 0;
      for (const PartitionPart& piece : cut.pieces) {
        for (const Cuboid& part : piece.parts) points += part.points();
      }
      const bool first = l == 0;
      const Cuboid whole{{}, {parts_->axes[0].extent, parts_->axes[1].extent, parts_->axes[2].extent}};
      cut.fills = (first ? whole : view.partitions.back().chosenPart.bounds).points() == points;
    }
    for (const PartitionPart& piece : cut.pieces) {
      for (std::size_t d = 0; d < 3; ++d) {
        const Cuboid &a = piece.bounds, &b = cut.pieces.front().bounds;
        cut.alike = cut.alike && a.to[d] - a.from[d] == b.to[d] - b.from[d];
      }
    }
    view.partitions.push_back(std::move(cut));
  }
  return view;
}

}  // namespace loom::session
