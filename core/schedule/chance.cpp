#include "core/schedule/chance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::schedule {
namespace {

constexpr std::int64_t kMultiplier = 48271, kModulus = 2147483647;

// Prime factors with their powers, in TVM's order: ascending, but those that only the remainder below 2^16 has come as
// its smallest factors do, too, so that the order is ascending throughout.
std::vector<std::pair<std::int64_t, int>> primeFactors(std::int64_t n) {
  std::vector<std::pair<std::int64_t, int>> all;
  for (std::int64_t prime = 2; prime * prime <= n; ++prime) {
    int power = 0;
    for (; n % prime == 0; n /= prime) ++power;
    if (power > 0) all.emplace_back(prime, power);
  }
  if (n > 1) all.emplace_back(n, 1);
  return all;
}

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

// `count` different numbers of 0…n-1.
std::vector<std::int64_t> withoutReplacement(Chance& chance, std::int64_t n, std::int64_t count) {
  if (count == 1) return {chance.integer(0, n)};
  if (count == 2) {
    const std::int64_t first = chance.integer(0, n), second = chance.integer(0, n - 1);
    return {first, second >= first ? second + 1 : second};
  }
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < n; ++i) order.push_back(i);
  for (std::int64_t i = 0; i < count; ++i) std::swap(order[std::size_t(i)], order[std::size_t(chance.integer(i, n))]);
  order.resize(std::size_t(count));
  return order;
}

}  // namespace

std::int64_t Chance::stateOf(std::int64_t seed) {
  const std::int64_t rest = seed % kModulus;
  return rest == 0 ? 1 : rest < 0 ? rest + kModulus : rest;
}

std::int64_t Chance::next() { return state_ = state_ * kMultiplier % kModulus; }

std::int64_t Chance::fork() { return next() * 32767 % 1999999973; }

std::int64_t Chance::integer(std::int64_t low, std::int64_t high) {
  if (low + 1 == high) return low;
  const std::int64_t count = high - low, scale = (kModulus - 1) / count, end = count * scale;
  std::int64_t drawn = next();
  while (drawn >= end) drawn = next();
  return low + drawn / scale;
}

double Chance::real() {
  constexpr double kRange = double(kModulus);
  const auto low = double(next());
  const auto high = double(next());
  const double drawn = (low + high * kRange) / (kRange * kRange);
  return drawn < 1 ? drawn : std::nextafter(1.0, 0.0);
}

std::int64_t Chance::weighted(const std::vector<double>& weights) {
  if (weights.size() < 2) return 0;
  double sum = 0;
  for (double w : weights) sum += w;
  std::vector<double> ends;
  double end = 0;
  for (double w : weights) ends.push_back(end += w / sum);
  ends.back() = 1;
  return std::lower_bound(ends.begin(), ends.end(), real()) - ends.begin();
}

std::vector<std::int64_t> drawTiles(Chance& chance, std::int64_t extent, std::int64_t parts) {
  std::vector<std::int64_t> tiles(std::size_t(parts), 1);
  if (parts == 1) return {extent};
  for (const auto& [prime, times] : primeFactors(extent)) {
    if (parts == 2) {
      const std::int64_t first = chance.integer(0, times + 1);
      // A prime of 2^16 or more is drawn for the second part, smaller ones for the first.
      const bool large = prime >= 65536;
      tiles[large ? 1 : 0] *= power(prime, first);
      tiles[large ? 0 : 1] *= power(prime, times - first);
    } else if (times == 1) {
      tiles[std::size_t(chance.integer(0, parts))] *= prime;
    } else {
      // Of `times` factors and `parts` - 1 bars between them the places of the bars.
      auto bars = withoutReplacement(chance, times + parts - 1, parts - 1);
      std::sort(bars.begin(), bars.end());
      bars.push_back(times + parts - 1);
      std::int64_t last = -1;
      for (std::size_t i = 0; i < bars.size(); ++i) {
        tiles[i] *= power(prime, bars[i] - last - 1);
        last = bars[i];
      }
    }
  }
  return tiles;
}

}  // namespace loom::schedule
