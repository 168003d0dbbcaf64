// What statements or machine instructions ask of the pipes of a multiprocessor, and how many clocks each takes for it.
#pragma once
#include "core/model/access.h"
#include "core/model/device.h"

namespace loom::model {

struct Fitted;

// Work of warps; every count may be a share of one.
struct Demand {
  double instructions = 0;  // issued
  double lines = 0;         // of global memory, one tag each
  double wavefronts = 0;    // of shared memory
  double fma = 0, half = 0;
  double tensor = 0;    // products of 4096 FLOP
  double barriers = 0;  // arrivals
  Demand& operator+=(const Demand& more);
  Demand operator*(double factor) const;
};

// Clocks of one multiprocessor for one of each; `tensor` is 0 where the device's peak isn't known.
struct PipeRates {
  double instruction = 0.25, line = 1, wavefront = 1, fma = 0.25, half = 0.5, tensor = 0, barrier = 0;
  double schedulers = 4, fmaPerClock = 4, tensorFlopPerClock = 0;  // what the rates come from
};
PipeRates pipeRates(const KernelAccesses& kernel, const Device& device, const Fitted& fitted);

}  // namespace loom::model
