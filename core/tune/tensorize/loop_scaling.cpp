#include "core/tune/tensorize/loop_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::tune {
namespace {

using ir::Id;

bool dependsOn(const ir::Expr& e, const ir::Var& var) {
  return ir::usesVar(e, [&](const ir::VarNode* used) { return used == var.get(); });
}

// The dimension of which fragments a loop runs along.
enum class Axis : std::uint8_t { M, N, K, None };

Message reasonOf(Axis axis, std::int64_t factor) {
  switch (axis) {
    case Axis::M: return message("÷ {}: it indexes the rows of a and c", factor);
    case Axis::N: return message("÷ {}: it indexes the columns of b and c", factor);
    case Axis::K: return message("÷ {}: it indexes the columns of a and the rows of b", factor);
    case Axis::None: break;
  }
  return message("unchanged: it indexes no fragment");
}
Message untouched(Axis axis) {
  return axis == Axis::None ? reasonOf(axis, 1) : message("unchanged: the loops inside it have the factor");
}

// The loops above a block, as indices into all, outermost first.
using Nest = std::vector<std::size_t>;

// Takes `factor` out of these loops along one axis, the innermost first; returns what no loop has of it.
std::int64_t takeOut(std::vector<ScaledLoop>& loops, const Nest& nest, Axis axis, std::int64_t factor) {
  for (std::size_t n = nest.size(); n-- > 0 && factor > 1;) {
    ScaledLoop& loop = loops[nest[n]];
    const std::int64_t part = std::gcd(loop.after, factor);
    if (part == 1) continue;
    loop.after /= part;
    loop.factor *= part;
    loop.reason = reasonOf(axis, loop.factor);
    factor /= part;
  }
  return factor;
}

// Of a state without threads: its loops, each along one axis or none.
std::vector<ScaledLoop> ofPlainNest(const schedule::State& state, const MatrixProduct& p, const Identification& found,
                                    const TensorTile& tile) {
  std::vector<ScaledLoop> loops;
  std::vector<Axis> axes;
  const ir::BlockRealize realize = state.tree().realize(p.block);
  for (Id id : state.tree().loopsAbove(p.block)) {
    const ir::For loop = state.tree().loop(id);
    const std::int64_t extent = ir::constantOr(loop->extent, 0);
    const auto uses = [&](int iterator) { return dependsOn(realize->values[std::size_t(iterator)], loop->var); };
    axes.push_back(uses(found.m) ? Axis::M : uses(found.n) ? Axis::N : uses(p.k) ? Axis::K : Axis::None);
    loops.push_back({id, loop->var->name, extent, extent, 1, untouched(axes.back())});
  }
  const auto along = [&](Axis axis) {
    Nest nest;
    for (std::size_t n = 0; n < loops.size(); ++n)
      if (axes[n] == axis) nest.push_back(n);
    return nest;
  };
  takeOut(loops, along(Axis::M), Axis::M, tile.shape.m);
  takeOut(loops, along(Axis::N), Axis::N, tile.shape.n);
  takeOut(loops, along(Axis::K), Axis::K, tile.shape.k);
  return loops;
}

// The loops that one thread runs, of the block that adds up and of the one that stores the result, each scaled for
// itself: both go over the elements that the thread computes.
class ThreadLoops {
 public:
  ThreadLoops(const schedule::State& state, const MatrixProduct& p, const Identification& found,
              const ThreadUnification& threads, const TensorTile& tile)
      : tree_(state.tree()), product_(p), found_(found), threads_(threads), tile_(tile) {}

  std::vector<ScaledLoop> run() {
    std::optional<Id> sum, store;
    for (const auto& node : tree_.nodes()) {
      if (!node.isBlock || storeOf(node.id) == nullptr) continue;
      const ir::Block block = tree_.block(node.id);
      const bool reduces = std::ranges::count(block->iters, ir::IterType::Reduce, &ir::IterVar::type) > 0;
      // The block that adds up keeps its id, unless a step has made others of it.
      if (reduces && (!sum || node.id == product_.block)) sum = node.id;
      if (storeOf(node.id)->buffer->id == product_.result->id) store = node.id;
    }
    if (sum) scale(*sum, true);
    if (store && store != sum) scale(*store, !sum);
    loops_.insert(loops_.end(), added_.begin(), added_.end());
    return std::move(loops_);
  }

