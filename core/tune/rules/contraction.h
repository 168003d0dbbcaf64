#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// An operand of a product of sums.
struct ProductOperand {
  std::string buffer;           ///< the name of what the block reads
  int read = 0;                 ///< its index among what the block reads
  ir::DType dtype;              ///< of its elements
  bool reductionIsLast = true;  ///< whether the reduction's indices run along the last dimension: [m, k] and [n, k]
  /// Neighbours in memory along the operand's last dimension, as many as a row has, with the rows' distance divisible
  /// by it: an access of v elements is aligned where v divides this. 1: no neighbours are known.
  std::int64_t aligned = 1;
  /// Elements from one row to the next, where the operand lies in memory as matrices: the iterators of one kind are
  /// neighbouring dimensions, those of the other kind the last ones, each whole and in their order, with those of a
  /// batch anywhere else. 0: it doesn't.
  std::int64_t pitch = 0;
  /// Iterators of one iteration that only add to others in its indices: a copy by iterators goes without them.
  std::vector<int> left;
};

/// What a block reads besides A and B: a weight of each k, say, or a further factor of each row and k.
struct FurtherOperand : ProductOperand {
  bool ofBatch = false, ofRows = false, ofColumns = false, ofSums = false;  ///< whether some of them are in its indices
  /// Whether each step along k takes some of it for rows, or for columns: it is on a side of the product, beside A or
  /// B, and its tiles are copied as theirs are.
  bool isOnSide() const { return ofSums && ofRows != ofColumns; }
};

/// A block that sums products of two operands: C[b, m, n] += A[b, m, k] · B[b, n, k], where b, m, n and k each stand
/// for none, one or many of the block's iterators; or one that makes anything else of elements of two operands, and
/// combines it with C: distances, the least of sums (`multiplies` is false). There may be further operands: a product
/// of many factors is one of two sides, rows' and columns', each of as many buffers as depend on that side.
struct Contraction {
  ir::Id block;
  std::string name;
  std::vector<std::string> iterators;           ///< names of the block's, in its order
  std::vector<std::int64_t> extents;            ///< of these
  std::vector<int> batch, rows, columns, sums;  ///< their indices: of both operands and C; A and C; B and C; A and B
  ProductOperand a, b;
  std::string result;              ///< name of C
  ir::DType accumulator;           ///< of C
  std::int64_t resultAligned = 1;  ///< as ProductOperand::aligned, of C
  std::int64_t resultPitch = 0;    ///< as ProductOperand::pitch, of C with its rows first
  bool reversed = false;           ///< whether the block is a product that reads B first
  bool multiplies = true;          ///< whether it sums up from 0 what is just a product of an element of A and one of B
  bool hasParts = true;    ///< whether parts of k may be combined by themselves: the combiner is one with an identity
  bool takesZeros = true;  ///< whether elements of 0 along k leave the result as it is: k may be padded
  std::vector<FurtherOperand> further;  ///< none in a product
  int instructions = 1;  ///< of CUDA cores, for each element of A and B that are combined (see `instructionsOf`)
  /// Whether an operand lacks iterators of a kind that others have: C[i, r] += X[i, j, k] · Y[j, r] · Z[k, r]. Those of
  /// a kind become one iterator of the block before operands are copied, so that all go along with it.
  bool uneven = false;
  /// Whether each of rows, columns and sums is one iterator, there is at most one of a batch, the iterators stand in
  /// this order, and they alone are the indices of A, B and C: nothing has to be reindexed.
  bool direct() const { return plain && !reversed; }
  bool plain = false;  ///< as direct, but the block may read B first
  /// Whether A, B and C lie as matrices, so that iterators of a kind together are one dimension of them.
  bool liesAsMatrices() const { return a.pitch > 0 && b.pitch > 0 && resultPitch > 0; }
  /// Whether there is a tile of results, and of sums, for the threads of CUDA cores.
  bool fillsThreads() const {
    constexpr std::int64_t kLeast = 4;
    return m >= kLeast && n >= kLeast && k >= kLeast;
  }
  std::int64_t b0 = 1, m = 1, n = 1,
               k = 1;  ///< extents of all iterators of a kind together: batch, rows, columns, sums
};

/// Returns with what the decisions about each further operand's copies begin: "a2", "a3"… on the rows' side, "b2" on
/// that of columns, where A's begin with "a"; "": it has no copies of tiles.
std::vector<std::string> decisionPrefixes(const Contraction& product);

/// Returns what a block computes if it is such a sum with constant extents whose operands each are used again, or in a
/// sentence why not.
struct ContractionOrNot {
  std::optional<Contraction> contraction;
  Message reason;  ///< empty where there is a contraction
};
ContractionOrNot contractionOf(const schedule::State& state, ir::Id block);
/// Returns the same of a block that multiplies; nothing: it doesn't.
std::optional<Contraction> productOf(const schedule::State& state, ir::Id block);

}  // namespace loom::tune
