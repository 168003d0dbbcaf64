#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/arith/iter_map.h"
#include "core/device/operation.h"
#include "core/device/program.h"

/// Which accesses of different threads may use the same memory: this decides where lowering places barriers. A version
/// of a buffer is one of its copies, such as a slot of a ring buffer.
namespace loom::lower {

/// The threads that have to meet at a barrier between two accesses.
enum class Meeting : std::uint8_t { None, Warp, Block, Cluster };

/// Which elements one access of a statement uses, and under which conditions. Copies of a SharedAccess share one
/// AccessSite. What the plain pointers here and in SharedAccess point to belongs to the kernel or to the table of
/// operations, which outlive the accesses.
struct AccessSite {
  const device::StmtNode* stmt = nullptr;           ///< the statement; not null
  std::vector<ir::Id> origin;                       ///< the blocks of the program that make the access
  ir::Expr index;                                   ///< offset of the element; null: anywhere in the buffer
  std::int64_t lanes = 1;                           ///< consecutive elements from `index` on
  std::vector<ir::Expr> coordinates;                ///< by dimension; empty where they aren't known
  ir::Expr guard;                                   ///< what the conditions around demand; null for nothing
  device::Axes uncovered;                           ///< axes along which only the first thread executes it
  std::vector<std::pair<ir::Var, ir::Expr>> loops;  ///< serial loops around, with extents
  /// If each warp accesses a part of its own (a tile, the elements of its lanes, or its part of a warpgroup's tile):
  /// `ofWarp` is the offset of the part's first element, without the version of the buffer, as an expression that has
  /// the warp's number in its warpgroup (warpNumber) in place of threadIdx.x; `reach` is the number of elements from
  /// the first to the last one. Else `ofWarp` is null.
  ir::Expr ofWarp;
  std::int64_t reach = 0;
  bool ofGroup = false;  ///< each warpgroup along threadIdx.y has a version of its own
  bool ofLanes = false;  ///< no tile: the elements of the warp's lanes, one by one
  /// If the lanes of a warp write a tile together: the row of the operation, else null. `index` is then the offset of
  /// any element of the tile, whose line and column are the last two of `loops`, and `uncovered` has threadIdx.x, along
  /// which the lanes lie.
  const device::OperationRow* ofTile = nullptr;
};

/// An access is one use of memory that other threads of the block see.
struct SharedAccess {
  const ir::BufferNode* buffer = nullptr;          ///< not null
  const device::Allocation* allocation = nullptr;  ///< the kernel's, of the buffer; null for a parameter's
  std::shared_ptr<const AccessSite> site;          ///< the statement's access; null only while it is being made
  bool write = false;
  bool repeatable = false;     ///< stores of one statement to one element all store one value
  bool byCopyEngine = false;   ///< by the copy engine (TMA): waits of its own keep later accesses behind its end
  bool byTensorCores = false;  ///< a warpgroup's product, which ends for all its threads at once
  /// The access of a wait: the awaited copy's write, or the awaited bulk store's read, taken as if the waiting thread
  /// did it at the wait. As the later one of a pair it conflicts with nothing: what stands before the copy's start was
  /// kept apart from the start itself.
  bool landed = false;
  bool ofOthers = false;  ///< it may be the memory of another block of the cluster
  /// Which version of the buffer: an index for each entry of Allocation::versions. Empty for a buffer without versions,
  /// and where the version isn't known.
  std::vector<ir::Expr> versions;
  /// Whether the lanes of each warp meet (are synchronized) before the access or after it, within the sequence of
  /// statements whose accesses are compared with those of other sequences.
  bool metBefore = false, metAfter = false;
};

/// Returns whether two accesses may use the same bytes: whether they are to one buffer, or to buffers that share bytes
/// because they are in use in different phases of the kernel (Allocation::phase), unless an mbarrier keeps these uses
/// apart (Allocation::awaits).
bool meetInMemory(const SharedAccess& a, const SharedAccess& b);

/// Returns the variable that stands for the number of a warp in its warpgroup, from 0 to 3.
const ir::Var& warpNumber();

/// Returns the access as the previous iteration of the loop with this variable executes it: `versions` has var - 1 for
/// `var`. Its site stays the same, because `conflict` compares the elements of all iterations anyway.
SharedAccess ofIterationBefore(SharedAccess access, const ir::Var& var);

/// Finds pairs of accesses of one kernel of which the second must wait for the first. A pair of which nothing can be
/// proven conflicts.
class AccessConflicts {
 public:
  /// The kernel must outlive this object.
  explicit AccessConflicts(const device::Kernel& kernel);

