#include "core/ir/symbols.h"

#include <algorithm>
#include <set>

#include "core/ir/visit.h"

namespace loom::ir {

std::vector<Symbol> symbolsOf(const FunctionNode& function) {
  std::vector<Symbol> symbols;
  auto find = [&](const VarNode* v) {
    return std::find_if(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.var.get() == v; });
  };
  auto add = [&](const Expr& e, SymbolRole role, const Buffer& buffer, std::size_t dimension) {
    forEachExpr(e, [&](const Expr& x) {
      const auto* v = asVar(x);
      if (v && find(v) == symbols.end()) symbols.push_back({varOf(x), role, buffer, dimension, ""});
    });
  };
  for (const Parameter& p : function.params) {
    if (p.buffer) {
      for (std::size_t d = 0; d < p.buffer->shape.size(); ++d) add(p.buffer->shape[d], SymbolRole::Extent, p.buffer, d);
      for (std::size_t d = 0; d < p.buffer->strides.size(); ++d)
        add(p.buffer->strides[d], SymbolRole::Stride, p.buffer, d);
      if (p.buffer->elemOffset) add(p.buffer->elemOffset, SymbolRole::Offset, p.buffer, 0);
    } else if (!p.var->dtype.isHandle() && find(p.var.get()) == symbols.end()) {
      symbols.push_back({p.var, SymbolRole::Number, nullptr, 0, ""});
    }
  }
  // A scalar parameter that stands before the buffer whose extent it is is an extent all the same.
  for (const Parameter& p : function.params) {
    if (!p.buffer) continue;
    for (std::size_t d = 0; d < p.buffer->shape.size(); ++d) {
      forEachExpr(p.buffer->shape[d], [&](const Expr& x) {
        const auto* v = asVar(x);
        auto known = v ? find(v) : symbols.end();
        if (known != symbols.end() && known->role != SymbolRole::Extent)
          *known = {known->var, SymbolRole::Extent, p.buffer, d, ""};
      });
    }
  }
  std::set<std::string> names;
  for (Symbol& s : symbols) {
    // Offsets that nobody named are all called alike.
    const std::string own =
        s.role == SymbolRole::Offset && s.var->name == "elem_offset" ? s.buffer->name + "_" + s.var->name : s.var->name;
    s.name = own;
    for (int n = 1; !names.insert(s.name).second; ++n) s.name = own + "_" + std::to_string(n);
  }
  return symbols;
}

bool isOver(const Expr& e, const std::vector<Symbol>& symbols) {
  bool fine = true;
  forEachExpr(e, [&](const Expr& x) {
    const auto* v = asVar(x);
    const bool known =
        v && std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.var.get() == v; });
    fine = fine && (v ? known : x->kind != ExprKind::Load && x->kind != ExprKind::Call && x->kind != ExprKind::Let);
  });
  return fine;
}

}  // namespace loom::ir
