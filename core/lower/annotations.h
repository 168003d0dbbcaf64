// Which annotations of loops and blocks lowering reads. The others stay in the program and are reported.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/device/program.h"
#include "core/ir/stmt.h"

namespace loom::lower {

inline constexpr const char* kDimAlign = "buffer_dim_align";
inline constexpr const char* kSwizzle = "tileloom.swizzle";  // ours: core/lower/swizzle.h

// The buffer's stride along the axis becomes a multiple of factor, plus offset; in elements.
struct DimensionAlignment {
  ir::Buffer buffer;
  std::size_t axis = 0;
  std::int64_t factor = 0, offset = 0;
};

// What a block's `buffer_dim_align`, [[index into writes, axis, factor, offset], …], asks for.
struct DimensionAlignments {
  std::vector<DimensionAlignment> entries;
  std::size_t meaningless = 0;  // entries of another form, or of a buffer, axis or factor that can't be
};
DimensionAlignments dimensionAlignments(const ir::BlockNode& block);

// A remark for every annotation in `body` that changes nothing in its kernels: all that lowering doesn't know, and
// those that it can't follow. `body` is the function as scheduled, before any pass drops a loop. What TVM does with
// which key: tvm_schedule.md, 6.2.
std::vector<device::Remark> remarksOnAnnotations(const ir::Stmt& body);

}  // namespace loom::lower
