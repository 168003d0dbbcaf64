// Moves conditions that guard all statements of a loop's body to one place around the body.
#pragma once
#include <vector>

#include "core/device/program.h"

namespace loom::lower {

// `conjuncts` returns the operands of the `and`s that a condition is made of, in their order, or else the condition
// itself. `allOf` returns the conjunction of conditions, of which there must be at least one.
std::vector<device::Expr> conjuncts(const device::Expr& condition);
device::Expr allOf(const std::vector<device::Expr>& conditions);

// Whether a condition may be defined only where others hold that it stands behind, or where a loop around it has turns:
// it divides by something that isn't known not to be 0.
bool isDefinedOnlyInPlace(const device::Expr& condition);

// Returns the body of a kernel in which a condition that guards every statement of a loop's body, or of `body`, stands
// once around them all: around the outermost of these bodies in which its variables are known. So the waits and
// products that later passes put into a loop stand under the condition together with the copies that they need.
// Conditions are moved also if they depend on threadIdx (then only some threads execute the loop's body, as they did
// its statements), or on memory that the kernel doesn't write. Those that read what a statement of the kernel writes
// stay, since a moved condition is evaluated once, at the beginning, and so do those for which isDefinedOnlyInPlace. Branches with an `else` stay. Null stays null.
// `useCopyEngine` calls it for kernels in which a block has the annotation kCopy; other kernels keep their conditions.
//
//     for t: for k: { if c(t): A(t, k); if c(t): B(t, k) }   →   for t: if c(t): for k: { A(t, k); B(t, k) }
device::Stmt gatherConditions(const device::Stmt& body);

}  // namespace loom::lower
