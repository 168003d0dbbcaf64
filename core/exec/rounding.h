// Rounding of doubles to the formats of narrower floats: the executor keeps every float as a double.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ir/dtype.h"

namespace loom::exec {

enum class FloatFormat : std::int64_t { Float16, BFloat16, E4M3, E5M2, Float32, Float64 };

// Returns the format of a float type of 8, 16, 32 or 64 bits; the result for other types means nothing.
inline FloatFormat formatOf(ir::DType t) {
  switch (t.code) {
    case ir::DType::Code::BFloat: return FloatFormat::BFloat16;
    case ir::DType::Code::E4M3: return FloatFormat::E4M3;
    case ir::DType::Code::E5M2: return FloatFormat::E5M2;
    default: return t.bits == 16 ? FloatFormat::Float16 : t.bits == 32 ? FloatFormat::Float32 : FloatFormat::Float64;
  }
}

// A format: the number of binary digits behind the leading one, the least exponent of a normal number, the size in
// bits, the largest finite number, and whether conversions of larger numbers and of infinity give that number
// (saturate), as CUDA's conversions to float8 do, rather than infinity.
struct FloatShape {
  int digits, leastExponent, bits;
  double largest;
  bool stops;
};
// Returns the digits, exponents and limits of a format.
inline FloatShape shapeOf(FloatFormat f) {
  switch (f) {
    case FloatFormat::Float16: return {10, -14, 16, 65504, false};
    case FloatFormat::BFloat16: return {7, -126, 16, 0x1.FEp127, false};
    case FloatFormat::E4M3: return {3, -6, 8, 448, true};
    case FloatFormat::E5M2: return {2, -14, 8, 57344, true};
    case FloatFormat::Float32: return {23, -126, 32, std::numeric_limits<float>::max(), false};
    case FloatFormat::Float64: break;
  }
  return {52, -1022, 64, std::numeric_limits<double>::max(), false};
}

// Returns the number of the format that is nearest to x, ties to even; NaN stays NaN. What is too large in absolute
// value, infinity included, becomes infinity, or the largest finite number if FloatShape::stops.
inline double roundTo(double x, FloatFormat f) {
  if (f == FloatFormat::Float64 || x == 0 || std::isnan(x)) return x;
  if (f == FloatFormat::Float32) return double(float(x));
  const FloatShape s = shapeOf(f);
  if (std::isinf(x)) return s.stops ? std::copysign(s.largest, x) : x;
  const int step = std::max(std::ilogb(x), s.leastExponent) - s.digits;
  const double r = std::ldexp(std::nearbyint(std::ldexp(x, -step)), step);
  if (std::abs(r) <= s.largest) return r;
  return std::copysign(s.stops ? s.largest : std::numeric_limits<double>::infinity(), x);
}

// Returns the bits of x, rounded to the format, as a signed integer of the format's size.
inline std::int64_t bitsOf(double x, FloatFormat f) {
  if (f == FloatFormat::Float64) return std::bit_cast<std::int64_t>(x);
  if (f == FloatFormat::Float32) return std::bit_cast<std::int32_t>(float(x));
  const FloatShape s = shapeOf(f);
  const std::int64_t sign = std::signbit(x) ? std::int64_t{-1} << (s.bits - 1) : 0;
  // An exponent field of ones, with digits of 0. E4M3 has no infinity, and one NaN, with digits of ones.
  const std::int64_t infinity = ((std::int64_t{1} << (s.bits - 1 - s.digits)) - 1) << s.digits;
  if (std::isnan(x))
    return sign | infinity | (f == FloatFormat::E4M3 ? 7 : std::int64_t{1} << (s.digits - 1) | (s.bits == 8 ? 1 : 0));
  const double r = std::abs(roundTo(x, f));
  if (std::isinf(r)) return sign | infinity;
  if (r == 0) return sign;
  const int exponent = std::max(std::ilogb(r), s.leastExponent);
  const auto digits = std::int64_t(std::ldexp(r, s.digits - exponent));  // with the leading one of a normal number
  return sign | (digits + (std::int64_t(exponent - s.leastExponent) << s.digits));
}

// Returns the number of the format that has the bits; bits above its size are ignored.
inline double floatOf(std::int64_t bits, FloatFormat f) {
  if (f == FloatFormat::Float64) return std::bit_cast<double>(bits);
  if (f == FloatFormat::Float32) return double(std::bit_cast<float>(std::int32_t(bits)));
  const FloatShape s = shapeOf(f);
  const double sign = bits >> (s.bits - 1) & 1 ? -1 : 1;
  const std::int64_t digits = bits & ((std::int64_t{1} << s.digits) - 1);
  const std::int64_t ones = (std::int64_t{1} << (s.bits - 1 - s.digits)) - 1, exponent = bits >> s.digits & ones;
  const bool nan = f == FloatFormat::E4M3 ? exponent == ones && digits == 7 : exponent == ones && digits != 0;
  if (nan) return std::numeric_limits<double>::quiet_NaN();
  if (f != FloatFormat::E4M3 && exponent == ones) return sign * std::numeric_limits<double>::infinity();
  const std::int64_t whole = exponent ? digits | std::int64_t{1} << s.digits : digits;
  return sign * std::ldexp(double(whole), int(std::max<std::int64_t>(exponent, 1) - 1) + s.leastExponent - s.digits);
}

// Returns x rounded toward zero and clamped to the range of an integer type, as CUDA's conversions do. NaN gives 0 for
// types of up to 32 bits and the number of which only the highest bit is set for types of 64 bits.
template <class Integer>
Integer saturated(double x) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(x)) return sizeof(Integer) == 8 ? Integer(std::uint64_t{1} << 63) : Integer(0);
  if (x <= double(Limits::min())) return Limits::min();
  if (x >= double(Limits::max())) return Limits::max();
  return Integer(x);
}

}  // namespace loom::exec
