// Vector clocks: what each warp of a block, or of a cluster of blocks, knows to have happened. An access happens after
// an earlier one if its warp knows, by its clock, that the earlier one has happened. Only kernels that have mbarriers,
// operations of the async proxy (copy engine, wgmma), or clusters of several blocks need them; in others, an epoch, a
// number from 1 that grows with every barrier of the block, tells which accesses lie between the same barriers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

constexpr int kWarpsOfGroup = 4;  // warps of a warpgroup

// For each timeline, by its index: the number up to which all events on it are known to have happened.
using VectorClock = std::vector<std::uint32_t>;
// Adds to `to` what `from` knows.
inline void join(VectorClock& to, const VectorClock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t t = 0; t < from.size(); ++t) to[t] = std::max(to[t], from[t]);
}

// The clocks of all warps of a block or cluster. The warps and threads of a cluster are numbered block after block;
// warp w has the threads from 32 * w on. Each event lies on a timeline and has a number, which grows along the
// timeline:
//  - Each warp has timelines for the accesses of its lanes and for those of all its lanes together, where an access has
//    the number of the epoch in which it is made, and one for its progress, in epochs.
//  - Each single lane that has arrived at an mbarrier alone has a timeline, too: those who wait for the arrival then
//    know what the lane had done, but not what the rest of its warp had done.
//  - Each slot of an mbarrier has a timeline for its phases, each warpgroup one for its groups of products, and each
//    warp one for its groups of stores by the copy engine. Phases and groups are counted from 1.
class VectorClocks {
 public:
  // Makes no clocks, for a kernel that needs none. Only `active` may then be called.
  VectorClocks() = default;
  // Makes the clocks of `warps` warps in a kernel whose mbarriers have `slots` slots in all. Nothing has happened yet.
  VectorClocks(int warps, int slots) : warps_(warps), slots_(slots) { clear(); }

  // Returns whether the kernel needs clocks.
  bool active() const { return !clocks_.empty(); }
  // Resets all clocks: nothing has happened yet.
  void clear() {
    clocks_.assign(std::size_t(warps_), VectorClock(std::size_t(always())));
    alone_.clear();
    fences_.assign(std::size_t(warps_) * kLanes, {});
  }

  // Each of these returns the index of a timeline: the accesses of a warp's lanes, the phases of a slot, the groups of
  // products of the warpgroup that a warp belongs to, and a warp's groups of stores.
  std::uint16_t warp(int warp) const { return std::uint16_t(warp); }
  std::uint16_t phases(int slot) const { return std::uint16_t(warps_ + slot); }
  std::uint16_t products(int warp) const { return std::uint16_t(warps_ + slots_ + warp / kWarpsOfGroup); }
  std::uint16_t stores(int warp) const { return std::uint16_t(warps_ + slots_ + groups() + warp); }
  // Returns the index of the timeline of a warp's progress, in epochs. A warp that knows a number there knows that the
  // other warp has reached that epoch, but not that what the other warp wrote is visible.
  std::uint16_t progress(int warp) const { return std::uint16_t(2 * warps_ + slots_ + groups() + warp); }
  // Returns the index of the timeline of accesses that all lanes of a warp make together, such as those of a tile.
  std::uint16_t whole(int warp) const { return std::uint16_t(3 * warps_ + slots_ + groups() + warp); }
  // Returns, for a timeline of `products` or `stores`, the first of the warps whose operations are counted there.
  int warpOf(std::uint16_t timeline) const {
    const int n = timeline - warps_ - slots_;
    return n < 0 ? 0 : n < groups() ? n * kWarpsOfGroup : n - groups();
  }

