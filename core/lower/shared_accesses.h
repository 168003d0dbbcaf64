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
/// memory that the kernel both writes and reads. Buffers must still have their dimensions (before the pass `flatten`).
/// Whoever walks the kernel calls `enter` and `leave` around the bodies of loops, and `enterBranch` and `leaveBranch`
/// around branches, so that an access knows what stands around it.
class SharedAccesses {
 public:
  /// `symbols` are the function's. The kernel must outlive this object. Its body may be replaced meanwhile by one with
  /// barriers added, which is then walked instead of the old one.
  SharedAccesses(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

  /// Returns the accesses that a statement does itself, without its children; reads before writes. A wait counts as a
  /// write, by the waiting thread, of the elements that the awaited operations have written. A wait for stores by the
  /// copy engine counts as a read of what they store, and a wait by all threads, as at an mbarrier, as no access. The
  /// result is kept for each place (loops and conditions around) of the statement in the kernel; the reference is valid
  /// until `of` is called for the same statement at another place.
  const std::vector<SharedAccess>& of(const device::Stmt& s);

  /// Begin and end the body of a loop.
  void enter(const device::LoopNode& loop);
  void leave(const device::LoopNode& loop);
  /// Begins the statements that are executed if a condition holds. Returns the conditions that stand around all of the
  /// `if`, null for none, which the caller hands to `leaveBranch` at the end of the branch. An `else` is walked after
  /// that, without a condition of its own, as if it were always executed.
  ir::Expr enterBranch(const ir::Expr& condition);
  void leaveBranch(ir::Expr around) { guard_ = std::move(around); }

 private:
  using Loops = std::vector<std::pair<ir::Var, ir::Expr>>;
  // The accesses of a statement between these loops and conditions.
  struct Found {
    Loops loops;
    ir::Expr guard;
    std::vector<SharedAccess> accesses;
  };

  std::vector<SharedAccess> find(const device::Stmt& s);
  // Returns null for a parameter's buffer.
  const device::Allocation* allocationOf(const ir::BufferNode* b) const;
  // Returns the place of a statement under the current loops and conditions, without the index.
  AccessSite siteOf(const device::StmtNode& s) const;
  void locate(AccessSite& site, const device::BufferPlace& place);
  void locateTile(AccessSite& site, const device::MemoryEffect& effect, const device::Effects& effects,
                  device::Axes uncovered);
  void locateOfWarp(AccessSite& site, const device::MemoryEffect& effect, device::Group group, device::Axes uncovered);
  // `place` without the version.
  void locateOfLanes(AccessSite& site, const device::BufferPlace& place, const std::vector<std::int64_t>& extents);
  // Returns an access for each store of the kernel that reads the buffer and is awaited by the token.
  std::vector<SharedAccess> readsBy(const device::Stmt& wait, const device::Landed& landed, device::Token token);

  const device::Kernel& kernel_;
  Addressing addresses_;
  std::set<const ir::BufferNode*> visible_;
  std::unordered_map<const ir::BufferNode*, std::size_t> versions_;  // number of indices that choose a version
  std::unordered_map<const ir::BufferNode*, const device::Allocation*> allocations_;
  Loops loops_;
  // Whether some statement of the kernel lets each warp access a part of a tile of its own. Only then is it worth
  // finding which elements each warp accesses.
  bool warpsHaveTiles_ = false;
  ir::Expr guard_;                                                             // the conditions around; null for none
  const ir::Var line_ = ir::makeVar("line"), column_ = ir::makeVar("column");  // stand for a tile's
  const ir::Var lane_ = ir::makeVar("lane");  // stands for the number of a thread in its warp
  std::unordered_map<device::Stmt, std::vector<Found>> found_;
};

}  // namespace loom::lower
