// Moves conditions that guard all statements of a loop's body to one place around the body.
#pragma once
#include <vector>

#include "core/device/program.h"

namespace loom::lower {

// `conjuncts` returns the conditions of which a condition is the conjunction, in their order: at least one. `allOf`
// returns the conjunction of conditions, of which there must be at least one.
std::vector<device::Expr> conjuncts(const device::Expr& condition);
device::Expr allOf(const std::vector<device::Expr>& conditions);

// Returns the body with each condition that guards everything inside a loop's body moved around the loop's body, or
// farther out as far as its variables allow. Then all threads or none execute what threads do together, such as waits
// and products. Null stays null. `useCopyEngine` begins with it; other kernels keep their conditions.
//
//     for t: for k: { if c(t): A(t, k); if c(t): B(t, k) }   →   for t: if c(t): for k: { A(t, k); B(t, k) }
device::Stmt gatherConditions(const device::Stmt& body);

}  // namespace loom::lower
