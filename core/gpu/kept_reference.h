// What a worker keeps of one measurement for the next one of the same function.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/gpu/measure.h"

namespace loom::gpu {

// The inputs of a function, and what its results are compared with: all that a measurement needs on the host and that
// doesn't depend on the schedule. It takes longer to make than a kernel takes to be timed: where states of a product of
// 4096³ in 8-bit floats were measured one after another, several cores brought 3.4 s down to 1.6 s, and keeping this
// brought it down further (H200, measured for this project, 2026-11-29). `measure` fills it; a user only makes an empty
// one.
struct KeptReference {
  std::string key;  // of the jobs that it serves (referenceKey); "": nothing is kept
  // The bytes that each buffer parameter has at first, results included. Shorter than the parameters if a measurement
  // failed before it made all; the next one makes the others.
  std::vector<std::vector<unsigned char>> inputs;
  bool isComputed = false;  // whether `expected` and `size`, or `written`, are final (empty: nothing to compare with)
  // Of a product D = A · B, for each element of D, row by row and one product of a batch after the other: its sum, and
  // the sum of the absolute products Σ |a · b|.
  std::vector<double> expected, size;
  // Of another function: index of a buffer parameter → the elements that the naive kernels (Job::naive) write there.
  std::map<std::size_t, std::vector<double>> written;
  // The vendor's algorithms found to compute the product right: index (Vendor::run) → largest error (Outcome::error).
  // One that isn't in the map was wrong or hasn't been compared.
  std::map<int, double> algorithms;

  // Returns the bytes of host memory that the members take.
  std::int64_t bytes() const;
};

// Returns what the reference of a job depends on: the function's parameters, the product, the kernels that compute the
// expected results, and the seed. Jobs with the same text can share a KeptReference.
std::string referenceKey(const Job& job);

}  // namespace loom::gpu
