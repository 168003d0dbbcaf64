// How fast a kernel could be at most: arithmetic intensity and the roofs that apply to what it does.
#pragma once
#include "core/model/compiled.h"
#include "core/model/hierarchy.h"
#include "core/model/occupancy.h"
#include "core/model/rate.h"

namespace loom::model {

// A ceiling on a kernel's throughput: the peak of its arithmetic, or the bandwidth of a link.
struct Roof {
  std::string name;     // "memory", "l2", "shared", "fp32", "mma f16→f32", …
  bool compute = true;  // whether it is a peak of arithmetic; else it is a bandwidth
  Rate rate;            // TFLOP/s of a peak, GB/s of a bandwidth
  double tflops = 0;    // TFLOP/s that it allows this kernel: the peak, or bandwidth · FLOP per byte of the link
  double bytes = 0;     // of a bandwidth: the bytes that the kernel has to move over the link; else 0
};

// The roofs of one kernel.
struct Roofline {
  double flops = 0;                 // of the whole grid
  bool tensor = false;              // whether tensor cores do the arithmetic
  std::optional<Number> intensity;  // FLOP per byte from memory
  std::vector<Roof> roofs;
  int lowest = -1;                   // the roof that binds; -1 where that can't be told: none, or no peak, is known
  Message peakUnknown;               // why the arithmetic has no roof, which is in `unknown`, too; empty: it has one
  std::vector<std::string> unknown;  // what could not be answered, and why
};
// Returns the roofline of a kernel. `compiled` is what the machine code does, null if it isn't known. Without it the
// wavefronts of shared memory are counted as the program is written, of which a compiler may need fewer.
Roofline rooflineOf(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                    const Device& device, const CompiledCount* compiled = nullptr);
// Returns the wavefronts of shared memory over the whole grid, by the machine code if it is known (`compiled` isn't
// null).
double wavefrontsOf(const KernelCount& count, const CompiledCount* compiled);

}  // namespace loom::model
