#include "core/lower/clusters.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/lane_values.h"
#include "core/device/operation.h"
#include "core/device/refusal.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"

namespace loom::lower {

using namespace device;
using ir::intImm;

namespace {

constexpr std::array<const char*, 2> kKeys{kClusterX, kClusterY};

// Whether a < b holds for the first block of a cluster exactly where it does for a later one, of which a is greater: b
// is as far from the first's as whole clusters are.
bool alike(arith::Analyzer& analyzer, const Expr& first, const Expr& later, std::int64_t blocks) {
  const auto *a = ir::asBinary(first, ir::ExprKind::LT), *b = ir::asBinary(later, ir::ExprKind::LT);
  if (!a || !b) return false;
  const Expr gap = analyzer.simplify(a->b - a->a);
  const auto* less = ir::asInt(analyzer.simplify(gap - (b->b - b->a)));
  return less && less->value >= 0 && less->value < blocks &&
         ir::isConst(analyzer.simplify(ir::floormod(gap, intImm(blocks, gap->dtype))), 0);
}

// Points at which an expression is looked at, one after the other, where rules prove nothing.
constexpr std::int64_t kMostPoints = 1 << 20;

// What an expression depends on, and the values from 0 on that each variable has.
struct Domain {
  std::vector<std::pair<const ir::VarNode*, std::int64_t>> extents;
  std::int64_t points = 1;
};

// Of the loops and axes of the grid that are in the expression, `axis` excepted; nothing where one has no constant
// extent, others are in it, too, or the points are too many.
std::optional<Domain> domainOf(const Kernel& kernel, std::size_t axis, const Expr& e,
                               std::span<const LoopNode* const> loops) {
  Domain domain;
  bool known = true;
  const auto add = [&](const ir::VarNode* v, std::int64_t extent) {
    if (std::ranges::any_of(domain.extents, [&](const auto& other) { return other.first == v; })) return;
    known &= extent > 0 && extent <= kMostPoints && (domain.points *= extent) <= kMostPoints;
    domain.extents.emplace_back(v, extent);
  };
  ir::usesVar(e, [&](const ir::VarNode* v) {
    if (v == kernel.blockIdx[axis].get() || !known) return false;
    for (std::size_t a = 0; a < 3; ++a)
      if (v == kernel.blockIdx[a].get()) return add(v, kernel.grid[a]), false;
    const auto loop = std::ranges::find(loops, v, [](const LoopNode* l) { return l->var.get(); });
    add(v, loop == loops.end() ? 0 : ir::constantOr((*loop)->extent, 0));
    return false;
  });
  return known ? std::optional(std::move(domain)) : std::nullopt;
}

// Whether the expression has one value within each cluster, looked at everywhere: a lane for each place in a cluster.
bool sameEverywhere(const Kernel& kernel, std::size_t axis, const Expr& e, const Domain& domain) {
  const std::int64_t blocks = kernel.cluster[axis], clusters = kernel.grid[axis] / blocks;
  if (domain.points > kMostPoints / std::max<std::int64_t>(clusters, 1)) return false;
  WarpState state;
  LaneValues places;
  places.uniform = false;
  for (std::int64_t cluster = 0; cluster < clusters; ++cluster) {
    for (int lane = 0; lane < layout::kLanes; ++lane) places.each[std::size_t(lane)] = cluster * blocks + lane % blocks;
    state.set(kernel.blockIdx[axis].get(), places);
    for (std::int64_t point = 0; point < domain.points; ++point) {
      std::int64_t rest = point;
      for (const auto& [var, extent] : domain.extents) {
        state.set(var, rest % extent);
        rest /= extent;
      }
      const auto values = state.evaluate(e);
      if (!values) return false;
      for (int lane = 1; lane < blocks; ++lane)
        if ((*values)[lane] != (*values)[0]) return false;
    }
  }
  return true;
}

}  // namespace

Result<void> formClusters(Kernel& kernel) {
  for (std::size_t axis = 0; axis < kKeys.size(); ++axis) {
    for (const BlockNode* b : annotatedBlocks(kernel.body, kKeys[axis])) {
      const auto number = numberOf(b->annotations.at(kKeys[axis]));
      if (!number || *number < 1 || *number > kMostBlocksOfCluster)
        return notAKernel(message("\"{}\" of block {} is a whole number from 1 to {}: the blocks of a cluster along "
                                  "blockIdx.{}",
                                  kKeys[axis], b->name, kMostBlocksOfCluster, "xyz"[axis]),
                          {b->block}, {}, Forbids::Hardware);
      if (kernel.grid[axis] == 0 || kernel.grid[axis] % *number != 0)
        return notAKernel(
            message("{} blocks along blockIdx.{} aren't a multiple of the {} that \"{}\" of block {} makes a cluster "
                    "of",
                    kernel.grid[axis], "xyz"[axis], *number, kKeys[axis], b -> name),
            {b->block}, message("another extent of the loop that is bound to blockIdx.{}", "xyz"[axis]),
            Forbids::Hardware);
      kernel.cluster[axis] = *number;
      if (kernel.blocksOfCluster() <= kMostBlocksOfCluster) continue;
      return notAKernel(message("a cluster of {} × {} blocks is more than the {} that GPUs allow", kernel.cluster[0],
                                kernel.cluster[1], kMostBlocksOfCluster),
                        {b->block}, {}, Forbids::Hardware);
    }
  }
  return {};
}

Expr placeInCluster(const Kernel& kernel, std::size_t axis) {
  const Var& block = kernel.blockIdx[axis];
  const std::int64_t blocks = kernel.cluster[axis];
  return blocks > 1 ? ir::floormod(block, intImm(blocks, block->dtype)) : intImm(0, block->dtype);
}

Expr numberInCluster(const Kernel& kernel, const std::array<Expr, 3>& places) {
  Expr number = places[2];
  for (std::size_t axis : {1, 0}) number = number * intImm(kernel.cluster[axis], number->dtype) + places[axis];
  return arith::Analyzer().simplify(number);
}

int multicastAxis(const BlockNode& block) {
  const auto found = block.annotations.find(kMulticast);
  const std::string axis = found == block.annotations.end() ? "" : textOf(found->second).value_or("");
  return axis == "x" ? 0 : axis == "y" ? 1 : -1;
}

Expr multicastBlocks(const Kernel& kernel, std::size_t axis) {
  std::array<Expr, 3> first;
  for (std::size_t a = 0; a < first.size(); ++a)
    first[a] = a == axis ? intImm(0, kernel.blockIdx[a]->dtype) : placeInCluster(kernel, a);
  const std::int64_t step = axis == 0 ? 1 : kernel.cluster[0];
  std::int64_t line = 0;
  for (std::int64_t n = 0; n < kernel.cluster[axis]; ++n) line |= std::int64_t{1} << n * step;
  const Expr by = numberInCluster(kernel, first);
  return ir::isConst(by, 0) ? intImm(line) : ir::call(by->dtype, "shift_left", {intImm(line, by->dtype), by});
}

bool useOthersMbarriers(const Stmt& s) {
  bool found = false;
  forEach(s, [&](const Stmt& inner) {
    found |= inner->kind == StmtKind::Operation && blocksThatGet(*as<OperationNode>(inner)) > 1;
    found |= inner->kind == StmtKind::Sync && as<SyncNode>(inner)->target;
    return !found;
  });
  return found;
}

std::vector<Expr> otherWriters(const Kernel& kernel, const Stmt& copies) {
  std::array<bool, 2> along{};
  for (const BlockNode* b : annotatedBlocks(copies, kMulticast))
    if (const int axis = multicastAxis(*b); axis >= 0) along[std::size_t(axis)] = true;
  const std::array<Expr, 3> own{placeInCluster(kernel, 0), placeInCluster(kernel, 1), placeInCluster(kernel, 2)};
  std::vector<Expr> others;
  for (std::size_t axis = 0; axis < along.size(); ++axis) {
    const std::int64_t blocks = along[axis] ? kernel.cluster[axis] : 1;
    for (std::int64_t n = 1; n < blocks; ++n) {
      std::array<Expr, 3> places = own;
      const ir::DType type = own[axis]->dtype;
      places[axis] = ir::floormod(Expr(kernel.blockIdx[axis]) + intImm(n, type), intImm(blocks, type));
      others.push_back(numberInCluster(kernel, places));
    }
  }
  return others;
}

bool sameInCluster(const Kernel& kernel, std::size_t axis, const Expr& e, std::span<const LoopNode* const> loops) {
  const Var& block = kernel.blockIdx[axis];
  if (!ir::usesVar(e, [&](const ir::VarNode* v) { return v == block.get(); })) return true;
  const ir::DType type = block->dtype;
  const std::int64_t blocks = kernel.cluster[axis];
  const Var cluster = ir::makeVar("cluster", type);
  arith::Analyzer analyzer;
  for (std::size_t a = 0; a < 3; ++a) {
    analyzer.bind(kernel.threadIdx[a], ir::Range{intImm(0), intImm(kernel.block[a])}, true);
    if (a != axis) analyzer.bind(kernel.blockIdx[a], ir::Range{intImm(0), kernel.gridExtent(int(a))}, true);
  }
  analyzer.bind(cluster, ir::Range{intImm(0, type), intImm(kernel.grid[axis] / blocks, type)}, true);
  for (const LoopNode* loop : loops)
    analyzer.bind(loop->var, ir::Range{intImm(0, loop->var->dtype), loop->extent}, true);
  const auto at = [&](std::int64_t place) {
    const Expr own = Expr(cluster) * intImm(blocks, type) + intImm(place, type);
    return analyzer.simplify(ir::substitute(e, {{block.get(), own}}));
  };
  const Expr first = at(0);
  for (std::int64_t place = 1; place < blocks; ++place) {
    const Expr other = at(place);
    if (ir::structuralEqual(first, other)) continue;
    const bool same = first->dtype.isBool() ? alike(analyzer, first, other, blocks)
                                            : ir::isConst(analyzer.simplify(other - first), 0);
    if (same) continue;
    const auto domain = domainOf(kernel, axis, e, loops);
    return domain && sameEverywhere(kernel, axis, e, *domain);
  }
  return true;
}

}  // namespace loom::lower
