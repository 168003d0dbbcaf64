#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/memory_level.h"
#include "core/model/access.h"

namespace loom::session {

class Playback;

/// A span of time in which the contents of a slot of a ring buffer are in one state. Times are in clocks since the
/// thread block began. RoleLanes (role_lanes.h) has such spans, too, of rings that the copy engine (TMA) fills.
struct SlotSpan {
  enum class State : std::uint8_t {
    kInFlight,  ///< being filled, until a wait for the copies is passed; in RoleLanes, until the copy engine is done
    kLanded,    ///< full, to be read later
    kRead,      ///< being read; after the last such span the slot is free until it is filled again
  };
  State state = State::kInFlight;
  int slot = 0;  ///< index of the slot in the ring, from 0
  /// Index of the filling of the ring, from 0, which is the iteration that the values are for. Counted anew in each
  /// pass of the loops around all accesses to the buffer; in RoleLanes, over the block's whole life.
  std::int64_t step = 0;
  double from = 0, to = 0;
};

/// A ring buffer: several versions of one or more buffers, which the iterations of a loop use in turn; or a single
/// version that asynchronous copies fill.
struct BufferRing {
  std::vector<std::string> buffers;  ///< names of the buffers, at least one; all are filled and read at the same times
  device::MemoryLevel level = device::MemoryLevel::kShared;  ///< shared memory or registers
  int slots = 1;                                             ///< number of versions of each buffer
  /// Bytes of one slot, all buffers together: per block in shared memory, per thread in registers.
  double slotBytes = 0;
  std::string loop;  ///< name of the variable of the pipelined loop; empty: there is none, and always in RoleLanes
  std::vector<SlotSpan> spans;  ///< spans of all slots; those of one slot are in the order of time and don't overlap
  bool byEngine = false;        ///< whether the copy engine fills it, as all rings in RoleLanes
};

/// Asynchronous copies that a thread has issued as one group, in flight until the thread has waited for the group.
struct CopyGroup {
  std::int64_t step = 0;             ///< the iteration that the copied values are for, from 0 (SlotSpan::step)
  std::string loop;                  ///< name of the variable of the pipelined loop; empty: none
  std::vector<std::string> buffers;  ///< names of the buffers that are filled
  std::vector<ir::Id> blocks;        ///< the program's TIR blocks that copy
  double from = 0, to = 0;           ///< clocks since the block began
  int lane = 0;  ///< index of the lane in which it is drawn; groups in flight at the same time have different lanes
};

/// The ring buffers of a kernel and its asynchronous copies over the life of a thread block. Both lists are empty for a
/// kernel that has neither.
struct PipelineView {
  std::vector<BufferRing> rings;
  std::vector<CopyGroup> groups;  ///< in the order of time
  int lanes = 0;                  ///< the largest number of groups that are in flight at the same time
  bool empty() const { return rings.empty() && groups.empty(); }
};

/// Returns the ring buffers and copies of the kernel that `playback` lays out in time, as bars over the statements'
/// durations. They are found by following one warp through the kernel's statements: a filling begins with the bar of
/// the statement that writes the slot, a group of copies lands when a wait for it is passed, and a slot is read during
/// the bars of statements that read it. The result is also empty for a kernel of which a warp executes more than 65536
/// statements, as following them would take long.
PipelineView pipelineOf(const Playback& playback, const model::KernelAccesses& kernel);

}  // namespace loom::session
