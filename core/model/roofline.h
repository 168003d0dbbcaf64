// How fast a kernel could be at most: arithmetic intensity and the roofs that apply to what it does.
#pragma once
#include "core/model/compiled.h"
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
  int lowest = -1;                   // the roof that binds; -1 where that can't be told: none, or no peak, is known
  Message peakUnknown;               // why the arithmetic has no roof, which is in `unknown`, too; empty: it has one
  std::vector<std::string> unknown;  // what could not be answered, and why
};
// `compiled`: what the machine code does, null where it isn't known; then wavefronts are as written, and a compiler may
// need fewer.
Roofline rooflineOf(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                    const Device& device, const CompiledCount* compiled = nullptr);
// Of shared memory, by the whole grid.
double wavefrontsOf(const KernelCount& count, const CompiledCount* compiled);

}  // namespace loom::model
