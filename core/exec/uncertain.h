// By how much a result may differ from the reference's and still be right. The executor and the reference keep every
// float as a double, so that two results differ by three things alone: sums are added up in another order, products of
// tensor cores drop digits of their factors (device/precision.h), and a conversion to a narrow dtype may fall to the
// other side of a digit for either. An error is followed through every operation of the definition, with the operands
// as far off as they may be: what the dtypes and the length of the sums allow follows from that, for all dtypes alike.
#pragma once
#include <array>
#include <cmath>

#include "core/device/precision.h"
#include "core/exec/scalar_code.h"

namespace loom::exec {

// A value, and how far a right one may be from it at most; 0 for integers, which have no error.
struct Uncertain {
  Value value{0};
  double error = 0;
};

// The dtypes of an operation's operands and of its result.
struct OperationTypes {
  bool ofFloats = false, givesFloat = false;
};
OperationTypes typesOf(Op op);

// Two doubles that are sums of the same terms in different orders differ by less, for each term, as a share of the sum
// of the terms' absolute values: each order by 2^-53.
inline constexpr double kOrderOfSum = 0x1p-52;

// Returns a factor of which a product may keep only kTf32Digits, cut off or rounded. A factor that has no more digits
// stays as it is, so that products of small integers are still exact.
inline Uncertain cutFactor(Uncertain x) {
  double most = x.error;
  for (double v : {x.value.f - x.error, x.value.f, x.value.f + x.error})
    for (double kept : {device::tf32Of(v), device::tf32Nearest(v)}) most = std::max(most, std::abs(kept - x.value.f));
  x.error = most;
  return x;
}

// Returns the result of an operation, with the largest error that it may have. `imm` is as `apply` has it; unary
// operations ignore `y`. The error of a sum or a product is exact; that of others is the largest at the ends of the
// operands' ranges.
Uncertain applyUncertain(Op op, Uncertain x, Uncertain y, std::int64_t imm);

// Evaluates code as `evaluate` does. `load(buffer, offset)` gives an Uncertain; `cuts`: factors of products are cut.
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
      case Kind::Select:
        top -= 2;
        stack[std::size_t(top)] = stack[std::size_t(top) + (stack[std::size_t(top)].value.i ? 1 : 2)];
        break;
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
