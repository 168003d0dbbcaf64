// Indices for a proof, where 32 and 64 bits meet.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::lower {

// Brings indices that mix 32 and 64 bits to 64 bits throughout: the index of a thread has 32, but a loop may need 64.
// Without this a cast would hide from the analyzer what it is a cast of. Other indices stay as they are.
class SameWidth : public ir::Mutator {
 public:
  explicit SameWidth(const std::vector<ir::Expr>& indices) {
    for (const ir::Expr& index : indices) {
      ir::forEachExpr(index, [&](const ir::Expr& x) {
        mixed_ |= x->kind == ir::ExprKind::Cast && x->dtype == kWide && isNarrow(ir::as<ir::CastNode>(x)->value->dtype);
      });
    }
  }
  using ir::Mutator::rewrite;
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
  // Their values have the types that they have.
  ir::Expr rewriteLoad(const ir::Expr& e) override { return e; }
  ir::Expr rewriteCall(const ir::Expr& e) override { return e; }

 private:
  static bool isNarrow(ir::DType t) { return t == ir::DType::Int(32); }
  static constexpr ir::DType kWide = ir::DType::Int(64);
  bool mixed_ = false;
  std::unordered_map<const ir::VarNode*, ir::Expr> twins_;
};

}  // namespace loom::lower
