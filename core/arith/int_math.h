// Exact integer arithmetic on int64: overflow checks, floor division, greatest common divisors.
#pragma once
#include <cstdint>
#include <utility>

namespace loom::arith {

// Return whether x + y or x * y lies outside [min, max].
inline bool addOverflows(std::int64_t x, std::int64_t y, std::int64_t min, std::int64_t max) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(x, y, &sum) || sum < min || sum > max;
}

inline bool mulOverflows(std::int64_t x, std::int64_t y, std::int64_t min, std::int64_t max) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(x, y, &product) || product < min || product > max;
}

// Return x / y, rounded toward 0, and the remainder, which is 0 or has the sign of x; y must not be 0. The least int64
// divided by -1 wraps, as in programs that are executed: the quotient is the least int64 itself, the remainder 0.
inline std::int64_t truncDiv(std::int64_t x, std::int64_t y) {
  return y == -1 ? std::int64_t(-std::uint64_t(x)) : x / y;
}
inline std::int64_t truncMod(std::int64_t x, std::int64_t y) { return y == -1 ? 0 : x % y; }

// Returns x / y, rounded toward negative infinity; y must not be 0. The least int64 divided by -1 wraps.
inline std::int64_t floorDiv(std::int64_t x, std::int64_t y) {
  std::int64_t q = truncDiv(x, y), r = truncMod(x, y);
  bool exact = (y >= 0 && r >= 0) || (y < 0 && r <= 0);
  return exact ? q : q - 1;
}

// Returns the remainder of floorDiv, which is 0 or has the sign of y; y must not be 0.
inline std::int64_t floorMod(std::int64_t x, std::int64_t y) {
  std::int64_t r = truncMod(x, y);
  bool exact = (y >= 0 && r >= 0) || (y < 0 && r <= 0);
  return exact ? r : r + y;
}

// Returns the greatest common divisor; gcd(a, 0) = |a|. Neither number may be the least int64.
inline std::int64_t zeroAwareGcd(std::int64_t a, std::int64_t b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// The greatest common divisor of a and b with the coefficients of Bézout's identity.
struct BezoutResult {
  std::int64_t gcd, x, y;  // a * x + b * y == gcd
};
// Returns the greatest common divisor of a and b, and x and y. If b is negative, gcd has either sign, as the algorithm
// leaves it. Neither number may be the least int64.
inline BezoutResult bezout(std::int64_t a, std::int64_t b) {
  std::int64_t s = 0, oldS = 1, r = b, oldR = a >= 0 ? a : -a;
  while (r != 0) {
    std::int64_t q = oldR / r;
    oldR = std::exchange(r, oldR - q * r);
    oldS = std::exchange(s, oldS - q * s);
  }
  std::int64_t x = a >= 0 ? oldS : -oldS;
  __extension__ using Wide = __int128;  // x * a has up to 126 bits
  return {oldR, x, b != 0 ? std::int64_t((oldR - Wide(x) * a) / b) : 1};
}

// Returns the least common multiple, as TVM does: negative if a alone is negative; if b is negative, of either sign
// (-12 for 6 and -4, 12 for 4 and -6). They must not both be 0, and neither may be the least int64. A result beyond 64
// bits wraps, which is defined behaviour but no common multiple.
inline std::int64_t leastCommonMultiple(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a / bezout(a, b).gcd) * std::uint64_t(b));
}

}  // namespace loom::arith
