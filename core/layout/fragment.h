// Which lane and register holds which element of a tensor-core tile. The layouts of mma.sync and ldmatrix are the PTX
// ISA's ("Matrix Fragments for mma.m16n8k16 with floating point type", "Warp-level matrix load instruction: ldmatrix").
// wmma's is left open by PTX.
#pragma once
#include <string>

#include "core/layout/layout.h"

namespace loom::layout {

// The matrices of a product D = A · B + C; the accumulators are C and D.
enum class Operand { A, B, Accumulator };

// Returns the fragment layout of mma.sync.m`m`n8k`k` for elements of `bits` bits: 8, 16 or 32, for accumulators 16 or
// 32. With p = 32 / bits, the number of elements that share a register, it is:
//    A            (lane:32, register:(m/8)·(k/4p), part:p) → (row:m, column:k)     row of M, column of K
//    B            (lane:32, register:k/4p, part:p) → (row:k, column:8)             row of K, column of N
//    Accumulator  (lane:32, register:(m/8)·(2/p), part:p) → (row:m, column:8)
// Part 0 is the lowest bits of the register. The dimension "part" is called "half" for 16 bits and "byte" for 8 bits,
// and is left out for 32. k must be a multiple of 4p; it has no effect on accumulators. m is 8 or 16; it has no effect
// on B.
Layout mmaFragment(Operand operand, int k, int bits, int m = 16);
// Returns the fragment layout of mma.sync.m16n8k16 with 16-bit operands and accumulators of float32, or of float16 with
// `halves`.
inline Layout mmaM16N8K16(Operand operand, bool halves = false) {
  return mmaFragment(operand, 16, operand == Operand::Accumulator && !halves ? 32 : 16);
}

// Returns the layout of the accumulators of wgmma.m64n`n`, of `bits` bits (32 or 16) each, for n a multiple of 8. Each
// warp of the warpgroup has 16 rows, laid out like accumulators of mma.sync.m16n8 side by side. PTX ISA, "Register
// fragments and shared memory matrix layouts", D of m64nNk16.
//    (thread:128, register:n/2, or n/4 of 16 bits with half:2) → (row:64, column:n)
Layout wgmmaAccumulator(int n, int bits);

// Returns, for ldmatrix.x1, .x2 or .x4 of 8×8 matrices of 16-bit elements, the row whose address each lane gives:
// (lane:8·count) → (matrix:count, row:8). Error "LayoutError" for other counts.
Result<Layout> ldmatrixAddress(int count);
// Returns the matrix, row and column of each element that a lane receives from ldmatrix, with .trans if `transposed`:
// (lane:32, register:count, half:2) → (matrix:count, row:8, column:8). Error "LayoutError" for other counts than 1, 2
// and 4.
Result<Layout> ldmatrixResult(int count, bool transposed);

// Returns the layout of a wmma fragment of rows × columns, (lane:32, element:rows·columns/32) → (row, column): an
// undefined one (Layout::undefined), since PTX leaves it open.
Layout wmmaFragment(std::int64_t rows, std::int64_t columns);
// Returns the layout of a wmma fragment of a 16×16×16 tile of float16 operands, as it was observed in the code that
// NVRTC 13.0 generates for sm_75 to sm_120: an A fragment is that of mma.m16n8k16; B and the accumulators are two
// fragments of mma.m16n8k16 side by side, the highest digit of the register saying which. No document promises this, so
// whoever shows it must add `wmmaSeenNote`. `halves`: the accumulators are float16, not float32.
Layout wmmaFragmentSeen(Operand operand, bool halves = false);
// Returns the sentence to show beside `wmmaFragmentSeen`.
inline Message wmmaSeenNote() {
  return message(
      "PTX leaves wmma's fragment layout open; this is the one seen in code for sm_75 to sm_120 by NVRTC 13.0");
}

}  // namespace loom::layout
