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
//    thread that has started stores by the copy engine one for its groups of these. Phases and groups are counted
//    from 1.
// A thread that has waited for its own stores knows that they have been read; the rest of its warp doesn't, until the
// lanes of the warp meet or the thread arrives somewhere.
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
    stores_.clear();
    further_.clear();
    fences_.assign(std::size_t(warps_) * kLanes, {});
  }

  // Each of these returns the index of a timeline: the accesses of a warp's lanes, the phases of a slot, the groups of
  // products of the warpgroup that a warp belongs to, and a thread's groups of stores.
  std::uint16_t warp(int warp) const { return std::uint16_t(warp); }
  std::uint16_t phases(int slot) const { return std::uint16_t(warps_ + slot); }
  std::uint16_t products(int warp) const { return std::uint16_t(warps_ + slots_ + warp / kWarpsOfGroup); }
  std::uint16_t stores(std::uint16_t thread) { return std::uint16_t(storesOf(thread).timeline); }
  // Returns the index of the timeline of a warp's progress, in epochs. A warp that knows a number there knows that the
  // other warp has reached that epoch, but not that what the other warp wrote is visible.
  std::uint16_t progress(int warp) const { return std::uint16_t(warps_ + slots_ + groups() + warp); }
  // Returns the index of the timeline of accesses that all lanes of a warp make together, such as those of a tile.
  std::uint16_t whole(int warp) const { return std::uint16_t(2 * warps_ + slots_ + groups() + warp); }
  // Returns, for a timeline of `products` or `stores`, the first of the warps whose operations are counted there.
  int warpOf(std::uint16_t timeline) const {
    return timeline < always() ? std::max(0, timeline - warps_ - slots_) * kWarpsOfGroup
                               : further_[std::size_t(timeline - always())] / kLanes;
  }

  // `of` returns the clock of a warp. `knows` returns whether the warp knows that the event with this number on the
  // timeline has happened.
  const VectorClock& of(int warp) const { return clocks_[std::size_t(warp)]; }
  bool knows(int warp, std::uint16_t timeline, std::uint32_t number) const {
    return timeline < of(warp).size() && of(warp)[timeline] >= number;
  }
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
    publishStores(warp * kLanes, kLanes, to);
  }
  // Adds to `to` what the warp knows, what all its lanes have done together, and what one thread of it, which arrives
  // alone, has done by itself up to the epoch, included; not what other lanes have done by themselves.
  void publishAlone(int warp, std::uint16_t thread, std::uint32_t epoch, VectorClock& to) {
    join(to, of(warp));
    to[progress(warp)] = to[whole(warp)] = epoch;
    const auto entry = alone_.find(thread);
    note(to, entry != alone_.end() ? entry->second : alone_[thread] = further(thread), epoch);
    publishStores(thread, 1, to);
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
  // Lets the thread, but not yet the rest of its warp, know that its groups of stores up to this number have been read.
  void awaitStores(std::uint16_t thread, std::uint32_t number) {
    std::uint32_t& read = storesOf(thread).read;
    read = std::max(read, number);
  }
  // Returns whether the timeline is that of the groups of stores of one of `count` threads from `first` on, and that
  // thread itself knows that the group with this number has been read.
  bool haveAwaited(int first, int count, std::uint16_t timeline, std::uint32_t number) const {
    if (timeline < always()) return false;
    const std::uint16_t thread = further_[std::size_t(timeline - always())];
    const auto entry = stores_.find(thread);
    return thread >= first && thread < first + count && entry != stores_.end() && entry->second.timeline == timeline &&
           entry->second.read >= number;
  }
  // Lets the lanes of a warp meet in this epoch: each then knows what any of them did and knew.
  void meetLanes(int warp, std::uint32_t epoch) {
    learn(warp, this->warp(warp), epoch);
    publishStores(warp * kLanes, kLanes, clocks_[std::size_t(warp)]);
  }
  // Lets `count` warps from `first` on meet at a barrier in this epoch: each then knows what any of them did and knew.
  void meet(int first, int count, std::uint32_t epoch) {
    VectorClock all = clocks_[std::size_t(first)];
    for (int w = first; w < first + count; ++w) join(all, of(w));
    for (int w = first; w < first + count; ++w) all[warp(w)] = all[progress(w)] = all[whole(w)] = epoch;
    publishStores(first * kLanes, count * kLanes, all);
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
  int always() const { return 3 * warps_ + slots_ + groups(); }
  // Adds a timeline of a single lane.
  int further(std::uint16_t thread) {
    further_.push_back(thread);
    return always() + int(further_.size()) - 1;
  }
  static void note(VectorClock& to, int timeline, std::uint32_t number) {
    to.resize(std::max(to.size(), std::size_t(timeline) + 1));
    to[std::size_t(timeline)] = std::max(to[std::size_t(timeline)], number);
  }
  // A thread's groups of stores: their timeline, and up to which number the thread knows them to have been read.
  struct Stores {
    int timeline = 0;
    std::uint32_t read = 0;
  };
  Stores& storesOf(std::uint16_t thread) {
    const auto entry = stores_.find(thread);
    return entry != stores_.end() ? entry->second : stores_[thread] = {further(thread), 0};
  }
  void publishStores(int first, int count, VectorClock& to) const {
    for (auto s = stores_.lower_bound(std::uint16_t(first)); s != stores_.end() && s->first < first + count; ++s)
      note(to, s->second.timeline, s->second.read);
  }

  int warps_ = 0, slots_ = 0;
  std::vector<VectorClock> clocks_;                 // by warp
  std::map<std::uint16_t, int> alone_;              // timelines of what single lanes do, by thread
  std::map<std::uint16_t, Stores> stores_;          // by thread
  std::vector<std::uint16_t> further_;              // the threads of all timelines of single lanes
  std::vector<std::vector<std::uint32_t>> fences_;  // by thread: epochs, ascending
};

}  // namespace loom::exec
