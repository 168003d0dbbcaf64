// Checks the invariants of a kernel at some point of lowering, on which the next pass relies. The check runs after each
// pass over kernels if the environment variable TILELOOM_VERIFY_PASSES is set, as it is for the tests of core/.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::device {

// Properties of a kernel that passes establish, as bits of a set.
namespace form {
constexpr unsigned kNoLanes = 1;    // no loop has the use LoopUse::Lanes: vector accesses are made
constexpr unsigned kNoVirtual = 2;  // no loop has the use LoopUse::Virtual: virtual threads are interleaved
constexpr unsigned kOrdered = 4;    // barriers stand wherever threads must wait for each other's accesses
constexpr unsigned kGuarded = 8;    // StmtNode::uncovered is empty everywhere: guards stand where they are needed
constexpr unsigned kFlat = 16;      // each access has one index, the number of the element
constexpr unsigned kPlanned = 32;   // allocations in shared memory have their offsets
// The program itself is sound: its indices lie inside its buffers, and its own barriers are reached by all threads. No
// pass makes it so: a wrong program is lowered as it is, and the executor finds what is wrong with it.
constexpr unsigned kSound = 64;
constexpr unsigned kNoOverlap = 128;   // no loop has LoopNode::overlap: software pipelines are made
constexpr unsigned kNoPromises = 256;  // no store is StoreNode::asynchronous: asynchronous copies are made
}  // namespace form

// Checks the rules of device programs. Error "BadProgram" names the first statement, buffer or loop that breaks one:
//  - An access has an index for each entry of Allocation::versions and for each dimension of its buffer (after
//    `flatten`: one in all), and a store has as many lanes as its value.
//  - Every variable and buffer is declared around its use.
//  - An operation has the operands that its row, the description of the hardware operation, asks for. Operands in
//    fragments, and spans (elements of one thread), have the kind of memory and the size that the row says.
//  - Of planned shared memory (kPlanned): allocations begin at multiples of their alignment, and overlap only if they
//    are in use in different parts of the kernel (Allocation::phase), one after the other; where barriers stand, the
//    threads of the block synchronize between such uses.
//  - Of a sound program (kSound): no index lies outside its buffer whatever its variables are, and no condition around
//    a barrier or an operation of a group is true for some and false for others of the threads that execute it
//    together.
//  - Where barriers stand (kOrdered): between two accesses of a buffer in shared memory, one of which writes and one of
//    which is of a tile (an operand of an operation of a warp or warpgroup), the threads of the block synchronize.
//    Excepted are accesses of the copy engine and of a warpgroup's tensor cores, buffers with several versions (ring
//    buffers), and tiles that each warp may have for itself.
//  - All properties in `given`, a set of the bits in `form`, hold; others aren't checked.
Result<void> verify(const Kernel& kernel, unsigned given);

}  // namespace loom::device
