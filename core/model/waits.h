// The statements of a kernel at which threads wait: for each other, for what they have started, or for an mbarrier.
#pragma once
#include <vector>

#include "core/device/effects.h"

namespace loom::model {

// A wait: a statement on a token that is left when the token is completed.
struct WaitInfo {
  const device::SyncNode* statement = nullptr;  // never null; of the kernel, which must outlive this
  std::vector<int> warps;                       // of a block, that execute it: ascending
  bool byOneThread = false;                     // whether one thread of these executes it for the others
  // How often each of them executes it in the life of a block: the product of the iterations of the loops around it.
  double perBlock = 1;
  bool atMost = false;  // whether a condition may skip it that isn't of threads alone: `perBlock` is the most
  bool varies = false;  // whether a loop around it has no constant extent: `perBlock` is for one iteration of that
};
// Returns the waits of a kernel in program order.
std::vector<WaitInfo> waitsOf(const device::Kernel& kernel);

}  // namespace loom::model
