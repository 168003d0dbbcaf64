// The passes of lowering over TensorIR. Each takes a statement and returns the one in its place; `simplify` alone may
// return null. `lower` runs them in the order of the table in pass_table.cpp, which isn't quite that of the
// declarations here: `elementCalls` runs between `bindIterators` and `narrowIndices`, and `warpRegisters` after
// `simplify`. Blocks stay as markers until the end, so that every statement knows where it comes from.
#pragma once
#include "core/ir/result.h"
#include "core/ir/substitute.h"
#include "core/ir/symbols.h"
#include "core/lower/lower.h"

namespace loom::lower {

using ir::Stmt;

// Removes T.assume, which tells TVM what padding holds, with the blocks and loops that hold nothing else. The root
// block stays in any case.
//
//     for i: with T.block("buffer_A_assumptions"): T.assume(…)   →
Stmt dropAssumptions(const Stmt& s);

// Replaces accesses to a buffer that is declared over another buffer's pointer by accesses to that other buffer, if it
// is a compact parameter or allocation of the same element type; others stay. Also merges a loop that is bound to a
// thread axis with a loop around it that is bound to the same axis and has the same extent.
//
//     C_1 = T.Buffer((524288,), data=C.data)
//     C_1[i] = …                                  →   C[i // 512, i % 512] = …
Stmt resolveAliases(const Stmt& s, const std::vector<ir::Parameter>& params);

// Lets the threads along a loop that a block reduces over share the reduction (a sum, a maximum or any other that has
// an identity): each thread reduces its own part, shuffles between the lanes of a warp and a buffer in shared memory
// between warps bring the parts together, and the first thread stores the result, or all threads store it if the target
// is in registers. `s` is a function's body, which is returned itself where no threads share a reduction. Must run
// before `lowerInit`, since it goes by T.init. `limits`, `byElements` and `symbols` are passed to `findLaunch`
// (launch.h): the hardware's limits, whether the program is a draft that no GPU can run (`draft`, lower.h), in which
// fragments may be accessed element by element, and the function's symbols. Errors "NotAKernel" where threads would
// update one element at once, or can't share what the block computes. Source: TVM 0.22, LowerCrossThreadReduction and
// LowerThreadAllreduce.
//
//     for k1 in thread_binding(32, "threadIdx.x"):      for k1 in thread_binding(32, "threadIdx.x"):
//         for k0: B[i] += A[i, k0 * 32 + k1]        →       for k0: own[0] += A[i, k0 * 32 + k1]
//                                                           other[0] = shuffle_down(own[0], 16); own[0] += other[0]; …
//                                                           if k1 == 0: B[i] = own[0]
Result<Stmt> reduceAcrossThreads(const Stmt& s, const Limits& limits, bool byElements,
                                 const std::vector<ir::Symbol>& symbols);

// Replaces T.init by a statement in front of the block's body, under the condition that every reduction iterator has
// its first value. Must run before `bindIterators`.
//
//     with T.init(): Z[vi, vj] = 0           if vk == 0: Z[vi, vj] = 0
//     Z[vi, vj] = Z[vi, vj] + …         →    Z[vi, vj] = Z[vi, vj] + …
Stmt lowerInit(const Stmt& s);

// Replaces the iteration variables of blocks by their values. Blocks keep their predicate but have no iterators. They
// keep the regions that they read and write only if `keepsRegions`; else what they write has no ranges, so that it says
// which buffers alone, and they read nothing.
Stmt bindIterators(const Stmt& s, bool keepsRegions);

// A nest whose indices were narrowed to 32 bits.
struct NarrowIndices {
  Stmt body;
  ir::BufferMap buffers;  // from old to new, for the buffers whose shape, strides or offset changed their types
};
// Replaces 64-bit indices by 32-bit ones, as TVM does, if all values of the index and of the expressions made from it
// fit; other expressions and variables stay. Loops, allocations and views change their types with their indices, 64-bit
// data doesn't. The blocks of `s` must have no iterators (bindIterators).
//
//     for i in range(T.int64(64)): B[i * T.int64(2)] = …   →   for i in range(64): B[i * 2] = …
NarrowIndices narrowIndices(const Stmt& s);

// Lets the memory that the kernel allocates itself be stored row by row from its first element on, as TVM does: a
// cached copy of a parameter with strides or an offset inherits both, though they aren't meant for it. Buffers whose
// strides only pad the rows stay.
//
//     X_shared of (64, 64), strides (1, 66), elem_offset 3   →   X_shared of (64, 64)
Stmt layOutAllocations(const Stmt& s);

// Moves every allocation to the innermost loop body or block that encloses all uses of its buffer (loads, stores and
// match_buffer views, and its data variable, which intrinsics take), and drops those of unused buffers. Must run before
// `localStages` and `compactBuffers`, which go by the places of allocations. A loop body that receives one is wrapped
// in a block without a name. `s` is the body of one kernel; `outer` has its buffers that are allocated outside of it.
Stmt placeAllocations(const Stmt& s, const std::vector<ir::Buffer>& outer);

// Divides copies to shared memory whose blocks are annotated tir.manifest_shared_memory_local_stage: a loop nest of its
// own brings the values to registers, and comes before the statement of the nest that stores them, so that a pipeline
// can execute the two apart. Allocations must be in their places. Error "NotAKernel" if an annotated block is no copy
// to shared memory, if the buffer isn't allocated in the block around its loops, or if these loops contain other
// statements or are neither serial, vectorized nor bound to threads. Source: TVM 0.22,
// ManifestSharedMemoryLocalStage.
//
//     for i in 4: S[i, tx] = A[i, tx]   →   for i in 4: S_local[i] = A[i, tx]
//                                           for i in 4: S[i, tx] = S_local[i]
Result<Stmt> localStages(const Stmt& s);

// Shrinks each allocated buffer to the part that one execution of its allocation touches, shifts the indices to start
// at 0, and pads strides as `buffer_dim_align` asks. The part covers all iterations of the loops between allocation and
// access, and of the thread loops around the allocation that share the memory (all threads for shared, none for local).
// A dimension of which no bound is found keeps its extent. `symbols` are the function's; without them fewer bounds are
// found. Never returns an error. Allocations must be in their places (`placeAllocations`).
//
//     X_shared[bx // 8 * 128 + ax0, k0 * 64 + ax1]  of (1024, 1024)   →   X_shared[ax0, ax1]  of (128, 64)
Result<Stmt> compactBuffers(const Stmt& s, const std::vector<ir::Symbol>& symbols = {});

// Returns whether the offset of an element of the buffer may exceed 2^31 - 1. An extent that isn't constant counts by
// its dtype: true if that has more than 32 bits.
bool needsWideIndex(const ir::BufferNode& b);

// Replaces accesses to match_buffer views, and the views' offsets and strides, by those of the buffers that they view.
// Offsets have 64 bits if `needsWideIndex` of the buffer.
Stmt resolveViews(const Stmt& s);

// Replaces calls that stand for loops of each lane over the elements of views, and for no operation of the hardware:
// T.mma_fill, T.mma_store, and T.ptx_ldmatrix of elements that it can't transpose. Must run before `resolveViews`,
// which removes the views. Error "NotAKernel" for such calls that aren't over views of their block.
//
//     T.mma_fill("float32", 8, C.data, C.elem_offset)   →   for i in unroll(8): C[tx, i] = 0
Result<Stmt> elementCalls(const Stmt& s);

// Replaces what a warp's lanes hold together by an array of each lane: buffers in the scope "warp", whose last two
// dimensions are 32 lanes and the registers of one, and in the scopes "m16n8k8.…", which are matrices. Each access must
// be to an element that the executing lane holds. Must run after `simplify`, whose indices it can follow. Error
// "NotAKernel" for buffers of another form, and for accesses to elements that another lane may hold. Adds a remark to
// `remarks` where TVM's own kernel does something else. `symbols` are the function's. Source: TVM 0.22, LowerWarpMemory
// and TransformMmaBufferLayout.
//
//     for tx in thread_binding(32, "threadIdx.x"): C[i, tx, 3]   →   C[i * 8 + 3], of 32 times fewer elements
Result<Stmt> warpRegisters(const Stmt& s, const std::vector<ir::Symbol>& symbols, std::vector<device::Remark>& remarks);

// Simplifies every expression by what the loops and conditions around it imply. Removes loops of one iteration that
// aren't bound to threads, conditions that are always true, and statements under conditions that never are. A loop of
// one iteration with several statements stays if it is one of the statements that the stages of a pipelined loop count.
// `symbols` are the function's; without them less is simplified. Returns null if nothing is left.
Stmt simplify(const Stmt& s, const std::vector<ir::Symbol>& symbols = {});

// Return whether the tag of a thread-bound loop is a thread axis ("threadIdx.x"), a block axis ("blockIdx.x") or a
// virtual thread ("vthread.x", "vthread", "cthread").
bool isThreadIdx(const std::string& tag);
bool isBlockIdx(const std::string& tag);
bool isVirtualThread(const std::string& tag);
// Returns the axis of a tag: 0, 1 or 2 for one that ends in .x, .y or .z, 0 for an empty one. Callers ask isThreadIdx
// or isBlockIdx first: for a tag without an axis, such as "vthread", the result is some other number.
int axisOf(const std::string& tag);

}  // namespace loom::lower
