// The peak rate of a device for one kind of work: the measured figure if there is one, or else the one that the vendor
// states.
#pragma once
#include "core/model/device.h"

namespace loom::model {

// A peak or a bandwidth, with its source.
struct Rate {
  double value = 0;       // in the unit of the quantity: GB/s or TFLOP/s
  std::string source;     // where the value comes from
  bool measured = false;  // whether it was measured; otherwise it is the stated one
  std::string other;      // if it was measured: the stated value with its source; else empty
};
// Returns the rate of a quantity. For MemoryGbPerS and Fp32Tflops, a measured figure is preferred; for other
// quantities, the source of the figure says whether it was measured. Returns nothing if there is no figure.
std::optional<Rate> rateOf(const Device& device, Quantity quantity);
// Returns the rate, in GB/s, of the shared memory of all multiprocessors together: measured, or else computed from the
// bytes per clock and the stated clock. Returns nothing if neither is known.
std::optional<Rate> sharedRateOf(const Device& device);

}  // namespace loom::model
