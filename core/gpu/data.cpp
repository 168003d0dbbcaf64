#include "core/gpu/data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/exec/operations.h"
#include "core/exec/rounding.h"
#include "core/process/on_all_cores.h"

namespace loom::gpu {
namespace {

using ir::DType;

// SplitMix64 (Steele, Lea, Flood 2014): each element depends on the seed and its index only.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

template <class T>
void put(std::vector<unsigned char>& out, std::int64_t i, T value) {
  std::memcpy(out.data() + i * std::int64_t(sizeof(T)), &value, sizeof(T));
}
template <class T>
T get(const unsigned char* data, std::int64_t i) {
  T value;
  std::memcpy(&value, data + i * std::int64_t(sizeof(T)), sizeof(T));
  return value;
}

// Elements that one core takes at a time.
constexpr std::int64_t kPart = 1 << 16;

std::size_t partsOf(std::int64_t count) { return std::size_t((count + kPart - 1) / kPart); }

// Calls work(part, begin, end) for each part of the numbers from 0 to count - 1, on several cores where there are many.
template <class Work>
void inParts(std::int64_t count, const Work& work) {
  const auto one = [&](std::size_t part) {
    const std::int64_t begin = std::int64_t(part) * kPart;
    work(part, begin, std::min(count, begin + kPart));
  };
  if (partsOf(count) > 2) return process::onAllCores(partsOf(count), one);
  for (std::size_t part = 0; part < partsOf(count); ++part) one(part);
}

// One of the whole numbers of `v`, by the random `r`; ascending, the element's own place among them.
std::uint64_t bitsWithin(const codegen::GlobalBuffer::Values& v, DType dtype, std::int64_t i, std::int64_t count,
                         std::uint64_t r) {
  const double part =
      v.ascending ? double(i) / double(std::max<std::int64_t>(1, count - 1)) : double(r >> 11) * 0x1p-53;
  const double last = double(v.high - v.low);
  const std::int64_t whole = v.low + std::int64_t(std::min(last, v.ascending ? part * last : part * (last + 1)));
  return dtype.isFloat() ? bitsOf(double(whole), dtype) : std::uint64_t(whole);
}

// Writes element `i` of `count` random ones.
void fill(std::vector<unsigned char>& out, std::int64_t i, std::int64_t count, DType dtype, std::uint64_t seed,
          const std::optional<codegen::GlobalBuffer::Values>& values) {
  std::uint64_t r = mix(seed * 0x9e3779b97f4a7c15ull + std::uint64_t(i));
  if (values) {
    const std::uint64_t bits = bitsWithin(*values, dtype, i, count, r);
    std::memcpy(out.data() + i * dtype.bytes(), &bits, std::size_t(dtype.bytes()));
    return;
  }
  double uniform = double(r >> 11) * 0x1p-52 - 1.0;
  if (dtype == DType::Float(32)) {
    put(out, i, float(uniform));
  } else if (dtype == DType::Float(16)) {
    put(out, i, floatToHalf(float(uniform)));
  } else if (dtype == DType::Float(64)) {
    put(out, i, uniform);
  } else if (dtype == DType::BFloat(16)) {
    float f = float(uniform);
    std::uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    put(out, i, std::uint16_t(bits >> 16));
  } else if (isFloat8(dtype)) {
    put(out, i, std::uint8_t(exec::bitsOf(uniform, exec::formatOf(dtype))));
  } else if (dtype.isBool()) {
    put(out, i, std::uint8_t(r & 1));  // other bytes are no bool
  } else if (dtype.bytes() == 1) {
    put(out, i, std::uint8_t(r));
  } else if (dtype.bytes() == 4) {
    put(out, i, std::int32_t(r % 15) - (dtype.isInt() ? 7 : 0));
  } else if (dtype.bytes() == 8) {
    put(out, i, std::int64_t(r % 15) - (dtype.isInt() ? 7 : 0));
  } else {
    put(out, i, std::uint16_t(r % 15));
  }
}

}  // namespace

bool isFloat8(DType t) { return t.isFloat() && t.bits == 8; }

std::uint16_t floatToHalf(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  std::uint32_t sign = bits >> 16 & 0x8000;
  std::int32_t exponent = std::int32_t(bits >> 23 & 0xff) - 127 + 15;
  std::uint32_t mantissa = bits & 0x7fffff;
  if ((bits & 0x7fffffff) > 0x7f800000) return std::uint16_t(sign | 0x7e00);
  if (exponent >= 31) return std::uint16_t(sign | 0x7c00);
  if (exponent <= 0) {
    if (exponent < -10) return std::uint16_t(sign);
    mantissa |= 0x800000;
    int shift = 14 - exponent;
    std::uint32_t half = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
    if (rest > middle || (rest == middle && (half & 1))) ++half;
    return std::uint16_t(sign | half);
  }
  std::uint32_t half = std::uint32_t(exponent) << 10 | mantissa >> 13, rest = mantissa & 0x1fff;
  if (rest > 0x1000 || (rest == 0x1000 && (half & 1))) ++half;
  return std::uint16_t(sign | half);
}

float halfToFloat(std::uint16_t h) {
  int exponent = h >> 10 & 31;
  float mantissa = float(h & 0x3ff);
  float value = exponent == 0 ? std::ldexp(mantissa, -24)
                : exponent == 31
                    ? (mantissa != 0 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity())
                    : std::ldexp(mantissa + 1024.0f, exponent - 25);
  return h & 0x8000 ? -value : value;
}

std::vector<unsigned char> randomData(DType dtype, std::int64_t count, std::uint64_t seed,
                                      const std::optional<codegen::GlobalBuffer::Values>& values) {
  std::vector<unsigned char> out(std::size_t(count * dtype.bytes()));
  inParts(count, [&](std::size_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) fill(out, i, count, dtype, seed, values);
  });
  return out;
}

