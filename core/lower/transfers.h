// What copies by the copy engine (TMA) from global to shared memory need around them: mbarriers, whose phases end when
// the bytes of the copies have arrived in shared memory. An mbarrier here is an array of hardware mbarriers, one for
// each slot of a ring buffer.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Returns whether the statement, or one inside, starts a copy by the copy engine to shared memory. Null: false.
bool hasTransfers(const device::Stmt& s);
// Returns whether the statement starts copies to shared memory by the copy engine and does nothing else; false also for
// null, and for copies inside a loop or an if.
bool onlyTransfers(const device::Stmt& s);
// Returns the number of bytes that the copies in the statement bring to the shared memory of one block if each is
// executed once, loops not counted; 0 for null. A multicast copy, of which each block of the cluster starts an equal
// part, counts with all parts.
std::int64_t transferredBytes(const device::Stmt& s);

// Returns the thread axes along which the kernel's block has more than one thread.
device::Axes allThreads(const device::Kernel& kernel);

// The most slots that an mbarrier may have: the parity of each slot's next phase is a bit of a thread's 32-bit
// variable.
inline constexpr int kMostSlotsOfMbarrier = 32;
// Adds an mbarrier with this number of slots to the kernel, in shared memory, and returns its index in
// Kernel::mbarriers. `name` gets a number if a buffer of the kernel has it. Each phase, of which phase 0 is the first,
// ends when one thread has arrived and the bytes that the thread announced have landed.
int addMbarrier(device::Kernel& kernel, const std::string& name, int slots);
// Adds an mbarrier that tells which slots of a ring buffer are free. Phase 0 of each slot counts as ended at first, so
// that a wait for it ends at once. Each later phase ends when `arrivals` threads have arrived (`arriving`); no bytes
// are counted. Returns the index in Kernel::mbarriers.
int addOpenMbarrier(device::Kernel& kernel, const std::string& name, int slots, int arrivals);

// In these functions `barrier` is the index of an mbarrier in Kernel::mbarriers, and `slot` the number of a slot of it.
// Returns `s` with its copies made to signal this slot, and no other one, when their bytes have landed. Null stays
// null.
device::Stmt toldTo(const device::Stmt& s, int barrier, const device::Expr& slot);
// Returns a statement with which one thread of the block arrives at the slot and announces the bytes
// (mbarrier.arrive.expect_tx).
device::Stmt expecting(const device::Kernel& kernel, int barrier, const device::Expr& slot, std::int64_t bytes);
// Returns a statement with which the first thread along threadIdx.x, for each threadIdx.y and .z, arrives at the slot.
// `target` is the rank in the cluster of the block whose mbarrier is meant; null: the own block's.
device::Stmt arriving(int barrier, const device::Expr& slot, const device::Expr& target = nullptr);
// Returns a statement with which each thread waits for the slot's first phase that it hasn't waited for yet, or, if
// `phase` isn't null, for the phase with this number (device::SyncNode::phase). `landed` is what has arrived in shared
// memory when the wait ends.
device::Stmt awaiting(int barrier, const device::Expr& slot, std::vector<device::Landed> landed,
                      const device::Expr& phase = nullptr);

// The last step of the pass that pipelines loops (overlapLoops in pipeline.cpp). Gives each copy by the copy engine to
// shared memory in the kernel's body that has no mbarrier yet one with a single slot, at which its bytes are announced
// before it, and a wait right behind it. Puts statements before the body that initialize all of the kernel's mbarriers,
// and a barrier of the block, if it has several threads. If blocks of a cluster use each other's mbarriers, a barrier
// of the cluster stands there instead. `early` are copies to be started right after the initialization, before that
// barrier; null: none. They must not be in the body, and must be complete: with `expecting` before them, and told to
// their slots. If there are some, the kernel must have warps that only load (`splitRoles` in roles.h): their first
// thread initializes the mbarriers and starts the copies. Does nothing if the body has no copies by the copy engine to
// shared memory and `early` is null.
void awaitTransfers(device::Kernel& kernel, const device::Stmt& early = nullptr);

}  // namespace loom::lower
