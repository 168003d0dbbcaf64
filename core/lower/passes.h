// The passes of lowering, in the order in which `lower` runs them. Each takes and gives one statement of TensorIR; what
// it expects and leaves is said at each. Blocks stay as markers until the end, so that every statement knows where it
// is from.
#pragma once
#include "core/ir/result.h"
#include "core/ir/substitute.h"
#include "core/ir/symbols.h"
#include "core/lower/lower.h"

namespace loom::lower {

using ir::Stmt;

// Accesses of buffers over another buffer's pointer become that buffer's, of compact parameters and allocations of the
// same element type; a loop bound to a thread within another such loop of the same extent is that thread.
//
//     C_1 = T.Buffer((524288,), data=C.data)
//     C_1[i] = …                                  →   C[i // 512, i % 512] = …
Stmt resolveAliases(const Stmt& s, const std::vector<ir::Parameter>& params);

// T.init becomes `if (every reduction iterator at its first value)` in front of the body.
//
//     with T.init(): Z[vi, vj] = 0           if vk == 0: Z[vi, vj] = 0
//     Z[vi, vj] = Z[vi, vj] + …         →    Z[vi, vj] = Z[vi, vj] + …
Stmt lowerInit(const Stmt& s);

// Iteration variables are replaced by their values; blocks keep their regions and predicate but have no iterators.
Stmt bindIterators(const Stmt& s);

// Indices of 64 bits become indices of 32 where every value that they and what is computed of them take fits, as TVM
// has it; expressions and variables that need 64 bits keep them. Loops, allocations and views change their types with
// their indices. Data of 64 bits stays what it is. `s` has no iterators.
//
//     for i in range(T.int64(64)): B[i * T.int64(2)] = …   →   for i in range(64): B[i * 2] = …
struct NarrowIndices {
  Stmt body;
  ir::BufferMap buffers;  // before → after, of the buffers whose shape, strides or offset changed their types
};
NarrowIndices narrowIndices(const Stmt& s);

// Memory that the kernel allocates itself lies row by row, from its first element on, as TVM has it: a copy of a
// parameter with strides or an offset inherits both, and neither is meant for it. Rows that are padded by hand stay so.
//
//     X_shared of (64, 64), strides (1, 66), elem_offset 3   →   X_shared of (64, 64)
Stmt layOutAllocations(const Stmt& s);

// Every allocation moves to the innermost loop body or block that encloses all uses of its buffer. Loop bodies that
// receive one are wrapped in a block without a name. `s` is the body of one kernel; buffers of it allocated outside
// come in `outer`.
Stmt placeAllocations(const Stmt& s, const std::vector<ir::Buffer>& outer);

// Shrinks each allocated buffer to the part that one execution of its allocation touches, shifts the indices to start
// at 0, and pads strides as `buffer_dim_align` asks. Loops between allocation and access are relaxed; so are the thread
// loops around the allocation that share the memory (all threads for shared, none for local).
//
//     X_shared[bx // 8 * 128 + ax0, k0 * 64 + ax1]  of (1024, 1024)   →   X_shared[ax0, ax1]  of (128, 64)
Result<Stmt> compactBuffers(const Stmt& s, const std::vector<ir::Symbol>& symbols = {});

// Whether an element offset into the buffer may pass 2^31 - 1.
bool needsWideIndex(const ir::BufferNode& b);

// match_buffer views are replaced by what they look at: accesses, offsets and strides. Offsets into buffers that need
// it are of 64 bits.
Stmt resolveViews(const Stmt& s);

// Simplifies every expression with what the loops and conditions around it say; drops loops of extent 1 and conditions
// that are always true, and statements under conditions that never are. `symbols` are the function's.
Stmt simplify(const Stmt& s, const std::vector<ir::Symbol>& symbols = {});

// True for "threadIdx.x" and the like; false for "blockIdx.…" and vthreads.
bool isThreadIdx(const std::string& tag);
bool isBlockIdx(const std::string& tag);
bool isVirtualThread(const std::string& tag);
// 0, 1, 2 for .x, .y, .z.
int axisOf(const std::string& tag);

}  // namespace loom::lower
