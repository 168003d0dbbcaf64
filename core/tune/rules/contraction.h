#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// An operand of a sum of products. In this header, a block is a computation of the program with iterators, as in
/// TensorIR, not a thread block.
struct ProductOperand {
  std::string buffer;  ///< name of the buffer that the block reads
  int read = 0;        ///< index of the buffer among the block's reads
  ir::DType dtype;     ///< type of the buffer's elements
  /// Whether the last dimension is indexed by iterators of the sum, as in [m, k] and [n, k]. If the index there adds
  /// iterators of rows or columns to them, as in a convolution, this is true if those of the sum have the larger
  /// extent, and always for elements of less than 16 bits.
  bool reductionIsLast = true;
  /// The alignment of vector accesses along the operand's last dimension, in elements: an access of v elements is
  /// aligned if v divides this. 1: only single elements are known to be.
  std::int64_t aligned = 1;
  /// The distance from one row to the next, in elements, if the operand lies in memory as matrices: the iterators of
  /// one kind (rows or columns of C, or sums) are neighbouring dimensions, those of the other kind are the last
  /// dimensions, each whole and in their order, and those of a batch stand anywhere else; those of extent 1 don't
  /// count. 0: it doesn't lie so.
  std::int64_t pitch = 0;
  /// Whether iterators of the batch aren't in the operand's indices, as all products of the batch share it
  /// (contractionByParts).
  bool lacksBatch = false;
  /// Indices of the block's iterators of extent 1 that are only added to others in the operand's indices; a copy of the
  /// operand whose dimensions are the block's iterators leaves them out.
  std::vector<int> left;
};

/// An operand that a block reads besides A and B: a weight for each k, say, or a further factor for each row and k.
struct FurtherOperand : ProductOperand {
  /// Whether iterators of the batch, rows, columns and sums of the Contraction are in the operand's indices.
  bool ofBatch = false, ofRows = false, ofColumns = false, ofSums = false;
  /// Returns whether the operand is on a side of the product: indexed by k, and by either rows, as A is, or columns, as
  /// B is. Its tiles are then copied as those of A or B are.
  bool isOnSide() const { return ofSums && ofRows != ofColumns; }
};

