// Swizzled tiles in shared memory: `tileloom.swizzle`, which TVM keeps as an annotation without meaning.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of blocks, by sch.annotate(block, kSwizzle, span): in the buffer that the block writes the 16-byte pieces of each row
// change places with each other, by the row's number, so that threads that read one column of many rows, or 16 bytes of
// each, reach all banks without padding. `span` is the length of a row in bytes.
inline constexpr const char* kSwizzle = "tileloom.swizzle";

// Appends the swizzles that blocks ask for to the layouts of the kernel's allocations; accesses are still by
// coordinates, so that nothing else changes. Error "NotAKernel", with the rule and its numbers, for a span that is not 32, 64 or 128, a buffer that isn't
// the kernel's shared memory, rows that aren't as long as the span or are padded, a number of rows that isn't a multiple
// of 8, and for buffers that operations reach by pointer and leading dimension.
Result<void> swizzleBuffers(device::Kernel& kernel);

}  // namespace loom::lower
