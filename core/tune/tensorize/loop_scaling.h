#pragma once

#include <vector>

#include "core/schedule/state.h"
#include "core/tune/tensorize/thread_unification.h"

namespace loom::tune {

/// A loop of the state (a program after some scheduling steps) that the four passes to tensor cores look at, and its
/// extent after pass 4.
struct ScaledLoop {
  ir::Id loop;  ///< the loop in the state; no id: pass 4 adds the loop
  std::string name;
  std::int64_t before = 1, after = 1;  ///< numbers of iterations
  std::int64_t factor = 1;             ///< before / after; 1 if that is no whole number
  Message reason;                      ///< why the loop has this extent
};

/// The result of pass 4 on the way to tensor cores. An iteration of the loops along i, j and k now computes a tile
/// instead of an element, so these loops have fewer iterations.
struct LoopScaling : PassReport {
  std::vector<ScaledLoop> loops;  ///< outermost first, loops that are new last
};
/// Applies pass 4 to the product of `state`, after pass 3 has succeeded with `threads`. `state` is the one with threads
/// if `threads.before` is set, or else the one in which the product is a plain loop nest. `product` is the block that
/// multiplies, `found` says which of its iterators are rows, columns and k (pass 2), and `tile` is the tile that a warp
/// multiplies by one operation. The outcome is always Scaled.
LoopScaling scaleLoops(const schedule::State& state, const MatrixProduct& product, const Identification& found,
                       const ThreadUnification& threads, const TensorTile& tile);

}  // namespace loom::tune
