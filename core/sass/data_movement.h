// Interprets, on the CPU, machine code that only moves data for one warp, to find out to which byte of the memory that
// it writes each byte of the memory that it reads is copied.
#pragma once
#include <vector>

#include "core/sass/kernel.h"

namespace loom::sass {

// Follows a kernel (const void* from, void* to) that one warp of 32 threads runs and that neither branches nor computes
// with what it loads. Returns, for each of the `bytes` of `to`, the offset of the byte of `from` that it holds at the
// end; −1 if it wasn't written. `from` counts as 64 KiB: the kernel is run with two contents of `from`, the low and the
// high byte of each byte's own offset, so that every byte that arrives tells where it comes from. Code that stores
// constants isn't told from copies: such a byte is reported with an offset, too. Errors "SassUnknown": the code has an
// instruction that can't be followed (the error names it and its place), as a branch or an access outside of `from` or
// `to`, or writes a byte whose value isn't known.
Result<std::vector<int>> traceDataMovement(const Kernel& sass, int bytes);

}  // namespace loom::sass
