// Kernels that compute the reference result of a program on the device. The results of scheduled kernels are checked
// against it, unless the program is a matrix product, for which there is a fixed reference kernel.
#pragma once
#include <optional>

#include "core/document/kernel.h"

namespace loom::document {

// Returns the CUDA text of the unscheduled program `start` at the sizes `size`. Each TIR block of the program's body
// becomes a kernel of its own, whose spatial loops outside of all reduction loops are fused and bound to thread blocks
// of 256 threads; one thread computes an element, in the program's order. Returns nothing if a TIR block isn't under
// loops that can be bound, if the program has several functions, or if its kernel can't be made.
std::optional<KernelText> naiveKernel(const schedule::State& start, const SizeChoice& size);

}  // namespace loom::document
