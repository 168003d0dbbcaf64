// What each warp of a block knows to have happened: vector clocks, for blocks in which operations run beside their
// warps and mbarriers tell of them. Barriers of the block are told apart by epochs alone (memory.h).
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

constexpr int kWarpsOfGroup = 4;  // of a warpgroup

// By timeline: up to which of its numbers all has happened.
using VectorClock = std::vector<std::uint32_t>;
inline void join(VectorClock& to, const VectorClock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t t = 0; t < from.size(); ++t) to[t] = std::max(to[t], from[t]);
}

// An event has a place on a timeline and a number there, which grows. Of a warp these are the accesses of its lanes,
// numbered by the epoch, and on a timeline of their own those of all its lanes together; of a lane that told others of
// what it had done, and not what the rest of its warp had, its own accesses; of a slot of an mbarrier its phases, of a
// warpgroup its groups of products, and of a warp its groups of stores of the copy engine, all from 1 on.
class VectorClocks {
 public:
  // Of a kernel whose threads meet at barriers alone: not asked.
  VectorClocks() = default;
  VectorClocks(int warps, int slots) : warps_(warps), slots_(slots) { clear(); }

  bool active() const { return !clocks_.empty(); }
  // Sets all clocks to the beginning, when nothing has happened yet.
  void clear() {
    clocks_.assign(std::size_t(warps_), VectorClock(std::size_t(always())));
    alone_.clear();
    fences_.assign(std::size_t(warps_) * kLanes, {});
  }

  std::uint16_t warp(int warp) const { return std::uint16_t(warp); }
  std::uint16_t phases(int slot) const { return std::uint16_t(warps_ + slot); }
  std::uint16_t products(int warp) const { return std::uint16_t(warps_ + slots_ + warp / kWarpsOfGroup); }
  std::uint16_t stores(int warp) const { return std::uint16_t(warps_ + slots_ + groups() + warp); }
  // Returns the index of how far a warp has come, in epochs, whether or not what it wrote until then is visible.
  std::uint16_t progress(int warp) const { return std::uint16_t(2 * warps_ + slots_ + groups() + warp); }
  // Returns the index of what the warp has done as a whole.
  std::uint16_t whole(int warp) const { return std::uint16_t(3 * warps_ + slots_ + groups() + warp); }
  // Returns the first warp of those whose operations have numbers on this timeline.
  int warpOf(std::uint16_t timeline) const {
    const int n = timeline - warps_ - slots_;
    return n < 0 ? 0 : n < groups() ? n * kWarpsOfGroup : n - groups();
  }

  const VectorClock& of(int warp) const { return clocks_[std::size_t(warp)]; }
  bool knows(int warp, std::uint16_t timeline, std::uint32_t number) const { return of(warp)[timeline] >= number; }
  void learn(int warp, std::uint16_t timeline, std::uint32_t number) {
    std::uint32_t& known = clocks_[std::size_t(warp)][timeline];
    known = std::max(known, number);
  }
  void learn(int warp, const VectorClock& what) { join(clocks_[std::size_t(warp)], what); }
  // Adds to `to` what the warp knows, and all that it has done until the epoch.
  void publish(int warp, std::uint32_t epoch, VectorClock& to) const {
    join(to, of(warp));
    to[this->warp(warp)] = to[progress(warp)] = to[whole(warp)] = epoch;
  }
  // Publishes the same for one thread of the warp. Of the other lanes it knows no more than the warp does since it went
  // in step.
  void publishAlone(int warp, std::uint16_t thread, std::uint32_t epoch, VectorClock& to) {
    join(to, of(warp));
    to[progress(warp)] = to[whole(warp)] = epoch;
    const auto entry = alone_.try_emplace(thread, always() + int(alone_.size())).first;
    to.resize(std::max(to.size(), std::size_t(entry->second) + 1));
    to[std::size_t(entry->second)] = epoch;
  }
  // Returns whether the warp has learned of the thread itself what it has done until the epoch.
  bool knowsAlone(int warp, std::uint16_t thread, std::uint32_t epoch) const {
    const auto entry = alone_.find(thread);
    return entry != alone_.end() && std::size_t(entry->second) < of(warp).size() &&
           of(warp)[std::size_t(entry->second)] >= epoch;
  }
  // Adds to `to` which phases the warp knows to be over: who learns of what it has asked for after them can't come
  // before.
  void publishPhases(int warp, VectorClock& to) const {
    to.resize(std::max(to.size(), of(warp).size()));
    for (int n = 0; n < slots_; ++n) to[phases(n)] = std::max(to[phases(n)], of(warp)[phases(n)]);
  }
  // Lets `count` warps from `first` on meet: each then knows what any of them did and knew.
  void meet(int first, int count, std::uint32_t epoch) {
    VectorClock all = clocks_[std::size_t(first)];
    for (int w = first; w < first + count; ++w) join(all, of(w));
    for (int w = first; w < first + count; ++w) all[warp(w)] = all[progress(w)] = all[whole(w)] = epoch;
    std::fill_n(clocks_.begin() + first, count, all);
  }

  // Lets asynchronous operations from now on read or overwrite what the thread has written until the epoch.
  void fence(std::uint16_t thread, std::uint32_t epoch) { fences_[thread].push_back(epoch); }
  // Returns the epoch of the thread's first fence after a write; 0 if there is none.
  std::uint32_t fenceAfter(std::uint16_t thread, std::uint32_t written) const {
    const std::vector<std::uint32_t>& all = fences_[thread];
    const auto found = std::ranges::lower_bound(all, written);
    return found == all.end() ? 0 : *found;
  }

 private:
  int groups() const { return (warps_ + kWarpsOfGroup - 1) / kWarpsOfGroup; }
  // Timelines besides those of single lanes.
  int always() const { return 4 * warps_ + slots_ + groups(); }

  int warps_ = 0, slots_ = 0;
  std::vector<VectorClock> clocks_;                 // by warp
  std::map<std::uint16_t, int> alone_;              // timelines of single lanes, by thread
  std::vector<std::vector<std::uint32_t>> fences_;  // by thread: epochs, ascending
};

}  // namespace loom::exec
