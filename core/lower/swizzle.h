// Swizzled tiles in shared memory: `tileloom.swizzle`, which TVM keeps as an annotation without meaning, and TVM's
// `permuted_layout`.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of blocks, sch.annotate(block, kSwizzle, span): in the buffer that the block writes the 16-byte pieces
// of each row are permuted by the row's number, so that threads that read one column of many rows, or 16 bytes of each,
// reach all banks without padding. `span` is the length of a row in bytes; longer rows lie in slabs of so many bytes of
// each row, one slab after the other, as the copy engine and wgmma take them.
inline constexpr const char* kSwizzle = "tileloom.swizzle";

// TVM's own annotation of blocks: swizzles all buffers in shared memory that the block accesses. A text
// that isn't empty ("g2s_A") or a number other than 0 turns it on, whatever it is; an empty text or 0 turns it off.
inline constexpr const char* kPermutedLayout = "permuted_layout";

// The pass "swizzle" runs `swizzleBuffers` and then `permuteLayouts`: before `flatten` and `planSharedMemory`, which go
// by the layouts and alignments that these set.

// Appends a swizzle to the layout of each buffer in shared memory that a block with `permuted_layout` accesses. TVM
// 0.22, InjectPermutedLayout, rewrites only the indices in such blocks; here the layout holds for all blocks. Error
// "NotAKernel", with the rule and its numbers, for rows that TVM doesn't take (of a length that is no multiple of 32
// elements, or an odd number of rows of a length that is no multiple of 64), for padded rows, for buffers of one
// dimension or with kSwizzle, for buffers that operations reach by pointer and leading dimension, and for an annotation
// that is neither a text nor a number. Returns remarks on blocks that access no shared memory.
Result<std::vector<device::Remark>> permuteLayouts(device::Kernel& kernel);

// Appends the swizzles that blocks ask for (kSwizzle) to the layouts of the kernel's allocations, and tells them to the
// operations that take swizzled tiles, those of the copy engine and of wgmma; accesses of threads are still by
// coordinates and don't change. Error "NotAKernel", with the rule and its numbers, for a span that is not 32, 64 or 128
// or differs between blocks, a buffer that isn't the kernel's shared memory, rows that aren't a multiple of the span
// long or are padded, a number of rows that isn't a multiple of 8, buffers that operations reach by pointer and leading
// dimension, and for tiles of wgmma that aren't swizzled or neither whole lines nor within one.
Result<void> swizzleBuffers(device::Kernel& kernel);

}  // namespace loom::lower