std::uint64_t bitsOf(double value, DType dtype) {
  std::vector<unsigned char> bytes(sizeof(std::uint64_t));
  if (dtype == DType::Float(64)) {
    put(bytes, 0, value);
  } else if (dtype == DType::Float(32)) {
    put(bytes, 0, float(value));
  } else if (dtype == DType::Float(16)) {
    put(bytes, 0, floatToHalf(float(value)));
  } else if (dtype == DType::BFloat(16)) {
    std::uint32_t bits;
    const auto f = float(value);
    std::memcpy(&bits, &f, sizeof bits);
    put(bytes, 0, std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16));
  } else if (isFloat8(dtype)) {
    put(bytes, 0, std::uint8_t(exec::bitsOf(value, exec::formatOf(dtype))));
  } else {
    put(bytes, 0, std::int64_t(value));
  }
  return get<std::uint64_t>(bytes.data(), 0);
}

double element(const unsigned char* data, std::int64_t i, DType t) {
  if (t == DType::Float(32)) return get<float>(data, i);
  if (t == DType::Float(64)) return get<double>(data, i);
  if (t == DType::Float(16)) return halfToFloat(get<std::uint16_t>(data, i));
  if (t == DType::BFloat(16)) {
    std::uint32_t bits = std::uint32_t(get<std::uint16_t>(data, i)) << 16;
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
  }
  if (isFloat8(t)) return exec::floatOf(get<std::uint8_t>(data, i), exec::formatOf(t));
  switch (t.bytes()) {
    case 1: return t.isInt() ? double(get<std::int8_t>(data, i)) : double(get<std::uint8_t>(data, i));
    case 2: return t.isInt() ? double(get<std::int16_t>(data, i)) : double(get<std::uint16_t>(data, i));
    case 4: return t.isInt() ? double(get<std::int32_t>(data, i)) : double(get<std::uint32_t>(data, i));
    default: return t.isInt() ? double(get<std::int64_t>(data, i)) : double(get<std::uint64_t>(data, i));
  }
}

