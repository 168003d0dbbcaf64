// Turns index expressions into iterator maps, affine maps of loop variables. A mark is a whole iterator with an extent:
// a loop variable, or several fused to one. A split is a part of a mark's digits, (mark // lowerFactor) % extent *
// scale. A sum has splits and a base. Internal to core/arith; others call detectIterMap (iter_map.h).
//
// How an index is read, for i of 4, j of 8 and ((i * 8 + j) // 2) % 4:
//   1. iter_map_rewrite.cpp  walks the expression; +, - and * by a constant collect splits in a sum:
//                            {i, scale 8} + {j, scale 1}
//   2. iter_map_fuse.cpp     fuses a sum that is divided to one iterator: the scales 1, 8 fit the extents 8, 4, so the
//                            sum is a new mark  y = i * 8 + j in [0, 32)
//   3. iter_map_floor.cpp    narrows a split at // and %:  y // 2 → {y, lowerFactor 2, extent 16},
//                            then % 4 → {y, lowerFactor 2, extent 4};
//                            where the divisor does not divide the extent, the mark is padded until it does
//   4. iter_map_independence.cpp
//                            checks that all splits of one mark, over all indices, fit together without overlap
// Equal sums give the same mark, which is how two indices are known to be parts of one iterator.
#pragma once
#include <unordered_map>

#include "core/arith/iter_map.h"
#include "core/ir/visit.h"

namespace loom::arith {

// Returns a plain expression as a sum without splits, a split as a sum of one, and a sum as it is.
IterSum toSum(const IterExpr& e);
// Returns lhs * rhs with the constant factors multiplied together and put last: (n * 4) * (m * 2) → n * m * 8.
Expr normalizedProduct(const Expr& lhs, const Expr& rhs);
// Returns the factors of a product, from left to right; `e` itself if it is no product.
std::vector<Expr> factorsOf(const Expr& e);

enum class CompareScale { No, Yes };
// Returns whether both splits have the same mark (by identity) and equal lowerFactor, extent and, unless told
// otherwise, scale.
bool sameSplit(const IterSplitNode& a, const IterSplitNode& b, CompareScale scale = CompareScale::Yes);

// The splits of each mark that occur in some sums, including marks that are the source of other marks.
struct SplitsByMark {
  explicit SplitsByMark(const std::vector<IterSum>& sums);
  // Returns the splits of one of `marks`.
  const std::vector<IterSplit>& of(const IterMark& mark) const { return splits.at(mark.get()); }

  std::vector<IterMark> marks;  // in the order in which they are first met
  std::unordered_map<const IterMarkNode*, std::vector<IterSplit>> splits;

 private:
  void add(const IterSplit& split);
};

// Rewrites indices to sums of splits of iterators, and collects what `detectIterMap` needs to decide whether these form
// a map of the required level (IterMapLevel, iter_map.h). An object is for one map and is used in this order:
// `constrain` for each constraint, `constraintsFit`, `rewriteIndex` for all indices in one or two rounds, and then
// `indicesFit`; as soon as `errors` has a sentence, the caller stops. `rewriteToSum` is for a caller that wants a sum
// alone, without constraints, rounds and checks.
class IterMapRewriter : private ir::Mutator {
 public:
  // `iters` are the iterators and their domains. With `simplifyTrivial`, those of extent 1 are replaced by their value.
  // An index that can't be represented adds a sentence to `errors`. `analyzer` and `errors` must outlive the rewriter.
  IterMapRewriter(const VarRanges& iters, IterMapLevel level, bool simplifyTrivial, Analyzer& analyzer,
                  std::vector<std::string>& errors);

