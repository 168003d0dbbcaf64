#include "core/device/half_pairs.h"

#include "core/ir/build.h"
#include "core/ir/operation.h"

namespace loom::device {

Expr gathered(std::vector<Expr> elements) {
  const ir::DType vector = elements.at(0)->dtype.withLanes(int(elements.size()));
  return ir::call(vector, std::string(kGathered), std::move(elements));
}

const ir::CallNode* asGathered(const Expr& e) {
  const auto* call = ir::asCall(e);
  return call && call->op == kGathered ? call : nullptr;
}

bool isOfHalfPairs(const ir::BinaryNode& n) {
  const bool each = n.kind == ir::ExprKind::Add || n.kind == ir::ExprKind::Sub || n.kind == ir::ExprKind::Mul;
  return each && ir::kindOf(n.dtype.element()) == ir::kHalves;
}

bool isHalfArithmetic(const Expr& value, const std::function<bool(const Expr&)>& isOperand) {
  const auto* n = ir::asBinary(value);
  if (!n || !isOfHalfPairs(*n)) return false;
  const auto isPart = [&](const Expr& e) { return isOperand(e) || isHalfArithmetic(e, isOperand); };
  return isPart(n->a) && isPart(n->b);
}

}  // namespace loom::device
