#pragma once

#include <cstdint>

namespace loom::device {

/// A level of the memory hierarchy, from the farthest from the arithmetic units to the nearest. Fragments of tensor
/// operations are held in registers; `kTensorCore` is the unit that consumes them.
enum class MemoryLevel : std::uint8_t { kGlobal, kL2, kShared, kRegisters, kTensorCore };
/// The number of levels, whose values are the indices from 0 to 4.
inline constexpr int kMemoryLevels = 5;

}  // namespace loom::device
