// Conditions that all statements of a loop's body have, in one place around them.
#pragma once
#include <vector>

#include "core/device/program.h"

namespace loom::lower {

// Split a condition into the conditions that it is the conjunction of, in their order, and join such conditions again.
// There is at least one.
std::vector<device::Expr> conjuncts(const device::Expr& condition);
device::Expr allOf(const std::vector<device::Expr>& conditions);

// Returns the body with each condition that guards everything inside a loop's body around that body, as far out as its
// variables allow. What threads do together, waits for copies and products among it, is then done by all or by none.
//
//     for t: for k: { if c(t): A(t, k); if c(t): B(t, k) }   →   for t: if c(t): for k: { A(t, k); B(t, k) }
device::Stmt gatherConditions(const device::Stmt& body);

}  // namespace loom::lower
