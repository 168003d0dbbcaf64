#include "core/tune/search/correction.h"

#include <algorithm>
#include <cmath>

namespace loom::tune {

namespace {

constexpr double kRidge = 2;  // as many measurements as it takes to believe a slope by half, at a spread of one

// Solves a symmetric positive definite system by elimination.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t row = p + 1; row < n; ++row) {
      const double f = a[row][p] / a[p][p];
      for (std::size_t c = p; c < n; ++c) a[row][c] -= f * a[p][c];
      b[row] -= f * b[p];
    }
  }
  for (std::size_t p = n; p-- > 0;) {
    for (std::size_t c = p + 1; c < n; ++c) b[p] -= a[p][c] * b[c];
    b[p] /= a[p][p];
  }
  return b;
}

}  // namespace

Correction::Correction(const std::vector<Sample>& samples) {
  if (samples.empty()) return;
  const std::size_t n = samples.front().quantities.size();
  const double count = double(samples.size());
  means_.assign(n, 0);
  for (const Sample& s : samples) {
    constant_ += std::log(s.measured / s.predicted) / count;
    for (std::size_t q = 0; q < n; ++q) means_[q] += s.quantities[q] / count;
  }
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0));
  std::vector<double> b(n, 0);
  for (const Sample& s : samples) {
    const double off = std::log(s.measured / s.predicted) - constant_;
    for (std::size_t i = 0; i < n; ++i) {
      b[i] += (s.quantities[i] - means_[i]) * off;
      for (std::size_t j = 0; j < n; ++j) a[i][j] += (s.quantities[i] - means_[i]) * (s.quantities[j] - means_[j]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) a[i][i] += kRidge;
  weights_ = solved(std::move(a), std::move(b));
}

double Correction::factor(const std::vector<double>& quantities) const {
  double sum = constant_;
  for (std::size_t q = 0; q < weights_.size(); ++q) sum += weights_[q] * (quantities[q] - means_[q]);
  return std::clamp(std::exp(sum), 0.25, 4.0);
}

}  // namespace loom::tune
