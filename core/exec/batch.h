// Evaluates ScalarCode for many values of one variable at a time.
#pragma once
#include "core/exec/scalar_code.h"

namespace loom::exec {

constexpr int kBatch = 128;  // the most values in a batch

// The values of an expression over a batch: one for all, or one for each.
struct BatchValue {
  bool uniform = true;  // whether `one` holds for the whole batch; otherwise `each` has the values
  Value one{0};
  Value each[kBatch];
  Value at(int n) const { return uniform ? one : each[n]; }
};

namespace batch {

// Sets `a` to op(a, b) for the first `n` values. The operations of sums and products have loops of their own, which the
// compiler vectorizes.
inline void apply(Op op, BatchValue& a, const BatchValue& b, std::int64_t imm, int n) {
  if (a.uniform && b.uniform) {
    a.one = exec::apply(op, a.one, b.one, {}, imm);
    return;
  }
  Value x[kBatch], y[kBatch];
  for (int i = 0; i < n; ++i) x[i] = a.at(i), y[i] = b.at(i);
  switch (op) {
    case Op::AddF:
      for (int i = 0; i < n; ++i) a.each[i].f = x[i].f + y[i].f;
      break;
    case Op::SubF:
      for (int i = 0; i < n; ++i) a.each[i].f = x[i].f - y[i].f;
      break;
    case Op::MulF:
      for (int i = 0; i < n; ++i) a.each[i].f = x[i].f * y[i].f;
      break;
    case Op::AddI32:
      for (int i = 0; i < n; ++i) a.each[i].i = std::int32_t(x[i].i + y[i].i);
      break;
    case Op::MulI32:
      for (int i = 0; i < n; ++i) a.each[i].i = std::int32_t(x[i].i * y[i].i);
      break;
    default:
      for (int i = 0; i < n; ++i) a.each[i] = exec::apply(op, x[i], y[i], {}, imm);
  }
  a.uniform = false;
}

}  // namespace batch

// Evaluates code as `evaluate` does, for n ≤ kBatch values of the variable with the number `along`: first, first + 1,
// …. The result is stack[0]. Returns false if a condition differs within the batch; the stack then holds nothing
// useful. `load(buffer, offset)` returns an element of a buffer; `accumulator` is the value being accumulated.
template <class Load>
bool evaluateBatch(const ScalarCode& code, const std::vector<ScalarAccess>& accesses, Value* variables, int along,
                   std::int64_t first, int n, const BatchValue& accumulator, BatchValue* stack, Load&& load) {
  int top = -1;
  auto constant = [&](Value v) {
    stack[++top].uniform = true;
    stack[top].one = v;
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    const ScalarStep& s = code[at];
    switch (s.kind) {
      case ScalarStep::Kind::Constant: constant(s.constant); break;
      case ScalarStep::Kind::Variable:
        constant(variables[s.index]);
        if (s.index == along) {
          stack[top].uniform = false;
          for (int i = 0; i < n; ++i) stack[top].each[i].i = first + i;
        }
        break;
      case ScalarStep::Kind::Accumulator: stack[++top] = accumulator; break;
      case ScalarStep::Kind::Unary: {
        BatchValue& x = stack[top];
        if (x.uniform) {
          x.one = apply(s.op, x.one, {}, {}, s.constant.i);
        } else {
          for (int i = 0; i < n; ++i) x.each[i] = apply(s.op, x.each[i], {}, {}, s.constant.i);
        }
        break;
      }
      case ScalarStep::Kind::Binary:
        --top;
        batch::apply(s.op, stack[top], stack[top + 1], s.constant.i, n);
        break;
      case ScalarStep::Kind::Select: return false;
      case ScalarStep::Kind::Load: {
        const ScalarAccess& a = accesses[std::size_t(s.index)];
        const int dims = int(a.layout.extents.size());
        top -= dims - 1;
        bool uniform = true;
        for (int d = 0; d < dims; ++d) uniform = uniform && stack[top + d].uniform;
        Value indices[64];
        if (dims > 64) return false;
        for (int d = 0; d < dims; ++d) indices[d] = stack[top + d].one;
        if (uniform) {
          stack[top].one = load(a.buffer, offsetOf(a, indices));
          break;
        }
        Value out[kBatch];
        for (int i = 0; i < n; ++i) {
          for (int d = 0; d < dims; ++d) {
            if (!stack[top + d].uniform) indices[d] = stack[top + d].each[i];
          }
          out[i] = load(a.buffer, offsetOf(a, indices));
        }
        stack[top].uniform = false;
        std::copy(out, out + n, stack[top].each);
        break;
      }
      case ScalarStep::Kind::SkipIfFalse:
        if (!stack[top].uniform) return false;
        if (!stack[top--].one.i) at += std::size_t(s.index);
        break;
      case ScalarStep::Kind::Skip: at += std::size_t(s.index); break;
      case ScalarStep::Kind::Set:
        if (!stack[top].uniform) return false;
        variables[s.index] = stack[top--].one;
        break;
    }
  }
  return true;
}

}  // namespace loom::exec
