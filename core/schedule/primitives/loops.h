// Parts that several loop primitives have in common.
#pragma once
#include "core/schedule/analysis.h"

namespace loom::schedule {

// The statement with variables replaced, each value cast to the variable's dtype.
ir::Stmt substituteLoopVars(const ir::Stmt& body, const std::vector<std::pair<ir::Var, ir::Expr>>& values);

// The nest `stmt` (what will stand where the loop `at` stands) with the iteration values of every block that has
// iteration variables brought to normal form, as maps of the loops around and in the nest. Blocks without iteration
// variables are looked into. Source: TVM 0.22, IterMapSimplifyBlockBinding.
ir::Stmt simplifyBindings(const ir::Stmt& stmt, const Program& p, Id at, bool preserveUnitIters);

// Predicate of every block directly below extended by `and condition`.
ir::Stmt appendPredicate(const ir::Stmt& stmt, const ir::Expr& condition);

// for var in [0, extent): body, with min, and extent where it is a constant, of the variable's type.
ir::For serialLoop(Id id, ir::Var var, ir::Expr extent, ir::Stmt body);

}  // namespace loom::schedule
