// Deterministic pseudo-random inputs: small integers, computed where they are needed instead of stored.
#pragma once
#include <cstdint>

#include "core/exec/input_ranges.h"
#include "core/exec/operations.h"
#include "core/ir/packed.h"

namespace loom::exec {

// The contents of one parameter before the program runs: integers in [low, low + span), a function of (seed, parameter,
// element). If `rise` isn't negative, they never decrease from one element to the next, and grow by `rise` per element
// on average. A Value is a union of a double `f`, for floats, and an integer `i`, for all other types.
struct InputValues {
  std::uint64_t key = 0;  // made of the seed and the parameter
  std::int64_t low = -2;
  std::uint32_t span = 5;
  bool isFloat = true;  // whether values are stored as floats; else as integers
  double rise = -1;
  // If the memory has bytes that several elements share (lower::packBytes): the type of the elements. Else void.
  ir::DType packed{};

  // Returns whether all values are from -128 to 127.
  bool fitsInByte() const { return low >= -128 && low + std::int64_t(span) <= 128; }

  // Returns the value of an element; of packed elements, the byte with this number, which holds several.
  Value at(std::int64_t element) const {
    if (!ir::isPacked(packed)) return one(element);
    const int per = ir::perByte(packed);
    std::int64_t byte = 0;
    for (int e = 0; e < per; ++e)
      byte |= (one(element * per + e).i & ((std::int64_t{1} << packed.bits) - 1)) << e * packed.bits;
    Value v;
    v.i = byte;
    return v;
  }

  // Sets `values` to the values of `count` elements: number `first`, first + step and so on. Faster than calling `at`
  // for each if the values don't rise and the elements share no bytes.
  void fill(std::int64_t first, std::int64_t step, std::int64_t count, Value* values) const {
    if (ir::isPacked(packed) || rise >= 0) {
      for (std::int64_t i = 0; i < count; ++i) values[i] = at(first + i * step);
      return;
    }
    const InputValues own = *this;  // which what is written to `values` can't change
    if (isFloat) {
      for (std::int64_t i = 0; i < count; ++i) values[i].f = double(own.drawn(own.hash(first + i * step)));
    } else {
      for (std::int64_t i = 0; i < count; ++i) values[i].i = own.drawn(own.hash(first + i * step));
    }
  }

  // Returns the value of an element, also of one that shares a byte with others.
  Value one(std::int64_t element) const {
    const std::uint64_t h = hash(element);
    std::int64_t n = drawn(h);
    if (rise >= 0) {
      // A step's part of the way to the next element's own place.
      const double part = element == 0 ? 0 : double(h >> 32) * 0x1p-32;
      n = low + std::min(std::int64_t(span) - 1, std::int64_t((double(element) + part) * rise));
    }
    Value v;
    if (isFloat) {
      v.f = double(n);
    } else {
      v.i = n;
    }
    return v;
  }

 private:
  // The upper 32 bits are as good as random.
  std::uint64_t hash(std::int64_t element) const {
    const std::uint64_t h = key + std::uint64_t(element) * 0x9E3779B97F4A7C15ull;
    return (h ^ (h >> 32)) * 0xD6E8FEB86659FD93ull;
  }
  std::int64_t drawn(std::uint64_t hash) const { return low + std::int64_t(((hash >> 32) * span) >> 32); }
};

// Returns the value of element number `element` of a byte that elements of type `type` share; element 0 is in the
// lowest bits.
inline std::int64_t packedElement(std::int64_t byte, int element, ir::DType type) {
  const std::int64_t bits = byte >> element * type.bits & ((std::int64_t{1} << type.bits) - 1);
  const bool negative = type.isInt() && bits >> (type.bits - 1) != 0;
  return negative ? bits - (std::int64_t{1} << type.bits) : bits;
}

// Returns the inputs of a parameter: integers in [-2, 2]; in [-1, 1] if sums are kept in 16 bits or fewer (`narrow`);
// from 0 on for dtypes without a sign; and only those that the dtype can hold.
inline InputValues inputValues(std::uint64_t seed, int parameter, ir::DType dtype, bool narrow) {
  InputValues v;
  v.key = (seed * 0x9E3779B97F4A7C15ull) ^ (std::uint64_t(parameter + 1) * 0xBF58476D1CE4E5B9ull);
  v.isFloat = dtype.isFloat();
  v.span = dtype.isBool() ? 2 : narrow ? 3 : 5;
  v.low = dtype.isBool() || dtype.isUInt() ? 0 : narrow ? -1 : -2;
  if (ir::isPacked(dtype)) {
    const std::int64_t count = std::int64_t{1} << dtype.bits, least = dtype.isInt() ? -count / 2 : 0;
    const std::int64_t end = std::min(v.low + std::int64_t(v.span), least + count);
    v.low = std::max(v.low, least);
    v.span = std::uint32_t(end - v.low);
  }
  return v;
}

// Makes the values of an input of `elements` elements lie in `range`, both ends included, ascending if the range is.
inline void drawFrom(InputValues& v, const InputRange& range, std::int64_t elements) {
  v.low = range.low;
  v.span = std::uint32_t(range.high - range.low + 1);
  if (range.ascending) v.rise = double(v.span - 1) / double(std::max<std::int64_t>(1, elements - 1));
}

}  // namespace loom::exec
