// What a program should compute, as kernels that a device runs in a moment: the judge of the kernels of functions that
// are no matrix product, which have a reference of their own (gpu::referenceSource).
#pragma once
#include <optional>

#include "core/document/kernel.h"

namespace loom::document {

// Returns the kernel of the unscheduled program with the spatial loops of each block bound to threads, each block in a
// kernel of its own. Every element is computed as the program says, in its order. Returns nothing if a block isn't
// under loops that could be bound, if the program has several functions, or if its kernel can't be made.
std::optional<KernelText> naiveKernel(const schedule::State& start, const SizeChoice& size);

}  // namespace loom::document
