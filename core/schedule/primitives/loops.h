// Functions that several primitives on loops (split, fuse, reorder, …) share.
#pragma once
#include "core/schedule/analysis.h"

namespace loom::schedule {

// Returns the statement with each variable of `values` replaced by its value, cast to the variable's dtype. Of a block
// with iterators only the iterators' values and the predicate are rewritten: in a valid program nothing else in such a
// block uses loop variables from outside.
ir::Stmt substituteLoopVars(const ir::Stmt& body, const std::vector<std::pair<ir::Var, ir::Expr>>& values);

// Returns the loop nest `stmt`, which will stand in place of the loop `at`, a loop of `p`, with the binding values of
// every block's iterators simplified as affine maps of the loops around `at` and in the nest. The simplification
// assumes that the block's predicate is true. Values that are no such map stay. Blocks inside a block that has
// iterators stay as they are. With `preserveUnitIters`, the variables of loops of extent 1 stay in the values; else
// their only value replaces them. Source: TVM 0.22, IterMapSimplifyBlockBinding.
ir::Stmt simplifyBindings(const ir::Stmt& stmt, const Program& p, Id at, bool preserveUnitIters);

// Returns the statement with `and condition` added to the predicate of each outermost block in it; the same one if it
// has no block.
ir::Stmt appendPredicate(const ir::Stmt& stmt, const ir::Expr& condition);

// Returns the serial loop `for var in [0, extent): body`. Its min, and its extent if that is a constant, have the
// variable's dtype.
ir::For serialLoop(Id id, ir::Var var, ir::Expr extent, ir::Stmt body);

}  // namespace loom::schedule
