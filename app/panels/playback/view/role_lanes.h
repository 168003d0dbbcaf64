#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/panels/playback/view/pipeline.h"
#include "app/session/state_model.h"
#include "core/model/role_trace.h"
#include "core/model/roles.h"

namespace loom::session {

/// What an agent does, or waits for.
enum class RoleDoes : std::uint8_t {
  kBegin,          ///< warps have begun: barriers are made, the block meets
  kInstructions,   ///< warps' instructions between what else has a name
  kWork,           ///< warps set sums to zero, or write them to shared memory
  kAsk,            ///< warps give a box to the copy engine
  kWrite,          ///< warps write sums to global memory; after the last warp's end, writes are still on their way
  kBox,            ///< the copy engine brings a box
  kStore,          ///< the copy engine takes a box of sums
  kProduct,        ///< tensor cores multiply
  kAwaitBox,       ///< warps wait for boxes to land
  kAwaitSlot,      ///< warps wait for a slot to be free
  kAwaitTurn,      ///< warps wait for other warps to leave tensor cores to them
  kAwaitProducts,  ///< warps wait for their products
  kAwaitStores,    ///< warps wait until the copy engine has read their sums
  kAwaitBlock,     ///< warps wait for all others of the block
};
inline constexpr int kRoleDoes = 14;
bool isWait(RoleDoes does);

/// What one agent does over the life of a block whose copies go by the copy engine to tensor cores.
struct RoleLane {
  enum class Of : std::uint8_t { kWarps, kCopyEngine, kTensorCores } of = Of::kWarps;
  int group = 0;         ///< of warps: which 128 threads of the block
  model::WarpRole role;  ///< of warps: what they do; its `warps` are those of the group alone
  struct Bar {
    RoleDoes does = RoleDoes::kProduct;
    double from = 0, to = 0;  ///< clocks since the block began
    /// Of tensor cores: they do nothing, for the warps whose product comes next do `does`, or wait for it.
    bool idle = false;
    bool own = true;         ///< of the block whose life it is; false: of another one that is resident
    int group = 0;           ///< that does it, has asked for it, or keeps tensor cores waiting
    int by = -1;             ///< of a wait: the group that ends it; −1: the copy engine, tensor cores, or nobody
    int slot = -1;           ///< of a ring; −1: none
    std::int64_t step = -1;  ///< which filling of that ring it is about, from 0; −1: of none
    double asked = -1;       ///< of a box: when it was asked for; −1: no box
    int row = 0;             ///< of the lane's rows
    ir::Id block;            ///< of the program, or none
  };
  /// In the order of time; bars of one row don't overlap. Those of warps follow each other from the block's begin to
  /// the warps' end without a gap, and so do those of tensor cores, up to the end of the life.
  std::vector<Bar> bars;
  int rows = 1;     ///< of tensor cores one for each group that multiplies, of the copy engine one more for stores
  double busy = 0;  ///< clocks of what is no wait, or of bars that aren't idle
  double clocksOf(RoleDoes does) const;
};

/// The lanes of such a block, and its rings: each slot in flight, full, being read, and free between.
struct RoleLanes {
  std::vector<RoleLane> lanes;  ///< groups of warps that do something, the copy engine, tensor cores
  std::vector<BufferRing> rings;
  double clocks = 0;             ///< of the block's life, at `megahertz`
  double megahertz = 0;          ///< the clock that power leaves, in MHz
  int blocks = 1, resident = 1;  ///< that the multiprocessor runs in all, and at a time
  /// What tensor cores wait for, in clocks by RoleDoes.
  std::array<double, kRoleDoes> exposed{};
  double tensorBusy = 0;  ///< clocks, with other blocks' products

  /// Times worth a look, as far as there are such.
  struct Moments {
    double fill = 0;      ///< the first boxes are on their way
    double steady = -1;   ///< half of the slots' fillings have been read
    double between = -1;  ///< the first sums are written while there are products to come
    double drain = 0;     ///< the last product has ended
  } moments;

  bool empty() const { return lanes.empty(); }
  double nanoseconds(double of) const { return megahertz > 0 ? of * 1000 / megahertz : 0; }
  /// Returns the times at which bars begin, ascending.
  std::vector<double> boundaries() const;
  /// Returns the times at which the fillings of the first ring begin to be read, ascending.
  std::vector<double> steps() const;
};

/// Returns the clocks in which the warps of a group write sums while tensor cores multiply for another group of the
/// block.
double writesBeneathProducts(const RoleLanes& lanes, int group);

RoleLanes roleLanesOf(const device::Kernel& kernel, const model::RoleTrace& trace);
/// Returns the lanes of a state's model, kept with the model; empty if no time is known by roles. The first call takes
/// some milliseconds.
const RoleLanes& roleLanesOf(const StateModel& model);

}  // namespace loom::session
