#pragma once

#include <cstdint>

namespace loom::device {

/// How the iterations of a loop are executed.
enum class HardwareAxis : std::uint8_t {
  kBlock,  ///< by the blocks of the grid, along any of its axes, or by the blocks of a cluster
  kThreadX,
  kThreadY,
  kThreadZ,
  kVirtualThread,
  kVectorized,
  kUnrolled,
  kSerial,
  /// One after another, and a reduction combines the values of the iterations. A reduction's loop that is bound to
  /// threads, vectorized or unrolled has that kind instead.
  kReduction,
};

}  // namespace loom::device
