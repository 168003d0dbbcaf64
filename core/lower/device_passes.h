// The passes over a kernel of the device program. `lower` runs them in the order of the table in pass_table.cpp, which
// is that of the declarations here, except that `startCopies` runs right after `vectorizeLoops`. `convert`, which makes
// the kernel, is in convert.h. A pass that returns a body leaves the kernel as it is, and its caller sets Kernel::body.
// A kernel for which a pass returned an error may be half changed and is of no further use.
#pragma once
#include "core/lower/convert.h"

namespace loom::lower {

// Replaces loops whose iterations overlap (device::Overlap) by their first iterations, a loop in which statements of
// different stages belong to different iterations, and the last iterations.
//
//     for k in 8:                          for k in 2: S[k] = G[k]
//       S = G[k]        stage 0, order 1   for k in 6:
//       use(S)          stage 2, order 0 →   use(S[k % 3])
//                                            S[(k + 2) % 3] = G[k + 2]
//                                          use(S[0]); use(S[1])
//
// A buffer that only the loop uses, written in one stage and read in a later one, gets a version for each iteration
// in flight. Copies of asynchronous stages become stores marked as asynchronous, with the commits and waits that their
// readers need. Copies and stores by the copy engine get their mbarriers (transfers.h) and waits (bulk_stores.h); where
// blocks have the annotations tileloom.role or tileloom.turns, warps are divided into loading and multiplying ones
// (roles.h). Error "NotAKernel" if a loop's stages and orders don't fit its body or would change what it computes, and
// if an annotation that this pass follows (row "pipeline" of pass_table.cpp, roles.h, turns.h) can't be followed.
// Returns remarks on annotations without effect, such as double_buffer_scope of a buffer that is used outside of the
// loop.
Result<std::vector<device::Remark>> overlapLoops(device::Kernel& kernel);

// Returns `value` as the call if_then_else(condition, element of a buffer, 0), which pads with zeros; null for other
// expressions. The pointer is to the node that `value` shares. Used by several passes.
const ir::CallNode* zeroPadded(const ir::Expr& value);

// Replaces stores marked as asynchronous by asynchronous copies (cp.async) if one store copies 4, 8 or 16 bytes from
// global to shared memory, or writes as many zeros where a condition doesn't hold. A store's bytes are those of all its
// lanes: this must run after `vectorizeLoops`. The other marked stores become ordinary ones, on which the pass returns
// remarks; if no store becomes an asynchronous copy, the waits for such copies are dropped. In unrolled loops, stores
// to shared memory of one element of global memory with zero in its place where a condition doesn't hold (zeroPadded)
// become predicated loads if the kernel doesn't write the element's buffer.
std::vector<device::Remark> startCopies(device::Kernel& kernel);

// Replaces loops whose iterations are lanes by vector accesses. `symbols` are the function's. Returns remarks on the
// loops that have no vector form.
//
//     for v in vectorized(8): S[f // 8, f % 8 * 8 + v] = G[…, f % 8 * 8 + v]
//     →   S[f // 8, f % 8 * 8: 8 lanes] = G[…: 8 lanes]
//
// An access becomes a vector of up to 16 bytes if consecutive lanes access consecutive elements and the first element
// is at a multiple of the vector's width; if it isn't, narrower vectors are tried, by powers of two. A loop without a
// vector form becomes an unrolled loop. A copy of which only one side has its lanes side by side goes through an array
// of registers: a vector on that side, element by element on the other.
std::vector<device::Remark> vectorizeLoops(device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

// Interleaves the kernel's virtual threads: each statement that depends on one is repeated in place for every virtual
// thread. Memory that only their loop uses gets a copy for each of them: local memory always; shared memory if the
// virtual threads may store different values or at different places, and two of them may write the same element. TVM
// also copies shared memory of which no two virtual threads write the same element.
void interleaveVirtualThreads(device::Kernel& kernel);

// All buffers in shared memory begin at multiples of so many bytes, which are one word of each bank, and which bulk
// copies ask for.
inline constexpr std::int64_t kSharedAlignment = 128;

// Sets Allocation::phase and Allocation::region of buffers in shared memory that are in use one after the other, and so
// lie in the same bytes: tiles of factors up to the end of the loop over k, say, and tiles of the sum from there on.
// `planSharedMemory` gives them their offsets; this must run before `placeBarriers`, which separates their uses.
// Buffers of scope "shared.dyn" lie as TVM 0.22 lays them, and the kernel's allocations are sorted by it. If there are
// none and `ofArrays` is true, buffers of scope "shared" (arrays) share bytes, which are then in dynamic shared memory;
// but only if more blocks then fit on a multiprocessor of compute capability 9.0, whatever device the kernel is for,
// counted by threads and shared memory (blocksThatFit, resident_blocks.h). Nothing is set for drafts (Kernel::draft),
// and in kernels with mbarriers, clusters, shared memory that wgmma or TMA access, or elements of less than a byte
// there.
void findPhases(device::Kernel& kernel, bool ofArrays);

// Returns the body with barriers wherever a thread may read what another thread wrote, or overwrite what another thread
// wrote or read, since the last barrier, also across the iterations of a loop. A barrier is one of a warp, of the block
// or of the cluster, by who has to meet. Each barrier then has the accesses that it orders (device::SyncNode::orders).
// Error "NotAKernel" if a barrier would be needed in a branch that not all threads of the block may take, or in a loop
// that they may repeat differently often; and if a barrier of the cluster would be needed after each of several tiles
// in a kernel with warps that only load.
Result<device::Stmt> placeBarriers(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

// Returns the condition that is true for the first thread (block, warp, lane) along each of the axes; null for no axes.
// Used by several passes.
device::Expr firstOf(const device::Kernel& kernel, device::Axes axes);

// Returns the body with guards. If no loop around a store or an operation is bound to an axis, all threads along the
// axis would repeat it: an `if` lets only the first of them execute it (StmtNode::uncovered). What writes only a
// thread's own memory gets none. Guards are placed as far out as all statements inside allow. Behind copies that one
// lane starts by the copy engine a barrier of the warp is added.
device::Stmt placeGuards(const device::Kernel& kernel);

// Returns the body with conditions that guard the whole body of a loop, and don't depend on the loop's variable or on
// memory and are defined everywhere (isDefinedOnlyInPlace), moved out of the loop, where each iteration would evaluate
// them again. A compiler doesn't do that for the turns of an unrolled loop, each of which then has a branch of its own.
//
//     for i in 3: if i < n && threadIdx.x < 4: S   →   if threadIdx.x < 4: for i in 3: if i < n: S
device::Stmt hoistConditions(const device::Kernel& kernel);

// Returns the statement in which a branch that stores either a vector of memory or zeros to one place has become one
// store of what is chosen: else each of the two ways has a store of its own, which all warps execute.
//
//     if c: S[0: 4 lanes] = G[0: 4 lanes] else: S[0: 4 lanes] = 0
//     →   S[0: 4 lanes] = if_then_else(c, G[0: 4 lanes], 0)
device::Stmt storePaddedOnce(const device::Stmt& statement);

// Unrolls loops as the annotations pragma_auto_unroll_max_step and pragma_unroll_explicit of the loops and blocks
// around them ask, and drops the blocks that are there for these alone. Error "NotAKernel" where their value is no
// whole number. Source: TVM 0.22, UnrollLoop.
//
//     for i in 2: for j in 2: C[i, j] = 0   →   C[0, 0] = 0; C[0, 1] = 0; C[1, 0] = 0; C[1, 1] = 0
//
// A serial loop is unrolled if all inside of it are, at most 8 deep, and it has at most as many steps (stores and
// operations, those of its iterations counted one by one) as pragma_auto_unroll_max_step says. Where unrolling is
// explicit, which is TVM's default, the statements are repeated, else the loop is marked for CUDA's compiler. Loops
// that are to be unrolled anyway (LoopUse::Unrolled, constant extent) count as unrolled, and within such annotations
// their statements are repeated, too, where unrolling is explicit. Loops outside of such annotations stay as they are.
Result<void> unrollLoops(device::Kernel& kernel);

// Replaces the coordinates of each access by one index, the number of the element, and all buffers by flat ones;
// `globals` has the flat buffers of the parameters, and `symbols` are the function's. Then sets Kernel::scalars
// (takeScalars, convert.h).
void flatten(device::Kernel& kernel, const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols);

// Gives each allocation in shared memory its offset, in bytes, by the order of the kernel's allocations; those of
// different phases of one region (findPhases) lie in the same bytes. If the static ones exceed 48 KiB together, all
// become dynamic.
void planSharedMemory(device::Kernel& kernel);

}  // namespace loom::lower
