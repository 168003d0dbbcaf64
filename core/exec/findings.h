// What the executor finds wrong with a program.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/id.h"
#include "core/ir/message.h"

namespace loom::exec {

// Something wrong that the executor has found at one place of a program.
struct Finding {
  enum class Kind {
    OutOfBounds,        // an access outside its buffer
    Uninitialised,      // a read of what was never written
    RaceInBlock,        // two threads of a block, one of them writing, without a barrier between
    RaceBetweenBlocks,  // two blocks of the grid, one of them writing
    Deadlock,           // threads at a barrier that others never reach, or that wait for what never happens
    Misaligned,         // a vector access that doesn't start at a multiple of its width
    PartialWarp,        // a warp's operation in which not all lanes take part, or with different arguments
    UndeclaredAccess,   // a block accesses something outside of the regions that it declares
    DivisionByZero,     // of integers
    ShiftTooFar,        // by a negative number of bits, or by all bits or more: by `element` bits of `elements`
    BeforeWait,         // an access of what an operation still writes, before the thread knows that it has
    StillRead,          // a write of what an operation may still read
    NotFenced,          // an operation beside the warps meets what a thread wrote, with no fence of that thread since
    WrongPhase,         // a phase of an mbarrier that, by its parity, may be taken for another
    Unannounced,        // copies bring bytes that no phase of their mbarrier expects
    Unready,            // use of an mbarrier that isn't made yet, as far as the thread knows
    MaybeEnded,         // use of another block's shared memory, which may have ended by then
    RepeatedStore,      // several threads write the same value where one would suffice; this is wasteful, not wrong
  };
  Kind kind = Kind::OutOfBounds;
  std::string kernel;
  std::int64_t site = -1;  // number of the statement in the executor's code
  ir::Id block;            // of the program; none for barriers outside of blocks
  std::string blockName;
  std::string buffer;         // empty for barriers
  std::int64_t element = 0;   // offset from the buffer's start, in elements
  std::int64_t elements = 0;  // size of the buffer, in elements
  bool write = false;
  std::vector<std::pair<std::string, std::int64_t>> loops;  // serial loops around, outermost first
  std::array<std::int64_t, 3> blockIdx{};
  // threadIdx of the threads concerned; of a race, first the later thread, then the earlier one.
  std::vector<std::array<std::int64_t, 3>> threads;
  std::string otherBlockName;                   // of a race: name of the block whose access came first
  std::array<std::int64_t, 3> otherBlockIdx{};  // of a race between blocks: blockIdx of the first access
  bool wholeWarp = false;       // whether the access is one of a whole warp; `threads` then has its first lane
  bool otherWholeWarp = false;  // the same for the second of `threads`
  // Of a deadlock in which not all stand at barriers: who waits for what.
  struct Waiter {
    enum class What : std::uint8_t { Barrier, Phase, Products } what = What::Barrier;
    std::array<std::int64_t, 3> thread{};  // the first lane of a warp
    std::string mbarrier;                  // of a phase, and then
    std::int64_t slot = 0;
    std::int64_t wanted = 0, reached = 0;  // phases of the slot; groups of products
    std::int64_t arrivals = 0, bytes = 0;  // that the phase at work misses
  };
  std::vector<Waiter> waiters;
  // Of a wrong phase: one that is over is waited for; somebody arrives for one without knowing that the one before is
  // over; or one ends without its being known that those who waited for the one before have gone on.
  enum class Phase : std::uint8_t { Passed, Ahead, Early, Overtaking } phase = Phase::Passed;
  std::int64_t wanted = 0, reached = 0;  // of a wrong phase: its number, and phases that are complete; else bytes
  bool ofSums = false;      // whether what isn't waited for, or isn't fenced, are sums of products in registers
  bool ofOriginal = false;  // whether the unscheduled program has it, too
  std::int64_t count = 1;   // how often it was found at this place; lanes that all do the same count as two
};

// Returns one sentence on a finding: "race inside a block: …".
Message describe(const Finding& finding);
// Returns the name of a kind for JSON: "out_of_bounds", …
const char* nameOf(Finding::Kind kind);

// Returns whether findings of this kind make the result of the program undefined.
inline bool isFault(Finding::Kind kind) { return kind != Finding::Kind::RepeatedStore; }

// Collects the first finding of each kind at each place, and counts the others.
class FindingLog {
 public:
  // Returns whether this is the first finding of its kind at its site of the kernel; the caller must then `add` it.
  // Otherwise it is counted.
  bool isNew(Finding::Kind kind, int kernel, std::int64_t site) {
    if (seen_.size() <= std::size_t(kernel)) seen_.resize(std::size_t(kernel) + 1);
    auto& sites = seen_[std::size_t(kernel)];
    if (sites.size() <= std::size_t(site)) sites.resize(std::size_t(site) + 1);
    std::size_t& index = sites[std::size_t(site)][std::size_t(kind)];
    if (index) {
      ++findings_[index - 1].count;
      return false;
    }
    index = findings_.size() + 1;
    return true;
  }
  void add(Finding f) { findings_.push_back(std::move(f)); }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  // By kernel, site and kind: the finding's number from 1.
  std::vector<std::vector<std::array<std::size_t, std::size_t(Finding::Kind::RepeatedStore) + 1>>> seen_;
  std::vector<Finding> findings_;
};

}  // namespace loom::exec
