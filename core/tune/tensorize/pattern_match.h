#pragma once

#include <optional>

#include "core/schedule/state.h"
#include "core/tune/tensorize/pass.h"
#include "core/tune/tensorize/tensor_tile.h"

namespace loom::tune {

/// What a person may choose for the passes to tensor cores.
struct TensorizeRequest {
  std::string block;                        ///< name of the block; "": the first block that matches
  std::optional<device::ProductTile> tile;  ///< nothing: the first tile that divides the extents and can be used
  bool swapped = false;                     ///< whether a and b are exchanged, which forms the transposed product
  std::optional<WarpPlan> plan = {};        ///< nothing: the plan that the state's threads follow, or a usual one
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
/// Matches a block of `state`. `library` has the intrinsics; null: none are there. `device` is the one to multiply on;
/// null if it isn't known, and then every device is taken to have the operation.
PatternMatch matchPattern(const schedule::State& state, ir::Id block, const TensorizeRequest& request,
                          const intrin::Library* library, const model::Device* device);

}  // namespace loom::tune
