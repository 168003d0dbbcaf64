// What a program should compute, as kernels that a device runs in a moment: the judge of the kernels of functions that
// are no matrix product, which have a reference of their own (gpu::referenceSource).
#pragma once
#include <optional>

#include "core/document/kernel.h"

namespace loom::document {

// The unscheduled program with the spatial loops of each of its blocks on threads, block after block in its own kernel:
// each element is computed as the program says, in its order. Nothing where a block isn't under loops that could be
// bound, the program has several functions, or its kernel can't be made.
std::optional<KernelText> naiveKernel(const schedule::State& start, const SizeChoice& size);

}  // namespace loom::document
