#include "core/ir/limits.h"

#include <limits>

#include "core/ir/build.h"

namespace loom::ir {

double greatestFloat(DType type) {
  switch (type.code) {
    case DType::Code::E4M3: return 448;
    case DType::Code::E5M2: return 57344;
    case DType::Code::BFloat: return std::numeric_limits<float>::max();
    default: break;
  }
  if (type.bits == 16) return 65504;
  return type.bits == 32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

std::int64_t greatestInteger(DType type) {
  if (type.isBool()) return 1;
  const int bits = type.isUInt() ? type.bits : type.bits - 1;
  return bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
}

std::int64_t leastInteger(DType type) { return type.isInt() ? -greatestInteger(type) - 1 : 0; }

Expr leastValue(DType type) {
  return type.isFloat() ? floatImm(-greatestFloat(type), type) : intImm(leastInteger(type), type);
}

Expr greatestValue(DType type) {
  if (type.isFloat()) return floatImm(greatestFloat(type), type);
  if (type.isUInt() && type.bits == 64) {
    const Expr half = intImm(4294967295, DType::UInt(32));  // its low and high 32 bits: constants have a sign
    return call(type, "large_uint_imm", {half, half});
  }
  return intImm(greatestInteger(type), type);
}

}  // namespace loom::ir
