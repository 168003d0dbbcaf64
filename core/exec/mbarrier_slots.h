// Slots of the mbarriers of a block, or of all blocks of a cluster: whose phase is at work, who has arrived, and which
// bytes are still to land.
#pragma once
#include "core/exec/pending_operations.h"
#include "core/exec/vector_clock.h"

namespace loom::exec {

// The state of one mbarrier while a kernel is executed.
struct MbarrierSlot {
  int arrivals = 1;                       // that a phase counts
  bool open = false;                      // device::Mbarrier::open
  bool ready = false;                     // whether it has been made, and then
  bool announced = false;                 // whether all threads of the cluster know so
  std::uint16_t maker = 0;                // by which thread
  std::uint32_t made = 0;                 // in which epoch
  std::uint32_t completed = 0;            // phases
  std::int64_t missing = 0;               // arrivals, of the phase at work
  std::int64_t bytes = 0;                 // announced and not landed; below 0: landed and not announced
  std::vector<ThreadOperation> inFlight;  // copies that tell this slot and haven't landed
  VectorClock arriving, known;  // of those that arrived: at the phase at work, at the latest one that is complete
  VectorClock asking;           // of those that asked for copies of the phase at work: it can't end before they have
  // Warps that have waited for the latest complete phase, and the epochs in which they went on.
  std::vector<std::pair<int, std::uint32_t>> waited;
  std::vector<std::uint32_t> waits;  // by thread: for how many phases it has waited

  // Begins the next phase if nothing of this one is missing. Returns whether it did.
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
  MbarrierSlots() = default;
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
  // Sets all mbarriers to what they are when a block begins: not made yet.
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
  // Notes that all threads of the cluster have met since the mbarriers were made.
  void announce() {
    for (MbarrierSlot& s : slots_) s.announced = s.ready;
  }
  // Returns the number of a slot among all slots. `block` is the rank in its cluster of the block whose mbarrier it is.
  int number(int barrier, std::int64_t slot, int block = 0) const {
    return block * ofBlock_ + first_[std::size_t(barrier)] + int(slot);
  }
  // Returns the mbarrier and the slot of it that have a number among all slots.
  std::pair<int, int> placeOf(int number) const {
    number %= ofBlock_;
    const auto next = std::ranges::upper_bound(first_, number);
    return {int(next - first_.begin()) - 1, number - *(next - 1)};
  }
  int count() const { return int(slots_.size()); }
  MbarrierSlot& at(int number) { return slots_[std::size_t(number)]; }

 private:
  std::int64_t threads_ = 0;
  std::vector<MbarrierSlot> slots_;
  std::vector<int> first_;  // by barrier
  int ofBlock_ = 0;         // slots of one block
};

}  // namespace loom::exec
