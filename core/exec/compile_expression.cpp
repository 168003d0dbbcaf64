#include "core/device/cluster_memory.h"
#include "core/device/half_pairs.h"
#include "core/exec/choose_operation.h"
#include "core/exec/kernel_compiler.h"
#include "core/ir/called.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

void terms(const Expr& e, std::vector<Expr>& out) {
  if (auto* sum = asBinary(e, ExprKind::Add)) {
    terms(sum->a, out);
    terms(sum->b, out);
  } else {
    out.push_back(e);
  }
}

// What has a result for some operands only: a divisor isn't 0 (`width` 0), a shift is less than the width.
struct Restricted {
  Expr operand;
  int width = 0;
};
std::optional<Restricted> restrictedOf(const Expr& e) {
  std::optional<Restricted> r;
  if (!e->dtype.isIntegral()) return r;
  if (auto* b = asBinary(e)) {
    if (b->kind == ExprKind::Div || b->kind == ExprKind::Mod || b->kind == ExprKind::FloorDiv ||
        b->kind == ExprKind::FloorMod) {
      r = {b->b, 0};
    }
  } else if (auto* c = asCall(e); c && c->args.size() == 2 && (c->op == "shift_left" || c->op == "shift_right")) {
    r = {c->args[1], e->dtype.bits};
  }
  if (!r) return r;
  const Expr& x = r->operand->kind == ExprKind::Broadcast ? as<BroadcastNode>(r->operand)->value : r->operand;
  auto* constant = asInt(x);
  const bool fine =
      constant && (r->width == 0 ? constant->value != 0 : constant->value >= 0 && constant->value < r->width);
  return fine ? std::nullopt : r;
}
bool hasRestricted(const Expr& e) {
  bool found = false;
  forEachExpr(e, [&](const Expr& x) { found = found || restrictedOf(x); });
  return found;
}

}  // namespace

void KernelCompiler::checkOperands(const Expr& e, std::int64_t site, int lanes) {
  if (!e || !hasRestricted(e)) return;
  auto branch = [&](const Expr& condition, const Expr& yes, const Expr& no) {
    checkOperands(condition, site, lanes);
    const bool either = (yes && hasRestricted(yes)) || (no && hasRestricted(no));
    for (int lane = 0; either && lane < condition->dtype.lanes; ++lane) {
      std::size_t jump = beginIf(value(condition, lane));
      if (yes) checkOperands(yes, site, lanes);
      emit_.at(jump).imm = std::int64_t(emit_.size() - jump);
      std::size_t other = emit_.push({Op::Else});
      if (no) checkOperands(no, site, lanes);
      emit_.at(other).imm = std::int64_t(emit_.size() - other);
      emit_.push({Op::EndIf});
    }
  };
  if (auto* b = asBinary(e)) {
    if (b->kind == ExprKind::And) return branch(b->a, b->b, nullptr);
    if (b->kind == ExprKind::Or) return branch(b->a, nullptr, b->b);
    checkOperands(b->a, site, lanes);
    checkOperands(b->b, site, lanes);
  } else if (e->kind == ExprKind::Select) {
    const auto& n = *as<SelectNode>(e);
    return branch(n.condition, n.yes, n.no);
  } else if (auto* call = asCall(e)) {
    if (call->op == "if_then_else" && call->args.size() == 3) {
      return branch(call->args[0], call->args[1], call->args[2]);
    }
    for (const Expr& a : call->args) checkOperands(a, site, lanes);
  } else if (e->kind == ExprKind::Not) {
    checkOperands(as<NotNode>(e)->a, site, lanes);
  } else if (e->kind == ExprKind::Cast) {
    checkOperands(as<CastNode>(e)->value, site, lanes);
  } else if (auto* l = asLoad(e)) {
    for (const Expr& i : l->indices) checkOperands(i, site, lanes);
  } else if (e->kind == ExprKind::Broadcast) {
    checkOperands(as<BroadcastNode>(e)->value, site, 1);
  } else if (e->kind == ExprKind::Ramp) {
    checkOperands(as<RampNode>(e)->base, site, 1);
  } else if (e->kind == ExprKind::Let) {
    const auto& n = *as<LetNode>(e);
    checkOperands(n.value, site, lanes);
    variables_[n.var.get()] = value(n.value);
    checkOperands(n.body, site, lanes);
  }
  const auto restricted = restrictedOf(e);
  if (!restricted) return;
  for (int lane = 0; lane < std::max<int>(1, restricted->operand->dtype.lanes); ++lane) {
    const Operand operand = emit_.broadcast(value(restricted->operand, lane));
    emit_.push({Op::CheckOperand, false, kNone, operand.reg, std::uint16_t(restricted->width), kNone, site});
  }
}

