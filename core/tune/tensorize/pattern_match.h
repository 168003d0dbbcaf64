#pragma once

#include <optional>

#include "core/schedule/state.h"
#include "core/tune/tensorize/pass.h"
#include "core/tune/tensorize/tensor_tile.h"

namespace loom::tune {

/// What a person may choose of the way to tensor cores.
struct TensorizeRequest {
  std::string block;                        ///< name of the block; "": the first that matches
  std::optional<device::ProductTile> tile;  ///< nothing: the first that divides the extents and can be used
  bool swapped = false;                     ///< a and b change places: the transposed product is formed
  std::optional<WarpPlan> plan = {};        ///< nothing: what the threads of the state say, or a usual one
  bool tf32 = false;                        ///< whether float32 may be multiplied as tf32 (RuleChoices::tf32)
};

/// Pass 1: is the block the multiply-add of a tensor operation, up to the names and order of its iterators and the
/// order of the operands of + and ·?
struct PatternMatch : PassReport {
  std::string expected, found;  ///< the statement that the operation computes, and the block's
  std::string unequal;          ///< the first part of `found` that differs; "": none does
  MatrixProduct product;        ///< of a match
  TensorTile tile;              ///< of a match
};
PatternMatch matchPattern(const schedule::State& state, ir::Id block, const TensorizeRequest& request,
                          const intrin::Library* library, const model::Device* device);

}  // namespace loom::tune
