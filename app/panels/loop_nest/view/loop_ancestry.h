#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// The loops and blocks that those of a state were made from, step by step. `state` is the last one of the input's
/// path, or what a step would make of it.
class Ancestors {
 public:
  /// Both must outlive the object.
  Ancestors(const StatePath& input, const schedule::State& state);
  /// Returns the ancestors of a loop or block, oldest first; empty for what the function had from the start.
  std::vector<Ancestry> of(ir::Id id) const;

 private:
  const StatePath& input_;
  const schedule::State& state_;
  std::map<std::uint32_t, int> stepOf_;  ///< uid of a line → its state in the path
};

}  // namespace loom::session
