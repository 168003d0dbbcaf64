// Sums of products of small integers that are stored as bytes. Most outputs of the reference (reference.h) are such
// sums.
#pragma once
#include <cstdint>

namespace loom::exec {

// The left or the right factors of the products: the factor of term t of result n is at first + t * ofTerm + n *
// ofResult.
struct ByteFactors {
  const std::int8_t* first = nullptr;  // never null
  std::int64_t ofTerm = 0, ofResult = 0;
  int most = 128;  // no factor has a larger absolute value; from 1 to 128
};

// Adds `terms` products to each of `results` sums, at most 128: sums[n] += Σ a(t, n) · b(t, n). The sums themselves
// must not exceed 64 bits.
void addProducts(const ByteFactors& a, const ByteFactors& b, std::int64_t terms, int results, std::int64_t* sums);

}  // namespace loom::exec
