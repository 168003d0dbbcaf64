// How many binary digits of their factors the products of tensor cores use.
#pragma once
#include <bit>
#include <cstdint>

#include "core/device/program.h"

namespace loom::device {

// The numbers of binary digits behind the leading one that tf32 and float32 have.
inline constexpr int kTf32Digits = 10;
inline constexpr int kFloat32Digits = 23;

// Returns the factor itself, for products that use all of its digits.
constexpr double allOf(double factor) { return factor; }

// Returns what tensor cores multiply with where they take a float32 factor as tf32: the number without its last 13
// bits, that is, rounded toward zero. PTX ISA leaves the result open unless the program has converted the factor
// (cvt.rna.tf32.f32); the units are known to ignore these bits, and CUTLASS relies on that where it adds half of the
// last digit instead of converting (numeric_conversion.h, FloatRoundStyle::round_half_ulp_truncate). Kernels here
// convert nothing, neither in registers nor by the copy engine, which moves float32 as it is, so that this is what they
// multiply with.
inline double tf32Of(double factor) {
  constexpr std::uint32_t kKept = ~std::uint32_t{0} << (kFloat32Digits - kTf32Digits);
  return double(std::bit_cast<float>(std::bit_cast<std::uint32_t>(float(factor)) & kKept));
}

// Returns what cvt.rna.tf32.f32 makes of a float32 number: the nearest tf32, of two equally near ones the one further
// from zero (PTX ISA, cvt, ".rna").
inline double tf32Nearest(double factor) {
  constexpr std::uint32_t kHalf = std::uint32_t{1} << (kFloat32Digits - 1 - kTf32Digits);
  const auto bits = std::bit_cast<std::uint32_t>(float(factor));
  const bool isFinite = (bits & 0x7f800000) != 0x7f800000;
  return tf32Of(double(std::bit_cast<float>(isFinite ? bits + kHalf : bits)));
}

// Returns the least number of binary digits behind the leading one that a product of the program keeps of its factors
// (ProductTypes::digits); 0 if all products keep all digits.
int factorDigitsOf(const Program& program);

}  // namespace loom::device
