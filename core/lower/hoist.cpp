#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/common_conditions.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;

class Hoisting {
 public:
  Stmt hoist(const Stmt& s) const {
    Stmt inner = mapChildren(s, [&](const Stmt& child) { return hoist(child); });
    if (inner && inner->kind == StmtKind::Block && as<BlockNode>(inner)->name.empty()) return outOfBlock(inner);
    if (!inner || inner->kind != StmtKind::Loop) return inner;
    const auto& loop = *as<LoopNode>(inner);
    if (loop.body->kind != StmtKind::If) return inner;
    const auto& branch = *as<IfNode>(loop.body);
    if (branch.no) return inner;
    Expr outside, inside;
    for (const Expr& term : conjuncts(branch.condition)) {
      Expr& side = isSameInAllTurns(term, loop.var) && !isDefinedOnlyInPlace(term) ? outside : inside;
      side = side ? ir::andOf(side, term) : term;
    }
    if (!outside) return inner;
    Stmt rest = edit<LoopNode>(inner, [&](LoopNode& n) {
      n.body = inside ? edit<IfNode>(loop.body, [&](IfNode& m) { m.condition = inside; }) : branch.yes;
    });
    return edit<IfNode>(loop.body, [&](IfNode& n) {
      n.condition = outside;
      n.yes = rest;
    });
  }

 private:
  // A block without a name is there for its annotations, which say nothing of conditions.
  static Stmt outOfBlock(const Stmt& s) {
    const Stmt& body = as<BlockNode>(s)->body;
    if (body->kind != StmtKind::If || as<IfNode>(body)->no) return s;
    return edit<IfNode>(
        body, [&](IfNode& n) { n.yes = edit<BlockNode>(s, [&](BlockNode& b) { b.body = as<IfNode>(body)->yes; }); });
  }

  // Whether it is the same in all turns of a loop: what it is of are variables of other loops, which stay as they are.
  static bool isSameInAllTurns(const Expr& term, const Var& loop) {
    bool fine = !ir::usesVar(term, [&](const ir::VarNode* v) { return v == loop.get(); });
    ir::forEachExpr(
        term, [&](const Expr& e) { fine = fine && e->kind != ir::ExprKind::Load && e->kind != ir::ExprKind::Call; });
    return fine;
  }
};

}  // namespace

Stmt hoistConditions(const Kernel& kernel) { return kernel.body ? Hoisting().hoist(kernel.body) : kernel.body; }

}  // namespace loom::lower
