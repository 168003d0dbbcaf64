// Affine maps of iterators: index expressions understood as splits and fusions of loop variables. A primitive asks
// whether a block's bindings still visit every point once (detectIterMap), wants them written shortest
// (iterMapSimplify), cut in an outer and an inner part (subspaceDivide), or turned round (inverseAffineIterMap). Source
// of the behaviour: TVM 0.22, arith::DetectIterMap and its relatives.
//
// The terms, for loops i of 4, j of 8 and the index (i * 8 + j) // 2:
//     mark   a whole iterator: a loop variable i in [0, 4), or a sum y = i * 8 + j in [0, 32)
//     split  a part of a mark, scaled:  (mark // lowerFactor) % extent * scale;  here y // 2 in [0, 16)
//     sum    splits plus a base
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/arith/var_ranges.h"
#include "core/ir/result.h"

namespace loom::arith {

struct IterMarkNode;
struct IterSplitNode;
struct IterSumNode;
// Shared and immutable; identity (the pointer) says whether two splits are parts of one iterator.
using IterMark = std::shared_ptr<const IterMarkNode>;
using IterSplit = std::shared_ptr<const IterSplitNode>;
using IterSum = std::shared_ptr<const IterSumNode>;

// What a rewritten expression or a mark's source is: a plain expression (a variable, or variable - min), a split, a
// sum.
using IterExpr = std::variant<Expr, IterSplit, IterSum>;

// An iterator, or a fusion of iterators, as a whole. Splits (IterSplitNode) are parts of a mark.
struct IterMarkNode {
  IterExpr source;
  Expr extent;  // the source lies in [0, extent)
};

// (source // lowerFactor) % extent * scale
struct IterSplitNode {
  IterMark source;
  Expr lowerFactor, extent, scale;
};

// args[0] + args[1] + … + base
struct IterSumNode {
  std::vector<IterSplit> args;
  Expr base;
};

IterMark makeMark(IterExpr source, Expr extent);
IterSplit makeSplit(IterMark source, Expr lowerFactor, Expr extent, Expr scale);
// Returns the same part of the same iterator with another scale.
IterSplit withScale(const IterSplitNode& split, Expr scale);
IterSplit fullSplit(IterMark source);  // lowerFactor 1, all of the extent, scale 1
IterSum makeSum(std::vector<IterSplit> args, Expr base);
ir::DType dtypeOf(const IterExpr& e);

// What is required of a map from iterators to indices.
enum class IterMapLevel {
  Bijective,   // every point of the iterators gives another point of the indices, and none is left out
  Surjective,  // none of the indices' points is left out; iterators may be padded
  NoCheck,
};

// The result of `detectIterMap`.
struct IterMapResult {
  std::vector<IterSum> indices;     // one per index, at most one split each; empty when detection failed
  std::vector<std::string> errors;  // why it failed
  // True at points that lie in the padded iterators but not in the given ones; in terms of the given iterators.
  Expr paddingPredicate;
  explicit operator bool() const { return !indices.empty(); }
};

// Sees `indices` as functions of the iterators under `predicate` (an `and` chain of comparisons). With simplifyTrivial,
// iterators of extent 1 are replaced by their value.
IterMapResult detectIterMap(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate,
                            IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial = true);

// Returns the index as splits in order of falling scale, without any check that they are independent. Throws
// std::logic_error if a range uses another iterator.
IterSum normalizeToIterSum(const Expr& index, const VarRanges& iters, Analyzer& analyzer);

// Returns the map as plain arithmetic, in the shortest form: i // 8 * 8 + i % 8 was merged to i on the way.
Expr normalizeIterMapToExpr(const IterExpr& e);
Expr normalizeIterMapToExpr(const IterExpr& e, Analyzer& analyzer);

// Returns the indices rewritten by detectIterMap, with the predicate, or else without it; unchanged if both fail.
std::vector<Expr> iterMapSimplify(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate,
                                  IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial = true);

// bindings[i] = outer * (extent of inner) + inner, where inner uses the sub iterators only and outer the others only.
struct SubspaceDivision {
  struct Binding {
    IterMark outer, inner;
  };
  std::vector<Binding> bindings;
  Expr outerPredicate, innerPredicate;
};
// Divides the bindings into those of the outer and those of the inner iterators, `subIters`. Returns nothing if there
// is no such division. Example, sub iterator j:
//      (i * 16 + j, with j in [0, 16))   →   outer i, inner j of extent 16
std::optional<SubspaceDivision> subspaceDivide(const std::vector<Expr>& bindings, const VarRanges& iters,
                                               const std::vector<Var>& subIters, const Expr& predicate,
                                               IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial = true);

// Returns the iterators in terms of the indices' values, `outputs`, for a bijective map. Not simplified.
//      [i * 8 + j] with output y   →   i = y // 8, j = y % 8
// Error "InternalError", as TVM's, for a sum that isn't a fusion, or a source that isn't a variable.
Result<VarTable<Expr>> inverseAffineIterMap(const std::vector<IterSum>& indices, const std::vector<Expr>& outputs);

}  // namespace loom::arith
