#include "core/arith/const_fold.h"

#include "core/ir/build.h"
#include "core/ir/constant_fold.h"
#include "core/ir/node_memory.h"

namespace loom::arith {

Expr tryFold(ExprKind kind, const Expr& a, const Expr& b) {
  bool constant = isConstNumber(a) || isConstNumber(b);
  if (!constant && !(a == b && (kind == ExprKind::Min || kind == ExprKind::Max))) return nullptr;
  return ir::foldConstants(kind, a, b);
}

Expr makeNode(ExprKind kind, Expr a, Expr b) {
  ir::DType t = kind >= ExprKind::EQ ? ir::DType::Bool(a->dtype.lanes) : a->dtype;
  return ir::newNode<ir::BinaryNode>(kind, std::move(a), std::move(b), t);
}

Expr make(ExprKind kind, const Expr& a, const Expr& b) {
  if (Expr folded = tryFold(kind, a, b)) return folded;
  return makeNode(kind, a, b);
}

Expr constantOf(ir::DType dtype, std::int64_t value) {
  if (dtype.lanes == 1 && !dtype.isFloat()) return ir::newNode<ir::IntImmNode>(value, dtype);
  return ir::constant(dtype, static_cast<double>(value));
}

Expr makeNot(const Expr& a) {
  if (auto* i = ir::asInt(a)) return ir::boolImm(i->value == 0);
  return std::make_shared<ir::NotNode>(a);
}

}  // namespace loom::arith
