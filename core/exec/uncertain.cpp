#include "core/exec/uncertain.h"

#include <algorithm>

namespace loom::exec {

OperationTypes typesOf(Op op) {
  constexpr auto isFloat = [](const char* field) { return field[0] == 'f'; };
  switch (op) {
#define LOOM_CASE(name, from, to, result) \
  case Op::name: return {isFloat(#from), isFloat(#to)};
    LOOM_BINARY_OPERATIONS(LOOM_CASE)
    LOOM_UNARY_OPERATIONS(LOOM_CASE)
#undef LOOM_CASE
    default: return {};
  }
}

Uncertain applyUncertain(Op op, Uncertain x, Uncertain y, std::int64_t imm) {
  Uncertain result{apply(op, x.value, y.value, {}, imm), 0};
  // Integers have no error: what is decided by a comparison or a conversion is decided as the reference does.
  if (x.error == 0 && y.error == 0) return result;
  if (op == Op::Copy) return x;
  const OperationTypes types = typesOf(op);
  if (!types.ofFloats || !types.givesFloat) return result;
  switch (op) {
    case Op::AddF:
    case Op::SubF: result.error = x.error + y.error; return result;
    case Op::MulF:
      result.error = std::abs(x.value.f) * y.error + std::abs(y.value.f) * x.error + x.error * y.error;
      return result;
    default: break;
  }
  for (double dx : {-x.error, 0.0, x.error}) {
    for (double dy : {-y.error, 0.0, y.error}) {
      Value a, b = y.value;
      a.f = x.value.f + dx;
      if (y.error > 0) b.f = y.value.f + dy;
      result.error = std::max(result.error, std::abs(apply(op, a, b, {}, imm).f - result.value.f));
      if (y.error == 0) break;
    }
  }
  return result;
}

}  // namespace loom::exec
