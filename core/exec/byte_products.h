// Sums of products of small integers that are stored as bytes. Most results that kernels are checked against
// (reference.h) are such sums.
#pragma once
#include <cstdint>

namespace loom::exec {

// The left or the right factors of the products: the factor of term t of result n is first[t * ofTerm + n * ofResult].
struct ByteFactors {
  const std::int8_t* first = nullptr;  // never null
  std::int64_t ofTerm = 0, ofResult = 0;
  // No factor has a larger absolute value, or sums are wrong; from 1 to 128. Smaller bounds let more products be summed
  // up in 16 bits, which is faster.
  int most = 128;
};

// Adds `terms` products to each of the sums sums[0] … sums[results - 1], nothing if `terms` is 0:
// sums[n] += Σ a(t, n) · b(t, n). `results` is from 0 to 128. The caller sees to it that no sum exceeds 64 bits.
void addProducts(const ByteFactors& a, const ByteFactors& b, std::int64_t terms, int results, std::int64_t* sums);

}  // namespace loom::exec
