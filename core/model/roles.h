// Which warps of a block run which part of a kernel: warps that load tiles for others, warpgroups that multiply them,
// and warps that have nothing to do; and the mbarriers at which they hand slots to each other.
#pragma once
#include <vector>

#include "core/device/effects.h"

namespace loom::model {

// Warps of a block that run the same statements, where the kernel gives some of its warps a part of their own: an if
// with an else, whose condition depends on threadIdx alone.
struct WarpRole {
  std::vector<int> warps;  // numbers in the block, ascending; at least one
  // The stores, operations and synchronisations that they execute, in program order. A statement that one thread of
  // the block executes for all belongs to every role whose part it stands in.
  std::vector<const device::StmtNode*> statements;
  bool multiplies = false;  // whether there is a product of tensor cores among the statements
  bool copies = false;      // whether there are copies among them that happen beside the warps, by cp.async or TMA
  int registers = 0;        // of a thread, that the program asks for (setmaxnreg); 0: as the compiler gives all threads
  // Returns whether the role neither moves nor computes anything, and waits for nobody.
  bool idle() const;
  bool has(const device::StmtNode* statement) const;
  bool hasWarp(int warp) const;
};
// Returns the roles of a block's warps, in the order of their first warps. Each warp belongs to one role. A kernel
// without roles has one with all warps.
std::vector<WarpRole> rolesOf(const device::Kernel& kernel);

// Returns whether a condition depends on threadIdx and nothing else that varies: it says who executes what it guards,
// not how often.
bool isOfThreads(const device::Kernel& kernel, const ir::Expr& condition);

// Who waits and who arrives at an array of mbarriers (Kernel::mbarriers).
struct MbarrierUse {
  int number = 0;                      // in Kernel::mbarriers
  std::int64_t bytes = 0;              // that are announced for one phase of a slot; 0: none
  std::vector<ir::Buffer> filled;      // by copies that complete its phases, in program order
  std::vector<int> waiting, arriving;  // roles (rolesOf) that wait for its phases, and that arrive
  bool ofCluster = false;              // whether threads of other blocks of the cluster arrive too
  bool fedByCluster = false;           // whether copies that other blocks of the cluster ask for complete it too
};
std::vector<MbarrierUse> mbarriersOf(const device::Kernel& kernel, const std::vector<WarpRole>& roles);

}  // namespace loom::model
