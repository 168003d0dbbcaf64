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
    RaceInBlock,        // two threads of a block access an element, one writes it, and nothing orders the accesses
    RaceBetweenBlocks,  // two blocks of the grid access an element, and one writes it
    Deadlock,           // threads at a barrier that others never reach, or that wait for what never happens
    Misaligned,         // a vector access not at a multiple of its width, or a tile access not at one of 32 bytes
    PartialWarp,        // an operation of a warp in which not all lanes take part, or with different arguments
    UndeclaredAccess,   // a block accesses something outside of the regions that it declares
    DivisionByZero,     // an integer division by zero
    ShiftTooFar,        // a shift by `element` bits, negative or not less than the `elements` bits of the type
    BeforeWait,         // an access to an element that an asynchronous operation may not have written yet
    StillRead,          // a write of an element that an asynchronous operation may still read
    EndedEarly,         // a thread ends while an asynchronous operation of its own may still read shared memory
    NotFenced,          // the copy engine or tensor cores access what a thread wrote without a proxy fence since
    WrongPhase,         // a wait or an arrival by which, as only parity counts, a phase may be taken for another
    Unannounced,        // copies bring bytes that no phase of their mbarrier expects
    Unready,            // use of an mbarrier that, as far as the thread knows, isn't initialized yet
    MaybeEnded,         // use of another block's shared memory, which may have ended by then
    RepeatedStore,      // several threads write the same value where one would suffice; this is wasteful, not wrong
  };
  Kind kind = Kind::OutOfBounds;
  std::string kernel;         // name of the kernel
  std::int64_t site = -1;     // number of the statement in the executor's code (Code::sites)
  ir::Id block;               // block of the program; none for barriers outside of blocks
  std::string blockName;      // name of that block
  std::string buffer;         // name of the buffer; empty for barriers
  std::int64_t element = 0;   // offset from the buffer's start, in elements; of fragments, the fragment's number; of a
                              // shift (ShiftTooFar) and a division, the operand
  std::int64_t elements = 0;  // size of the buffer, in elements; of a shift, the bits of the type
  bool write = false;         // whether the access is a write
  std::vector<std::pair<std::string, std::int64_t>>
      loops;                               // serial loops around with their iterations, outermost first
  std::array<std::int64_t, 3> blockIdx{};  // x, y, z
  // threadIdx (x, y, z) of the threads concerned; for a race the later thread first, then the earlier one; for a
  // deadlock one that waits first, then one that doesn't come.
  std::vector<std::array<std::int64_t, 3>> threads;
  std::string otherBlockName;                   // for a race: name of the program's block whose access came first
  std::array<std::int64_t, 3> otherBlockIdx{};  // for a race between blocks: blockIdx of the first access
  bool wholeWarp = false;       // whether the access is one of a whole warp; `threads` then has its first lane
  bool otherWholeWarp = false;  // whether the earlier access of a race is one of a whole warp, of `threads[1]`
  // A warp that waits in a deadlock, and what it waits for.
  struct Waiter {
    // A barrier, a phase of an mbarrier, or a group of products of a warpgroup.
    enum class What : std::uint8_t { Barrier, Phase, Products } what = What::Barrier;
    std::array<std::int64_t, 3> thread{};  // threadIdx of the first lane of the warp
    std::string mbarrier;                  // for a phase: name of the mbarrier
    std::int64_t slot = 0;                 // for a phase: slot of the mbarrier
    std::int64_t wanted = 0, reached = 0;  // the phase or group awaited, from 1; how many have ended or begun
    std::int64_t arrivals = 0, bytes = 0;  // for a phase: arrivals and bytes that the current phase still needs
  };
  std::vector<Waiter> waiters;  // for a deadlock in which not all warps stand at barriers; else empty
  // How a phase is wrong. Passed: a thread waits for a phase when a later one is over, too. Ahead: a thread waits for a
  // phase when the one before isn't over. Early: a thread arrives for a phase without knowing that the one before is
  // over. Overtaking: a thread ends a phase without knowing that all who waited for the one before have gone on.
  enum class Phase : std::uint8_t { Passed, Ahead, Early, Overtaking } phase = Phase::Passed;
  // For a wrong phase: its number from 1, and how many phases have ended; `buffer` and `element` are the mbarrier and
  // its slot. For a copy that no phase expects (Unannounced), `reached` is its size in bytes.
  std::int64_t wanted = 0, reached = 0;
  bool ofSums = false;      // whether the finding is about a warpgroup's sums (wgmma) in registers, not about memory
  bool ofOriginal = false;  // whether the unscheduled program has the same fault
  std::int64_t count = 1;   // how often the fault was found here; of lanes that access one element at once, two count
};

// Returns one sentence that describes a finding: "race inside a block: …".
Message describe(const Finding& finding);
// Returns the name of a kind for JSON: "out_of_bounds", …
const char* nameOf(Finding::Kind kind);

// Returns whether findings of this kind make the result of the program undefined.
inline bool isFault(Finding::Kind kind) { return kind != Finding::Kind::RepeatedStore; }

// Collects the first finding of each kind at each place, and counts the others.
class FindingLog {
 public:
  // Returns whether no finding of this kind at this site of the kernel exists yet; the caller must then `add` it next.
  // Otherwise counts the existing finding once more. `kernel` is the index of the kernel in the program; neither it nor
  // `site` may be negative.
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
  // Returns all findings. The log must not be used afterwards.
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  // By kernel, site and kind: the finding's number from 1.
  std::vector<std::vector<std::array<std::size_t, std::size_t(Finding::Kind::RepeatedStore) + 1>>> seen_;
  std::vector<Finding> findings_;
};

}  // namespace loom::exec
