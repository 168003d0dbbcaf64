// Affine maps of iterators: index expressions understood as splits and fusions of loop variables. Schedule primitives
// check by detectIterMap whether the bindings of a block's iterators still visit every point once, simplify them by
// iterMapSimplify, divide them into an outer and an inner part by subspaceDivide, and invert them by
// inverseAffineIterMap. The functions that take an analyzer throw std::domain_error if an iterator is divided by the
// constant zero, or if its padding overflows; they change nothing that the analyzer knows. Source of the behaviour: TVM
// 0.22, arith::DetectIterMap and its relatives.
//
// The terms, for loops i of 4, j of 8 and the index (i * 8 + j) // 2:
//     mark   a whole iterator: a loop variable i in [0, 4), or a sum y = i * 8 + j in [0, 32)
//     split  some digits of a mark, scaled:  (mark // lowerFactor) % extent * scale;  here y // 2 in [0, 16)
//     sum    splits added up, plus a base
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

// A rewritten expression, or the source of a mark: a plain expression (a variable, or variable - min), a split, or a
// sum.
using IterExpr = std::variant<Expr, IterSplit, IterSum>;

// An iterator, or a fusion of iterators, as a whole. Splits (IterSplitNode) are parts of a mark.
struct IterMarkNode {
  IterExpr source;
  Expr extent;  // the source lies in [0, extent)
};

// A split has the value (source // lowerFactor) % extent * scale.
struct IterSplitNode {
  IterMark source;
  Expr lowerFactor, extent, scale;
};

// A sum has the value args[0] + args[1] + … + base.
struct IterSumNode {
  std::vector<IterSplit> args;
  Expr base;
};

// Make a node of these members.
IterMark makeMark(IterExpr source, Expr extent);
IterSplit makeSplit(IterMark source, Expr lowerFactor, Expr extent, Expr scale);
// Returns the same part of the same iterator with another scale.
IterSplit withScale(const IterSplitNode& split, Expr scale);
// Returns the split that is the whole mark: lowerFactor 1, the mark's extent, scale 1.
IterSplit fullSplit(IterMark source);
IterSum makeSum(std::vector<IterSplit> args, Expr base);
// Returns the dtype of the expression's value.
ir::DType dtypeOf(const IterExpr& e);

// What is required of a map from iterators to indices.
enum class IterMapLevel {
  Bijective,   // each point of the iterators gives a different point of the indices, and no point is left out
  Surjective,  // no point of the indices is left out; iterators may be padded
  NoCheck,     // as Surjective, but it isn't checked that a padded iterator is used whole, so points may be left out
};

// The result of `detectIterMap`.
struct IterMapResult {
  std::vector<IterSum> indices;  // one per index, at most one split each; empty when detection failed
  // Why detection failed, a sentence each; empty if it didn't, and if no indices were given.
  std::vector<std::string> errors;
  // A condition in terms of the given iterators, true at the points that padding has added to them, the constant false
  // without padding; may be null when detection failed.
  Expr paddingPredicate;
  explicit operator bool() const { return !indices.empty(); }
};

// Expresses `indices` as sums of splits of the iterators `iters`, a table from variables to their ranges, none of which
// may use another iterator. `predicate` narrows the ranges: it is the constant true, or integer comparisons <, <=, >
// and >= joined by `and`. Detection fails for other ranges and predicates. With simplifyTrivial, iterators of extent 1
// are replaced by their value.
IterMapResult detectIterMap(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate,
                            IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial = true);

// Returns the index as a sum of splits by descending scale, without any check that they are independent. What isn't
// affine, such as a product of two iterators, stays in the sum's base. Throws std::logic_error if a range uses another
// iterator.
IterSum normalizeToIterSum(const Expr& index, const VarRanges& iters, Analyzer& analyzer);

// Return the value of `e` as plain arithmetic, in the shortest form: i instead of i // 8 * 8 + i % 8. `analyzer` helps
// with what it knows of the variables.
Expr normalizeIterMapToExpr(const IterExpr& e);
Expr normalizeIterMapToExpr(const IterExpr& e, Analyzer& analyzer);

// Returns the indices in the shortest form that detectIterMap finds for them with the predicate. If it finds none and
// the level isn't Bijective, it is asked once more without the predicate. Returns the indices unchanged if that fails,
// too, or if the range of an iterator uses another iterator.
std::vector<Expr> iterMapSimplify(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate,
                                  IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial = true);

// The result of `subspaceDivide`: bindings[i] = outer * (extent of inner) + inner, where inner uses only the iterators
// of the subspace and outer only the others. The two predicates are the parts of the predicate that restrict the outer
// and the inner iterators; the constant true if there are none.
struct SubspaceDivision {
  struct Binding {
    IterMark outer, inner;
  };
  std::vector<Binding> bindings;
  Expr outerPredicate, innerPredicate;
};
// Divides each of the bindings into a part that uses only the outer iterators and one that uses only the inner ones,
// `subIters`. Returns nothing if there is no such division, or for ranges and predicates that detectIterMap doesn't
// take. Example, with j as the inner iterator:
//      (i * 16 + j, with j in [0, 16))   →   outer i, inner j of extent 16
std::optional<SubspaceDivision> subspaceDivide(const std::vector<Expr>& bindings, const VarRanges& iters,
                                               const std::vector<Var>& subIters, const Expr& predicate,
                                               IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial = true);

// Inverts a bijective map: returns, for each iterator, an expression in the indices' values, `outputs` (one for each
// index), not simplified.
//      [i * 8 + j] with output y   →   i = y // 8, j = y % 8
// Errors, as in TVM: "InternalError" if an index isn't one fused iterator, "TypeError" if the source of a mark is
// neither a variable nor a sum.
Result<VarTable<Expr>> inverseAffineIterMap(const std::vector<IterSum>& indices, const std::vector<Expr>& outputs);

}  // namespace loom::arith
