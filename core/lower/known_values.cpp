#include "core/lower/known_values.h"

#include "core/arith/deep_equal.h"
#include "core/device/build.h"
#include "core/ir/build.h"

namespace loom::lower {

using namespace device;

Stmt KnownValues::simplified(const Stmt& s) {
  if (!s) return s;
  const Stmt own = mapExpressions(s, [this](const Expr& e) { return simplified(e); });
  if (own->kind == StmtKind::Loop) enter(*as<LoopNode>(own));
  if (own->kind == StmtKind::If) {
    const auto& branch = *as<IfNode>(own);
    if (const auto* known = ir::asInt(branch.condition)) return simplified(known->value ? branch.yes : branch.no);
  }
  return mapChildren(own, [this](const Stmt& child) { return simplified(child); });
}

Expr KnownValues::simplified(const Expr& e) {
  Expr& known = known_[e];
  if (!known) known = analyzer_.simplifyOwn(e);
  return known;
}

void KnownValues::enter(const LoopNode& loop) {
  // One loop may stand in several turns, and have another extent in each: what was known of its variable is no more.
  const auto [before, isNew] = extents_.try_emplace(loop.var, loop.extent);
  if (!isNew) {
    if (arith::deepEqual(before->second, loop.extent)) return;
    before->second = loop.extent;
    known_.clear();
  }
  analyzer_.bind(loop.var, ir::Range{ir::intImm(0, loop.var->dtype), loop.extent}, true);
}

}  // namespace loom::lower