double held(double whole, DType type) {
  if (!type.isIntegral() || type.bits >= 64) return whole;
  exec::Value value{0};
  value.i = std::int64_t(whole);
  return double(exec::apply(type.isInt() ? exec::Op::WrapSigned : exec::Op::WrapUnsigned, value, {}, {}, type.bits).i);
}

Accuracy compare(const std::vector<unsigned char>& result, DType dtype, const std::vector<double>& expected,
                 const std::vector<double>& size, const std::function<std::int64_t(std::int64_t)>& place) {
  const auto worstOf = [&](std::int64_t begin, std::int64_t end) {
    Accuracy a;
    for (std::int64_t i = begin; i < end; ++i) {
      double got = element(result.data(), place(i), dtype);
      const double right = held(expected[std::size_t(i)], dtype);
      double difference = std::abs(got - right);
      double relative = !std::isfinite(got)        ? std::numeric_limits<double>::infinity()
                        : size[std::size_t(i)] > 0 ? difference / size[std::size_t(i)]
                        : difference == 0          ? 0
                                                   : std::numeric_limits<double>::infinity();
      if (relative > a.worst || a.where < 0) a = {relative, i, got, right};
    }
    return a;
  };
  const auto count = std::int64_t(expected.size());
  std::vector<Accuracy> parts(partsOf(count));
  inParts(count, [&](std::size_t part, std::int64_t begin, std::int64_t end) { parts[part] = worstOf(begin, end); });
  Accuracy worst;
  for (const Accuracy& a : parts)
    if (a.worst > worst.worst || worst.where < 0) worst = a;
  return worst;
}

Accuracy compareWithNaive(const std::vector<double>& result, const std::vector<double>& naive) {
  double squares = 0, finite = 0;
  for (double value : naive) {
    if (!std::isfinite(value)) continue;
    squares += value * value;
    ++finite;
  }
  const double usual = std::sqrt(squares / std::max(1.0, finite));
  Accuracy a;
  for (std::size_t i = 0; i < std::min(result.size(), naive.size()); ++i) {
    const double got = result[i], right = naive[i];
    const bool same = got == right || (std::isnan(got) && std::isnan(right));
    const double relative = same ? 0 : std::abs(got - right) / (std::abs(right) + usual);
    const double error = std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
    if (a.where < 0 || error > a.worst) a = {error, std::int64_t(i), got, right};
  }
  return a;
}

std::vector<double> elements(const std::vector<unsigned char>& data, DType dtype) {
  const auto count = std::int64_t(data.size()) / std::max<std::int64_t>(1, dtype.bytes());
  std::vector<double> all(static_cast<std::size_t>(count));
  inParts(count, [&](std::size_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) all[std::size_t(i)] = element(data.data(), i, dtype);
  });
  return all;
}

double toleranceOfNaive(DType dtype, const std::vector<DType>& temporaries) {
  if (dtype.isIntegral()) return 0;
  const auto isNarrow = [](const DType& d) { return d.bits <= 16; };
  return isNarrow(dtype) || std::ranges::any_of(temporaries, isNarrow) ? 2e-2 : 1e-4;
}

double tolerance(const Matmul& m) {
  if (m.accumulator.isIntegral()) return 0;
  const double root = std::sqrt(double(m.k));
  const double ofSums = isFloat8(m.input) && m.accumulator.bits > 16 ? 1e-3 * std::max(1.0, root / 64)
                        : m.accumulator.bits == 16                   ? 5e-3
                                                                     : 1e-5;
  // Terms of one sign: of a matrix times its transpose the diagonal has sums of squares.
  const bool transposes = m.a == m.b && m.aTransposed != m.bTransposed;
  const double ofSquares = transposes && m.accumulator.bits == 32 ? std::ldexp(double(m.k) / 16, -23) : 0;
  if (m.factorDigits == 0) return ofSums + ofSquares;
  const double u = std::ldexp(1.0, -m.factorDigits);
  return ofSums + ofSquares + std::min(2 * u + u * u, 8 * 2 * u * (4.0 / 3) / root);
}

}  // namespace loom::gpu
