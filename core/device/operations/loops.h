// Loops of TensorIR over the elements of tiles, for writing an operation on tiles as a loop nest.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/ir/build.h"

namespace loom::device {

// Returns `body` inside serial loops from 0 on, such as `for row, column: body`. `loops` has a variable and an extent
// for each loop, from the outermost on; if it is empty, `body` itself is returned. The loops have no ids.
inline ir::Stmt nest(const std::vector<std::pair<ir::Var, std::int64_t>>& loops, ir::Stmt body) {
  for (std::size_t i = loops.size(); i-- > 0;) {
    ir::ForNode n;
    n.var = loops[i].first;
    n.min = ir::intImm(0);
    n.extent = ir::intImm(loops[i].second);
    n.body = std::move(body);
    body = std::make_shared<const ir::ForNode>(std::move(n));
  }
  return body;
}

}  // namespace loom::device
