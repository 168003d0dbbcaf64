// An access is plain if it lies within its buffer, if the element's value is known and no pending operation writes it,
// and if it happens after all accesses that it depends on. Most accesses are plain, and the executor checks them fast.
#pragma once
#include <cstring>

#include "core/exec/memory.h"
#include "core/exec/pending_operations.h"

namespace loom::exec {

// What makes an access of one site (one statement's access to a buffer) plain at one moment, apart from the order of
// accesses, which Warp::readBy and Warp::writeBy check. If an access isn't plain, Warp::readElement or
// Warp::writeElement reports what is wrong, if anything is. An area is the memory of one buffer. Areas without stored
// values, and areas that the copy engine or tensor cores access by themselves, have no plain accesses.
struct PlainAccess {
  bool possible = false;  // whether the area has plain accesses at all
  bool alone = false;     // whether the kernel has only one thread, which races with nobody
  bool noted = false;     // whether reads must be noted to find races: some statement writes the area
  // The bits that an element's state (Area::states) must have for its value to be known: kWritten, which says that it
  // was written; where sampling left out writers of the area, also a bit for each of the program's blocks that must
  // have written the element before this read.
  std::uint8_t wanted = kWritten;
  // Epochs are numbers that grow with every barrier. An earlier access to the element may race with this one if another
  // thread made it in the epoch `clock.since` or later, or another block in `clock.kernelStart` or later.
  Clock clock;
  const PendingOperations::Writer* writers = nullptr;  // by element; null: no operation is pending that writes the area

  // Returns whether no pending operation writes the element: all that did have been awaited.
  bool isAwaited(std::int64_t element) const { return !writers || writers[element].operations == 0; }
  // Returns whether the area has plain accesses, the element lies within it, and no pending operation writes it.
  bool isThere(const Area& area, std::int64_t element) const {
    return possible && std::uint64_t(element) < std::uint64_t(area.elements) && isAwaited(element);
  }
  // Returns whether `isThere` is true and the element has a known value.
  bool isKnown(const Area& area, std::int64_t element) const {
    return isThere(area, element) && missing(area.states[element]) == 0;
  }
  // Returns the bits of an element's state that differ from what they must be for its value to be known: those of
  // `wanted` must be set, and kUnknown (the value follows from one that sampling left out) must not.
  std::uint8_t missing(std::uint8_t state) const { return std::uint8_t((state & (wanted | kUnknown)) ^ wanted); }

  // Returns whether `count` elements one after the other, with these states, all have known values; checks nothing
  // else.
  bool allKnown(const std::uint8_t* states, std::int64_t count) const {
    constexpr std::uint64_t kEach = 0x0101010101010101;
    std::int64_t n = 0;
    std::uint64_t bits = 0;
    for (; n + 8 <= count; n += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, states + n, sizeof eight);
      bits |= (eight & kEach * (wanted | kUnknown)) ^ kEach * wanted;
    }
    for (; n < count; ++n) bits |= missing(states[n]);
    return bits == 0;
  }
};

}  // namespace loom::exec
