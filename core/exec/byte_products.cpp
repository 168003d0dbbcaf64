#include "core/exec/byte_products.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/exec/batch.h"

namespace loom::exec {
namespace {

// One factor for all results, the others side by side. Sums of so many terms as 16 bits hold are kept in 16 bits, of
// which a register holds eight.
void addRows(const ByteFactors& same, const ByteFactors& row, std::int64_t terms, int results, std::int64_t* sums) {
  const std::int64_t together = std::numeric_limits<std::int16_t>::max() / (same.most * row.most);
  std::array<std::int16_t, kBatch> part;
  for (std::int64_t begin = 0; begin < terms; begin += together) {
    part.fill(0);
    for (std::int64_t t = begin; t < std::min(terms, begin + together); ++t) {
      const auto factor = std::int16_t(same.first[t * same.ofTerm]);
      const std::int8_t* others = row.first + t * row.ofTerm;
      for (int n = 0; n < results; ++n) part[std::size_t(n)] += std::int16_t(factor * others[n]);
    }
    for (int n = 0; n < results; ++n) sums[n] += part[std::size_t(n)];
  }
}

}  // namespace

void addProducts(const ByteFactors& a, const ByteFactors& b, std::int64_t terms, int results, std::int64_t* sums) {
  if (a.ofResult == 0 && b.ofResult == 1) return addRows(a, b, terms, results, sums);
  if (b.ofResult == 0 && a.ofResult == 1) return addRows(b, a, terms, results, sums);
  constexpr std::int64_t kTogether = std::int64_t(1) << 16;  // products of 14 bits and a sign, in 32 bits
  for (int n = 0; n < results; ++n) {
    const std::int8_t *x = a.first + n * a.ofResult, *y = b.first + n * b.ofResult;
    for (std::int64_t begin = 0; begin < terms; begin += kTogether) {
      const std::int64_t end = std::min(terms, begin + kTogether);
      std::int32_t sum = 0;
      if (a.ofTerm == 1 && b.ofTerm == 1) {
        for (std::int64_t t = begin; t < end; ++t) sum += std::int16_t(x[t]) * std::int16_t(y[t]);
      } else {
        for (std::int64_t t = begin; t < end; ++t) sum += x[t * a.ofTerm] * y[t * b.ofTerm];
      }
      sums[n] += sum;
    }
  }
}

}  // namespace loom::exec
