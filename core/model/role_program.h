// A kernel whose warps have roles, translated to a list of steps for a simulation of one multiprocessor. Warpgroups
// execute the steps one after the other: requests to the copy engine and to tensor cores, waits, and work of their own
// instructions with its clocks. Variables have their values in the first thread of a warpgroup, which is the thread
// that does what one thread does for all.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/model/count.h"

namespace loom::model {

// One step of a warpgroup. A box is a rectangle of a matrix that the copy engine (TMA) copies by one instruction; a
// slot is one buffer of a ring, which has an mbarrier of its own.
struct RoleStep {
  enum class Does : std::uint8_t {
    Work,            // executes the group's own instructions for `clocks`
    Load,            // asks the copy engine for a box: `bytes` to shared memory, which complete a phase of `barrier`
    Store,           // asks the copy engine to store a box of `bytes` to global memory
    Multiply,        // starts a product that keeps tensor cores busy for `clocks` and reads `bytes` of shared memory
    Fetch,           // reads shared memory for `clocks` of memory instructions; `bytes` come from other blocks
    Write,           // writes registers to global memory for `clocks` of memory instructions; `bytes` as L2 counts them
    CommitProducts,  // makes a group of the products started since the last commit
    CommitStores,    // makes a group of the stores of boxes started since the last commit
    WaitProducts,    // waits until at most `allow` groups of products are pending
    WaitStores,      // waits until at most `allow` groups of stores haven't read their sources yet
    WaitBarrier,     // waits for the end of a phase of a slot's mbarrier: that of number `phase`, or the next one
    Expect,          // arrives at a slot's mbarrier and announces the bytes that copies will bring
    Arrive,          // arrives at a slot's mbarrier
    MeetBlock,       // waits at a barrier for all groups of the block
    Branch,          // continues at step `target` if the condition `value` is 0
    Begin,           // begins a loop: sets `var` to 0, or continues at `target` if the loop has no iteration
    Again,           // ends an iteration of a loop: continues at `target` if there is another iteration
    Jump,            // continues at step `target`
  } does = Does::Work;
  double clocks = 0, bytes = 0;  // see `Does`
  double lines = 0;              // Load: 128-byte lines of the box that this block requests from L2
  double arriving = 0;           // Load: 128-byte lines of the box that arrive, also those that other blocks request
  double others = 0;             // Fetch: the share of the data that lies in other blocks' shared memory, 0 to 1
  bool onSectors = true;         // Load: whether the rows of the box begin at multiples of a sector (32 bytes)
  // An index into Kernel::mbarriers (-1: the step has none); the number of groups that may be pending; an index into
  // the steps.
  int barrier = -1, allow = 0, target = -1;
  ir::Expr value;  // the slot's number, the condition, or the loop's extent; null for other steps
  // WaitBarrier: the number of the phase (device::SyncNode::phase); null: the next one that the group hasn't waited
  // for.
  ir::Expr phase;
  const ir::VarNode* var = nullptr;  // Begin, Again: the loop's variable, of the kernel; null for other steps
  // The statement of the kernel that the step comes from. The kernel must outlive the steps.
  const device::StmtNode* statement = nullptr;
};

// The values of the kernel's variables in one warpgroup.
class RoleValues {
 public:
  // Sets the value of a variable, which needs no value before.
  void set(const ir::VarNode* var, std::int64_t value);
  // Sets blockIdx of the kernel to that of the block with the number `block` in the grid.
  void setBlock(const device::Kernel& kernel, std::int64_t block);
  // Returns the value of a variable; nothing if it has none.
  std::optional<std::int64_t> value(const ir::VarNode* var) const;
  // Returns the value of an expression; nothing if it reads memory or can't be computed.
  std::optional<std::int64_t> evaluate(const ir::Expr& e) const;

 private:
  std::vector<std::pair<const ir::VarNode*, std::int64_t>> values_;
};

// Returns the list of steps that all warpgroups execute; branches on threadIdx lead each to the steps of its role.
// `count` has the counts of `accesses`; `flopPerClock` is the peak of the tensor cores of one multiprocessor in FLOP
// per clock. Returns nothing if the kernel has statements that the simulation doesn't cover, such as copies by threads
// or products of single warps.
std::optional<std::vector<RoleStep>> roleSteps(const KernelAccesses& accesses, const KernelCount& count,
                                               double flopPerClock);

}  // namespace loom::model
