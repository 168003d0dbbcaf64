#include "core/tune/wave_hints.h"

#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/model/product_rate.h"
#include "core/tune/rules/contraction.h"

namespace loom::tune {

namespace {

// Where nothing is cut yet, the other side of a large tile: of 128 × 128.
constexpr std::int64_t kUncut = 128, kMostOfTile = 256;

bool uses(const ir::Expr& e, const ir::VarNode* var) {
  return ir::usesVar(e, [&](const ir::VarNode* v) { return v == var; });
}

}  // namespace

std::optional<WaveHints> WaveHints::of(const schedule::State& state, ir::Id loop, const model::Device& device) {
  const auto multiprocessors = device.value(model::Quantity::Multiprocessors);
  const schedule::Tree& tree = state.tree();
  if (!model::hasWarpgroups(device) || !multiprocessors || !tree.isLoop(loop)) return std::nullopt;
  for (const ir::Id block : tree.childBlocks(loop)) {
    const auto product = productOf(state, block);
    if (!product || product->a.dtype.bits > 16 || product->rows.size() != 1 || product->columns.size() != 1) continue;
    const ir::BlockRealize realize = tree.realize(block);
    const ir::Expr &i = realize->values[std::size_t(product->rows[0])],
                   &j = realize->values[std::size_t(product->columns[0])];
    const ir::For of = tree.loop(loop);
    if (of->forKind != ir::ForKind::Serial || uses(i, of->var.get()) == uses(j, of->var.get())) return std::nullopt;
    WaveHints hints;
    hints.m_ = product->m, hints.n_ = product->n, hints.batch_ = product->b0;
    hints.multiprocessors_ = std::int64_t(*multiprocessors);
    hints.ofColumns_ = uses(j, of->var.get());
    // The other side's loops but the outermost are the tile's.
    const ir::Expr& across = hints.ofColumns_ ? i : j;
    std::int64_t tile = 1, loops = 0;
    for (const ir::Id above : tree.loopsAbove(block)) {
      const ir::For one = tree.loop(above);
      if (uses(across, one->var.get()) && loops++ > 0) tile *= ir::constantOr(one->extent, 1);
    }
    hints.other_ = loops > 1 ? tile : std::min(kUncut, hints.ofColumns_ ? hints.m_ : hints.n_);
    return hints;
  }
  return std::nullopt;
}

WaveFit WaveHints::fitOf(std::int64_t inner) const {
  return waveFit(m_, n_, batch_, ofColumns_ ? other_ : inner, ofColumns_ ? inner : other_, multiprocessors_);
}

bool WaveHints::takes(std::int64_t inner) const {
  return inner >= 8 && inner <= kMostOfTile && inner % (ofColumns_ ? 8 : 64) == 0;
}

std::int64_t WaveHints::costOf(std::int64_t inner) const { return fitOf(inner).waves * inner * other_; }

}  // namespace loom::tune
