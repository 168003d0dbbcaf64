#include "core/lower/common_conditions.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"

namespace loom::lower {
namespace {

using namespace device;
using Conditions = std::vector<Expr>;

bool contains(const Conditions& all, const Expr& e) {
  return std::ranges::any_of(all, [&](const Expr& known) { return ir::structuralEqual(known, e); });
}

// Finds the conditions that guard a part of a kernel and can be evaluated before it.
class CommonConditions {
 public:
  explicit CommonConditions(const Stmt& kernel) {
    forEach(kernel, [&](const Stmt& s) {
      forEachAccess(s, [&](const BufferAccess& a) {
        if (a.writes) written_.insert(a.buffer->data.get());
      });
      return true;
    });
  }

  // The conditions under which everything in the statement is done.
  Conditions of(const Stmt& s) const {
    Conditions found;
    switch (s->kind) {
      case StmtKind::If: {
        const auto& n = *as<IfNode>(s);
        if (n.no || !n.yes) return {};
        found = of(n.yes);
        std::ranges::copy_if(conjuncts(n.condition), std::back_inserter(found),
                             [&](const Expr& e) { return !mayChange(e) && !isDefinedOnlyInPlace(e); });
        return found;
      }
      case StmtKind::Block: return of(as<BlockNode>(s)->body);
      case StmtKind::Loop: {
        const Var& var = as<LoopNode>(s)->var;
        found = of(as<LoopNode>(s)->body);
        std::erase_if(
            found, [&](const Expr& e) { return ir::usesVar(e, [&](const ir::VarNode* v) { return v == var.get(); }); });
        return found;
      }
      case StmtKind::Seq: {
        const auto& stmts = as<SeqNode>(s)->stmts;
        found = of(stmts.front());
        for (const Stmt& child : stmts) {
          const Conditions own = of(child);
          std::erase_if(found, [&](const Expr& e) { return !contains(own, e); });
        }
        return found;
      }
      default: return {};
    }
  }

 private:
  // Whether it reads what a statement of the kernel, maybe of another thread, writes.
  bool mayChange(const Expr& e) const {
    bool found = false;
    ir::forEachExpr(e, [&](const Expr& part) {
      const ir::LoadNode* load = ir::asLoad(part);
      found = found || (load && written_.contains(load->buffer->data.get()));
    });
    return found;
  }

  std::set<const ir::VarNode*> written_;  // data variables of buffers
};

Stmt without(const Stmt& s, const Conditions& gone) {
  if (s->kind != StmtKind::If || as<IfNode>(s)->no)
    return mapChildren(s, [&](const Stmt& child) { return without(child, gone); });
  const auto& n = *as<IfNode>(s);
  Conditions own = conjuncts(n.condition);
  std::erase_if(own, [&](const Expr& e) { return contains(gone, e); });
  Stmt yes = without(n.yes, gone);
  if (own.empty()) return yes;
  return edit<IfNode>(s, [&](IfNode& m) {
    m.condition = allOf(own);
    m.yes = yes;
  });
}

Stmt gathered(const Stmt& s, const CommonConditions& common) {
  const Conditions all = common.of(s);
  if (all.empty()) return s;
  auto guard = std::make_shared<IfNode>();
  guard->condition = allOf(all);
  guard->yes = without(s, all);
  return guard;
}

Stmt inLoops(const Stmt& s, const CommonConditions& common) {
  if (s->kind != StmtKind::Loop) return mapChildren(s, [&](const Stmt& child) { return inLoops(child, common); });
  return edit<LoopNode>(s, [&](LoopNode& n) { n.body = inLoops(gathered(n.body, common), common); });
}

}  // namespace

std::vector<Expr> conjuncts(const Expr& condition) {
  const auto* both = ir::asBinary(condition, ir::ExprKind::And);
  if (!both) return {condition};
  std::vector<Expr> all = conjuncts(both->a);
  std::ranges::copy(conjuncts(both->b), std::back_inserter(all));
  return all;
}

Expr allOf(const std::vector<Expr>& conditions) {
  Expr all = conditions.front();
  for (std::size_t i = 1; i < conditions.size(); ++i) all = ir::andOf(all, conditions[i]);
  return all;
}

bool isDefinedOnlyInPlace(const Expr& condition) {
  bool found = false;
  ir::forEachExpr(condition, [&](const Expr& e) {
    using enum ir::ExprKind;
    if (e->dtype.isFloat() || (e->kind != Div && e->kind != Mod && e->kind != FloorDiv && e->kind != FloorMod)) return;
    const ir::IntImmNode* divisor = ir::asInt(ir::as<ir::BinaryNode>(e)->b);
    found = found || divisor == nullptr || divisor->value == 0;
  });
  return found;
}

Stmt gatherConditions(const Stmt& body) {
  if (!body) return body;
  const CommonConditions common(body);
  return inLoops(gathered(body, common), common);
}

}  // namespace loom::lower
