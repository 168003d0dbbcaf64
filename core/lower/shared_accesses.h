#pragma once

#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/device/effects.h"
#include "core/lower/access_conflicts.h"
#include "core/lower/addressing.h"

namespace loom::lower {

/// Collects the accesses of one kernel that other threads of the block see: those to shared memory, and those to global
/// memory that the kernel both writes and reads. Works before `flatten`. Whoever walks the kernel calls `enter` and
/// `leave` around the bodies of loops and branches, so that an access knows what stands around it.
class SharedAccesses {
 public:
  /// `symbols` are the function's. The kernel must outlive this.
  SharedAccesses(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

  /// Returns the accesses that a statement does itself, its children left out; reads before writes. What a wait is for
  /// is a write of the thread that waits.
  std::vector<SharedAccess> of(const device::Stmt& s);

  void enter(const device::LoopNode& loop);
  void leave(const device::LoopNode& loop);
  /// Enters the branch of a condition that holds. Returns the conditions around it, which `leaveBranch` takes.
  ir::Expr enterBranch(const ir::Expr& condition);
  void leaveBranch(ir::Expr around) { guard_ = std::move(around); }

 private:
  void locate(SharedAccess& a, const device::BufferPlace& place);
  void locateOfWarp(SharedAccess& a, const device::MemoryEffect& effect, device::Group group, device::Axes uncovered);
  SharedAccess readBy(const device::Stmt& wait, const device::Landed& landed);

  const device::Kernel& kernel_;
  Addressing addresses_;
  std::set<const ir::BufferNode*> visible_;
  std::unordered_map<const ir::BufferNode*, std::size_t> versions_;  // how many indices choose one
  std::vector<std::pair<ir::Var, ir::Expr>> loops_;
  ir::Expr guard_;  // the conditions around; null for none
};

}  // namespace loom::lower
