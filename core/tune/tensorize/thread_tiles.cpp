// What the threads of a schedule compute, by evaluating the indices of its accesses to global memory.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/device/lane_values.h"
#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/tune/tensorize/thread_unification.h"

namespace loom::tune {
namespace {

using ir::Id;

constexpr std::int64_t kMostIterations = 1 << 16;  // of the loops of one access, for one warp

tl::unexpected<PassReport> untold(PassOutcome outcome, Message verdict, std::vector<Id> lookedAt) {
  return tl::unexpected(PassReport{outcome, std::move(verdict), std::move(lookedAt), {}});
}

struct BoundLoop {
  Id id;
  ir::Var var;
  std::int64_t extent = 0;
  std::string thread;  // "": none
  bool ofGrid() const { return thread.starts_with("blockIdx."); }
  int threadAxis() const { return thread.starts_with("threadIdx.") ? thread.back() - 'x' : -1; }
};

std::vector<BoundLoop> loopsAbove(const schedule::Tree& tree, Id block) {
  std::vector<BoundLoop> loops;
  for (Id id : tree.loopsAbove(block)) {
    const ir::For loop = tree.loop(id);
    loops.push_back({id, loop->var, ir::constantOr(loop->extent, 0), loop->thread});
  }
  return loops;
}

// An access of a block to a buffer, its indices in terms of loops.
struct IndexedAccess {
  Id block;
  std::vector<BoundLoop> loops;
  std::vector<ir::Expr> indices;
};

std::vector<ir::Expr> inLoops(const ir::BlockRealizeNode& realize, const std::vector<ir::Expr>& indices) {
  ir::VarMap map;
  for (std::size_t n = 0; n < realize.values.size(); ++n)
    map.emplace(realize.block->iters[n].var.get(), realize.values[n]);
  std::vector<ir::Expr> out;
  for (const ir::Expr& index : indices) out.push_back(ir::substitute(index, map));
  return out;
}

// The last block that stores to the buffer, and the first that loads from it.
std::optional<IndexedAccess> storeTo(const schedule::Tree& tree, Id buffer) {
  std::optional<IndexedAccess> found;
  for (const auto& node : tree.nodes()) {
    if (!node.isBlock) continue;
    const ir::BlockRealize realize = tree.realize(node.id);
    const auto* store =
        realize->block->body->kind == ir::StmtKind::Store ? ir::as<ir::StoreNode>(realize->block->body) : nullptr;
    if (store && store->buffer->id == buffer)
      found = IndexedAccess{node.id, loopsAbove(tree, node.id), inLoops(*realize, store->indices)};
  }
  return found;
}
std::optional<IndexedAccess> loadFrom(const schedule::Tree& tree, Id buffer) {
  std::optional<IndexedAccess> found;
  for (const auto& node : tree.nodes()) {
    if (!node.isBlock || found) continue;
    const ir::BlockRealize realize = tree.realize(node.id);
    if (realize->block->body->kind != ir::StmtKind::Store) continue;
    const auto& store = *ir::as<ir::StoreNode>(realize->block->body);
    if (!store.buffer->scope.starts_with("shared")) continue;
    const std::vector<const ir::LoadNode*> loads = ir::loadsIn(store.value);
    const auto load = std::ranges::find(loads, buffer, [](const ir::LoadNode* l) { return l->buffer->id; });
    if (load != loads.end())
      found = IndexedAccess{node.id, loopsAbove(tree, node.id), inLoops(*realize, (*load)->indices)};
  }
  return found;
}

// Calls `take` with the values of the indices in all lanes of the warp, for all iterations of the loops that aren't in
// `fixed` and are no threads; false where a value isn't known, or there are too many.
bool forEachValue(const std::vector<BoundLoop>& loops, const std::set<Id>& fixed, const std::vector<ir::Expr>& indices,
                  const std::array<std::int64_t, 3>& threads, std::int64_t warp,
                  const std::function<void(const std::vector<device::LaneValues>&)>& take) {
  device::WarpState state;
  std::vector<const BoundLoop*> free;
  std::int64_t iterations = 1;
  for (const BoundLoop& loop : loops) {
    if (loop.threadAxis() >= 0) {
      device::LaneValues values;
      values.uniform = false;
      for (std::int64_t lane = 0; lane < device::kLanes; ++lane) {
        const std::int64_t thread = warp * device::kLanes + lane;
        const std::array<std::int64_t, 3> at{thread % threads[0], thread / threads[0] % threads[1],
                                             thread / threads[0] / threads[1]};
        values.each[std::size_t(lane)] = at[std::size_t(loop.threadAxis())];
      }
      state.set(loop.var.get(), values);
      continue;
    }
    state.set(loop.var.get(), 0);
    const bool used = std::ranges::any_of(indices, [&](const ir::Expr& index) {
      return ir::usesVar(index, [&](const ir::VarNode* var) { return var == loop.var.get(); });
    });
    if (loop.ofGrid() || fixed.contains(loop.id) || !used) continue;
    free.push_back(&loop);
    if (loop.extent <= 0 || (iterations *= loop.extent) > kMostIterations) return false;
  }
  for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
    std::int64_t left = iteration;
    for (const BoundLoop* loop : free) {
      state.set(loop->var.get(), left % loop->extent);
      left /= loop->extent;
    }
    std::vector<device::LaneValues> values;
    for (const ir::Expr& index : indices) {
      const auto value = state.evaluate(index);
      if (!value) return false;
      values.push_back(*value);
    }
    take(values);
  }
  return true;
}

}  // namespace

