// Accesses about which nothing is to be said, which is most of them: within bounds, awaited, after all that they depend
// on, of elements that are known.
#pragma once
#include <cstring>

#include "core/exec/memory.h"
#include "core/exec/pending_operations.h"

namespace loom::exec {

// The accesses of one site at one moment. Each function returns whether an access is plain and has been noted; where it
// isn't, nothing that matters has changed, and Warp::readElement or Warp::writeElement says what is wrong, if anything
// is. Areas without memory of their own, and those that operations beside the warps use, have no plain accesses.
struct PlainAccess {
  bool possible = false;
  bool alone = false;              // whether one thread does all that the kernel does: it races with nobody
  bool noted = false;              // whether threads that read the area can race: some statement writes it
  std::uint8_t wanted = kWritten;  // of an element's state
  Clock clock;
  const PendingOperations::Writer* writers = nullptr;  // by element; null: no operation is pending that writes the area

  bool isAwaited(std::int64_t element) const { return !writers || writers[element].operations == 0; }
  // Returns the bits of an element's state that differ from what they must be for its value to be known.
  std::uint8_t missing(std::uint8_t state) const { return std::uint8_t((state & (wanted | kUnknown)) ^ wanted); }

  // Returns whether nothing is missing of so many elements one after the other: eight at a time.
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

  bool reads(const Area& area, std::int64_t element, std::uint16_t thread, std::uint16_t site) const {
    if (!possible || std::uint64_t(element) >= std::uint64_t(area.elements)) return false;
    if (missing(area.states[element]) != 0 || !isAwaited(element)) return false;
    return !noted || noteRead(area.touches[element], clock, thread, site) == Conflict::None;
  }
  // Checks that a store is allowed; the value is still to be stored. `writer` is Site::writerBit.
  bool writes(const Area& area, std::int64_t element, std::uint16_t thread, std::uint16_t site,
              std::uint8_t writer) const {
    if (!possible || std::uint64_t(element) >= std::uint64_t(area.elements) || !isAwaited(element)) return false;
    if (!alone) {
      Touch& touch = area.touches[element];
      if (noteWrite(touch, clock, thread) != Conflict::None) return false;
      writtenBy(touch, clock, thread, site);
    }
    std::uint8_t& state = area.states[element];
    state = std::uint8_t((state & ~kUnknown) | kWritten | writer);
    return true;
  }
};

}  // namespace loom::exec
