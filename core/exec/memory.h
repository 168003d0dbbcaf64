// The memory of the programs that the executor runs: for each element the value, whether it was written, and which
// threads accessed it last, by which races are found.
#pragma once
#include <bit>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/exec/bytecode.h"
#include "core/exec/inputs.h"

namespace loom::exec {

// An array of zeros whose pages cost nothing until they are touched, so that a large buffer stays cheap if only a
// sample of the program runs.
template <class T>
class ZeroedArray {
 public:
  ZeroedArray() = default;
  // Makes `n` zeros. Throws std::bad_alloc if there is no memory.
  explicit ZeroedArray(std::int64_t n)
      : data_(static_cast<T*>(std::calloc(std::size_t(std::max<std::int64_t>(n, 1)), sizeof(T)))) {
    if (!data_) throw std::bad_alloc();
  }
  T& operator[](std::int64_t i) const { return data_.get()[i]; }
  T* data() const { return data_.get(); }
  // Returns whether the array was made with a size, and isn't empty by default.
  explicit operator bool() const { return bool(data_); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> data_;
};

// The last write and the last reads of an element. An epoch is a number that grows with every barrier of a block, with
// every new block, and, in kernels with vector clocks (vector_clock.h), with every event that orders accesses. Two
// accesses whose epochs are at least `Clock::since` are made in one block (or cluster) with no barrier of all its
// threads between them.
struct Touch {
  std::uint32_t writeEpoch = 0, readEpoch = 0;  // 0: never
  std::uint32_t secondEpoch = 0;                // epoch of the read by `secondReader`
  std::uint16_t writer = 0, reader = 0;         // numbers of threads or warps, see kFirstWarp
  std::uint16_t writeSite = 0, readSite = 0;    // numbers of the sites, a statement's accesses to a buffer
  std::uint16_t secondReader = 0;  // if `readEpoch` isn't 0: another thread that has read since; or kNobody
};

// Threads have the numbers 0 … 1023 in their block, and those of a cluster's blocks follow each other; from kFirstWarp
// on come their warps, for accesses of a warp as a whole, which noteRead and noteWrite tell from those of its threads.
constexpr std::uint16_t kFirstWarp = 8192, kNobody = 0x3FFF, kThreadMask = 0x3FFF;
constexpr std::uint16_t kOtherBlockRead = 0x8000;  // flag in Touch::reader: an earlier block read the element, too

// The current epoch, the epochs in which the current block and the current kernel began, and the epoch in which all
// threads met last (`since`).
struct Clock {
  std::uint32_t epoch = 1, blockStart = 1, kernelStart = 1, since = 1;
};

// Whether an access races with an earlier one: not at all, between threads of one block (or cluster), or between blocks
// of a kernel that don't share a cluster.
enum class Conflict : std::uint8_t { None, InBlock, BetweenBlocks };

// Records a read of an element by a thread at a site, and returns the read's conflict with the last write.
inline Conflict noteRead(Touch& x, const Clock& c, std::uint16_t thread, std::uint16_t site) {
  Conflict conflict = Conflict::None;
  if (x.writeEpoch >= c.kernelStart) {
    if (x.writeEpoch < c.blockStart) {
      conflict = Conflict::BetweenBlocks;
    } else if (x.writeEpoch >= c.since && x.writer != thread) {
      conflict = Conflict::InBlock;
    }
  }
  if (x.readEpoch >= c.since) {
    if ((x.reader & kThreadMask) == thread) {
      x.readEpoch = c.epoch;
    } else if (x.secondReader == kNobody || x.secondReader == thread) {
      x.secondReader = thread;
      x.secondEpoch = c.epoch;
    }
  } else {
    bool other = x.readEpoch >= c.kernelStart && (x.readEpoch < c.blockStart || (x.reader & kOtherBlockRead));
    x.readEpoch = c.epoch;
    x.reader = std::uint16_t(thread | (other ? kOtherBlockRead : 0));
    x.readSite = site;
    x.secondReader = kNobody;
  }
  return conflict;
}

// Returns the conflict of a write with the earlier accesses of an element. Doesn't record the write, so that a finding
// can still name the earlier access; `writtenBy` does.
inline Conflict noteWrite(const Touch& x, const Clock& c, std::uint16_t thread) {
  if (x.writeEpoch >= c.kernelStart && x.writeEpoch < c.blockStart) return Conflict::BetweenBlocks;
  if (x.readEpoch >= c.kernelStart && (x.readEpoch < c.blockStart || (x.reader & kOtherBlockRead)))
    return Conflict::BetweenBlocks;
  if (x.writeEpoch >= c.since && x.writer != thread) return Conflict::InBlock;
  if (x.readEpoch >= c.since && ((x.reader & kThreadMask) != thread || x.secondReader != kNobody)) {
    return Conflict::InBlock;
  }
  return Conflict::None;
}
// Records a write of an element by a thread at a site.
inline void writtenBy(Touch& x, const Clock& c, std::uint16_t thread, std::uint16_t site) {
  x.writeEpoch = c.epoch;
  x.writer = thread;
  x.writeSite = site;
}

// An access by an operation of the async proxy (PTX ISA): one that the copy engine or the tensor cores of a warpgroup
// execute while the warp that started it goes on. A timeline is a sequence of numbered events, such as the phases of an
// mbarrier (vector_clock.h): the access has happened once the event `number` of the timeline with the index `timeline`
// has. Number 0: no access.
struct AsyncAccess {
  std::uint32_t number = 0;
  std::uint16_t timeline = 0, site = 0;
  bool operator==(const AsyncAccess&) const = default;
};
// The last write of 16 bytes by an operation of the async proxy, and the last read since on each of up to four
// timelines; reads on further timelines are not kept.
struct alignas(16) AsyncTouch {
  AsyncAccess write;
  std::array<AsyncAccess, 4> reads;
  std::uint16_t writer = 0;  // the thread that started the write
};

// When something last happened to the elements of an area. A time is a number that grows with each call of `note`; one
// time is kept for 256 elements together.
class AreaTimes {
 public:
  AreaTimes() = default;
  // Makes the times of an area with so many elements; nothing has happened yet.
  explicit AreaTimes(std::int64_t elements) : last_(std::size_t(elements >> kBits) + 1) {}
  // Notes that something happens now to `count` elements from `first` on, at least one, all of them within the area.
  void note(std::int64_t first, std::int64_t count) {
    ++now_;
    for (std::int64_t n = first >> kBits; n <= (first + count - 1) >> kBits; ++n) last_[std::size_t(n)] = now_;
  }
  // Returns the time of what happened last; 1 if nothing has.
  std::uint64_t now() const { return now_; }
  // Returns whether nothing has happened after `time` to the elements from `first` to before `end`, nor to other
  // elements for which the same times are kept; false if the elements aren't all within the area.
  bool isQuiet(std::int64_t first, std::int64_t end, std::uint64_t time) const {
    if (first < 0 || std::size_t((end - 1) >> kBits) >= last_.size()) return false;
    for (std::int64_t n = first >> kBits; n <= (end - 1) >> kBits; ++n)
      if (last_[std::size_t(n)] > time) return false;
    return true;
  }

