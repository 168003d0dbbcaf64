// The state of a simulated run of one multiprocessor, for kernels whose warps have roles (role_run.cpp): the resident
// blocks with their warpgroups and mbarriers, and the events that are still to come. A warp's role is to load tiles for
// other warps, or to multiply them. Warpgroups execute a list of steps (RoleStep), such as a request to the copy engine
// or a wait. Times are clocks of the multiprocessor since the kernel began. A slot is one buffer of a ring, with an
// mbarrier of its own. The run owns the blocks and their groups, whose vectors don't change once made, and the list of
// steps, to which all pointers are. A product is one wgmma, and a group of products what one commit closes.
#pragma once
#include <deque>
#include <vector>

#include "core/model/role_program.h"

namespace loom::model {

// The state of a slot's mbarrier. The current phase ends when enough threads have arrived and all announced bytes have
// landed.
struct SlotPhases {
  int phases = 0, arrived = 0;       // phases that have ended; arrivals in the current phase
  double announced = 0, landed = 0;  // bytes in the current phase
  int by = -1;  // number of the warpgroup whose arrival ended the last phase; -1: the copy engine, or none has ended
};

struct RunningBlock;

// A warpgroup (128 threads), or the remaining warps of a block whose threads are no multiple of 128.
struct WarpGroup {
  RunningBlock* block = nullptr;  // the block that has the group; not null
  int number = 0, step = 0;       // its number in the block; the index of its next RoleStep
  double now = 0;                 // the time until which it has executed its steps
  RoleValues values;              // the values of the kernel's variables in the group's first thread
  // waited[barrier][slot]: the number of the phase that a wait without a phase of its own waits for next.
  std::vector<std::vector<int>> waited;
  // A product, and the phase of a slot that the group had waited for last when it started the product, whose tile it
  // therefore reads; -1: for none.
  struct Product {
    const RoleStep* step = nullptr;  // the product's; null in `reads`
    int barrier = -1, slot = -1, phase = -1;
  };
  std::deque<Product> products;  // started products that tensor cores haven't begun, in order
  Product reads;                 // the phase that the group waited for last; `step` is null
  std::deque<double> committed;  // the time when each committed group of products ends, in order; -1: not known yet
  // The number of products that are started and not committed; and of those that tensor cores have begun, without the
  // ones of groups whose end is known.
  int open = 0, begun = 0;
  std::deque<int> sizes;  // number of products of each committed group whose end isn't known, in order
  double lastEnd = 0;     // the time when its last product ends
  double storesRead = 0;  // the time when the copy engine has read the source of its latest store to global memory
  std::deque<double> committedStores;  // `storesRead` at each commit of stores that may still be pending, in order
  double since = -1;  // the time when it began to wait for a phase or for products; -1: it doesn't wait
  bool waiting = false, done = false;  // whether it waits for a phase or for products; whether it has ended
};

// A resident block.
struct RunningBlock {
  std::vector<WarpGroup> groups;
  std::vector<std::vector<SlotPhases>> slots;  // slots[barrier][slot], by index into Kernel::mbarriers
  // The block's number in the order in which blocks begin on the multiprocessor; how many of its groups have come to
  // the block's barrier; and how many haven't ended.
  int number = 0, met = 0, alive = 0;
  // The latest time at which a group came to the barrier or ended, and the time when all that the block has stored has
  // reached global memory.
  double latest = 0, stored = 0;
};

// An event at a time: a warpgroup continues (Step), bytes of a box reach shared memory (Land), tensor cores are free
// (Tensor), or another block can begin (Begin). Of events at the same time, the one with the lower `order` comes first.
// `group` belongs to Step; `block`, `barrier`, `slot` and `bytes` to Land: the mbarrier whose phase the bytes count
// for. If shared memory is busy, the event is posted again for the time when it has taken the bytes, with `bytes`
// negated: −`bytes` of them then count for the phase, and shared memory isn't asked again.
struct RoleEvent {
  double time = 0;
  enum class Kind : std::uint8_t { Step, Land, Tensor, Begin } kind = Kind::Step;
  WarpGroup* group = nullptr;     // null unless the kind is Step
  RunningBlock* block = nullptr;  // null unless the kind is Land
  int barrier = -1, slot = -1;
  double bytes = 0;
  std::int64_t order = 0;
  // Whether `a` comes after `b`, so that the top of a std::priority_queue is the next event.
  friend bool operator<(const RoleEvent& a, const RoleEvent& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
};

}  // namespace loom::model