void KernelCompiler::fail(Message message) {
  if (!error_) error_ = loom::fail("NotExecutable", std::move(message), Forbids::Environment).value();
}

Operand KernelCompiler::chosen(const SelectedOperation& c, std::vector<Operand> operands) {
  Operand result = c.op == Op::Copy ? operands[0] : emit_.pure(c.op, std::move(operands), c.imm);
  return c.wrap ? emit_.pure(*c.wrap, {result}, c.bits) : result;
}

Operand KernelCompiler::value(const Expr& e, int lane) {
  if (auto* b = asBinary(e)) return binaryValue(*b, lane);
  Value constant{0};
  switch (e->kind) {
    case ExprKind::Var: {
      auto found = variables_.find(as<VarNode>(e));
      if (found != variables_.end()) return found->second;
      fail(message("the variable {} has no value in the kernel", as<VarNode>(e)->name));
      return emit_.constant(constant);
    }
    case ExprKind::IntImm: constant.i = as<IntImmNode>(e)->value; return emit_.constant(constant);
    case ExprKind::FloatImm:
      constant.f = roundTo(as<FloatImmNode>(e)->value, formatOf(e->dtype));
      return emit_.constant(constant);
    case ExprKind::Not: return emit_.pure(Op::Not, {value(as<NotNode>(e)->a, lane)});
    case ExprKind::Cast: {
      const Expr& from = as<CastNode>(e)->value;
      return chosen(chooseCast(from->dtype.element(), e->dtype.element()), {value(from, lane)});
    }
    case ExprKind::Select: {
      const auto& n = *as<SelectNode>(e);
      return conditional(n.condition, n.yes, n.no, lane);
    }
    case ExprKind::Load: return loadValue(*as<LoadNode>(e), lane);
    case ExprKind::Call: return callValue(*as<CallNode>(e), lane);
    case ExprKind::Ramp: {
      const auto& n = *as<RampNode>(e);
      Value at;
      at.i = lane;
      Operand step = emit_.pure(Op::MulI, {value(n.stride), emit_.constant(at)});
      return emit_.pure(Op::AddI, {value(n.base), step});
    }
    case ExprKind::Broadcast: return value(as<BroadcastNode>(e)->value);
    case ExprKind::Let: {
      const auto& n = *as<LetNode>(e);
      variables_[n.var.get()] = value(n.value, lane);
      return value(n.body, lane);
    }
    default: fail(message("an expression without a value in a kernel")); return emit_.constant(constant);
  }
}

Operand KernelCompiler::binaryValue(const BinaryNode& n, int lane) {
  bool conjunction = n.kind == ExprKind::And;
  if ((conjunction || n.kind == ExprKind::Or) && readsMemory(n.b)) {
    // The right side is evaluated only by lanes that the left side leaves undecided.
    Operand result = emit_.newTemporary();
    Operand left = emit_.broadcast(value(n.a, lane));
    emit_.push({Op::MaskedCopy, false, result.reg, left.reg});
    std::size_t jump = beginIf(conjunction ? left : emit_.pure(Op::Not, {left}));
    Operand right = emit_.broadcast(value(n.b, lane));
    emit_.push({Op::MaskedCopy, false, result.reg, right.reg});
    emit_.at(jump).imm = std::int64_t(emit_.size() - jump);
    emit_.push({Op::EndIf});
    return result;
  }
  auto op = chooseBinary(n.kind, n.a->dtype.element());
  if (!op) {
    fail(message("no operation for operands of dtype {}", n.a->dtype.str()));
    return value(n.a, lane);
  }
  Operand a = value(n.a, lane), b = value(n.b, lane);
  return chosen(*op, {a, b});
}

Operand KernelCompiler::conditional(const Expr& condition, const Expr& yes, const Expr& no, int lane) {
  if (!readsMemory(yes) && !readsMemory(no)) {
    Operand c = value(condition, lane), y = value(yes, lane), n = value(no, lane);
    return emit_.pure(Op::Select, {c, y, n});
  }
  Operand result = emit_.newTemporary();
  std::size_t jump = beginIf(value(condition, lane));
  Operand y = emit_.broadcast(value(yes, lane));
  emit_.push({Op::MaskedCopy, false, result.reg, y.reg});
  emit_.at(jump).imm = std::int64_t(emit_.size() - jump);
  std::size_t other = emit_.push({Op::Else});
  Operand n = emit_.broadcast(value(no, lane));
  emit_.push({Op::MaskedCopy, false, result.reg, n.reg});
  emit_.at(other).imm = std::int64_t(emit_.size() - other);
  emit_.push({Op::EndIf});
  return result;
}

