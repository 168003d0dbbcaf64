#pragma once

#include <optional>
#include <vector>

namespace loom::tune {

/// A correction of a model's predictions, learned from measurements: the logarithm of measured over predicted time as a
/// linear function of a few quantities (ridge regression). With few measurements it stays near their mean.
class Correction {
 public:
  struct Sample {
    std::vector<double> quantities;      ///< of equal number in all samples
    double predicted = 0, measured = 0;  ///< microseconds, positive
  };
  /// Learns from the samples; from none, it corrects nothing.
  explicit Correction(const std::vector<Sample>& samples);

  /// Returns the factor that a prediction is to be multiplied with, within 1/4 … 4.
  double factor(const std::vector<double>& quantities) const;

 private:
  std::vector<double> weights_;  // of the quantities' distances from their means
  std::vector<double> means_;
  double constant_ = 0;
};

}  // namespace loom::tune
