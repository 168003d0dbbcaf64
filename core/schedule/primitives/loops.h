// Parts that several loop primitives have in common.
#pragma once
#include "core/schedule/analysis.h"

namespace loom::schedule {

// Returns the statement with variables replaced, each value cast to the variable's dtype.
ir::Stmt substituteLoopVars(const ir::Stmt& body, const std::vector<std::pair<ir::Var, ir::Expr>>& values);

// Returns the nest `stmt`, which will stand in place of the loop `at`, with the iteration values of every block brought
// to normal form, as maps of the loops around and in the nest. Blocks without iteration variables are searched, too.
// Source: TVM 0.22, IterMapSimplifyBlockBinding.
ir::Stmt simplifyBindings(const ir::Stmt& stmt, const Program& p, Id at, bool preserveUnitIters);

// Returns the statement with `and condition` added to the predicate of every block directly below.
ir::Stmt appendPredicate(const ir::Stmt& stmt, const ir::Expr& condition);

// Returns `for var in [0, extent): body`. Its min, and its extent if that is a constant, have the variable's dtype.
ir::For serialLoop(Id id, ir::Var var, ir::Expr extent, ir::Stmt body);

}  // namespace loom::schedule
