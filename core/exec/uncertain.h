// Bounds by how much a result of the executor may differ from the reference's and still be right. The executor and the
// reference keep every float as a double, so that two results differ by three things alone: sums are added up in
// another order, products of tensor cores drop digits of their factors (device/precision.h), and a conversion to a
// narrow dtype may round to another neighbour. An error is propagated through every operation of an element's
// definition, with the operands as far off as they may be.
#pragma once
#include <array>
#include <cmath>

#include "core/device/precision.h"
#include "core/exec/scalar_code.h"

namespace loom::exec {

// A value, and the largest absolute difference between it and a right value; 0 for integers.
struct Uncertain {
  Value value{0};
  double error = 0;
};

// Whether an operation's operands are floats, and whether its result is one; else they are integers.
struct OperationTypes {
  bool ofFloats = false, givesFloat = false;
};
// Returns the types of a unary or binary operation; integers for any other.
OperationTypes typesOf(Op op);

// Two sums, as doubles, of the same n terms in different orders differ by less than n * kOrderOfSum times the sum of
// the terms' absolute values: in each order, an addition rounds by at most 2^-53.
inline constexpr double kOrderOfSum = 0x1p-52;

// Returns a factor with the error that it may have where a product keeps only its first kTf32Digits
// (device/precision.h) binary digits, the others cut off or rounded. A factor with no more digits keeps its error, so
// that products of small integers are still exact.
inline Uncertain cutFactor(Uncertain x) {
  double most = x.error;
  for (double v : {x.value.f - x.error, x.value.f, x.value.f + x.error})
    for (double kept : {device::tf32Of(v), device::tf32Nearest(v)}) most = std::max(most, std::abs(kept - x.value.f));
  x.error = most;
  return x;
}

// Returns the result of an operation, with the largest error that it may have from the operands' errors. `imm` is the
// constant of a unary operation, which ignores `y`. The error of a sum, a difference or a product is exact; that of
// another operation on floats is the largest that is found at the ends and in the middle of the operands' ranges. The
// error is 0 if operands or result are integers.
Uncertain applyUncertain(Op op, Uncertain x, Uncertain y, std::int64_t imm);

// Returns the value and error of an expression that was compiled to scalar code. `variables` has the value of each
// variable by its number, and receives those that the code sets; `accumulator` is the value being accumulated;
// `accesses` has the buffer of each load, and its layout. `load(buffer, offset)` returns an element as an
// Uncertain; its offset is -1 for an index outside of the buffer. `cuts`: products may drop digits of their factors
// (cutFactor).
template <class Load>
Uncertain evaluateUncertain(const ScalarCode& code, const std::vector<ScalarAccess>& accesses, Value* variables,
                            Uncertain accumulator, bool cuts, Load&& load) {
  using Kind = ScalarStep::Kind;
  std::array<Uncertain, 64> stack;
  int top = -1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const ScalarStep& s = code[i];
    switch (s.kind) {
      case Kind::Constant: stack[std::size_t(++top)] = {s.constant, 0}; break;
      case Kind::Variable: stack[std::size_t(++top)] = {variables[s.index], 0}; break;
      case Kind::Accumulator: stack[std::size_t(++top)] = accumulator; break;
      case Kind::Unary:
        stack[std::size_t(top)] = applyUncertain(s.op, stack[std::size_t(top)], {}, s.constant.i);
        break;
      case Kind::Binary: {
        --top;
        Uncertain &x = stack[std::size_t(top)], y = stack[std::size_t(top) + 1];
        const bool factors = cuts && s.op == Op::MulF;
        x = factors ? applyUncertain(s.op, cutFactor(x), cutFactor(y), 0) : applyUncertain(s.op, x, y, 0);
        break;
      }
      case Kind::Load: {
        const ScalarAccess& a = accesses[std::size_t(s.index)];
        top -= int(a.layout.extents.size()) - 1;
        std::array<Value, 64> indices;
        for (std::size_t d = 0; d < a.layout.extents.size(); ++d) indices[d] = stack[std::size_t(top) + d].value;
        stack[std::size_t(top)] = load(a.buffer, offsetOf(a, indices.data()));
        break;
      }
      case Kind::SkipIfFalse:
        if (!stack[std::size_t(top--)].value.i) i += std::size_t(s.index);
        break;
      case Kind::Skip: i += std::size_t(s.index); break;
      case Kind::Set: variables[s.index] = stack[std::size_t(top--)].value; break;
    }
  }
  return stack[0];
}

}  // namespace loom::exec
