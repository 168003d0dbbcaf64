// What copies of the copy engine need around them: mbarriers, which tell when their bytes have landed.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Whether the statement, or one inside, asks the copy engine for a box that an mbarrier tells of.
bool hasTransfers(const device::Stmt& s);
// Whether it does nothing else.
bool onlyTransfers(const device::Stmt& s);
// The bytes that its copies bring to this block, once each: of what blocks of a cluster bring each other, all parts.
std::int64_t transferredBytes(const device::Stmt& s);

// The kernel's axes of threads, along which one thread stands for all.
device::Axes allThreads(const device::Kernel& kernel);

// Adds an mbarrier with so many slots to the kernel, in shared memory, and returns its number. Each phase ends when one
// thread has arrived and the bytes that it announced have landed.
int addMbarrier(device::Kernel& kernel, const std::string& name, int slots);
// The same of slots that are free at first: phases end when `arrivals` threads have arrived, without bytes.
int addOpenMbarrier(device::Kernel& kernel, const std::string& name, int slots, int arrivals);

// s, whose copies tell this slot of the mbarrier.
device::Stmt toldTo(const device::Stmt& s, int barrier, const device::Expr& slot);
// One thread arrives at the slot and announces the bytes.
device::Stmt expecting(const device::Kernel& kernel, int barrier, const device::Expr& slot, std::int64_t bytes);
// The first thread of each warpgroup arrives at the slot, of another block of the cluster where `target` is its number
// there.
device::Stmt arriving(int barrier, const device::Expr& slot, const device::Expr& target = nullptr);
// Each thread waits for the slot's next phase, or for the one of this number (device::SyncNode::phase); `landed` is
// what then has come.
device::Stmt awaiting(int barrier, const device::Expr& slot, std::vector<device::Landed> landed,
                      const device::Expr& phase = nullptr);

// Waits for the copies that no mbarrier tells of yet, each where it stands, and makes the kernel's mbarriers ready
// before all else. The thread that makes them then asks for the copies of `early`, which may be null.
void awaitTransfers(device::Kernel& kernel, const device::Stmt& early = nullptr);

}  // namespace loom::lower
