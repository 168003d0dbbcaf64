// What a device can do of one thing at most, the same in every view: the measured figure of its description where there
// is one, else what its maker states.
#pragma once
#include "core/model/device.h"

namespace loom::model {

struct Rate {
  double value = 0;  // in the quantity's unit; of shared memory GB/s
  std::string source;
  bool measured = false;
  std::string other;  // the stated value and its source where a measured one stands; else empty
};
// Of MemoryGbPerS and Fp32Tflops: their measured twins go first. Of other quantities the source says whether somebody
// measured them. None where neither is known.
std::optional<Rate> rateOf(const Device& device, Quantity quantity);
// Of all multiprocessors' shared memory together, GB/s: measured, else bytes a clock at the stated clock.
std::optional<Rate> sharedRateOf(const Device& device);

}  // namespace loom::model
