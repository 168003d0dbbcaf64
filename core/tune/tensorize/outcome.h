#pragma once

#include <cstdint>
#include <string_view>

#include "core/ir/message.h"

namespace loom::tune {

/// What one of the four passes that take a product to tensor cores found. All but the first four forbid to go on.
enum class PassOutcome : std::uint8_t {
  Matches,     ///< pass 1: the block computes what the tensor operation computes
  Identified,  ///< pass 2: it is known which operand is a, b and c
  Unified,     ///< pass 3: the threads of each warp have a tile, or are given one
  Scaled,      ///< pass 4: every loop has its new extent
  // Pass 1.
  NoPlainNest,          ///< no state has a block whose loops each are an iterator, unbound, nor can they be made so
  NotAReduction,        ///< the block adds nothing up
  NoReduceAxis,         ///< it adds up, but along none of its iterators
  SeveralReduceAxes,    ///< it adds up along several
  CombinerNotASum,      ///< its results are combined by something else than +
  SourceNotAProduct,    ///< what it adds is no product of two loads
  NotTwoReads,          ///< a factor is no element of a buffer, or both are of one
  AccumulatorType,      ///< tensor cores don't add such products up in this type
  OperandTypes,         ///< tensor cores don't multiply these types
  IndicesNotBare,       ///< an index is no iterator by itself
  ExtentsNotDivisible,  ///< an extent is no multiple of the tile's, or no constant
  DeviceLacksIt,        ///< the device has no such operation
  OperationMissing,     ///< the hardware has it, device programs and intrinsics here have not
  // Pass 2.
  OperandIsNeither,  ///< the iterators of an operand's last two dimensions are neither a's nor b's
  // Pass 3.
  NoWholeWarps,       ///< the threads of a block are no multiple of 32
  NoLegalWarpTile,    ///< what the threads of a warp compute is not made of whole tiles
  AlreadyTensorized,  ///< the state is on tensor cores by other steps
  // Any.
  StepRefused,  ///< a step line was refused
  NotReached,   ///< an earlier pass has failed
};

/// Returns whether the pass has succeeded.
bool succeeded(PassOutcome outcome);

/// Returns the stable name of an outcome for scripts: "combiner_not_a_sum".
std::string_view nameOf(PassOutcome outcome);
/// Returns the outcome in words: "The combiner is no sum".
Message wordsOf(PassOutcome outcome);

}  // namespace loom::tune
