// The trace of a simulated run of one multiprocessor, for kernels whose warps have roles (some load tiles, others
// multiply): what warps, the copy engine (TMA) and tensor cores do, and when, during the life of the first block. The
// panel Playback draws it. A box is a rectangle of a matrix that the copy engine copies by one instruction; a slot is
// one buffer of a ring in shared memory, with an mbarrier of its own.
#pragma once
#include <cstdint>
#include <vector>

#include "core/device/program.h"

namespace loom::model {

// A stretch of time. Times are in clocks since the traced block, number 0, began, also in spans of other blocks.
struct RoleSpan {
  enum class Does : std::uint8_t {
    Begin,          // warps initialise mbarriers, synchronise, and fetch tensor maps
    Work,           // warps execute instructions on registers and shared memory
    Look,           // warps ask whether the phase that they need has ended, and go on at once because it has
    Ask,            // warps ask the copy engine for a box
    Write,          // warps write accumulators to global memory
    Transfer,       // the copy engine brings a box to a slot
    Store,          // the copy engine reads a box from shared memory, and writes it to global memory
    Product,        // tensor cores multiply
    AwaitPhase,     // warps wait for a phase of a slot's mbarrier to end; from = to if it had ended before
    AwaitProducts,  // warps wait for groups of products
    AwaitStores,    // warps wait until the copy engine has read the sources of its stores
    AwaitBlock,     // warps wait at a barrier of the block
    AwaitWrites,    // warps' writes to global memory wait behind those of others, which are let through one by one
    PhaseEnd,       // a phase of a slot's mbarrier ends: from = to
    End,            // warps end: from = to
  } does = Does::Product;
  // The block's number, in the order in which the multiprocessor's blocks began; the block whose life is traced has 0.
  int block = 0;
  // The number, in the block, of the warpgroup (128 threads, the last one perhaps fewer) that waits, works, ends, or
  // asked for the box or product. For PhaseEnd: the group that ended the phase; 0 if the copy engine did.
  int group = 0;
  // For AwaitPhase and PhaseEnd: the number of the group whose arrival ended the phase (for AwaitPhase: the slot's
  // latest one), also if nobody had to wait; -1 if the copy engine ended it, or if none has ended yet. For AwaitBlock:
  // the number of the group that came last. For AwaitWrites: the group that writes before, -1 if it is of
  // another block. -1 for other spans.
  int by = -1;
  // The mbarrier (index into Kernel::mbarriers), the slot and the number of the phase, from 0, that the span belongs
  // to; -1 if it belongs to none. A phase that counts as ended when the block begins has no number. For a product: the
  // phase that the group waited for last, which brought the product's factors.
  int barrier = -1, slot = -1, phase = -1;
  const device::StmtNode* statement = nullptr;  // the kernel's statement that causes the span; null if there is none
  double from = 0, to = 0;                      // begin and end
  double asked = 0;                             // for Transfer: the time when a thread asked for the box
  // For Product: the clocks that it takes at the full rate of tensor cores; to − from is more where it waits for shared
  // memory.
  double need = 0;
  // Returns whether the span is one of the waits (Await…).
  bool waits() const;
};

// The trace of a block's life.
struct RoleTrace {
  std::vector<RoleSpan> spans;   // roughly in the order of their ends
  double clocks = 0;             // length of the block's life, in clocks at `megahertz`
  double megahertz = 0;          // the clock rate that the power limit leaves, in MHz
  bool powerBound = false;       // whether that is less than the rate that the device states
  int blocks = 1, resident = 1;  // number of blocks that the multiprocessor runs in all, and at a time
};

inline bool RoleSpan::waits() const {
  return does == Does::AwaitPhase || does == Does::AwaitProducts || does == Does::AwaitStores ||
         does == Does::AwaitBlock || does == Does::AwaitWrites;
}

}  // namespace loom::model