  // The round in which all indices are rewritten. With the level Bijective, nothing may be padded, and Final is the
  // only round. With the others, CollectPadding comes first, which collects the divisors of each mark. If
  // `requiresPadding` is then true, all indices are rewritten once more in the round Final, which replaces a mark by
  // one that is padded to a multiple of its divisors; otherwise the results of the first round stand.
  enum class Round { CollectPadding, Final };
  // Returns the index as a sum of at most one split, fused from all its iterators, and a base. If they can't be
  // fused, adds a sentence to `errors` and returns them unfused.
  IterSum rewriteIndex(const Expr& index, Round round);
  // Adds the constraint lower <= iter < upper, where null stands for no bound. The mark fused from `iter` gets the
  // smaller extent. All constraints must be added before the first index is rewritten, and one on some iterators, such
  // as i*8 + j, before one on these and others, such as k*32 + i*8 + j: the larger mark has the smaller one as a part.
  // If the iterators of `iter` can't be fused, adds a sentence to `errors` and no constraint.
  void constrain(const Expr& iter, Expr lower, Expr upper);
  // Returns the index as a sum of splits by descending scale, which are not fused. What isn't affine, such as a product
  // of two iterators, stays in the sum's base and adds a sentence to `errors`.
  IterSum rewriteToSum(const Expr& index);

  // Returns whether the constraints fit together: of every two, the groups of splits that they concern share no split,
  // or that of the earlier one lies within that of the later one. Adds nothing to `errors`.
  bool constraintsFit() const;
  // Returns whether the splits of every iterator fit together as `level` requires. If not, it may add a sentence to
  // `errors` on the reason.
  bool indicesFit(const std::vector<IterSum>& indices);

  // Return whether an iterator must be padded, as the round CollectPadding has found, and the condition that is true at
  // the points that padding adds, which the round Final has collected: the constant false if there are none.
  bool requiresPadding() const { return requiresPadding_; }
  const Expr& paddingPredicate() const { return paddingPredicate_; }

 private:
  // iter_map_rewrite.cpp
  Expr rewrite(const Expr& e) override;  // for operators that aren't index arithmetic; the result must be a plain Expr
  using ir::Mutator::rewrite;
  IterExpr read(const Expr& e);
  IterExpr readBinary(const Expr& e);
  IterExpr readProduct(const Expr& e, IterExpr a, IterExpr b);
  IterExpr readDivision(const Expr& e, const IterExpr& a, const IterExpr& b);
  void fail(std::string message) { errors_.push_back(std::move(message)); }

  // iter_map_fuse.cpp
  enum class Skip { Never, SingleSplit };  // whether a sum of a single split is left as it is
  IterSum combineSplits(const IterSum& sum);
  IterSum fuse(IterSum sum, Skip skip);  // null if the splits can't be fused
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
    Expr left;        // how many values were added before the split's first one
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

  // A sum of splits that was fused to a mark: sum = mark + offset, where the offset is the lower bound of a constraint.
  // `flattened` has the sum's own splits, divided by their common scale; in the mark's source, a group of splits with a
  // constraint is one split.
  struct Fusion {
    IterSum flattened;
    IterMark mark;
    Expr offset;
  };
  Fusion* fusionOf(const IterSum& flattened);

  // The padding of a mark that is divided, as collected in the first round.
  struct Padding {
    IterMark mark;
    Expr factor = ir::intImm(1);  // a common multiple of the divisors
    Expr left = ir::intImm(0);    // how many values are added before the mark's first one
    IterMark padded = nullptr;    // the padded mark, left + mark, whose extent is a multiple of the factor
  };

  Analyzer& analyzer_;
  IterMapLevel level_;
  std::vector<std::string>& errors_;
  std::unordered_map<const ir::VarNode*, IterExpr> vars_;
  std::vector<IterMark> inputs_;
  std::vector<Fusion> fusions_;
  std::vector<IterSum> constrained_;  // the flattened sums that have constraints, in the order of `constrain`
  std::vector<Padding> paddings_;
  Round round_ = Round::Final;
  bool requiresPadding_ = false;
  Expr paddingPredicate_;
};

}  // namespace loom::arith
