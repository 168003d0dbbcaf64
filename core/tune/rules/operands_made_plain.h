#pragma once

#include "core/tune/rules/prepared_program.h"

namespace loom::tune {

/// Makes the indices of operands plain in those blocks of the program `state`, computations with iterators as in
/// TensorIR, that thereby become contractions (sums of products of two operands, and the like) large enough for tiles
/// (Contraction::fillsThreads, or Contraction::isThin if no iterator is split); all other blocks stay as they are. If
/// an index has a quotient of an iterator, as in grouped convolutions (`X[n, co // 32 * 16 + ci, …]`), the iterator is
/// split into two. If an index is an element of another buffer (`X[I[i], k]`), a block of its own copies the elements
/// that are read. If a factor is made of elements (`T.if_then_else(1 <= vh + vr, X[vc, vh + vr - 1], 0)` of a
/// convolution, weights that are scaled), a block of its own makes it, which is computed where tiles are copied. If a
/// block reads a buffer at several places (`X[i, k] * X[j, k]`), the reads at one of them go to a copy, which is
/// computed where tiles are copied. If a block says that it reads other regions than it does, or names them in another
/// order, they are found anew. Returns the unchanged state, without lines, if no block changes or the program has
/// several functions.
PreparedProgram madePlain(const schedule::State& state, const schedule::Environment& environment);

}  // namespace loom::tune
