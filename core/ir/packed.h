// Sizes of elements in memory. Integers of less than a byte are packed: several lie in a byte, the first one in its
// lowest bits, as in the tiles of tensor cores (PTX ISA, wmma.load). A bool has a byte of its own.
#pragma once
#include "core/ir/dtype.h"

namespace loom::ir {

// Returns whether elements of the type share bytes.
inline bool isPacked(DType t) { return t.isIntegral() && t.bits < 8; }
// Returns how many lanes of such elements share a byte (a scalar is one lane); 1 if each has bytes of its own.
inline int perByte(DType t) { return isPacked(t) ? 8 / t.bits : 1; }
// Returns how many bytes, rounded up, `elements` elements take that lie side by side from the beginning of a byte.
inline std::int64_t bytesOf(DType t, std::int64_t elements) {
  return isPacked(t) ? (elements * t.lanes + perByte(t) - 1) / perByte(t) : elements * t.bytes();
}
// Returns the size of one element in bytes; a fraction if several share a byte.
inline double bytesEach(DType t) { return isPacked(t) ? t.lanes / double(perByte(t)) : t.bytes(); }

}  // namespace loom::ir
