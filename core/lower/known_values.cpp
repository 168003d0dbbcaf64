#include "core/lower/known_values.h"

#include "core/device/build.h"
#include "core/ir/build.h"

namespace loom::lower {

using namespace device;

Stmt withKnownValues(const Stmt& s, arith::Analyzer& analyzer) {
  if (!s) return s;
  const Stmt own = mapExpressions(s, [&](const Expr& e) { return analyzer.simplify(e); });
  if (own->kind == StmtKind::Loop) {
    const auto& loop = *as<LoopNode>(own);
    analyzer.bind(loop.var, ir::Range{ir::intImm(0, loop.var->dtype), loop.extent}, true);
  }
  if (own->kind == StmtKind::If) {
    const auto& branch = *as<IfNode>(own);
    if (const auto* known = ir::asInt(branch.condition))
      return withKnownValues(known->value ? branch.yes : branch.no, analyzer);
  }
  return mapChildren(own, [&](const Stmt& child) { return withKnownValues(child, analyzer); });
}

}  // namespace loom::lower
