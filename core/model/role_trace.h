// What happens on a multiprocessor during the life of the first of its blocks with roles, moment by moment: what
// Playback draws.
#pragma once
#include <cstdint>
#include <vector>

#include "core/device/program.h"

namespace loom::model {

// A stretch of time, in clocks since the block began.
struct RoleSpan {
  enum class Does : std::uint8_t {
    Begin,          // warps have begun: barriers are made, the block meets, maps are fetched
    Work,           // warps' own instructions on registers and shared memory
    Ask,            // warps give a box to the copy engine
    Write,          // warps write sums to global memory
    Transfer,       // the copy engine brings a box to a slot
    Store,          // the copy engine reads a box from shared memory, and writes it to global memory
    Product,        // tensor cores multiply
    AwaitPhase,     // warps wait for a phase of a slot to end; from = to where it had ended
    AwaitProducts,  // warps wait for groups of products
    AwaitStores,    // warps wait until boxes to global memory have read their sources
    AwaitBlock,     // warps wait at a barrier of the block
    PhaseEnd,       // of a slot: from = to
    End,            // warps have ended: from = to
  } does = Does::Product;
  // Blocks that are resident at the same time, numbered as they began; the one whose life it is has 0.
  int block = 0;
  int group = 0;  // of 128 threads in the block: that waits, works, or has asked for it
  // Of a wait for a phase, or for the block: the group that ended it; -1: the copy engine, or nobody waited.
  int by = -1;
  // Kernel::mbarriers, which of its slots, and which phase of that, from 0, without the one that counts as ended at
  // first; -1: of none. Of a product: those that the group waited for last, whose boxes it multiplies.
  int barrier = -1, slot = -1, phase = -1;
  const device::StmtNode* statement = nullptr;  // null for what no statement says
  double from = 0, to = 0;
  double asked = 0;  // of a transfer: when a thread asked for it
  bool waits() const;
};

// The trace of a block's life.
struct RoleTrace {
  std::vector<RoleSpan> spans;   // in the order in which they ended, about
  double clocks = 0;             // of the block's life, at `megahertz`
  double megahertz = 0;          // the clock that power leaves
  int blocks = 1, resident = 1;  // that the multiprocessor runs in all, and at a time
};

inline bool RoleSpan::waits() const {
  return does == Does::AwaitPhase || does == Does::AwaitProducts || does == Does::AwaitStores ||
         does == Does::AwaitBlock;
}

}  // namespace loom::model
