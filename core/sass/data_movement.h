// Machine code that only moves data, run for one warp: which byte of what it reads comes to which byte of what it
// writes.
#pragma once
#include <vector>

#include "core/sass/kernel.h"

namespace loom::sass {

// Of a kernel (const void* from, void* to) that is run by one warp of 32 threads and neither branches nor computes with
// what it loads: by byte of the `bytes` of `to`, the offset of the byte of `from` that it holds at the end; −1 where
// nothing was written. `from` is smaller than 64 KiB. The kernel's instructions are followed with two contents of
// `from`, the low and the high byte of each one's own offset, so that a byte that comes out tells where it is from
// whatever way it took. Errors "SassUnknown": an instruction that isn't followed, named with its place, or bytes that
// are no copy.
Result<std::vector<int>> traceDataMovement(const Kernel& sass, int bytes);

}  // namespace loom::sass
