// Kernels that compute the reference result of a program on the device. The results of scheduled kernels are checked
// against it, unless the program is a matrix product, for which there is a fixed reference kernel.
#pragma once
#include <optional>

#include "core/document/kernel.h"

namespace loom::document {

// Returns the CUDA text of the unscheduled program `start` at the sizes `size`, also for a matrix product. Each TIR
// block of the program's body becomes a kernel of its own: the spatial loops outside of all its reduction loops are
// fused and bound to thread blocks of 256 threads, and each thread runs the other loops as they are. Returns nothing if
// a TIR block isn't under loops that can be bound, if the program has several functions, or if lowering refuses the
// result.
std::optional<KernelText> naiveKernel(const schedule::State& start, const SizeChoice& size);

}  // namespace loom::document
