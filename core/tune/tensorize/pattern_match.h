#pragma once

#include <optional>

#include "core/schedule/state.h"
#include "core/tune/tensorize/pass.h"
#include "core/tune/tensorize/tensor_tile.h"

namespace loom::tune {

/// A person's choices for the four passes that take a matrix product to tensor cores: pattern match, matrix
/// identification, thread unification and loop scaling. A block is a computation with iterators, as in TensorIR.
struct TensorizeRequest {
  std::string block;                        ///< name of the block; "": the first block that matches
  std::optional<device::ProductTile> tile;  ///< nothing: the first tile that divides the extents and can be used
  bool swapped = false;                     ///< whether a and b are exchanged, which forms the transposed product
  std::optional<WarpPlan> plan = {};        ///< warps and their tiles; nothing: as the program's threads, or usual ones
  bool tf32 = false;                        ///< whether float32 may be multiplied as tf32, which keeps fewer digits
};

/// The result of pass 1: whether a block is the multiply-add of a tensor operation, apart from the names and order of
/// its iterators and the order of the operands of + and ·.
struct PatternMatch : PassReport {
  std::string expected, found;  ///< the statement that the operation computes, and the block's
  std::string unequal;          ///< the first part of `found` that differs; "": none does
  MatrixProduct product;        ///< the product that the block computes; only if the block matches
  TensorTile tile;              ///< the tile of the tensor operation; only if the block matches
};
/// Applies pass 1 to `block`, which must be in `state`, a program after some scheduling steps; `request.block` and
/// `request.plan` are ignored. `library` has the intrinsics; null: there are none, and nothing matches. `device` is the
/// one to multiply on; null if it isn't known: then it is assumed to have the operation. The outcome is Matches, or
/// says why the block doesn't match.
PatternMatch matchPattern(const schedule::State& state, ir::Id block, const TensorizeRequest& request,
                          const intrin::Library* library, const model::Device* device);

}  // namespace loom::tune
