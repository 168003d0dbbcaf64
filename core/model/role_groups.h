// What a run of blocks with roles (role_run.cpp) keeps of the blocks that are resident: their warpgroups, their
// mbarriers, and the events that are to come. Times are clocks of the multiprocessor since the kernel began.
#pragma once
#include <deque>
#include <vector>

#include "core/model/role_program.h"

namespace loom::model {

// A slot's barrier: phases that have ended, and what the next one lacks.
struct SlotPhases {
  int phases = 0, arrived = 0;
  double announced = 0, landed = 0;
  int by = -1;  // the group that ended the last phase; -1: the copy engine
};

struct RunningBlock;

// A warpgroup, or the warps that are left after the last whole one.
struct WarpGroup {
  RunningBlock* block = nullptr;
  int number = 0, step = 0;
  double now = 0;
  RoleValues values;
  std::vector<std::vector<int>> waited;  // by barrier and slot: the phase that it waits for next, unless a wait says
  // A product that tensor cores haven't begun, and the slot's phase that the group waited for last.
  struct Product {
    const RoleStep* step = nullptr;
    int barrier = -1, slot = -1, phase = -1;
  };
  std::deque<Product> products;
  Product reads;  // what the next product is to be, but for its step
  // Groups of products: how many were committed and have ended; those that are started and not committed count as
  // `open`.
  std::deque<double> committed;  // when each pending one ends; -1: not known yet
  int open = 0, begun = 0;
  std::deque<int> sizes;  // of committed groups whose end isn't known
  double lastEnd = 0;     // of its products
  double storesRead = 0;  // when its boxes to global memory have read their sources
  double since = -1;      // when it began to wait for a phase, or for products; -1: it doesn't
  bool waiting = false, done = false;
};

// A block that is resident. Times are in clocks; counts are of its warpgroups.
struct RunningBlock {
  std::vector<WarpGroup> groups;
  std::vector<std::vector<SlotPhases>> slots;
  int number = 0, met = 0, alive = 0;
  double latest = 0, stored = 0;
};

// Something that happens at a time: a warpgroup goes on, a box has landed, tensor cores are free, a place for a block
// is free.
struct RoleEvent {
  double time = 0;
  enum class Kind : std::uint8_t { Step, Land, Tensor, Begin } kind = Kind::Step;
  WarpGroup* group = nullptr;
  RunningBlock* block = nullptr;
  int barrier = -1, slot = -1;
  double bytes = 0;
  std::int64_t order = 0;
  friend bool operator<(const RoleEvent& a, const RoleEvent& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
};

}  // namespace loom::model