  /// Returns whether a thread may use in access `a`, the earlier one, an element that another thread of the block, or
  /// (SharedAccess::ofOthers) of another block of the cluster, uses in access `b`, and one of the two accesses writes.
  /// False for the lanes of a warp where the same operation of the warp writes the same tiles in both, and for accesses
  /// that waits at mbarriers keep in order already.
  bool conflict(const SharedAccess& a, const SharedAccess& b);
  /// Returns whether a block of the cluster may use in access `a`, the earlier one, an element that another block uses
  /// in access `b`, and one of the two accesses writes: what `conflict` returns if one access is ofOthers, else false.
  bool acrossBlocks(const SharedAccess& a, const SharedAccess& b);
  /// Returns who has to meet between the accesses `before` and those `after`: None if no pair, one of `before` and one
  /// of `after`, conflicts; Warp if in every pair that conflicts no warp uses an element that another one uses; else
  /// Block. Pairs in which each warp keeps to its own elements and its lanes meet anyway (`metAfter` of the first,
  /// `metBefore` of the second) don't count. Never returns Cluster.
  Meeting between(const std::vector<SharedAccess>& before, const std::vector<SharedAccess>& after);

 private:
  // An access in terms of numbered loops.
  struct Pattern {
    ir::Expr index, guard;
    std::vector<ir::Expr> coordinates;
    std::vector<ir::Var> loops;  // by number
    std::vector<ir::Expr> extents;
    std::size_t ofIndex = 0;  // loops that the index uses; those that only the guard does come behind them
  };
  struct CachedAnswer {
    Pattern pattern;
    std::int64_t lanes;
    unsigned uncovered;
    bool answer;
  };

  // Results kept for an access, since it is compared with many others.
  struct KnownSite {
    std::optional<arith::ConstIntBound> bound;
    std::optional<Pattern> pattern;
    std::optional<bool> ofOneThread;  // whether an element tells which thread accesses it
  };

  // Returns the values that the index of `site` may have. For this and the next two functions, `site` must have an
  // index.
  arith::ConstIntBound bound(const std::shared_ptr<const AccessSite>& site);
  const Pattern& patternOf(const std::shared_ptr<const AccessSite>& site);
  bool identifiesThreads(const std::shared_ptr<const AccessSite>& site);
  ir::Var slot(std::size_t n, ir::DType dtype);
  bool otherVersions(const SharedAccess& a, const SharedAccess& b);
  bool ownElements(const SharedAccess& a, const SharedAccess& b);
  bool ofOwnWarps(const SharedAccess& a, const SharedAccess& b);
  bool identifiesThreadsCached(const Pattern& p, std::int64_t lanes, unsigned uncovered,
                               const arith::VarRanges& threads);
  bool identifiesThreads(const Pattern& p, std::int64_t lanes, const arith::VarRanges& threads);
  bool identifiesThreads(const std::vector<ir::Expr>& given, const ir::Expr& givenGuard,
                         const arith::VarRanges& givenRanges, const arith::VarRanges& threads) const;

  const device::Kernel& kernel_;
  const bool staysInFlight_;  // whether products of tensor cores may still be in flight behind waits
  arith::Analyzer analyzer_;
  arith::Analyzer ignorant_;                   // for differences, which say the same whatever the variables are
  std::map<int, std::vector<ir::Var>> slots_;  // variables that stand for loops, by bits and number
  std::unordered_map<std::shared_ptr<const AccessSite>, KnownSite> known_;
  std::vector<CachedAnswer> cached_;
};

}  // namespace loom::lower
