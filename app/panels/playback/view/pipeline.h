#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/memory_level.h"
#include "core/model/access.h"

namespace loom::session {

class Playback;

/// What a slot of a ring holds for some time. Times are in clocks since the block began.
struct SlotSpan {
  enum class State : std::uint8_t {
    kInFlight,  ///< being filled; no wait has told yet that the values have landed
    kLanded,    ///< full, to be read later
    kRead,      ///< being read; after the last such span the slot is free until it is filled again
  };
  State state = State::kInFlight;
  int slot = 0;
  std::int64_t step = 0;  ///< which filling of the ring it is, from 0: the iteration of the loop whose values these are
  double from = 0, to = 0;
};

/// Copies of buffers that iterations of a loop use by turns.
struct BufferRing {
  std::vector<std::string> buffers;  ///< those that are filled and read at the same times, at least one
  device::MemoryLevel level = device::MemoryLevel::kShared;  ///< shared memory or registers
  int slots = 1;                                             ///< versions of each buffer
  double slotBytes = 0;         ///< of one slot of all the buffers: of a block, in registers of a thread
  std::string loop;             ///< variable of the pipelined loop, whose iterations are the steps; empty: there is none
  std::vector<SlotSpan> spans;  ///< in the order of time by slot; spans of one slot don't overlap
};

/// Copies that a thread has started together, until the wait that tells that they have landed.
struct CopyGroup {
  std::int64_t step = 0;  ///< as SlotSpan::step
  std::string loop;       ///< as BufferRing::loop
  std::vector<std::string> buffers;
  std::vector<ir::Id> blocks;
  double from = 0, to = 0;  ///< clocks since the block began
  int lane = 0;             ///< groups that are on their way at the same time have different lanes
};

/// The rings of a kernel and its asynchronous copies over a block's life. Both lists are empty for a program whose
/// iterations don't overlap.
struct PipelineView {
  std::vector<BufferRing> rings;
  std::vector<CopyGroup> groups;  ///< in the order of time
  int lanes = 0;                  ///< of `groups`: so many are on their way at the same time, at most
  bool empty() const { return rings.empty() && groups.empty(); }
};

/// Follows one warp through the kernel's statements: a filling begins with the bar of the statement that writes the
/// slot, a group of copies lands where a wait for it is passed, and a slot is read while the statements' bars say so.
/// Empty also for a kernel of so many iterations that following them would take long.
PipelineView pipelineOf(const Playback& playback, const model::KernelAccesses& kernel);

}  // namespace loom::session
