// Memory of the executor: values, what was written, and who used each element last.
#pragma once
#include <cstdlib>
#include <memory>

#include "core/exec/bytecode.h"
#include "core/exec/inputs.h"

namespace loom::exec {

// Zeroed memory that costs nothing until it is touched, so that large buffers of which a sample runs stay cheap.
template <class T>
class ZeroedArray {
 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::int64_t n)
      : data_(static_cast<T*>(std::calloc(std::size_t(std::max<std::int64_t>(n, 1)), sizeof(T)))) {
    if (!data_) throw std::bad_alloc();
  }
  T& operator[](std::int64_t i) const { return data_.get()[i]; }
  T* data() const { return data_.get(); }
  explicit operator bool() const { return bool(data_); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> data_;
};

// The last write and read of an element. Epochs grow with every barrier and block, so that equal epochs mean: same
// block, no barrier between.
struct Touch {
  std::uint32_t writeEpoch = 0, readEpoch = 0;
  std::uint16_t writer = 0, reader = 0;  // numbers as kFirstWarp says
  std::uint16_t writeSite = 0, readSite = 0;
  std::uint16_t secondReader = 0;  // in the same epoch, another than the first; kNobody if there is none
};

// Threads of a block by number, then warps as a whole (for the accesses of warp operations).
constexpr std::uint16_t kFirstWarp = 1024, kNobody = 0x0FFF, kThreadMask = 0x0FFF;
constexpr std::uint16_t kOtherBlockRead = 0x8000;  // in Touch::reader: a block before this one read it too

struct Clock {
  std::uint32_t epoch = 1, blockStart = 1, kernelStart = 1;
};

enum class Conflict : std::uint8_t { None, InBlock, BetweenBlocks };

inline Conflict noteRead(Touch& x, const Clock& c, std::uint16_t thread, std::uint16_t site) {
  Conflict conflict = Conflict::None;
  if (x.writeEpoch >= c.kernelStart) {
    if (x.writeEpoch < c.blockStart) {
      conflict = Conflict::BetweenBlocks;
    } else if (x.writeEpoch == c.epoch && x.writer != thread) {
      conflict = Conflict::InBlock;
    }
  }
  if (x.readEpoch == c.epoch) {
    if ((x.reader & kThreadMask) != thread && x.secondReader == kNobody) x.secondReader = thread;
  } else {
    bool other = x.readEpoch >= c.kernelStart && (x.readEpoch < c.blockStart || (x.reader & kOtherBlockRead));
    x.readEpoch = c.epoch;
    x.reader = std::uint16_t(thread | (other ? kOtherBlockRead : 0));
    x.readSite = site;
    x.secondReader = kNobody;
  }
  return conflict;
}

// `x` keeps the earlier access until `writtenBy` so that a finding can name it.
inline Conflict noteWrite(const Touch& x, const Clock& c, std::uint16_t thread) {
  if (x.writeEpoch >= c.kernelStart && x.writeEpoch < c.blockStart) return Conflict::BetweenBlocks;
  if (x.readEpoch >= c.kernelStart && (x.readEpoch < c.blockStart || (x.reader & kOtherBlockRead)))
    return Conflict::BetweenBlocks;
  if (x.writeEpoch == c.epoch && x.writer != thread) return Conflict::InBlock;
  if (x.readEpoch == c.epoch && ((x.reader & kThreadMask) != thread || x.secondReader != kNobody)) {
    return Conflict::InBlock;
  }
  return Conflict::None;
}
inline void writtenBy(Touch& x, const Clock& c, std::uint16_t thread, std::uint16_t site) {
  x.writeEpoch = c.epoch;
  x.writer = thread;
  x.writeSite = site;
}

// One buffer's memory: a global buffer through the whole program, a shared one through a block. Inputs that no kernel
// writes have no memory: their values are computed.
struct Area {
  std::int64_t elements = 0;
  bool stored = false;      // has the arrays below
  bool shared = false;      // of one block: other blocks have memory of their own
  bool isInput = false;     // holds `input` where nothing was written
  bool restricted = false;  // sampling left out writers: what isn't written is unknown, not a fault
  InputValues input;
  ZeroedArray<Value> values;
  ZeroedArray<std::uint8_t> states;  // see bytecode.h
  ZeroedArray<Touch> touches;

  void allocate(std::int64_t n) {
    elements = n;
    stored = true;
    values = ZeroedArray<Value>(n);
    states = ZeroedArray<std::uint8_t>(n);
    touches = ZeroedArray<Touch>(n);
  }
};

// A thread's own memory, for the 32 lanes of a warp: element e of lane l is at e * kLanes + l.
struct LocalArea {
  std::int64_t elements = 0;
  bool restricted = false;
  ZeroedArray<Value> values;
  ZeroedArray<std::uint8_t> states;
};

// Fragments of a warp: whole tiles, row-major (A: m × k, B: k × n, accumulator: m × n), one state each.
struct FragmentArea {
  std::int64_t fragments = 0, tile = 0;
  bool restricted = false;
  ZeroedArray<double> values;
  ZeroedArray<std::uint8_t> states;
};

}  // namespace loom::exec
