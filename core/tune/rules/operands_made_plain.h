#pragma once

#include "core/tune/rules/prepared_program.h"

namespace loom::tune {

/// Rewrites those blocks of the program `state`, computations with iterators as in TensorIR, that thereby become
/// contractions (sums of products of two operands, and the like) large enough for tiles (Contraction::fillsThreads, or
/// Contraction::isThin if no iterator is split): their operands are then plain, elements at sums of iterators. All
/// other blocks stay as they are, also where a step is refused. The blocks that copies and factors get here are stages
/// of their own, in global memory before the contraction; rules that tile the contraction compute them where they copy
/// its tiles. If an index has a quotient of an iterator, as in grouped convolutions (`X[n, co // 32 * 16 + ci, …]`),
/// the iterator is split into two; in a contraction that has it in its batch only if both thereby leave the batch, as
/// for an image that grows (`X[r, h // 2] * F[r, c, h % 2]`). If an index is an element of another buffer (`X[I[i],
/// k]`), a block of its own copies the elements that are read. If a factor is made of elements (`T.if_then_else(1 <= vh
/// + vr, X[vc, vh + vr - 1], 0)` of a convolution, or scaled weights), a block of its own makes it. If a block reads a
/// buffer at several places (`X[i, k] * X[j, k]`), the reads at one of them go to a copy. If a block says that it reads
/// other regions than it does, or names them in another order, they are found anew. Returns the new state with the step
/// lines that lead to it; the unchanged state, without lines, if no block changes or the program has several functions.
PreparedProgram madePlain(const schedule::State& state, const schedule::Environment& environment);

}  // namespace loom::tune