  // `of` returns the clock of a warp. `knows` returns whether the warp knows that the event with this number on the
  // timeline has happened.
  const VectorClock& of(int warp) const { return clocks_[std::size_t(warp)]; }
  bool knows(int warp, std::uint16_t timeline, std::uint32_t number) const { return of(warp)[timeline] >= number; }
  // Let the warp know from now on that all events of the timeline up to this number have happened; or, in the second
  // form, all events that the clock `what` knows.
  void learn(int warp, std::uint16_t timeline, std::uint32_t number) {
    std::uint32_t& known = clocks_[std::size_t(warp)][timeline];
    known = std::max(known, number);
  }
  void learn(int warp, const VectorClock& what) { join(clocks_[std::size_t(warp)], what); }
  // Adds to `to` what the warp knows, and all that it has done up to the epoch, included.
  void publish(int warp, std::uint32_t epoch, VectorClock& to) const {
    join(to, of(warp));
    to[this->warp(warp)] = to[progress(warp)] = to[whole(warp)] = epoch;
  }
  // Adds to `to` what the warp knows, what all its lanes have done together, and what one thread of it, which arrives
  // alone, has done by itself up to the epoch, included; not what other lanes have done by themselves.
  void publishAlone(int warp, std::uint16_t thread, std::uint32_t epoch, VectorClock& to) {
    join(to, of(warp));
    to[progress(warp)] = to[whole(warp)] = epoch;
    const auto entry = alone_.try_emplace(thread, always() + int(alone_.size())).first;
    to.resize(std::max(to.size(), std::size_t(entry->second) + 1));
    to[std::size_t(entry->second)] = epoch;
  }
  // Returns whether the warp knows, from an arrival of the thread alone, what the thread has done up to the epoch,
  // included.
  bool knowsAlone(int warp, std::uint16_t thread, std::uint32_t epoch) const {
    const auto entry = alone_.find(thread);
    return entry != alone_.end() && std::size_t(entry->second) < of(warp).size() &&
           of(warp)[std::size_t(entry->second)] >= epoch;
  }
  // Adds to `to` which phases of mbarriers the warp knows to be over. A warp that starts a copy by the copy engine
  // publishes them, so that who waits for the copy knows that these phases were over before it.
  void publishPhases(int warp, VectorClock& to) const {
    to.resize(std::max(to.size(), of(warp).size()));
    for (int n = 0; n < slots_; ++n) to[phases(n)] = std::max(to[phases(n)], of(warp)[phases(n)]);
  }
  // Lets `count` warps from `first` on meet at a barrier in this epoch: each then knows what any of them did and knew.
  void meet(int first, int count, std::uint32_t epoch) {
    VectorClock all = clocks_[std::size_t(first)];
    for (int w = first; w < first + count; ++w) join(all, of(w));
    for (int w = first; w < first + count; ++w) all[warp(w)] = all[progress(w)] = all[whole(w)] = epoch;
    std::fill_n(clocks_.begin() + first, count, all);
  }

  // Notes a fence of the thread in this epoch, not before that of its last fence: asynchronous operations that are
  // started after it may read or overwrite what the thread has written before it.
  void fence(std::uint16_t thread, std::uint32_t epoch) { fences_[thread].push_back(epoch); }
  // Returns the epoch of the thread's first fence in or after epoch `written`; 0 if there is none.
  std::uint32_t fenceAfter(std::uint16_t thread, std::uint32_t written) const {
    const std::vector<std::uint32_t>& all = fences_[thread];
    const auto found = std::ranges::lower_bound(all, written);
    return found == all.end() ? 0 : *found;
  }

 private:
  int groups() const { return (warps_ + kWarpsOfGroup - 1) / kWarpsOfGroup; }
  // The number of timelines besides those of single lanes.
  int always() const { return 4 * warps_ + slots_ + groups(); }

  int warps_ = 0, slots_ = 0;
  std::vector<VectorClock> clocks_;                 // by warp
  std::map<std::uint16_t, int> alone_;              // timelines of single lanes, by thread
  std::vector<std::vector<std::uint32_t>> fences_;  // by thread: epochs, ascending
};

}  // namespace loom::exec
