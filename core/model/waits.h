// The statements of a kernel at which threads wait: for each other, for what they have started, or for an mbarrier.
#pragma once
#include <vector>

#include "core/device/effects.h"

namespace loom::model {

// A statement at which warps wait until a synchronisation object (a barrier, an mbarrier, a group of asynchronous
// operations) completes.
struct WaitInfo {
  const device::SyncNode* statement = nullptr;  // never null; part of the kernel, which must outlive this
  std::vector<int> warps;    // the warps of a block whose roles (core/model/roles.h) have the statement, ascending
  bool byOneThread = false;  // whether one thread executes it for all threads of these warps
  // How often each of these warps (or that thread) executes the statement in the life of a block: the product of the
  // iterations of the loops around it.
  double perBlock = 1;
  // Whether a condition that depends on more than the thread's number, as on a loop or the block, may skip the
  // statement; `perBlock` is then an upper bound.
  bool atMost = false;
  // Whether a loop around the statement has no constant extent; `perBlock` then counts one iteration of that loop.
  bool varies = false;
};
// Returns the waits of a kernel in program order.
std::vector<WaitInfo> waitsOf(const device::Kernel& kernel);

}  // namespace loom::model
