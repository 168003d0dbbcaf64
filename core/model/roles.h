// The roles of warps in a kernel with warp specialisation: warps that load tiles for others, warpgroups that multiply
// them, and warps that have nothing to do; and the mbarriers by which they hand the slots of a ring buffer to each
// other.
#pragma once
#include <vector>

#include "core/device/effects.h"

namespace loom::model {

// Warps of a block that belong to the same part of the program. A kernel has several roles if its warps take different
// branches of an if with an else whose condition depends on threadIdx alone; other conditions don't part them. In such
// a kernel, of the warps that take the same branches, those that execute nothing, or only barriers of the block or
// cluster, the initialization of mbarriers and setmaxnreg, are a role of their own.
struct WarpRole {
  std::vector<int> warps;  // numbers of the warps in the block, ascending; at least one
  // The stores, operations and synchronisations that any of the warps executes, in program order; statements of the
  // kernel, which must outlive this. A statement that one thread of the block executes for all belongs to every role in
  // whose branch of the if it stands.
  std::vector<const device::StmtNode*> statements;
  bool multiplies = false;  // whether there is a product of tensor cores among the statements
  bool copies = false;      // whether there are asynchronous copies (cp.async or TMA) among the statements
  int registers = 0;        // registers per thread that the program requests (setmaxnreg); 0: it requests none
  // Returns whether the role neither moves nor computes anything, nor waits for or arrives at mbarriers. Barriers of
  // the block and other synchronisations don't count.
  bool idle() const;
  // Returns whether `statements` contains the statement.
  bool has(const device::StmtNode* statement) const;
  // Returns whether `warps` contains the warp.
  bool hasWarp(int warp) const;
};
// Returns the roles of a block's warps, in the order of their first warps. Each warp belongs to one role. A kernel
// without warp specialisation has one role with all warps.
std::vector<WarpRole> rolesOf(const device::Kernel& kernel);

// Returns whether a condition depends on threadIdx and on nothing else that varies, memory included, so that it decides
// which threads execute a statement, but not how often.
bool isOfThreads(const device::Kernel& kernel, const ir::Expr& condition);

// The use of an array of mbarriers, one for each slot of a ring buffer (Kernel::mbarriers): which roles wait for their
// phases and which arrive.
struct MbarrierUse {
  int number = 0;                      // index into Kernel::mbarriers
  std::int64_t bytes = 0;              // bytes that are announced for one phase of a slot's mbarrier; 0: none
  std::vector<ir::Buffer> filled;      // the buffers whose copies complete the phases, in program order
  std::vector<int> waiting, arriving;  // the roles, as indices into `roles`, that wait for phases, and that arrive
  bool ofCluster = false;              // whether threads of other blocks of the cluster arrive, too
  bool fedByCluster = false;           // whether copies that other blocks of the cluster ask for complete phases, too
};
// Returns the use of each of Kernel::mbarriers. `roles` is the result of `rolesOf`.
std::vector<MbarrierUse> mbarriersOf(const device::Kernel& kernel, const std::vector<WarpRole>& roles);

}  // namespace loom::model
