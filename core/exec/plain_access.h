// Accesses about which nothing is to be said, which is most of them: within bounds, awaited, after all that they depend
// on, of elements that are known.
#pragma once
#include <cstring>

#include "core/exec/memory.h"
#include "core/exec/pending_operations.h"

namespace loom::exec {

// The accesses of one site at one moment, apart from their order, which Warp::readBy and Warp::writeBy look at; where
// one isn't plain, Warp::readElement or Warp::writeElement says what is wrong, if anything is. Areas without memory of
// their own, and those that operations beside the warps use, have no plain accesses.
struct PlainAccess {
  bool possible = false;
  bool alone = false;              // whether one thread does all that the kernel does: it races with nobody
  bool noted = false;              // whether threads that read the area can race: some statement writes it
  std::uint8_t wanted = kWritten;  // of an element's state
  Clock clock;
  const PendingOperations::Writer* writers = nullptr;  // by element; null: no operation is pending that writes the area

  bool isAwaited(std::int64_t element) const { return !writers || writers[element].operations == 0; }
  // Returns whether the element exists, and nobody still writes it who wasn't waited for.
  bool isThere(const Area& area, std::int64_t element) const {
    return possible && std::uint64_t(element) < std::uint64_t(area.elements) && isAwaited(element);
  }
  // Returns whether its value is known, too.
  bool isKnown(const Area& area, std::int64_t element) const {
    return isThere(area, element) && missing(area.states[element]) == 0;
  }
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
};

}  // namespace loom::exec