/// A block that sums products of two operands: C[b, m, n] += A[b, m, k] · B[b, n, k], where m, n and k each stand for
/// one or many of the block's iterators, and b for any number of them. Or a block that computes another value from an
/// element of each operand and combines it with C, as distances do, or the minimum of sums (`multiplies` is false).
/// There may be further operands: in a product of many factors, those indexed by rows stand beside A, those by columns
/// beside B.
struct Contraction {
  ir::Id block;
  std::string name;                    ///< name of the block
  std::vector<std::string> iterators;  ///< names of the block's iterators, in the block's order
  std::vector<std::int64_t> extents;   ///< extent of each iterator
  /// Indices of the block's iterators by kind: a batch iterator indexes A, B and C; an iterator of rows indexes A and
  /// C, one of columns B and C, and one of sums A and B. Iterators of sums are the block's reduction iterators,
  /// whatever combines with C. An iterator that indexes only C counts as rows; its extent is 1, unless the contraction
  /// is `uneven`.
  std::vector<int> batch, rows, columns, sums;
  ProductOperand a, b;
  std::string result;              ///< name of the buffer C
  ir::DType accumulator;           ///< element type of C
  std::int64_t resultAligned = 1;  ///< alignment of accesses to C, in elements, as ProductOperand::aligned
  std::int64_t resultPitch = 0;    ///< elements from one row of C to the next, as ProductOperand::pitch
  bool reversed = false;           ///< whether the block is a product that reads B first
  bool sumFirst = false;           ///< whether the block is a product that stands before C: C = A · B + C
  bool multiplies = true;          ///< whether the block adds up, from 0, just products of an element of A and one of B
  bool hasParts = true;            ///< whether parts of k may be reduced separately: the combiner has an identity
  bool takesZeros = true;          ///< whether elements of 0 along k leave the result as it is, so that k may be padded
  std::vector<FurtherOperand> further;  ///< operands besides A and B; empty for a product of two
  int instructions = 1;  ///< instructions of CUDA cores for each pair of elements of A and B; a multiply-add takes one
  /// Whether an operand lacks iterators of a kind that others have: C[i, r] += X[i, j, k] · Y[j, r] · Z[k, r]. The
  /// iterators of each kind are fused into one before operands are copied.
  bool uneven = false;
  /// Whether rows, columns and sums are one iterator each, the batch is at most one, the iterators stand in the order
  /// batch, rows, columns, sums, and they alone are the indices of A, B and C: nothing has to be reindexed.
  bool plain = false;
  /// The type of each product of two elements before the cast, where the block casts the product before it adds it: it
  /// is rounded, or a whole number wraps around, as no matrix instruction does. The block then doesn't count as one
  /// that `multiplies`.
  std::optional<ir::DType> castFrom;
  /// Returns what names of intrinsics say of the order in which the block writes the product: "_sum_first",
  /// "_commuted", or both; "" for C + A · B.
  std::string order() const;
  /// Returns why matrix instructions don't compute what the block does. To be asked only if `multiplies` is false.
  Message whyNoProduct() const;
  /// Returns whether A, B and C lie as matrices (ProductOperand::pitch), so that all iterators of a kind together can
  /// be seen as one dimension.
  bool liesAsMatrices() const { return a.pitch > 0 && b.pitch > 0 && resultPitch > 0; }
  /// Returns whether m, n and k are at least 4, long enough for a tile of each thread of CUDA cores.
  bool fillsThreads() const {
    constexpr std::int64_t kLeast = 4;
    return m >= kLeast && n >= kLeast && k >= kLeast;
  }
  /// Returns whether the product is thin: shorter than 4 along m, n or k, but longer than 1 along each. Tiles then
  /// reach beyond the axis.
  bool isThin() const { return !fillsThreads() && m > 1 && n > 1 && k > 1; }
  /// Products of the extents of all iterators of the batch, of rows, of columns and of sums.
  std::int64_t b0 = 1, m = 1, n = 1, k = 1;
};

/// Returns, for each further operand, the prefix of the names of decisions about its copies: "a2", "a3"… for operands
/// on the side of rows, "b2"… on that of columns (those of A and B begin with "a" and "b"); "" for an operand whose
/// tiles aren't copied.
std::vector<std::string> decisionPrefixes(const Contraction& product);

/// A contraction, or the reason why a block is none.
struct ContractionOrNot {
  std::optional<Contraction> contraction;
  Message reason;  ///< why there is no contraction, as a sentence; empty if there is one
};
/// Reads a block of the state, a program after some scheduling steps, as a contraction. `block` must be a block of the
/// state. There is a reason instead if an extent isn't constant, the block isn't a single store that combines C with a
/// value of elements of at least two other buffers, the value with which it initializes C is no number, an index has a
/// form that isn't supported, or each element of an operand is used for one result only.
ContractionOrNot contractionOf(const schedule::State& state, ir::Id block);
/// Returns the contraction of a block with some of its columns, or else of its rows, as a batch: those that stand
/// before k in their operand while others stand after it. C[n, o, p] += W[o, k] · X[n, k, p], as a 1 × 1 convolution
/// has it, is a product for each n, and all of these share W. Returns nothing if the block, which must be one of the
/// state, is no contraction, has a batch, or has no such rows or columns.
std::optional<Contraction> contractionByParts(const schedule::State& state, ir::Id block);
/// Returns the contraction of a block if the block is a sum of products (Contraction::multiplies), or else nothing.
std::optional<Contraction> productOf(const schedule::State& state, ir::Id block);
/// Returns the contraction of the last block of the program that is one, or nothing if none is.
std::optional<Contraction> lastContraction(const schedule::State& state);

}  // namespace loom::tune