// The dot product of two packed vectors, added to a sum.
Operand KernelCompiler::dotProduct(const CallNode& n, const device::DotRow& row) {
  const auto product = chooseBinary(ExprKind::Mul, n.dtype), sum = chooseBinary(ExprKind::Add, n.dtype);
  if (!product || !sum) {
    fail(message("{} of dtype {} is an operation that the executor doesn't have", row.call, n.dtype.str()));
    return emit_.constant(Value{0});
  }
  auto argument = [&](int position) { return n.args[std::size_t(position)]; };
  Operand total = value(argument(row.sum));
  for (int lane = 0; lane < row.length; ++lane)
    total = chosen(*sum, {total, chosen(*product, {value(argument(row.a), lane), value(argument(row.b), lane)})});
  return total;
}

Operand KernelCompiler::callValue(const CallNode& n, int lane) {
  if (n.op == "if_then_else" && n.args.size() == 3) return conditional(n.args[0], n.args[1], n.args[2], lane);
  if (const auto other = device::loadInBlock(n)) return loadValue(*other->load, lane, other->block);
  if (n.op == device::kGathered) return value(n.args.at(std::size_t(lane)));
  if (const device::DotRow* row = device::dotOf(n)) return dotProduct(n, *row);
  if (Expr simpler = inOperations(n)) return value(simpler, lane);
  std::vector<Expr> parts;
  auto op = chooseCall(n, parts);
  if (!op) {
    fail(notExecutable(n));
    return emit_.constant(Value{0});
  }
  std::vector<Operand> operands;
  for (const Expr& a : parts) operands.push_back(value(a, lane));
  return chosen(*op, std::move(operands));
}

KernelCompiler::Address KernelCompiler::address(const Expr& index, int lane) {
  std::vector<Expr> parts;
  if (index->kind == ExprKind::Ramp) {
    const auto& r = *as<RampNode>(index);
    terms(r.base, parts);
    parts.push_back(std::make_shared<IntImmNode>(constantOr(r.stride, 1) * lane, r.base->dtype));
    if (!asInt(r.stride)) parts = {index};
  } else {
    terms(index, parts);
  }
  std::vector<Operand> uniform, vector;
  for (const Expr& p : parts) {
    if (isConst(p, 0) && parts.size() > 1) continue;
    Operand o = value(p, lane);
    (o.uniform ? uniform : vector).push_back(o);
  }
  // Outer values first, so that their sums are computed outside too.
  auto sum = [&](std::vector<Operand>& operands) {
    if (operands.empty()) return kNone;
    std::stable_sort(operands.begin(), operands.end(),
                     [](const Operand& x, const Operand& y) { return x.depth < y.depth; });
    Operand total = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) total = emit_.pure(Op::AddI, {total, operands[i]});
    return total.reg;
  };
  Address a;
  a.vector = sum(vector);
  a.uniform = sum(uniform);
  return a;
}

Operand KernelCompiler::loadValue(const LoadNode& n, int lane, const Expr& block) {
  std::uint16_t area = areaOf(n.buffer);
  if (area == kNone) return emit_.constant(Value{0});
  std::int64_t at = site(area, false);
  if (lane == 0 && n.dtype.lanes > 1) checkAligned(n.indices[0], area, at, n.dtype.lanes);
  Address from = address(n.indices[0], lane);
  Operand result = emit_.newTemporary();
  if (block) {
    const std::uint16_t number = vectorOf(block);
    emit_.push({Op::LoadInBlock, false, result.reg, from.vector, from.uniform, area, InBlock{at, number}.imm()});
  } else {
    emit_.push({Op::Load, false, result.reg, from.vector, from.uniform, area, at});
  }
  return result;
}

void KernelCompiler::checkAligned(const Expr& index, std::uint16_t area, std::int64_t site, int lanes) {
  auto* r = index->kind == ExprKind::Ramp ? as<RampNode>(index) : nullptr;
  if (!r || !isConst(r->stride, 1) || (lanes & (lanes - 1)) != 0) return;
  Address a = address(index, 0);
  emit_.push({Op::CheckAligned, false, kNone, a.vector, a.uniform, area, site * 256 + lanes});
}

std::uint16_t KernelCompiler::vectorOf(const Expr& e) { return e ? emit_.broadcast(value(e)).reg : kNone; }

}  // namespace loom::exec