bool hasThreads(const schedule::State& state, const MatrixProduct& product) {
  const schedule::Tree& tree = state.tree();
  const auto byThreads = [&](Id block) {
    return std::ranges::any_of(loopsAbove(tree, block), [](const BoundLoop& loop) { return loop.threadAxis() >= 0; });
  };
  // The block that adds up keeps its id through all steps but those that make operations of it.
  const auto store = storeTo(tree, product.result->id);
  return !store || byThreads(store->block) || (tree.isBlock(product.block) && byThreads(product.block));
}

tl::expected<ThreadTiles, PassReport> threadTiles(const schedule::State& state, const MatrixProduct& product) {
  const schedule::Tree& tree = state.tree();
  ThreadTiles out;
  for (const auto& node : tree.nodes()) {
    if (node.isBlock) continue;
    const auto& loop = *ir::as<ir::ForNode>(node.stmt);
    if (!loop.thread.starts_with("threadIdx.")) continue;
    std::int64_t& extent = out.threads[std::size_t(loop.thread.back() - 'x')];
    extent = std::max(extent, ir::constantOr(loop.extent, 0));
  }
  const auto store = storeTo(tree, product.result->id);
  if (!store || store->indices.size() < 2) {
    return untold(PassOutcome::AlreadyTensorized,
                  message("No block stores {} element by element: another schedule has replaced it by an operation.",
                          product.result->name),
                  {product.result->id});
  }
  std::vector<Id> lookedAt{store->block, product.result->id};
  for (const BoundLoop& loop : store->loops)
    if (loop.threadAxis() >= 0) lookedAt.push_back(loop.id);
  if (std::ranges::none_of(store->loops, [](const BoundLoop& loop) { return loop.threadAxis() >= 0; })) {
    return untold(PassOutcome::NoLegalWarpTile,
                  message("{} stores {} under no thread: reverse_compute_at moves it there.",
                          tree.block(store->block)->name, product.result->name),
                  std::move(lookedAt));
  }
  const std::int64_t threads = out.threads[0] * out.threads[1] * out.threads[2];
  if (threads <= 0 || threads % device::kLanes != 0) {
    return untold(PassOutcome::NoWholeWarps,
                  message("A block has {} threads ({} × {} × {}), no multiple of the 32 of a warp.", threads,
                          out.threads[0], out.threads[1], out.threads[2]),
                  std::move(lookedAt));
  }
  out.warpX = std::min<std::int64_t>(out.threads[0], device::kLanes);
  out.warpY = device::kLanes / out.warpX;

  const std::vector<ir::Expr> ends(store->indices.end() - 2, store->indices.end());
  std::set<std::int64_t> rows, columns, warpRows, warpColumns;
  std::set<std::pair<std::int64_t, std::int64_t>> warpElements;
  std::array<std::set<std::pair<std::int64_t, std::int64_t>>, 32> own;
  for (std::int64_t warp = 0; warp < threads / device::kLanes; ++warp) {
    const bool known = forEachValue(store->loops, {}, ends, out.threads, warp, [&](const auto& values) {
      for (int lane = 0; lane < device::kLanes; ++lane) {
        const std::int64_t row = values[0][lane], column = values[1][lane];
        rows.insert(row), columns.insert(column);
        if (warp > 0) continue;
        warpRows.insert(row), warpColumns.insert(column);
        warpElements.emplace(row, column);
        own[std::size_t(lane)].emplace(row, column);
      }
    });
    if (!known) {
      return untold(
          PassOutcome::NoLegalWarpTile,
          message("Which elements of {} a thread stores can't be told from its indices.", product.result->name),
          std::move(lookedAt));
    }
  }
  out.blockI = std::int64_t(rows.size()), out.blockJ = std::int64_t(columns.size());
  out.warpI = std::int64_t(warpRows.size()), out.warpJ = std::int64_t(warpColumns.size());
  if (out.warpI * out.warpJ != std::int64_t(warpElements.size())) {
    return untold(PassOutcome::NoLegalWarpTile,
                  message("The {} elements of a warp are no tile: they have {} rows and {} columns.",
                          warpElements.size(), out.warpI, out.warpJ),
                  std::move(lookedAt));
  }
  for (std::size_t lane = 0; lane < own.size(); ++lane)
    for (const auto& [row, column] : own[lane])
      out.lanes[lane].emplace_back(int(std::distance(warpRows.begin(), warpRows.find(row))),
                                   int(std::distance(warpColumns.begin(), warpColumns.find(column))));

  // The k of what is copied to shared memory at a time: over the copy's own loops, not those that it shares with the
  // block that stores or multiplies.
  for (const ProductFactor& factor : product.factors) {
    const auto copy = loadFrom(tree, factor.buffer->id);
    const auto k = std::ranges::find(factor.iterators, product.k) - factor.iterators.begin();
    if (!copy || std::size_t(k) >= copy->indices.size()) continue;
    std::set<Id> shared;
    for (const auto& node : tree.nodes()) {
      if (!node.isBlock) continue;
      const ir::Block block = tree.block(node.id);
      if (std::ranges::count(block->iters, ir::IterType::Reduce, &ir::IterVar::type) == 0) continue;
      for (const BoundLoop& loop : copy->loops)
        if (loop.threadAxis() < 0 && tree.isAncestorOrSelf(loop.id, node.id)) shared.insert(loop.id);
    }
    std::set<std::int64_t> steps;
    bool known = true;
    for (std::int64_t warp = 0; warp < threads / device::kLanes && known; ++warp)
      known = forEachValue(copy->loops, shared, {copy->indices[std::size_t(k)]}, out.threads, warp,
                           [&](const auto& values) {
                             for (int lane = 0; lane < device::kLanes; ++lane) steps.insert(values[0][lane]);
                           });
    if (known) out.stepK = std::max(out.stepK, std::int64_t(steps.size()));
  }
  return out;
}

}  // namespace loom::tune
