// Turns index expressions into iterator maps (iter_map.h). Private to the room; detectIterMap is the way in.
//
// How an index is read, for i of 4, j of 8 and ((i * 8 + j) // 2) % 4:
//   1. iter_map_rewrite.cpp  walks the expression; + - * by a constant collect splits in a sum:  {i, scale 8} + {j,
//   scale 1}
//   2. iter_map_fuse.cpp     before a division a sum must become one iterator: scales 1, 8 fit the extents 8, 4, so the
//                            sum is a new mark  y = i * 8 + j in [0, 32)
//   3. iter_map_floor.cpp    // and % narrow a split:  y // 2 → {y, lower 2, extent 16},  then % 4 → {y, lower 2,
//   extent 4};
//                            where the divisor does not divide the extent, the mark is padded until it does
//   4. iter_map_independence.cpp  all splits of one mark, over all indices, must fit together without overlap
// Equal sums give the same mark, which is how two indices are known to be parts of one iterator.
#pragma once
#include <unordered_map>

#include "core/arith/iter_map.h"
#include "core/ir/visit.h"

namespace loom::arith {

// Returns a plain expression as a sum without splits, and a split as a sum of one.
IterSum toSum(const IterExpr& e);
// Returns lhs * rhs with the constant factors multiplied together and put last: (n * 4) * (m * 2) → n * m * 8.
Expr normalizedProduct(const Expr& lhs, const Expr& rhs);
// Returns the factors of a product, from left to right; `e` itself if it is no product.
std::vector<Expr> factorsOf(const Expr& e);

enum class CompareScale { No, Yes };
// Returns whether both splits are of the same iterator (by identity) and have equal numbers.
bool sameSplit(const IterSplitNode& a, const IterSplitNode& b, CompareScale scale = CompareScale::Yes);

// Which splits of each mark are used by some sums, marks inside marks included; in order of first visit.
struct SplitsByMark {
  explicit SplitsByMark(const std::vector<IterSum>& sums);
  const std::vector<IterSplit>& of(const IterMark& mark) const { return splits.at(mark.get()); }

  std::vector<IterMark> marks;
  std::unordered_map<const IterMarkNode*, std::vector<IterSplit>> splits;

 private:
  void add(const IterSplit& split);
};

// Rewrites indices to sums of splits of iterators, and collects what `detectIterMap` needs to decide whether these form
// a map of the required level.
class IterMapRewriter : private ir::Mutator {
 public:
  // With `simplifyTrivial`, variables of extent 1 are replaced by their value. What can't be represented is reported in
  // `errors`.
  IterMapRewriter(const VarRanges& iters, IterMapLevel level, bool simplifyTrivial, Analyzer& analyzer,
                  std::vector<std::string>& errors);

  // The index as one fused split (or none) plus a base. Rewriting has two rounds when padding is allowed: the first
  // collects the divisors used on each mark, the second uses the mark padded to a multiple of all of them.
  enum class Round { CollectPadding, Final };
  IterSum rewriteIndex(const Expr& index, Round round);
  // Takes note that lower <= iter < upper (null: no such bound); the fused mark of `iter` gets the smaller extent.
  void constrain(const Expr& iter, Expr lower, Expr upper);
  // Returns the index as splits in order of falling scale, not fused.
  IterSum rewriteToSum(const Expr& index);

  // Returns whether any two groups of splits with constraints are nested or disjoint.
  bool constraintsFit() const;
  // Returns whether the splits of every iterator fit together as `level` requires.
  bool indicesFit(const std::vector<IterSum>& indices);

  bool requiresPadding() const { return requiresPadding_; }
  const Expr& paddingPredicate() const { return paddingPredicate_; }

 private:
  // iter_map_rewrite.cpp
  Expr rewrite(const Expr& e) override;  // for operators that are not index arithmetic: the result must be plain
  using ir::Mutator::rewrite;
  IterExpr read(const Expr& e);
  IterExpr readBinary(const Expr& e);
  IterExpr readProduct(const Expr& e, IterExpr a, IterExpr b);
  IterExpr readDivision(const Expr& e, const IterExpr& a, const IterExpr& b);
  void fail(std::string message) { errors_.push_back(std::move(message)); }

  // iter_map_fuse.cpp
  enum class Skip { Never, SingleSplit };  // whether a sum that is one split already is left as it is
  IterSum combineSplits(const IterSum& sum);
  IterSum fuse(IterSum sum, Skip skip);  // null when it is no fusion
  IterSum fuseOrFail(const IterSum& sum);
  int findBase(const IterSumNode& sum, const std::vector<bool>& used, const IterMark& source, int last);
  int findScale(const IterSumNode& sum, const std::vector<bool>& used, const Expr& scale, const IterMark& source,
                int last, int firstUnit);
  int findClosestBelow(const IterSumNode& sum, const std::vector<bool>& used, const Expr& scale);
  IterSum constraintFrom(const IterSplitNode& split) const;

  // iter_map_floor.cpp
  IterSum fusedDividend(const IterExpr& dividend);
  std::optional<IterExpr> floorDivide(IterSplit x, Expr base, Expr divisor);
  std::optional<IterExpr> floorModulo(IterSplit x, Expr base, Expr divisor);
  bool canProveDivisible(const Expr& dividend, const Expr& divisor);
  struct Padded {
    IterSplit split;  // null when padding failed
    Expr left;        // how far the split was moved up
  };
  struct Padding;
  Padded padToDivisor(const IterSplit& split, const Expr& base, const Expr& divisor);
  Padded collectPadding(const IterSplit& split, const Expr& left, const Expr& right, const Expr& divisor);
  void padMark(const IterMark& mark, Padding& padding);
  Expr padUp(const Expr& edge, const Expr& factor);
  Padding* paddingOf(const IterMark& mark);

  // iter_map_independence.cpp
  bool splitsFit(const IterMark& mark, const std::vector<IterSplit>& splits);
  std::size_t findNextLower(const std::vector<IterSplit>& splits, const std::vector<bool>& used, const Expr& expected);
  bool extentsFit(const IterMark& mark, const std::vector<IterSplit>& splits, const Expr& covered);

  // A sum that became a mark. `flattened` has the sum's own splits, divided by the common scale; the mark's source has
  // constrained groups as one split. The sum is mark + offset (the offset comes from a constraint's lower bound).
  struct Fusion {
    IterSum flattened;
    IterMark mark;
    Expr offset;
  };
  Fusion* fusionOf(const IterSum& flattened);

  // What is collected about a mark used in divisions, and the mark made from it.
  struct Padding {
    IterMark mark;
    Expr factor = ir::intImm(1);  // every divisor's multiple
    Expr left = ir::intImm(0);
    IterMark padded = nullptr;  // left + mark, with its extent a multiple of the factor
  };

  Analyzer& analyzer_;
  IterMapLevel level_;
  std::vector<std::string>& errors_;
  std::unordered_map<const ir::VarNode*, IterExpr> vars_;
  std::vector<IterMark> inputs_;
  std::vector<Fusion> fusions_;
  std::vector<IterSum> constrained_;  // flattened, from short to long
  std::vector<Padding> paddings_;
  Round round_ = Round::Final;
  bool requiresPadding_ = false;
  Expr paddingPredicate_;
};

}  // namespace loom::arith
