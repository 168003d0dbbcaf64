// Loops and regions that several primitives make.
#pragma once
#include "core/schedule/draft.h"

namespace loom::schedule {

// Serial loops around the body, outermost first: `vars` over `domains`, of as many entries. Each has an id of its own,
// which comes from `origin`; nothing is noted where that is empty.
ir::Stmt newLoops(Draft& draft, const std::vector<ir::Expr>& vars, const std::vector<ir::Range>& domains, ir::Stmt body,
                  const std::vector<Id>& origin);

// The region of one element: each index, of its own type.
std::vector<ir::Range> pointRegion(const std::vector<ir::Expr>& indices);

}  // namespace loom::schedule