 private:
  const ir::StoreNode* storeOf(Id block) const {
    const ir::Stmt& body = tree_.block(block)->body;
    return body->kind == ir::StmtKind::Store ? ir::as<ir::StoreNode>(body) : nullptr;
  }

  // The rows, columns and steps along k of the product in terms of loops, as a block computes them; null: it has none.
  std::array<ir::Expr, 3> axesOf(Id id) const {
    const ir::BlockRealize realize = tree_.realize(id);
    std::array<ir::Expr, 3> axes;
    ir::VarMap map;
    for (std::size_t n = 0; n < realize->values.size(); ++n) {
      map.emplace(realize->block->iters[n].var.get(), realize->values[n]);
      if (realize->block->iters[n].type == ir::IterType::Reduce) axes[2] = realize->values[n];
    }
    // Where the sum is local, what stores it may have turned rows and columns: the product's own iterators tell.
    if (id == product_.block && realize->values.size() == product_.names.size()) {
      axes[0] = realize->values[std::size_t(found_.m)], axes[1] = realize->values[std::size_t(found_.n)];
      return axes;
    }
    const std::vector<ir::Expr>& indices = storeOf(id)->indices;
    if (indices.size() < 2) return axes;
    axes[0] = ir::substitute(indices[indices.size() - 2], map), axes[1] = ir::substitute(indices.back(), map);
    if (found_.swapped) std::swap(axes[0], axes[1]);
    return axes;
  }

  // The block's loops along each axis that one thread runs.
  std::array<Nest, 3> nestsOf(Id block) {
    const std::array<ir::Expr, 3> axes = axesOf(block);
    std::array<Nest, 3> nests;
    for (Id id : tree_.loopsAbove(block)) {
      const ir::For loop = tree_.loop(id);
      if (loop->thread.starts_with("blockIdx.") || loop->thread.starts_with("threadIdx.")) continue;
      const auto along = std::ranges::find_if(axes, [&](const ir::Expr& e) { return e && dependsOn(e, loop->var); });
      if (along == axes.end()) continue;
      const auto axis = std::size_t(along - axes.begin());
      const auto known = std::ranges::find(loops_, id, &ScaledLoop::loop);
      nests[axis].push_back(std::size_t(known - loops_.begin()));
      if (known != loops_.end()) continue;
      const std::int64_t extent = ir::constantOr(loop->extent, 0);
      loops_.push_back({id, loop->var->name, extent, extent, 1, untouched(Axis(axis))});
    }
    return nests;
  }

  std::int64_t totalOf(const Nest& nest) const {
    std::int64_t total = 1;
    for (std::size_t n : nest) total *= loops_[n].after;
    return total;
  }

  // The loops of a block; tiles that no loop of a thread has are new loops, once.
  void scale(Id block, bool addsLoops) {
    const std::array<Nest, 3> nests = nestsOf(block);
    const auto toTiles = [&](Axis axis, std::int64_t tiles, const char* name) {
      const Nest& nest = nests[std::size_t(axis)];
      const std::int64_t own = totalOf(nest);
      if (own % tiles == 0) return void(takeOut(loops_, nest, axis, own / tiles));
      takeOut(loops_, nest, axis, own);
      if (addsLoops)
        added_.push_back({{}, name, 1, tiles, 1, message("new: tiles of one warp, which {} threads shared", 32)});
    };
    toTiles(Axis::M, threads_.plan.tilesM, "m_tile");
    toTiles(Axis::N, threads_.plan.tilesN, "n_tile");
    scaleSum(nests[std::size_t(Axis::K)]);
  }

