#pragma once

#include <cstdint>
#include <string_view>

#include "core/ir/message.h"

namespace loom::tune {

/// The outcome of one of the four passes that take a matrix product c + a · b to tensor cores (wmma). The first four
/// are successes; after any other one the later passes aren't tried.
enum class PassOutcome : std::uint8_t {
  Matches,     ///< pass 1: the block computes what the tensor operation computes
  Identified,  ///< pass 2: it is known which operand is a, b and c
  Unified,     ///< pass 3: the threads of a warp compute tiles together, or the pass's lines make them
  Scaled,      ///< pass 4: every loop has the extent that it needs once an operation computes a tile at a time
  // Pass 1.
  NoPlainNest,          ///< no state has a block with one unbound loop for each iterator, nor can it be made so
  NotAReduction,        ///< the block adds nothing up
  NoReduceAxis,         ///< the block adds up, but along none of its iterators
  SeveralReduceAxes,    ///< the block adds up along several iterators
  CombinerNotASum,      ///< the block combines its values by another operator than +, or its sum doesn't begin at 0
  SourceNotAProduct,    ///< the value that the block adds is no product of two loads
  NotTwoReads,          ///< a factor is no element of a buffer, or both factors are of the same buffer
  AccumulatorType,      ///< tensor cores don't accumulate such products in this type
  OperandTypes,         ///< tensor cores don't multiply these types
  IndicesNotBare,       ///< an index is no iterator by itself
  ExtentsNotDivisible,  ///< an extent is no multiple of the tile's extent, or not constant
  DeviceLacksIt,        ///< the device has no such tensor operation
  OperationMissing,     ///< the hardware has the operation, but this program has no intrinsic for it
  // Pass 2.
  OperandIsNeither,  ///< the iterators of an operand's last two dimensions are neither a's nor b's
  // Pass 3.
  NoWholeWarps,       ///< the threads of a block are no multiple of 32
  NoLegalWarpTile,    ///< the elements that the threads of a warp compute are not made of whole tiles; in pass 1: rows
                      ///< of the requested tile are too short to be stored at aligned addresses
  AlreadyTensorized,  ///< the state computes on tensor cores already, by other steps
  // Any.
  StepRefused,  ///< a step line was refused
  NoKernel,     ///< pass 4: the step lines of all passes are accepted, but the program that they lead to is no kernel
  NotReached,   ///< an earlier pass has failed
};

/// Returns whether the pass has succeeded.
bool succeeded(PassOutcome outcome);

/// Returns the stable name of an outcome for scripts: "combiner_not_a_sum".
std::string_view nameOf(PassOutcome outcome);
/// Returns the outcome in words: "The combiner is no sum".
Message wordsOf(PassOutcome outcome);

}  // namespace loom::tune
