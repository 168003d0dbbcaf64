// The peak rate of a device for one kind of work: the measured figure if there is one, or else the one that the vendor
// states.
#pragma once
#include "core/model/device.h"

namespace loom::model {

// A peak or a bandwidth, with its source.
struct Rate {
  double value = 0;       // in the unit of the quantity: GB/s, TFLOP/s, or TOP/s for integers and bits
  std::string source;     // where the value comes from
  bool measured = false;  // whether `value` was measured; else it is stated or computed from stated figures
  std::string other;      // the stated or computed value, unit and source if a measured one replaces it; else empty
};
// Returns the rate of a quantity, which is a peak or a bandwidth. For MemoryGbPerS and Fp32Tflops, the figure of the
// same name with "Measured" is preferred. Each other quantity has one figure, and Rate::measured says whether its
// source begins with "measured". Returns nothing if there is no figure.
std::optional<Rate> rateOf(const Device& device, Quantity quantity);

// Returns the rate, in GB/s, of the shared memory of all multiprocessors together: measured, or else computed from the
// bytes per clock, the stated clock and the number of multiprocessors. Returns nothing if one of these three isn't
// known, even if the rate was measured.
std::optional<Rate> sharedRateOf(const Device& device);

}  // namespace loom::model