  // The loops along k: those of one step, which is what lies in shared memory at a time, and those around it. Where a
  // step becomes another one, both change.
  void scaleSum(const Nest& nest) {
    const std::int64_t before = threads_.before->stepK, after = threads_.plan.tilesK * tile_.shape.k;
    std::size_t first = nest.size();  // of those of a step
    std::int64_t inner = 1;
    while (first > 0 && inner < before) inner *= loops_[nest[--first]].after;
    const Nest steps(nest.begin(), nest.begin() + std::ptrdiff_t(first)),
        step(nest.begin() + std::ptrdiff_t(first), nest.end());
    const std::int64_t whole = totalOf(nest);
    const bool isDivided = before != after && inner == before && !steps.empty() && !step.empty();
    if (!isDivided || before % threads_.plan.tilesK != 0 || whole % after != 0) {
      takeOut(loops_, nest, Axis::K, tile_.shape.k);
      return;
    }
    takeOut(loops_, step, Axis::K, before / threads_.plan.tilesK);
    // As many steps as there are now, in the innermost loop that can have them.
    ScaledLoop& loop = loops_[steps.back()];
    std::int64_t others = totalOf(steps) / loop.after;
    for (std::size_t n = 0; n + 1 < steps.size() && whole / after % others != 0; ++n) {
      others /= loops_[steps[n]].after;
      loops_[steps[n]].after = 1, loops_[steps[n]].factor = loops_[steps[n]].before;
      loops_[steps[n]].reason = stepReason(after, before);
    }
    loop.after = whole / after / others;
    loop.factor = loop.before % loop.after == 0 ? loop.before / loop.after : 1;
    loop.reason = stepReason(after, before);
  }
  static Message stepReason(std::int64_t after, std::int64_t before) {
    return message("{} of k in shared memory at a time instead of {}", after, before);
  }

  const schedule::Tree& tree_;
  const MatrixProduct& product_;
  const Identification& found_;
  const ThreadUnification& threads_;
  const TensorTile& tile_;
  std::vector<ScaledLoop> loops_, added_;
};

// Lines that cut the fragments' copies into tiles and put the operations in place.
std::string operationLines(const MatrixProduct& p, const Identification& found, const TensorTile& tile) {
  std::string out;
  const auto line = [&]<class... A>(fmt::format_string<A...> text, A&&... arguments) {
    out += (out.empty() ? "" : "\n") + fmt::format(text, std::forward<A>(arguments)...);
  };
  const TileIntrinsics names = intrinsicsOf(tile.shape, p.element, p.accumulator, found.form);
  const auto tiled = [&](const char* block, char letter, int rows, int columns, const std::string& intrinsic) {
    line("{0}_i, {0}_j = sch.get_loops({1})[-2:]", letter, block);
    line("{0}_i0, {0}_i1 = sch.split({0}_i, [None, {1}])", letter, rows);
    line("{0}_j0, {0}_j1 = sch.split({0}_j, [None, {1}])", letter, columns);
    line("sch.reorder({0}_i0, {0}_j0, {0}_i1, {0}_j1)", letter);
    line("sch.tensorize({0}_i1, \"{1}\")", letter, intrinsic);
  };
  tiled("a_fragment", 'a', tile.shape.m, tile.shape.k, names.loadA);
  const bool columns = found.form.bByColumns;
  tiled("b_fragment", 'b', columns ? tile.shape.n : tile.shape.k, columns ? tile.shape.k : tile.shape.n, names.loadB);
  tiled("c_fragment", 'c', tile.shape.m, tile.shape.n, found.swapped ? names.storeShared : names.store);
  line("init = sch.decompose_reduction(b, k_step)");
  line("sch.tensorize(sch.get_loops(init)[-2], \"{}\")", names.fill);
  line("sch.tensorize(m_in, \"{}\")", names.multiply);
  return out;
}

}  // namespace

LoopScaling scaleLoops(const schedule::State& state, const MatrixProduct& p, const Identification& found,
                       const ThreadUnification& threads, const TensorTile& tile) {
  LoopScaling out;
  out.loops = threads.before ? ThreadLoops(state, p, found, threads, tile).run() : ofPlainNest(state, p, found, tile);
  for (const ScaledLoop& loop : out.loops)
    if (loop.loop) out.lookedAt.push_back(loop.loop);
  out.outcome = PassOutcome::Scaled;
  out.verdict = message("One operation of a warp is {} × {} × {} multiply-adds, {} a thread: loops lose that factor.",
                        tile.shape.m, tile.shape.n, tile.shape.k, tile.shape.m * tile.shape.n * tile.shape.k / 32);
  out.lines = operationLines(p, found, tile);
  return out;
}

}  // namespace loom::tune
