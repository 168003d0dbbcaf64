// Evaluates scalar code (scalar_code.h: an expression compiled for a stack machine) for many values of one variable at
// a time: a batch. A Value is the int64 `i` or the double `f`.
#pragma once
#include "core/exec/scalar_code.h"

namespace loom::exec {

constexpr int kBatch = 128;  // the most values in a batch

// The values of an expression over a batch.
struct BatchValue {
  enum class Kind : std::uint8_t {
    Same,    // the value `one` for the whole batch
    Rising,  // the integers one, one + 1, …
    Each,    // the values `each`, by number in the batch
  };
  Kind kind = Kind::Same;
  Value one{0};  // the value of all if Same, the first one if Rising
  Value each[kBatch];
  // Returns value number `n` of the batch.
  Value at(int n) const {
    Value v = kind == Kind::Each ? each[n] : one;
    if (kind == Kind::Rising) v.i += n;
    return v;
  }
};

namespace batch {

// Copies the first `n` values of `from` to `to`.
inline void assign(BatchValue& to, const BatchValue& from, int n) {
  to.kind = from.kind;
  to.one = from.one;
  if (from.kind == BatchValue::Kind::Each) std::copy_n(from.each, n, to.each);
}

// Brings the first `n` values into the form Each if they are Rising.
inline void spread(BatchValue& v, int n) {
  if (v.kind != BatchValue::Kind::Rising) return;
  for (int i = 0; i < n; ++i) v.each[i].i = v.one.i + i;
  v.kind = BatchValue::Kind::Each;
}

// Sets `a` to f(a, b) for the first `n` values. `a` and `b` must be Same or Each, and not both Same. There is a loop
// for each form of the operands, which the compiler vectorizes.
template <class F>
void combine(BatchValue& a, const BatchValue& b, int n, F f) {
  using Kind = BatchValue::Kind;
  if (a.kind == Kind::Same) {
    for (int i = 0; i < n; ++i) a.each[i] = f(a.one, b.each[i]);
  } else if (b.kind == Kind::Same) {
    for (int i = 0; i < n; ++i) a.each[i] = f(a.each[i], b.one);
  } else {
    for (int i = 0; i < n; ++i) a.each[i] = f(a.each[i], b.each[i]);
  }
  a.kind = Kind::Each;
}

// Sets `a` to op(a, b) for the first `n` values, with the constant `imm`; may change the form of `b`.
inline void apply(Op op, BatchValue& a, BatchValue& b, std::int64_t imm, int n) {
  if (a.kind == BatchValue::Kind::Same && b.kind == BatchValue::Kind::Same) {
    a.one = exec::apply(op, a.one, b.one, {}, imm);
    return;
  }
  spread(a, n);
  spread(b, n);
  const auto integer = [](auto f) {
    return [f](Value x, Value y) {
      x.i = f(x.i, y.i);
      return x;
    };
  };
  const auto number = [](auto f) {
    return [f](Value x, Value y) {
      x.f = f(x.f, y.f);
      return x;
    };
  };
  switch (op) {
    case Op::AddF: return combine(a, b, n, number([](double x, double y) { return x + y; }));
    case Op::SubF: return combine(a, b, n, number([](double x, double y) { return x - y; }));
    case Op::MulF: return combine(a, b, n, number([](double x, double y) { return x * y; }));
    case Op::AddI32: return combine(a, b, n, integer([](auto x, auto y) { return std::int32_t(x + y); }));
    case Op::MulI32: return combine(a, b, n, integer([](auto x, auto y) { return std::int32_t(x * y); }));
    default: return combine(a, b, n, [&](Value x, Value y) { return exec::apply(op, x, y, {}, imm); });
  }
}

}  // namespace batch

// Evaluates the code of an expression for n ≤ kBatch values of the variable with the number `along`: first, first + 1,
// …; `variables` has the values of the others, by number, and receives those that the code sets. `accumulator` is the
// value being accumulated, which code without accumulators doesn't read. `stack` must have room for 64 BatchValues,
// more than ScalarCompiler's code needs; the result is stack[0]. Returns false if the code can't be evaluated so,
// because a condition or a variable that is set may differ within the batch, or a buffer has more than 64 dimensions;
// stack[0] is then undefined, and some of the variables that the code sets may have been set. `accesses` has the buffer
// of each load, and its layout of at least one dimension, as ScalarCompiler::accesses returns them.
// `memory.element(buffer, offset)` returns the element of a buffer at an offset; -1 as the offset means that the index
// is outside. `memory.row(buffer, offset, stride, n, out)` puts n of them from a valid offset on, `stride` apart, into
// `out`.
template <class Memory>
bool evaluateBatch(const ScalarCode& code, const std::vector<ScalarAccess>& accesses, Value* variables, int along,
                   std::int64_t first, int n, const BatchValue& accumulator, BatchValue* stack, Memory& memory) {
  using Kind = BatchValue::Kind;
  int top = -1;
  auto constant = [&](Value v) {
    stack[++top].kind = Kind::Same;
    stack[top].one = v;
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    const ScalarStep& s = code[at];
    switch (s.kind) {
      case ScalarStep::Kind::Constant: constant(s.constant); break;
      case ScalarStep::Kind::Variable:
        constant(variables[s.index]);
        if (s.index == along) {
          stack[top].kind = Kind::Rising;
          stack[top].one.i = first;
        }
        break;
      case ScalarStep::Kind::Accumulator: batch::assign(stack[++top], accumulator, n); break;
      case ScalarStep::Kind::Unary: {
        BatchValue& x = stack[top];
        if (x.kind == Kind::Same) {
          x.one = apply(s.op, x.one, {}, {}, s.constant.i);
        } else {
          batch::spread(x, n);
          for (int i = 0; i < n; ++i) x.each[i] = apply(s.op, x.each[i], {}, {}, s.constant.i);
        }
        break;
      }
      case ScalarStep::Kind::Binary:
        --top;
        batch::apply(s.op, stack[top], stack[top + 1], s.constant.i, n);
        break;
      case ScalarStep::Kind::Load: {
        const ScalarAccess& a = accesses[std::size_t(s.index)];
        const int dims = int(a.layout.extents.size());
        top -= dims - 1;
        Value indices[64];
        if (dims > 64) return false;
        std::int64_t stride = 0;  // from one value to the next
        bool same = true, inRow = true;
        for (int d = 0; d < dims; ++d) {
          const BatchValue& index = stack[top + d];
          indices[d] = index.one;
          same &= index.kind == Kind::Same;
          inRow &= index.kind != Kind::Each;
          if (index.kind != Kind::Rising) continue;
          stride += a.layout.strides[std::size_t(d)];
          inRow &= index.one.i + n <= a.layout.extents[std::size_t(d)];
        }
        const std::int64_t offset = inRow ? offsetOf(a, indices) : -1;
        if (same) {
          stack[top].one = memory.element(a.buffer, offset);
          break;
        }
        Value* out = stack[top].each;  // whose indices have been read
        if (offset >= 0) {
          memory.row(a.buffer, offset, stride, n, out);
        } else {
          for (int i = 0; i < n; ++i) {
            for (int d = 0; d < dims; ++d) indices[d] = stack[top + d].at(i);
            out[i] = memory.element(a.buffer, offsetOf(a, indices));
          }
        }
        stack[top].kind = Kind::Each;
        break;
      }
      case ScalarStep::Kind::SkipIfFalse:
        if (stack[top].kind != Kind::Same) return false;
        if (!stack[top--].one.i) at += std::size_t(s.index);
        break;
      case ScalarStep::Kind::Skip: at += std::size_t(s.index); break;
      case ScalarStep::Kind::Set:
        if (stack[top].kind != Kind::Same) return false;
        variables[s.index] = stack[top--].one;
        break;
    }
  }
  return true;
}

}  // namespace loom::exec
