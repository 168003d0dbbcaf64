#include "core/tune/tensorize/thread_unification.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/packed.h"

namespace loom::tune {
namespace {

constexpr double kBlocks = 100;                  // that keep a GPU busy of which nothing is known
constexpr std::int64_t kSharedBytes = 48 << 10;  // what a kernel may declare without asking for more

std::int64_t extentOf(const MatrixProduct& p, int iterator) { return p.extents[std::size_t(iterator)]; }

// The most tiles along k in a row of shared memory: with elements of 8 bits the second would begin at 16 bytes, and a
// tile must begin at a multiple of 32 (CUDA C++ Programming Guide, load_matrix_sync).
std::int64_t mostTilesK(const MatrixProduct& p, const TensorTile& tile) {
  return tile.shape.k * p.element.bits < kTileBits ? 1 : std::max(1, 512 / (tile.shape.k * int(p.element.bits)));
}

// Elements of the result that a thread block computes.
std::int64_t rowsOf(const WarpPlan& plan, const TensorTile& tile) {
  return plan.virtualM * plan.warpsM * plan.tilesM * tile.shape.m;
}
std::int64_t columnsOf(const WarpPlan& plan, const TensorTile& tile) {
  return plan.warpsN * plan.tilesN * tile.shape.n;
}

std::int64_t sharedBytes(const MatrixProduct& p, const Identification& found, const TensorTile& tile,
                         const WarpPlan& plan) {
  const std::int64_t m = rowsOf(plan, tile), n = columnsOf(plan, tile);
  const std::int64_t copies = ir::bytesOf(p.element, (m + n) * plan.tilesK * tile.shape.k);
  return copies + (found.swapped ? m * n * p.accumulator.bytes() : 0);
}

bool isWhole(const MatrixProduct& p, const Identification& found, const TensorTile& tile, const WarpPlan& plan) {
  return extentOf(p, found.m) % rowsOf(plan, tile) == 0 && extentOf(p, found.n) % columnsOf(plan, tile) == 0 &&
         extentOf(p, p.k) % (plan.tilesK * tile.shape.k) == 0;
}

std::int64_t blocksOf(const MatrixProduct& p, const Identification& found, const TensorTile& tile,
                      const WarpPlan& plan) {
  std::int64_t blocks = extentOf(p, found.m) / rowsOf(plan, tile) * (extentOf(p, found.n) / columnsOf(plan, tile));
  for (int iterator : p.batch) blocks *= extentOf(p, iterator);
  return blocks;
}

// From the largest tile of a block to the smallest; tiles along k are chosen by the product.
constexpr WarpPlan kPlans[] = {{2, 4, 4, 2}, {2, 2, 4, 2}, {2, 2, 2, 4}, {2, 2, 2, 2}, {2, 2, 2, 1},
                               {2, 2, 1, 2}, {2, 2, 1, 1}, {2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 1, 1}};

// Without threads to keep: the largest tile of a block of which there are enough for all multiprocessors; where the
// product is too small for that, one that keeps four warps.
WarpPlan freshPlan(const MatrixProduct& p, const Identification& found, const TensorTile& tile,
                   const model::Device* device) {
  const double wanted = device ? device->value(model::Quantity::Multiprocessors).value_or(kBlocks) : kBlocks;
  WarpPlan best;
  std::int64_t most = -1;
  for (WarpPlan plan : kPlans) {
    plan.tilesK = mostTilesK(p, tile);
    while (plan.tilesK > 1 && extentOf(p, p.k) % (plan.tilesK * tile.shape.k) != 0) plan.tilesK /= 2;
    if (!isWhole(p, found, tile, plan) || sharedBytes(p, found, tile, plan) > kSharedBytes) continue;
    const std::int64_t blocks = blocksOf(p, found, tile, plan);
    if (double(blocks) >= wanted) return plan;
    if (plan.warpsM * plan.warpsN >= 4 || most < 0) best = plan, most = blocks;
  }
  return best;
}

// Lines that divide the loops by the plan, bind them and let the threads of a block copy its tiles together, `vectors`
// of a and b at once.
std::string divisionLines(const schedule::State& state, const MatrixProduct& p, const Identification& found,
                          const TensorTile& tile, const WarpPlan& plan, std::array<std::int64_t, 2>& vectors) {
  std::string out;
  const auto line = [&]<class... A>(fmt::format_string<A...> text, A&&... arguments) {
    out += (out.empty() ? "" : "\n") + fmt::format(text, std::forward<A>(arguments)...);
  };
  // In the order of the nest: transform_block_layout makes that of the iterators.
  std::vector<int> order = p.batch;
  order.insert(order.end(), {found.m, found.n, p.k});
  const bool remade = found.lines.starts_with("sch.transform_block_layout");
  std::vector<int> nest = order;
  if (!remade) {
    nest.clear();
    const schedule::Tree& tree = state.tree();
    const ir::BlockRealize realize = tree.realize(p.block);
    for (ir::Id loop : tree.loopsAbove(p.block))
      for (std::size_t n = 0; n < realize->values.size(); ++n)
        if (realize->values[n].get() == tree.loop(loop)->var.get()) nest.push_back(int(n));
  }
  const auto nameOf = [&](int iterator) {
    if (iterator == found.m) return std::string("m");
    if (iterator == found.n) return std::string("n");
    if (iterator == p.k) return std::string("k");
    return fmt::format("batch_{}", std::ranges::find(p.batch, iterator) - p.batch.begin());
  };
  std::string names;
  for (int iterator : nest) names += (names.empty() ? "" : ", ") + nameOf(iterator);
  line("{} = sch.get_loops(b)", names);
  const bool isVirtual = plan.virtualM > 1;
  if (isVirtual) {
    line("m_block, m_virtual, m_warp, m_tile, m_in = sch.split(m, [None, {}, {}, {}, {}])", plan.virtualM, plan.warpsM,
         plan.tilesM, tile.shape.m);
  } else {
    line("m_block, m_warp, m_tile, m_in = sch.split(m, [None, {}, {}, {}])", plan.warpsM, plan.tilesM, tile.shape.m);
  }
  line("n_block, n_warp, n_tile, n_in = sch.split(n, [None, {}, {}, {}])", plan.warpsN, plan.tilesN, tile.shape.n);
  line("k_step, k_tile, k_in = sch.split(k, [None, {}, {}])", plan.tilesK, tile.shape.k);
  std::string batch;
  for (int iterator : p.batch) batch += nameOf(iterator) + ", ";
  line("sch.reorder({}m_block, n_block, {}m_warp, n_warp, k_step, k_tile, m_tile, n_tile, m_in, n_in, k_in)", batch,
       isVirtual ? "m_virtual, " : "");
  if (p.batch.size() > 1) {
    batch.resize(batch.size() - 2);
    line("batch_0 = sch.fuse({})", batch);
  }
  if (!p.batch.empty()) line("sch.bind(batch_0, \"blockIdx.z\")");
  line("sch.bind(m_block, \"blockIdx.y\")");
  line("sch.bind(n_block, \"blockIdx.x\")");
  if (isVirtual) line("sch.bind(m_virtual, \"vthread.x\")");
  line("warp = sch.fuse(m_warp, n_warp)");
  line("sch.bind(warp, \"threadIdx.y\")");
  line("sch.compute_at(a_fragment, k_tile)");
  line("sch.compute_at(b_fragment, k_tile)");
  line("sch.compute_at(a_shared, k_step)");
  line("sch.compute_at(b_shared, k_step)");
  line("sch.reverse_compute_at(c_fragment, warp)");
  if (found.swapped) line("sch.reverse_compute_at(c_shared, n_block)");

  const std::int64_t warps = plan.warpsM * plan.warpsN;
  // As many elements at once as 16 bytes have, where they lie side by side on both sides.
  const auto copy = [&](const char* block, const char* loop, const OperandRow& row, std::int64_t elements,
                        std::int64_t side) {
    // Elements that share bytes are stored 4 bytes at once where they are gathered.
    const ir::DType element = row.buffer->dtype;
    const std::int64_t least = ir::perByte(element);
    std::int64_t vector = !row.transposedCopy ? std::max(1, 128 / element.bits) : least > 1 ? 32 / element.bits : 1;
    const std::int64_t length = ir::constantOr(row.buffer->shape.back(), 1);
    while (vector > least && (side % vector != 0 || (length % vector != 0 && !row.transposedCopy) ||
                              elements % (warps * 32 * vector) != 0))
      vector /= 2;
    if (row.transposedCopy && least > 1) {  // whole bytes of what lies in shared memory, which run along k
      line("along_k, across = sch.get_loops({})[-2:]", block);
      line("sch.reorder(across, along_k)");
      line("{} = sch.fuse(across, along_k)", loop);
    } else {
      line("{} = sch.fuse(*sch.get_loops({})[-2:])", loop, block);
    }
    const std::string by = vector > 1 ? fmt::format(", {}", vector) : "";
    line("{0}_part, {0}_warp, {0}_lane{1} = sch.split({0}, [None, {2}, 32{3}])", loop,
         vector > 1 ? fmt::format(", {}_vector", loop) : "", warps, by);
    line("sch.bind({}_warp, \"threadIdx.y\")", loop);
    line("sch.bind({}_lane, \"threadIdx.x\")", loop);
    if (vector > 1) line("sch.vectorize({}_vector)", loop);
    return vector;
  };
  const std::int64_t m = rowsOf(plan, tile), n = columnsOf(plan, tile), k = plan.tilesK * tile.shape.k;
  vectors[0] = copy("a_shared", "a", found.rows[0], m / plan.virtualM * k, k);
  vectors[1] = copy("b_shared", "b_copy", found.rows[1], n * k, found.form.bByColumns ? k : n);
  if (found.swapped) copy("c_shared", "c", found.rows[2], m * n, m);
  return out;
}

std::vector<ir::Id> threadLoops(const schedule::State& state) {
  std::vector<ir::Id> ids;
  for (const auto& node : state.tree().nodes())
    if (!node.isBlock && !ir::as<ir::ForNode>(node.stmt)->thread.empty()) ids.push_back(node.id);
  return ids;
}

// The warps and tiles of the schedule, in whole tiles of the operation.
PassOutcome keep(ThreadUnification& out, const MatrixProduct& p, const Identification& found, const TensorTile& tile) {
  const ThreadTiles& t = *out.before;
  const std::int64_t warpM = found.swapped ? t.warpJ : t.warpI, warpN = found.swapped ? t.warpI : t.warpJ,
                     blockM = found.swapped ? t.blockJ : t.blockI, blockN = found.swapped ? t.blockI : t.blockJ;
  const std::int64_t warps = t.threads[0] * t.threads[1] * t.threads[2] / 32;
  if (warpM % tile.shape.m != 0 || warpN % tile.shape.n != 0) {
    for (const TensorTile& other : tensorTiles()) {
      if (other.element != tile.element || warpM % other.shape.m != 0 || warpN % other.shape.n != 0) continue;
      out.verdict = message("The 32 threads of a warp compute {} × {} elements: no whole tiles {}, but tiles {}.",
                            warpM, warpN, textOf(tile.shape), textOf(other.shape));
      return PassOutcome::NoLegalWarpTile;
    }
    out.verdict =
        message("wx = {}, wy = {}: the 32 threads of a warp compute {} × {} elements, no whole tiles of {} × {}.",
                t.warpX, t.warpY, warpM, warpN, tile.shape.m, tile.shape.n);
    return PassOutcome::NoLegalWarpTile;
  }
  if (blockM % warpM != 0 || blockN % warpN != 0 || blockM / warpM * (blockN / warpN) != warps) {
    out.verdict = message("{} warps of {} × {} elements don't make up the {} × {} of their block.", warps, warpM, warpN,
                          blockM, blockN);
    return PassOutcome::NoLegalWarpTile;
  }
  WarpPlan& plan = out.plan;
  plan = {blockM / warpM, blockN / warpN, warpM / tile.shape.m, warpN / tile.shape.n, 1};
  if (extentOf(p, found.m) % blockM != 0 || extentOf(p, found.n) % blockN != 0) {
    out.verdict = message("{} × {} is not made of whole blocks of {} × {}.", extentOf(p, found.m), extentOf(p, found.n),
                          blockM, blockN);
    return PassOutcome::ExtentsNotDivisible;
  }
  plan.tilesK = mostTilesK(p, tile) == 1 ? 1 : std::max<std::int64_t>(1, t.stepK / tile.shape.k);
  while (plan.tilesK > 1 && (!isWhole(p, found, tile, plan) || sharedBytes(p, found, tile, plan) > kSharedBytes))
    --plan.tilesK;
  const std::int64_t step = plan.tilesK * tile.shape.k;
  out.kept = {
      message("Kept: {} × {} elements a thread block.", blockM, blockN),
      message("Kept: {} warps, {} × {}, each {} × {} elements.", warps, plan.warpsM, plan.warpsN, warpM, warpN)};
  if (t.stepK == step) {
    out.kept.push_back(message("Kept: {} of k in shared memory at a time.", step));
  } else if (t.stepK > 0) {
    out.kept.push_back(message("Changed: {} of k in shared memory at a time instead of {}; a tile is {} deep.", step,
                               t.stepK, tile.shape.k));
  } else {
    out.kept.push_back(message("New: operands go through shared memory, {} of k at a time.", step));
  }
  out.verdict = message(
      "wx = {}, wy = {}: the 32 threads of a warp compute {} × {} elements, {} × {} tiles; threadIdx.x "
      "becomes 0, and all lanes name the tile's first element.",
      t.warpX, t.warpY, warpM, warpN, plan.tilesM, plan.tilesN);
  return PassOutcome::Unified;
}

}  // namespace

ThreadUnification unifyThreads(const schedule::State& state, const schedule::State& start, const MatrixProduct& p,
                               const Identification& found, const TensorTile& tile, const model::Device* device,
                               const std::optional<WarpPlan>& wanted) {
  ThreadUnification out;
  out.lookedAt = threadLoops(state);
  if (wanted && !isWhole(p, found, tile, *wanted)) {
    out.outcome = PassOutcome::ExtentsNotDivisible;
    out.verdict = message("{} × {} is not made of whole blocks of {} × {}.", extentOf(p, found.m), extentOf(p, found.n),
                          rowsOf(*wanted, tile), columnsOf(*wanted, tile));
    return out;
  }
  if (wanted || !hasThreads(state, p)) {
    out.plan = wanted.value_or(freshPlan(p, found, tile, device));
    const WarpPlan& plan = out.plan;
    out.lookedAt = start.tree().loopsAbove(p.block);
    out.outcome = PassOutcome::Unified;
    out.verdict = wanted
                      ? message(
                            "As chosen: {} × {} warps a block, each with {} × {} tiles of {} virtual threads; {} "
                            "tiles of k at a time.",
                            plan.warpsM, plan.warpsN, plan.tilesM, plan.tilesN, plan.virtualM, plan.tilesK)
                      : message(
                            "There are no threads yet, so there is nothing to unify: {} × {} warps a block, each with "
                            "{} × {} tiles; {} tiles of k at a time.",
                            plan.warpsM, plan.warpsN, plan.tilesM, plan.tilesN, plan.tilesK);
  } else {
    auto tiles = threadTiles(state, p);
    if (!tiles) {
      static_cast<PassReport&>(out) = tiles.error();
      return out;
    }
    out.before = std::move(*tiles);
    out.outcome = keep(out, p, found, tile);
  }
  if (succeeded(out.outcome)) out.lines = divisionLines(start, p, found, tile, out.plan, out.vectors);
  return out;
}

std::optional<WarpPlan> withVirtualThreads(WarpPlan plan) {
  if (plan.virtualM > 1 || plan.tilesM % 2 != 0) return std::nullopt;
  plan.virtualM = 2, plan.tilesM /= 2;
  return plan;
}

std::vector<WarpPlan> warpPlans(const MatrixProduct& p, const Identification& found, const TensorTile& tile) {
  std::vector<WarpPlan> plans;
  for (WarpPlan plan : kPlans) {
    for (plan.tilesK = mostTilesK(p, tile); plan.tilesK > 0; plan.tilesK /= 2)
      if (isWhole(p, found, tile, plan) && sharedBytes(p, found, tile, plan) <= kSharedBytes) plans.push_back(plan);
  }
  return plans;
}

}  // namespace loom::tune
