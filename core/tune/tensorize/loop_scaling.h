#pragma once

#include <vector>

#include "core/schedule/state.h"
#include "core/tune/tensorize/thread_unification.h"

namespace loom::tune {

/// A loop of the state that was asked about, and what becomes of it.
struct ScaledLoop {
  ir::Id loop;  ///< none: it is new
  std::string name;
  std::int64_t before = 1, after = 1;  ///< iterations
  std::int64_t factor = 1;             ///< before / after; 1 also where `after` is more
  Message reason;
};

/// Pass 4: a tile at a time takes the place of an element at a time, so loops along i, j and k lose iterations.
struct LoopScaling : PassReport {
  std::vector<ScaledLoop> loops;  ///< outermost first
};
LoopScaling scaleLoops(const schedule::State& state, const MatrixProduct& product, const Identification& found,
                       const ThreadUnification& threads, const TensorTile& tile);

}  // namespace loom::tune
