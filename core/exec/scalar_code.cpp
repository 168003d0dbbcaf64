#include "core/exec/scalar_code.h"

#include "core/exec/choose_operation.h"

namespace loom::exec {

using namespace ir;
using StepKind = ScalarStep::Kind;

int ScalarCompiler::buffer(const Buffer& b) {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i] == b) return int(i);
  }
  buffers_.push_back(b);
  return int(buffers_.size()) - 1;
}

Result<ElementLayout> ScalarCompiler::layoutOf(const Buffer& b) {
  auto layout = elementLayout(*b);
  if (!layout || layout->lowest() < 0) {
    return fail("NotExecutable",
                layout ? message("elements of {} lie before its pointer", b->name)
                       : message("the shape of {}, its strides or its offset aren't constant", b->name),
                Forbids::Environment);
  }
  return *layout;
}

int ScalarCompiler::pushed(const ScalarStep& s) const {
  switch (s.kind) {
    case StepKind::Constant:
    case StepKind::Variable:
    case StepKind::Accumulator: return 1;
    case StepKind::Unary: return 0;
    case StepKind::Load: return 1 - int(accesses_[std::size_t(s.index)].layout.extents.size());
    // Behind a skip stands the other branch, which begins without the value that the first one leaves.
    case StepKind::Skip:
    case StepKind::Binary:
    case StepKind::SkipIfFalse:
    case StepKind::Set: return -1;
  }
  return 0;
}

Result<ScalarCode> ScalarCompiler::compile(const Expr& e, const LoadTest& isAccumulator) {
  ScalarCode code;
  emit(e, code, isAccumulator);
  // What each step leaves on the stack; 64 is far more than programs need.
  int depth = 0, most = 0;
  for (const ScalarStep& s : code) most = std::max(most, depth += pushed(s));
  if (most > 60 && !error_)
    error_ = fail("NotExecutable", message("the expression is too deep"), Forbids::Environment).value();
  if (error_) return Failure(*error_);
  return code;
}

void ScalarCompiler::emit(const Expr& e, ScalarCode& out, const LoadTest& isAccumulator) {
  auto push = [&](StepKind kind, Op op = Op::Copy, int index = 0, Value constant = {0}) {
    out.push_back({kind, op, index, constant});
  };
  auto with = [](std::int64_t n) {
    Value v;
    v.i = n;
    return v;
  };
  auto unary = [&](const SelectedOperation& c) {
    if (c.op != Op::Copy) push(StepKind::Unary, c.op, 0, with(c.imm));
    if (c.wrap) push(StepKind::Unary, *c.wrap, 0, with(c.bits));
  };
  auto binary = [&](const SelectedOperation& c) {
    push(StepKind::Binary, c.op);
    if (c.wrap) unary({Op::Copy, c.wrap, c.bits});
  };
  auto refuse = [&](Message message) {
    if (!error_) error_ = fail("NotExecutable", std::move(message), Forbids::Environment).value();
  };
  // Only one side is evaluated: the other may read outside a buffer.
  auto conditional = [&](const Expr& c, const Expr& yes, const Expr& no) {
    emit(c, out, isAccumulator);
    std::size_t jump = out.size();
    push(StepKind::SkipIfFalse);
    emit(yes, out, isAccumulator);
    std::size_t end = out.size();
    push(StepKind::Skip);
    out[jump].index = int(out.size() - jump) - 1;
    emit(no, out, isAccumulator);
    out[end].index = int(out.size() - end) - 1;
  };
  if (e->dtype.lanes != 1) return refuse(message("the function has vector expressions"));
  if (auto* b = asBinary(e)) {
    if (b->kind == ExprKind::And) return conditional(b->a, b->b, std::make_shared<IntImmNode>(0, DType::Bool()));
    if (b->kind == ExprKind::Or) return conditional(b->a, std::make_shared<IntImmNode>(1, DType::Bool()), b->b);
    auto op = chooseBinary(b->kind, b->a->dtype);
    if (!op) return refuse(message("no operation for operands of dtype {}", b->a->dtype.str()));
    emit(b->a, out, isAccumulator);
    emit(b->b, out, isAccumulator);
    return binary(*op);
  }
  switch (e->kind) {
    case ExprKind::Var: return push(StepKind::Variable, Op::Copy, variable(as<VarNode>(e)));
    case ExprKind::IntImm: {
      Value v;
      v.i = as<IntImmNode>(e)->value;
      return push(StepKind::Constant, Op::Copy, 0, v);
    }
    case ExprKind::FloatImm: {
      Value v;
      v.f = roundTo(as<FloatImmNode>(e)->value, formatOf(e->dtype));
      return push(StepKind::Constant, Op::Copy, 0, v);
    }
    case ExprKind::Not: emit(as<NotNode>(e)->a, out, isAccumulator); return push(StepKind::Unary, Op::Not);
    case ExprKind::Cast: {
      const Expr& from = as<CastNode>(e)->value;
      emit(from, out, isAccumulator);
      return unary(chooseCast(from->dtype, e->dtype));
    }
    case ExprKind::Select: {
      const auto& n = *as<SelectNode>(e);
      return conditional(n.condition, n.yes, n.no);
    }
    case ExprKind::Load: {
      const auto& n = *as<LoadNode>(e);
      if (isAccumulator && isAccumulator(n)) return push(StepKind::Accumulator);
      ScalarAccess access;
      access.buffer = buffer(n.buffer);
      auto layout = layoutOf(n.buffer);
      if (!layout) return refuse(layout.error().message);
      access.layout = std::move(*layout);
      if (access.layout.extents.empty()) {
        access.layout.extents.push_back(1);
        access.layout.strides.push_back(1);
        push(StepKind::Constant);
      }
      for (const Expr& i : n.indices) emit(i, out, isAccumulator);
      accesses_.push_back(std::move(access));
      return push(StepKind::Load, Op::Copy, int(accesses_.size()) - 1);
    }
    case ExprKind::Let: {
      const auto& n = *as<LetNode>(e);
      emit(n.value, out, isAccumulator);
      push(StepKind::Set, Op::Copy, variable(n.var.get()));
      return emit(n.body, out, isAccumulator);
    }
    case ExprKind::Call: {
      const auto& n = *as<CallNode>(e);
      if (n.op == "if_then_else" && n.args.size() == 3) return conditional(n.args[0], n.args[1], n.args[2]);
      if (Expr simpler = inOperations(n)) return emit(simpler, out, isAccumulator);
      std::vector<Expr> operands;
      auto op = chooseCall(n, operands);
      if (!op) return refuse(notExecutable(n));
      for (const Expr& a : operands) emit(a, out, isAccumulator);
      return operands.size() == 1 ? unary(*op) : binary(*op);
    }
    default: return refuse(message("an expression without a value"));
  }
}

}  // namespace loom::exec
