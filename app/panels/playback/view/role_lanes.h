#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/panels/playback/view/pipeline.h"
#include "app/session/state_model.h"
#include "core/model/role_trace.h"
#include "core/model/roles.h"

namespace loom::session {

/// What an agent (a group of warps, the copy engine or the tensor cores) does, or waits for. A box is a tile that the
/// copy engine copies; sums are the accumulators of the products.
enum class RoleDoes : std::uint8_t {
  kBegin,          ///< warps have begun: mbarriers are initialized, the block's threads meet at a barrier
  kInstructions,   ///< warps execute instructions that none of the other values stands for
  kLook,           ///< warps execute the test that ends a wait for a slot or a turn, even if they need not wait
  kWork,           ///< warps set sums to zero, or write them to shared memory
  kAsk,            ///< warps issue the copy of a box to the copy engine
  kWrite,          ///< warps write sums to global memory; after the end of the last warp: writes are still in flight
  kBox,            ///< the copy engine copies a box to shared memory
  kStore,          ///< the copy engine stores a box of sums to global memory
  kProduct,        ///< tensor cores multiply
  kAwaitBox,       ///< warps wait for boxes to land
  kAwaitSlot,      ///< warps wait for a slot of a ring buffer to be free
  kAwaitTurn,      ///< warps wait for their turn to use tensor cores
  kAwaitProducts,  ///< warps wait for their products
  kAwaitStores,    ///< warps wait until the copy engine has read their sums
  kAwaitBlock,     ///< warps wait at a barrier of the whole block
  kAwaitWrites,    ///< warps' writes to global memory wait behind those of other warps
};
/// The number of values of RoleDoes.
inline constexpr int kRoleDoes = 16;
/// Returns whether the value is one of those that stand for a wait.
bool isWait(RoleDoes does);
/// Returns whether the value stands for instructions between what else warps do and wait for: kInstructions or kLook.
bool isBetween(RoleDoes does);

/// What one agent does over the life of a thread block whose operands the copy engine (TMA) copies to shared memory and
/// tensor cores read there.
struct RoleLane {
  enum class Of : std::uint8_t { kWarps, kCopyEngine, kTensorCores } of = Of::kWarps;
  int group = 0;  ///< index of the group of four warps (128 threads) in the block; for lanes of warps only
  /// For lanes of warps: what they do; its `warps` are only those of the group. If the group's warps have several
  /// roles, this is the first one that does anything.
  model::WarpRole role;
  /// A time during which the agent does one thing.
  struct Bar {
    RoleDoes does = RoleDoes::kProduct;
    double from = 0, to = 0;  ///< clocks since the block began
    /// True if tensor cores are idle. Then `does` is what keeps the warps that issue the next product: what they do or
    /// wait for meanwhile or, if `late`, what they waited for before.
    bool idle = false;
    /// For idle tensor cores: true if the warps no longer wait, but the next product comes later, by the length of this
    /// bar, because they waited before.
    bool late = false;
    bool own = true;  ///< whether it belongs to the block whose life is shown; false: to another resident block
    int group = 0;    ///< the group of its block that does it, has issued it, or keeps tensor cores waiting
    /// For a wait: the group that ends it; for a wait for a box that was asked for after the wait began, the group that
    /// handed its slot back late. −1: the copy engine, tensor cores or another block end it, or it is no wait.
    int by = -1;
    /// The slot and the filling of a ring buffer that it is about: which the copy engine fills, a product reads or
    /// warps wait for. A wait for a slot is about the filling after which it is free. `slot` is an index in the ring,
    /// and `step` counts the ring's fillings from 0; −1: none, as `step` for a wait for a turn. Of several
    /// RoleLanes::rings, the bar doesn't say which one it is.
    int slot = -1;
    std::int64_t step = -1;
    double asked = -1;  ///< for a box: when its copy was issued, in clocks since the block began; else −1
    int row = 0;        ///< index of the row of the lane in which it is drawn
    ir::Id block;       ///< the program's TIR block whose statement it executes; none if there is no such block
  };
  /// The bars in the order of time; bars of one row don't overlap. The bars of warps leave no gap from the beginning of
  /// the block to the end of the warps, nor do those of tensor cores, all rows together, up to the end of the block's
  /// life. Idle bars are in row 0.
  std::vector<Bar> bars;
  int rows = 1;  ///< rows: for tensor cores, one per group that multiplies; for the copy engine, 2 if it stores; else 1
  /// Clocks in which the agent neither waits nor is idle; for the copy engine, without stores; for tensor cores, with
  /// the products of other resident blocks.
  double busy = 0;
  /// Returns the clocks of all bars of the lane with this `does`.
  double clocksOf(RoleDoes does) const;
};

/// The lanes of a thread block whose warps have roles, and what each slot of its ring buffers holds over the block's
/// life, the time from its start to its end.
struct RoleLanes {
  std::vector<RoleLane> lanes;    ///< groups of warps that do something, then the copy engine, then tensor cores
  std::vector<BufferRing> rings;  ///< ring buffers that the copy engine fills
  double clocks = 0;              ///< length of the block's life, at `megahertz`
  double megahertz = 0;           ///< clock rate that the power limit allows, in MHz
  bool powerBound = false;        ///< whether that is less than the rate that the device states
  int blocks = 1, resident = 1;   ///< blocks that the multiprocessor runs in total, and at a time
  int cluster = 1;                ///< blocks of the block's cluster, which are taken to do the same at the same time
  /// Clocks in which tensor cores are idle, by RoleDoes: by what they wait for. Writes that wait behind others are
  /// kWrite here.
  std::array<double, kRoleDoes> exposed{};
  double tensorBusy = 0;  ///< clocks in which tensor cores are busy, products of other resident blocks included
  /// Those of `tensorBusy` that the same products would take at the full rate of tensor cores; the rest passes because
  /// products read shared memory no faster than it delivers.
  double tensorNeed = 0;

  /// Points in time that buttons lead to, in clocks since the block began. `fill` is always the beginning; `drain` is 0
  /// if the block has no product; the other two are −1 if there is no such time.
  struct Moments {
    double fill = 0;      ///< the first boxes are in flight
    double steady = -1;   ///< half of the fillings of the first ring buffer have been read
    double between = -1;  ///< warps first write sums while they have further products to come
    double drain = 0;     ///< the last product has ended
  } moments;

  bool empty() const { return lanes.empty(); }
  /// Returns a number of clocks in nanoseconds; 0 if `megahertz` isn't known.
  double nanoseconds(double of) const { return megahertz > 0 ? of * 1000 / megahertz : 0; }
  /// Returns 0, the times at which bars of the block itself begin (those of kInstructions and kLook aside), and
  /// `clocks`, ascending.
  std::vector<double> boundaries() const;
  /// Returns the times at which the fillings of the first ring buffer begin to be read, ascending; empty without rings.
  std::vector<double> steps() const;
};

/// Returns the clocks in which the warps of a group set sums to zero, write them, or wait until the copy engine has
/// read them, while tensor cores multiply for another group of the same block; 0 if there is no such group or no lane
/// of tensor cores.
double writesBeneathProducts(const RoleLanes& lanes, int group);

/// Returns the lanes of a kernel's block from the simulated run `trace` of the same kernel; empty lanes if the trace is
/// empty.
RoleLanes roleLanesOf(const device::Kernel& kernel, const model::RoleTrace& trace);
/// Returns the lanes of a state's model, which are kept with the model. They are empty if the model doesn't simulate
/// the kernel by warp roles. The first call takes some milliseconds.
const RoleLanes& roleLanesOf(const StateModel& model);

}  // namespace loom::session
