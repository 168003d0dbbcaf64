// Constructors of loops and regions for the primitives that rewrite a program.
#pragma once
#include "core/schedule/draft.h"

namespace loom::schedule {

// Returns nested serial loops around the body, the outermost first: loop i runs with the variable vars[i] over
// domains[i]. Both lists have the same length; if they are empty, returns the body. Each loop gets a new id, and
// `draft`, the program that a primitive rewrites, records that it was made from the loops, blocks or buffers `origin`;
// nothing is recorded if that is empty.
ir::Stmt newLoops(Draft& draft, const std::vector<ir::Expr>& vars, const std::vector<ir::Range>& domains, ir::Stmt body,
                  const std::vector<Id>& origin);

// Returns the region of the one element at `indices`: for each dimension, a range of extent 1 with the index's dtype.
std::vector<ir::Range> pointRegion(const std::vector<ir::Expr>& indices);

}  // namespace loom::schedule
