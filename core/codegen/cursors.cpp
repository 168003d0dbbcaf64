#include "core/codegen/cursors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::codegen {

using namespace device;
using ir::ExprKind;

namespace {

class Finder {
 public:
  Finder(const LoopNode& loop, arith::Analyzer& analyzer) : loop_(loop), analyzer_(analyzer) {
    forEach(loop.body, [this](const Stmt& s) {
      if (s->kind == StmtKind::Loop) inner_.insert(as<LoopNode>(s)->var.get());
      return true;
    });
  }

  std::vector<Cursor> find() {
    // What asks for laps says which x is meant; slots alone know it but for a multiple of them.
    for (ExprKind kind : {ExprKind::FloorDiv, ExprKind::FloorMod})
      forEach(loop_.body, [&](const Stmt& s) {
        for (const Expr& e : expressionsOf(s))
          ir::forEachExpr(e, [&](const Expr& x) {
            if (x->kind == kind) add(x);
          });
        return true;
      });
    std::erase_if(all_, [](const Cursor& c) { return c.slotOf.empty(); });
    return std::move(all_);
  }

 private:
  void add(const Expr& e) {
    const auto* n = ir::asBinary(e);
    const auto* slots = ir::asInt(n->b);
    if (!slots || slots->value < 2 || std::has_single_bit(std::uint64_t(slots->value))) return;
    const Expr first = firstOf(n->a);
    if (!first) return;
    const bool lap = e->kind == ExprKind::FloorDiv;
    auto known = std::ranges::find_if(all_, [&](const Cursor& c) {
      if (c.slots != slots->value) return false;
      if (lap) return analyzer_.canProveEqual(c.first, first);
      return ir::isConst(analyzer_.simplify(ir::floormod(first - c.first, n->b)), 0);
    });
    if (known == all_.end()) known = all_.insert(all_.end(), {first, slots->value, {}, {}});
    (lap ? known->lapOf : known->slotOf).push_back(e.get());
  }

  // x where the loop's variable is 0; null unless x grows by 1 each turn, from no less than 0, and by nothing else.
  Expr firstOf(const Expr& x) {
    const auto is = [&](const ir::VarNode* v) { return v == loop_.var.get(); };
    if (!ir::usesVar(x, is) || ir::usesVar(x, [&](const ir::VarNode* v) { return inner_.contains(v); })) return nullptr;
    bool reads = false;
    ir::forEachExpr(x,
                    [&](const Expr& part) { reads |= part->kind == ExprKind::Load || part->kind == ExprKind::Call; });
    if (reads || analyzer_.constIntBound(x).min < 0) return nullptr;
    const Expr first =
        analyzer_.simplify(ir::substitute(x, ir::VarMap{{loop_.var.get(), ir::intImm(0, loop_.var->dtype)}}));
    return analyzer_.canProveEqual(x, first + loop_.var) ? first : nullptr;
  }

  const LoopNode& loop_;
  arith::Analyzer& analyzer_;
  std::set<const ir::VarNode*> inner_;  // variables of loops inside
  std::vector<Cursor> all_;
};

}  // namespace

std::vector<Cursor> cursorsOf(const LoopNode& loop, arith::Analyzer& analyzer) { return Finder(loop, analyzer).find(); }

CursorScope::CursorScope(const LoopNode& loop, arith::Analyzer& analyzer, ExpressionPrinter& print, Names& names)
    : print_(print), names_(names) {
  const ir::DType dtype = loop.var->dtype;
  const auto valueOf = [&](const Expr& e) { return print_.print(analyzer.simplify(e)); };
  for (const Cursor& c : cursorsOf(loop, analyzer)) {
    const Expr slots = ir::intImm(c.slots, dtype);
    // Printed before what they count has a name.
    const std::string first = valueOf(ir::floormod(c.first, slots)), firstLap = valueOf(ir::floordiv(c.first, slots));
    const std::string slot = variable("slot", c.slotOf);
    std::string declaration = fmt::format("{} {} = {}", typeName(dtype), slot, first), again;
    if (!c.lapOf.empty()) {
      const std::string lap = variable("lap", c.lapOf);
      declaration += fmt::format(", {} = {}", lap, firstLap);
      again = ", ++" + lap;
    }
    declarations_.push_back(declaration + ";");
    steps_.push_back(fmt::format("if (++{0} == {1}) {0} = 0{2};", slot, c.slots, again));
  }
}

CursorScope::~CursorScope() {
  for (const ir::ExprNode* e : named_) print_.forget(e);
  for (const std::string& v : variables_) names_.leave(v);
}

std::string CursorScope::variable(const char* name, const std::vector<const ir::ExprNode*>& expressions) {
  variables_.push_back(names_.enter(name));
  for (const ir::ExprNode* e : expressions) print_.name(e, variables_.back());
  named_.insert(named_.end(), expressions.begin(), expressions.end());
  return variables_.back();
}

}  // namespace loom::codegen
