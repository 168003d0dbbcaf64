// Loops and regions that several primitives make.
#pragma once
#include "core/schedule/draft.h"

namespace loom::schedule {

// Returns serial loops around the body, outermost first: the variables `vars` over `domains`, which has as many
// entries. Each loop gets an id of its own, whose origin is `origin`; if that is empty, no origin is noted.
ir::Stmt newLoops(Draft& draft, const std::vector<ir::Expr>& vars, const std::vector<ir::Range>& domains, ir::Stmt body,
                  const std::vector<Id>& origin);

// Returns the region of one element: a range of extent 1 for each index, of the index's dtype.
std::vector<ir::Range> pointRegion(const std::vector<ir::Expr>& indices);

}  // namespace loom::schedule
