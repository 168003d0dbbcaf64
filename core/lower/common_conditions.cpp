#include "core/lower/common_conditions.h"

#include <algorithm>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"

namespace loom::lower {
namespace {

using namespace device;
using Conditions = std::vector<Expr>;

void conditionsOf(const Expr& e, Conditions& all) {
  if (const auto* both = ir::asBinary(e, ir::ExprKind::And)) {
    conditionsOf(both->a, all);
    conditionsOf(both->b, all);
  } else {
    all.push_back(e);
  }
}

bool contains(const Conditions& all, const Expr& e) {
  return std::ranges::any_of(all, [&](const Expr& known) { return ir::structuralEqual(known, e); });
}

// The conditions under which everything in the statement is done.
Conditions common(const Stmt& s) {
  Conditions found;
  switch (s->kind) {
    case StmtKind::If: {
      const auto& n = *as<IfNode>(s);
      if (n.no || !n.yes) return {};
      found = common(n.yes);
      conditionsOf(n.condition, found);
      return found;
    }
    case StmtKind::Block: return common(as<BlockNode>(s)->body);
    case StmtKind::Loop: {
      const Var& var = as<LoopNode>(s)->var;
      found = common(as<LoopNode>(s)->body);
      std::erase_if(
          found, [&](const Expr& e) { return ir::usesVar(e, [&](const ir::VarNode* v) { return v == var.get(); }); });
      return found;
    }
    case StmtKind::Seq: {
      const auto& stmts = as<SeqNode>(s)->stmts;
      found = common(stmts.front());
      for (const Stmt& child : stmts) {
        const Conditions own = common(child);
        std::erase_if(found, [&](const Expr& e) { return !contains(own, e); });
      }
      return found;
    }
    default: return {};
  }
}

Stmt without(const Stmt& s, const Conditions& gone) {
  if (s->kind != StmtKind::If || as<IfNode>(s)->no)
    return mapChildren(s, [&](const Stmt& child) { return without(child, gone); });
  const auto& n = *as<IfNode>(s);
  Conditions own;
  conditionsOf(n.condition, own);
  std::erase_if(own, [&](const Expr& e) { return contains(gone, e); });
  Stmt yes = without(n.yes, gone);
  if (own.empty()) return yes;
  return edit<IfNode>(s, [&](IfNode& m) {
    m.condition = own.front();
    for (std::size_t i = 1; i < own.size(); ++i) m.condition = ir::andOf(m.condition, own[i]);
    m.yes = yes;
  });
}

Stmt gathered(const Stmt& s) {
  const Conditions all = common(s);
  if (all.empty()) return s;
  auto guard = std::make_shared<IfNode>();
  guard->condition = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) guard->condition = ir::andOf(guard->condition, all[i]);
  guard->yes = without(s, all);
  return guard;
}

Stmt inLoops(const Stmt& s) {
  if (s->kind != StmtKind::Loop) return mapChildren(s, inLoops);
  return edit<LoopNode>(s, [](LoopNode& n) { n.body = inLoops(gathered(n.body)); });
}

}  // namespace

Stmt gatherConditions(const Stmt& body) { return body ? inLoops(gathered(body)) : body; }

}  // namespace loom::lower
