#include "core/schedule/new_loops.h"

#include "core/ir/build.h"

namespace loom::schedule {

using namespace ir;

Stmt newLoops(Draft& draft, const std::vector<Expr>& vars, const std::vector<Range>& domains, Stmt body,
              const std::vector<Id>& origin) {
  for (std::size_t i = vars.size(); i-- > 0;) {
    auto loop = std::make_shared<ForNode>();
    loop->id = draft.newId();
    loop->var = varOf(vars[i]);
    loop->min = domains[i].min;
    loop->extent = domains[i].extent;
    loop->body = std::move(body);
    if (!origin.empty()) draft.origin(loop->id, origin);
    body = loop;
  }
  return body;
}

std::vector<Range> pointRegion(const std::vector<Expr>& indices) {
  std::vector<Range> region;
  for (const Expr& index : indices) region.push_back({index, one(index->dtype)});
  return region;
}

}  // namespace loom::schedule
