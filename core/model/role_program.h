// A kernel whose warps have roles, as a list of steps that groups of warps take one after the other: what they ask of
// the copy engine and of tensor cores, what they wait for, and how long their own instructions keep them. Values are
// those of a group's first thread, which does what one thread does for all.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/model/count.h"

namespace loom::model {

// One step of a warpgroup, as the run takes it.
struct RoleStep {
  enum class Does : std::uint8_t {
    Work,            // `clocks` of the group's own instructions
    Load,            // gives the copy engine a box: `bytes` to shared memory, counted by `barrier`
    Store,           // gives it a box to global memory
    Multiply,        // gives tensor cores a product: `clocks` of them, `bytes` of factors in shared memory
    Fetch,           // reads shared memory: `clocks` of memory instructions, `bytes` of it other blocks'
    Write,           // writes registers to global memory: `clocks` of memory instructions, `bytes` as L2 counts them
    CommitProducts,  // what was started since the last commit becomes a group
    CommitStores,
    WaitProducts,  // until at most `allow` groups are pending
    WaitStores,    // until at most `allow` groups haven't read their sources
    WaitBarrier,   // for a phase of a slot to end: the one of number `phase`, or the next one
    Expect,        // arrives, and announces bytes
    Arrive,
    MeetBlock,  // waits for all groups of the block
    Branch,     // goes on at `target` where the condition is 0
    Begin,      // of a loop: the variable becomes 0; goes on at `target` where the loop has no iteration
    Again,      // of a loop: the next iteration at `target`, if there is one
    Jump,       // goes on at `target`
  } does = Does::Work;
  double clocks = 0, bytes = 0;
  double lines = 0;       // of a box: lines of 128 bytes that this block asks L2 for
  double others = 0;      // of a fetch: the share of what it reads that lies in other blocks' shared memory
  bool onSectors = true;  // whether its rows begin at multiples of a sector
  int barrier = -1, allow = 0, target = -1;
  ir::Expr value;  // the slot, the condition, or the loop's extent
  // Of a wait for a barrier: the phase's number (device::SyncNode::phase); null: the next one that the group hasn't
  // waited for.
  ir::Expr phase;
  const ir::VarNode* var = nullptr;  // of a loop
  const device::StmtNode* statement = nullptr;
};

// Variables of one group of warps.
class RoleValues {
 public:
  void set(const ir::VarNode* var, std::int64_t value);
  // Sets blockIdx of the kernel to the place of this block of the grid.
  void setBlock(const device::Kernel& kernel, std::int64_t block);
  std::optional<std::int64_t> value(const ir::VarNode* var) const;
  // Returns the value of an expression; nothing if it reads memory or can't be computed.
  std::optional<std::int64_t> evaluate(const ir::Expr& e) const;

 private:
  std::vector<std::pair<const ir::VarNode*, std::int64_t>> values_;
};

// Returns the steps of all warpgroups, branches among them. `count` is by access of `accesses`, of whose kernel this
// is; `flopPerClock` is the peak of one multiprocessor's tensor cores. Returns nothing if statements do what roles
// aren't timed for: copies by threads, products of single warps.
std::optional<std::vector<RoleStep>> roleSteps(const KernelAccesses& accesses, const KernelCount& count,
                                               double flopPerClock);

}  // namespace loom::model