 private:
  static constexpr int kBits = 8;
  std::uint64_t now_ = 1;
  std::vector<std::uint64_t> last_;
};

// The memory of a buffer in global memory, for the whole program, or in shared memory, for the time of a block. An
// input that no kernel writes isn't stored, since its values are computed.
struct Area {
  std::int64_t elements = 0;  // number of elements
  bool stored = false;        // whether the arrays below are allocated
  bool shared = false;        // whether it is a block's shared memory
  bool isInput = false;       // whether elements that were not written have the value of `input`
  bool restricted = false;    // whether sampling left out writers, so that reading an unwritten element is no fault
  InputValues input;          // the values of an input
  // By element: the value; the state; the last accesses. A state is 0 until the element is written. Then bit 0
  // (kWritten, bytecode.h) is set, bit 1 (kUnknown) as well if the value is unknown because sampling left out what
  // computes it, and one of the bits 2 to 7 for each of the first six blocks of the program (T.block) that write the
  // buffer, if it wrote the element.
  ZeroedArray<Value> values;
  ZeroedArray<std::uint8_t> states;
  ZeroedArray<Touch> touches;

  // The members from here to `byThreads` are only for shared memory in kernels with timelines (Code::hasTimelines).
  // There who calls `allocate` makes them afterwards; elsewhere they stay as they are here, and mustn't be used.

  // By piece of 16 bytes, which has `piece` elements: the last accesses by operations of the async proxy.
  ZeroedArray<AsyncTouch> asyncTouches;
  // When values or states changed, and when operations of the async proxy began to write.
  AreaTimes changes, claims;
  std::int64_t piece = 1;  // elements of a piece, a power of two
  // Returns the number of the piece that has an element.
  std::int64_t pieceOf(std::int64_t element) const { return element >> std::countr_zero(std::uint64_t(piece)); }
  // Whether statements of threads, and not only operations of the async proxy, have accessed the memory since the block
  // began.
  bool byThreads = false;

  // Makes the three arrays by element for `n` elements, none of which is written.
  void allocate(std::int64_t n) {
    elements = n;
    stored = true;
    values = ZeroedArray<Value>(n);
    states = ZeroedArray<std::uint8_t>(n);
    touches = ZeroedArray<Touch>(n);
  }
};

// The local memory of a warp's 32 lanes: element e of lane l is at index e * 32 + l of `values` and of `states`, whose
// bits are those of Area::states.
struct LocalArea {
  std::int64_t elements = 0;  // number of elements of one lane
  bool restricted = false;    // as Area::restricted: reading an unwritten element is no fault
  ZeroedArray<Value> values;
  ZeroedArray<std::uint8_t> states;
};

// The tensor-core fragments of a warp: element e of fragment f is at index f * tile + e of `values`. A fragment is a
// whole tile, row by row (A: m × k, B: k × n, accumulator: m × n); if a warpgroup holds it together, each of its four
// warps has an area with its own quarter of the rows. Each fragment has one state, with the bits of Area::states.
struct FragmentArea {
  std::int64_t fragments = 0, tile = 0;  // number of fragments; elements of each, those of this warp alone
  bool restricted = false;               // as Area::restricted: reading an unwritten fragment is no fault
  ZeroedArray<double> values;
  ZeroedArray<std::uint8_t> states;
  // By fragment, if a warpgroup holds them, else empty: the latest group of products (wgmma.commit_group) that adds to
  // it, from 1, 0: none; whether other statements have written it since the last wgmma.fence.
  ZeroedArray<std::uint32_t> groups;
  ZeroedArray<std::uint8_t> unfenced;
};

}  // namespace loom::exec
