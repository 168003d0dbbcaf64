// What copies of the copy engine need around them: mbarriers, which tell when their bytes have landed.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Returns whether the statement, or one inside, asks the copy engine for a box that an mbarrier tells of.
bool hasTransfers(const device::Stmt& s);
// Returns whether it does nothing else.
bool onlyTransfers(const device::Stmt& s);
// Returns the bytes that the copies in the statement bring to this block, each byte once. What blocks of a cluster
// bring each other counts with all its parts.
std::int64_t transferredBytes(const device::Stmt& s);

// Returns the kernel's axes of threads, along which one thread is to stand for all.
device::Axes allThreads(const device::Kernel& kernel);

// Adds an mbarrier with so many slots to the kernel, in shared memory, and returns its number. Each phase ends when one
// thread has arrived and the bytes that it announced have landed.
int addMbarrier(device::Kernel& kernel, const std::string& name, int slots);
// Adds an array of mbarriers whose slots are free at first: a phase of one ends when `arrivals` threads have arrived,
// and no bytes are counted. Returns its index.
int addOpenMbarrier(device::Kernel& kernel, const std::string& name, int slots, int arrivals);

// Returns `s` with its copies signalling this slot of the mbarrier.
device::Stmt toldTo(const device::Stmt& s, int barrier, const device::Expr& slot);
// Returns a statement with which one thread arrives at the slot and announces the bytes (mbarrier.arrive.expect_tx).
device::Stmt expecting(const device::Kernel& kernel, int barrier, const device::Expr& slot, std::int64_t bytes);
// Returns a statement with which the first thread of each warpgroup arrives at the slot. If `target` isn't null, it is
// the slot of the block with that rank in the cluster.
device::Stmt arriving(int barrier, const device::Expr& slot, const device::Expr& target = nullptr);
// Returns a statement with which each thread waits for the slot's next phase, or for the phase with this number
// (device::SyncNode::phase). `landed` is what has arrived in shared memory then.
device::Stmt awaiting(int barrier, const device::Expr& slot, std::vector<device::Landed> landed,
                      const device::Expr& phase = nullptr);

// Waits for the copies that no mbarrier tells of yet, each where it stands, and makes the kernel's mbarriers ready
// before all else. The thread that makes them then asks for the copies of `early`, which may be null.
void awaitTransfers(device::Kernel& kernel, const device::Stmt& early = nullptr);

}  // namespace loom::lower
