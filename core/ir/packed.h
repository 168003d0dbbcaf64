// Integers of less than a byte lie side by side in bytes: the first in the lowest bits, as the tensor cores' tiles of
// them have it (PTX ISA, wmma.load). A bool has a byte of its own.
#pragma once
#include "core/ir/dtype.h"

namespace loom::ir {

inline bool isPacked(DType t) { return t.isIntegral() && t.bits < 8; }
// Returns how many elements share a byte; 1 if an element has bytes of its own.
inline int perByte(DType t) { return isPacked(t) ? 8 / t.bits : 1; }
// Returns the bytes of so many elements that lie side by side from the beginning of a byte on, rounded up.
inline std::int64_t bytesOf(DType t, std::int64_t elements) {
  return isPacked(t) ? (elements * t.lanes + perByte(t) - 1) / perByte(t) : elements * t.bytes();
}
// Returns the bytes of one element, a fraction if several share a byte.
inline double bytesEach(DType t) { return isPacked(t) ? t.lanes / double(perByte(t)) : t.bytes(); }

}  // namespace loom::ir
