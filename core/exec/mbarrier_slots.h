// The state of the mbarriers of a block, or of all blocks of a cluster, while the executor runs a kernel: for each
// slot, the current phase, who has arrived, and which bytes of copies are still to land. An mbarrier of a kernel is an
// array of slots, each of which is one mbarrier of the hardware.
#pragma once
#include "core/exec/pending_operations.h"
#include "core/exec/vector_clock.h"

namespace loom::exec {

// The state of one slot. The current phase is the one that hasn't ended yet. A VectorClock is what a warp knows of
// others: for each timeline, such as the accesses of one warp or the phases of one slot, up to which number all events
// on it have happened.
struct MbarrierSlot {
  int arrivals = 1;                       // number of arrivals that end a phase
  bool open = false;                      // whether the slot of a ring buffer is free at first (device::Mbarrier::open)
  bool ready = false;                     // whether a thread has initialized the slot
  bool announced = false;                 // whether all threads of the cluster know that it is initialized
  std::uint16_t maker = 0;                // the thread that initialized the slot
  std::uint32_t made = 0;                 // when it did: an epoch, which grows with all that orders accesses (memory.h)
  std::uint32_t completed = 0;            // number of phases that have ended
  std::int64_t missing = 0;               // arrivals that the current phase still needs
  std::int64_t bytes = 0;                 // bytes announced and not landed; below 0: landed and not announced
  std::vector<ThreadOperation> inFlight;  // copies that signal this slot and haven't landed
  // What the warps that arrived at the current phase, and at the latest phase that has ended, knew when they arrived.
  VectorClock arriving, known;
  // What the warps knew that started copies for the current phase, which can't end before these have landed.
  VectorClock asking;
  // The warps that have waited for the latest phase that has ended, each with the epoch in which it went on.
  std::vector<std::pair<int, std::uint32_t>> waited;
  std::vector<std::uint32_t> waits;  // by thread: the number of phases that the thread has waited for
  // The latest phase that another block of the cluster has arrived at or copied for, counted from 1, since all threads
  // of the cluster last saw what the others had done; 0 if there is none.
  std::uint32_t reached = 0;

  // Ends the current phase and begins the next one if no arrivals and no bytes are missing. Returns whether it did.
  bool complete() {
    if (missing != 0 || bytes != 0) return false;
    ++completed;
    missing = arrivals;
    known = std::move(arriving);
    arriving.assign(known.size(), 0);
    asking.assign(asking.size(), 0);
    waited.clear();
    return true;
  }
};

// The mbarriers of the blocks that run together.
class MbarrierSlots {
 public:
  MbarrierSlots() = default;  // no mbarriers
  // Makes the slots of a kernel's mbarriers, for each block of a cluster; `clear` must be called before use.
  explicit MbarrierSlots(const Code& code) : threads_(code.threads() * code.blocksOfCluster()) {
    for (const device::Mbarrier& barrier : code.mbarriers) {
      first_.push_back(int(slots_.size()));
      for (int n = 0; n < barrier.slots; ++n) {
        MbarrierSlot s;
        s.arrivals = barrier.arrivals;
        s.open = barrier.open;
        slots_.push_back(std::move(s));
      }
    }
    ofBlock_ = int(slots_.size());
    for (int n = ofBlock_; n < ofBlock_ * code.blocksOfCluster(); ++n)
      slots_.push_back(slots_[std::size_t(n - ofBlock_)]);
  }
  // Sets all mbarriers to their state when a block begins: not initialized yet.
  void clear() {
    for (MbarrierSlot& s : slots_) {
      const int arrivals = s.arrivals;
      const bool open = s.open;
      s = {};
      s.arrivals = arrivals;
      s.open = open;
      s.missing = arrivals;
      s.waits.assign(std::size_t(threads_), 0);
    }
  }
  // Notes that all threads of the cluster have met at a barrier: they know which mbarriers are initialized.
  void announce() {
    for (MbarrierSlot& s : slots_) s.announced = s.ready;
  }
  // Notes that all threads of the cluster have seen what the others had done: arrivals of other blocks have come.
  void settle() {
    for (MbarrierSlot& s : slots_)
      if (s.inFlight.empty()) s.reached = 0;
  }
  // Returns the number of a slot among all slots of all blocks. `block` is the rank in its cluster of the block that
  // has the mbarrier.
  int number(int barrier, std::int64_t slot, int block = 0) const {
    return block * ofBlock_ + first_[std::size_t(barrier)] + int(slot);
  }
  // Returns the index of the mbarrier and of the slot in it, for the number of a slot among all slots; `blockOf` tells
  // the block. There must be mbarriers.
  std::pair<int, int> placeOf(int number) const {
    number %= ofBlock_;
    const auto next = std::ranges::upper_bound(first_, number);
    return {int(next - first_.begin()) - 1, number - *(next - 1)};
  }
  // Returns the rank in its cluster of the block that has a slot.
  int blockOf(int number) const { return number / ofBlock_; }
  // Returns the number of slots of all blocks.
  int count() const { return int(slots_.size()); }
  MbarrierSlot& at(int number) { return slots_[std::size_t(number)]; }

 private:
  std::int64_t threads_ = 0;
  std::vector<MbarrierSlot> slots_;
  std::vector<int> first_;  // by barrier
  int ofBlock_ = 0;         // slots of one block
};

}  // namespace loom::exec
