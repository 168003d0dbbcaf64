// What a worker keeps of one measurement for the next one of the same function.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/gpu/measure.h"

namespace loom::gpu {

// The inputs of a function, and what its results are compared with: all that a measurement needs on the host and that
// doesn't depend on the schedule. It takes longer to make than a kernel takes to be timed: of a product of 4096³ in
// 8-bit floats, whose states were measured one after another, 3.4 s became 1.6 s by several cores and less by keeping
// it (H200, measured for this project, 2026-11-29).
struct KeptReference {
  std::string key;                                 // of the jobs that it serves (referenceKey); "": nothing is kept
  std::vector<std::vector<unsigned char>> inputs;  // bytes of each buffer parameter; the last ones may not be made yet
  bool isComputed = false;                         // whether `expected` and `size`, or `written`, have been computed
  std::vector<double> expected, size;              // of a product: as gpu::compare (data.h) takes them
  // Of another function: index of a buffer parameter → the elements that the naive kernels (Job::naive) write there.
  std::map<std::size_t, std::vector<double>> written;
  // The vendor's algorithms that computed the product right: index (Vendor::run) → largest error (Outcome::error).
  std::map<int, double> algorithms;

  // Returns the bytes of host memory that the members take.
  std::int64_t bytes() const;
};

// Returns what the reference of a job depends on: the function's parameters, the product, the kernels that compute the
// expected results, and the seed. Jobs with the same text can share a KeptReference.
std::string referenceKey(const Job& job);

}  // namespace loom::gpu
