#pragma once

#include <cstdint>

namespace loom::device {

/// What runs the iterations of a loop.
enum class HardwareAxis : std::uint8_t {
  kBlock,  ///< the blocks of the grid, along any of its axes
  kThreadX,
  kThreadY,
  kThreadZ,
  kVirtualThread,
  kVectorized,
  kUnrolled,
  kSerial,
  kReduction,  ///< serial, and a reduction combines the values of the iterations
};

}  // namespace loom::device
