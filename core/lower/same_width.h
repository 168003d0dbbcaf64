// Brings integers of different widths in indices to one width, so that the analyzer can prove something of them.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::lower {

// Brings all parts of indices that mix 32 and 64 bits to 64 bits: a thread index has 32 bits, but a loop may need 64.
// Otherwise a cast would hide its operand from the analyzer. Indices of one width stay as they are. Each 32-bit
// variable is replaced by a 64-bit variable, the same one in all expressions that one object rewrites. The analyzer
// knows nothing of the new variables: whoever asks it binds them (`rewrite` of a variable returns the new one) to the
// ranges of the old ones. The old variables must outlive the object.
class SameWidth : public ir::Mutator {
 public:
  // Looks at `indices` for casts from 32 to 64 bits; without any, `rewrite` returns expressions as they are.
  explicit SameWidth(const std::vector<ir::Expr>& indices) {
    for (const ir::Expr& index : indices) {
      ir::forEachExpr(index, [&](const ir::Expr& x) {
        mixed_ |= x->kind == ir::ExprKind::Cast && x->dtype == kWide && isNarrow(ir::as<ir::CastNode>(x)->value->dtype);
      });
    }
  }
  using ir::Mutator::rewrite;
  // Returns `e` with 64-bit variables and arithmetic if some index mixes widths, else `e` itself. The value is the same
  // unless the arithmetic of `e` overflows 32 bits. Null stays null.
  ir::Expr rewrite(const ir::Expr& e) override {
    if (!mixed_ || !e) return e;
    ir::Expr same = ir::Mutator::rewrite(e);
    return isNarrow(same->dtype) ? ir::cast(kWide, same) : same;
  }

 protected:
  ir::Expr rewriteVar(const ir::Expr& e) override {
    if (!isNarrow(e->dtype)) return e;
    auto [it, isNew] = twins_.try_emplace(ir::asVar(e));
    if (isNew) it->second = ir::makeVar(ir::asVar(e)->name, kWide);
    return it->second;
  }
  ir::Expr rewriteCast(const ir::Expr& e) override {
    ir::Expr value = rewrite(ir::as<ir::CastNode>(e)->value);
    return value->dtype == e->dtype ? value : std::make_shared<ir::CastNode>(e->dtype, value);
  }
  // Loads and calls keep their operands and types.
  ir::Expr rewriteLoad(const ir::Expr& e) override { return e; }
  ir::Expr rewriteCall(const ir::Expr& e) override { return e; }

 private:
  static bool isNarrow(ir::DType t) { return t == ir::DType::Int(32); }
  static constexpr ir::DType kWide = ir::DType::Int(64);
  bool mixed_ = false;
  std::unordered_map<const ir::VarNode*, ir::Expr> twins_;
};

}  // namespace loom::lower
