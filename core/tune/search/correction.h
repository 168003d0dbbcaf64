#pragma once

#include <optional>
#include <vector>

namespace loom::tune {

/// A correction of a model's predictions, learned from measurements: the logarithm of measured over predicted time as a
/// linear function of a few quantities (ridge regression). With few measurements the factor stays near the geometric
/// mean of measured over predicted times, whatever the quantities.
class Correction {
 public:
  struct Sample {
    /// As many in all samples. The regression centres but doesn't scale them: each should vary by about one, as the
    /// logarithm of a size does.
    std::vector<double> quantities;
    double predicted = 0, measured = 0;  ///< microseconds, positive
  };
  /// Learns a correction from the samples. Without samples every factor is 1.
  explicit Correction(const std::vector<Sample>& samples);

  /// Returns the factor by which a prediction for a schedule with these quantities, as many as those of the samples,
  /// must be multiplied, clamped to 1/4 and 4.
  double factor(const std::vector<double>& quantities) const;

 private:
  std::vector<double> weights_;  // of the quantities' distances from their means
  std::vector<double> means_;
  double constant_ = 0;
};

}  // namespace loom::tune
