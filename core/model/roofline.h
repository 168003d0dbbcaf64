// The roofline model of a kernel: its arithmetic intensity, and the peaks and bandwidths (roofs) that limit it.
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
  double tflops = 0;    // TFLOP/s that the roof allows the kernel: the peak, or bandwidth · FLOP per byte of the link
  double bytes = 0;     // of a bandwidth: bytes that the link has to deliver or take over the whole grid; else 0
};

// The roofs of one kernel.
struct Roofline {
  double flops = 0;                 // FLOP of the whole grid: those of tensor cores if there are any, else of threads
  bool tensor = false;              // whether tensor cores do the arithmetic
  std::optional<Number> intensity;  // FLOP per byte that passes between DRAM and L2; nothing if it isn't known
  // How many bytes fewer L2 delivers than blocks ask for by boxes (parts of matrices that the copy engine, TMA, loads):
  // one delivery serves several multiprocessors that ask for the same lines at the same time (RoleConstants::l2Asked).
  // The roof "l2" doesn't have them among its `bytes`. 0 if each box is asked for once, or if that isn't known.
  double servedTogether = 0;
  std::vector<Roof> roofs;  // without links over which no byte moves; empty if `flops` is 0
  int lowest = -1;      // index of the roof with the fewest `tflops`; -1 if no roof, or no peak of arithmetic, is known
  Message peakUnknown;  // why the arithmetic has no roof (a sentence that `unknown` has, too); empty if it has one
  // English sentences: one for each of the peak and the roofs of device memory and L2 that isn't known, with the
  // reason; or a single one that says that the kernel has no FLOP. A missing roof of shared memory has none.
  std::vector<std::string> unknown;
};
// Returns the roofline of a kernel. `compiled` has the counts of the machine code; null if they aren't known. Without
// them the wavefronts of shared memory are those of the program as written; the machine code may need fewer.
Roofline rooflineOf(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                    const Device& device, const CompiledCount* compiled = nullptr);
// Returns the number of wavefronts of shared memory over the whole grid: those of the machine code, or if `compiled` is
// null those of the program as written. Of the wavefronts of boxes that the copy engine writes there, it counts the
// share that takes bandwidth from others (RoleConstants::fillShare), as the predicted time does.
double wavefrontsOf(const KernelAccesses& kernel, const KernelCount& count, const CompiledCount* compiled);
// Returns whether the copy engine writes boxes to shared memory.
bool writesBoxes(const KernelAccesses& kernel);

}  // namespace loom::model
