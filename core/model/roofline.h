// How fast a kernel could be at most: arithmetic intensity and the roofs that apply to what it does.
#pragma once
#include "core/model/hierarchy.h"
#include "core/model/occupancy.h"
#include "core/model/rate.h"

namespace loom::model {

struct Roof {
  std::string name;     // "memory", "l2", "shared", "fp32", "mma f16→f32", …
  bool compute = true;  // TFLOP/s; else a bandwidth in GB/s
  Rate rate;            // TFLOP/s or GB/s
  double tflops = 0;    // that it allows this kernel: the rate, or bandwidth · intensity
  double bytes = 0;     // over this link at least, for bandwidths
};

struct Roofline {
  double flops = 0;                 // of the whole grid
  bool tensor = false;              // done by tensor cores
  std::optional<Number> intensity;  // FLOP per byte from memory
  std::vector<Roof> roofs;
  int lowest = -1;                   // the roof that binds; -1 when no figure is known
  std::vector<std::string> unknown;  // what could not be answered, and why
};
Roofline rooflineOf(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                    const Device& device);

}  // namespace loom::model
