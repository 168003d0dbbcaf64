#include "core/tune/tensorize/loop_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

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

// Takes `factor` out of the loops along one axis, the innermost first; what no loop has becomes a new one.
void takeOut(std::vector<ScaledLoop>& loops, const std::vector<Axis>& axes, Axis axis, std::int64_t factor) {
  for (std::size_t n = loops.size(); n-- > 0 && factor > 1;) {
    if (axes[n] != axis) continue;
    const std::int64_t part = std::gcd(loops[n].after, factor);
    if (part == 1) continue;
    loops[n].after /= part;
    loops[n].factor *= part;
    loops[n].reason = reasonOf(axis, loops[n].factor);
    factor /= part;
  }
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
    const auto along = [&](int iterator) { return dependsOn(realize->values[std::size_t(iterator)], loop->var); };
    axes.push_back(along(found.m) ? Axis::M : along(found.n) ? Axis::N : along(p.k) ? Axis::K : Axis::None);
    loops.push_back({id, loop->var->name, extent, extent, 1, untouched(axes.back())});
  }
  takeOut(loops, axes, Axis::M, tile.shape.m);
  takeOut(loops, axes, Axis::N, tile.shape.n);
  takeOut(loops, axes, Axis::K, tile.shape.k);
  return loops;
}

// The loops that one thread runs, of the block that adds up and of the one that stores the result.
std::vector<ScaledLoop> ofThreads(const schedule::State& state, const MatrixProduct& p, const Identification& found,
                                  const ThreadUnification& threads, const TensorTile& tile) {
  std::vector<ScaledLoop> loops;
  std::vector<Axis> axes;
  const schedule::Tree& tree = state.tree();
  const auto add = [&](Id id, Axis axis) {
    const ir::For loop = tree.loop(id);
    if (loop->thread.starts_with("blockIdx.") || loop->thread.starts_with("threadIdx.") ||
        std::ranges::find(loops, id, &ScaledLoop::loop) != loops.end())
      return;
    const std::int64_t extent = ir::constantOr(loop->extent, 0);
    axes.push_back(axis);
    loops.push_back({id, loop->var->name, extent, extent, 1, untouched(axis)});
  };
  for (const auto& node : tree.nodes()) {
    if (!node.isBlock) continue;
    const ir::BlockRealize realize = tree.realize(node.id);
    const auto* store =
        realize->block->body->kind == ir::StmtKind::Store ? ir::as<ir::StoreNode>(realize->block->body) : nullptr;
    if (!store) continue;
    const bool reduces = std::ranges::count(realize->block->iters, ir::IterType::Reduce, &ir::IterVar::type) > 0;
    const bool stores = store->buffer->id == p.result->id;
    if (!reduces && !stores) continue;
    ir::VarMap map;
    for (std::size_t n = 0; n < realize->values.size(); ++n)
      map.emplace(realize->block->iters[n].var.get(), realize->values[n]);
    for (Id id : tree.loopsAbove(node.id)) {
      const ir::Var var = tree.loop(id)->var;
      if (stores && store->indices.size() >= 2) {
        const ir::Expr row = ir::substitute(store->indices[store->indices.size() - 2], map),
                       column = ir::substitute(store->indices.back(), map);
        if (dependsOn(row, var)) add(id, found.swapped ? Axis::N : Axis::M);
        if (dependsOn(column, var)) add(id, found.swapped ? Axis::M : Axis::N);
      }
      for (std::size_t n = 0; n < realize->values.size(); ++n)
        if (realize->block->iters[n].type == ir::IterType::Reduce && dependsOn(realize->values[n], var))
          add(id, Axis::K);
    }
  }
  const auto own = [&](Axis axis) {
    std::int64_t product = 1;
    for (std::size_t n = 0; n < loops.size(); ++n)
      if (axes[n] == axis) product *= loops[n].before;
    return product;
  };
  const auto scale = [&](Axis axis, std::int64_t after, const char* name) {
    const std::int64_t mine = own(axis);
    if (mine % after == 0) return takeOut(loops, axes, axis, mine / after);
    takeOut(loops, axes, axis, mine);
    loops.push_back({{}, name, 1, after, 1, message("new: tiles of one warp, which {} threads shared", 32)});
    axes.push_back(Axis::None);
  };
  scale(Axis::M, threads.plan.tilesM, "m_tile");
  scale(Axis::N, threads.plan.tilesN, "n_tile");
  takeOut(loops, axes, Axis::K, tile.shape.k);
  return loops;
}

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
  out.loops = threads.before ? ofThreads(state, p, found, threads, tile) : ofPlainNest(state, p, found, tile);
  for (const ScaledLoop& loop : out.loops)
    if (loop.loop) out.lookedAt.push_back(loop.loop);
  out.outcome = PassOutcome::Scaled;
  out.verdict = message("One operation of a warp is {} × {} × {} multiply-adds, {} a thread: loops lose that factor.",
                        tile.shape.m, tile.shape.n, tile.shape.k, tile.shape.m * tile.shape.n * tile.shape.k / 32);
  out.lines = operationLines(p, found, tile);
  return out;
}

}  // namespace loom::tune
