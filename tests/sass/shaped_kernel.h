// Kernels for tests of machine code (SASS), of which only the launch matters.
#pragma once
#include "core/device/program.h"

namespace loom::sass {

// Returns a kernel launched with `blocks` blocks and `threads` threads a block along x, with two parameters, both null,
// and without a body.
inline device::Kernel shaped(std::int64_t blocks, std::int64_t threads) {
  device::Kernel k;
  k.grid[0] = blocks;
  k.block[0] = threads;
  k.params.resize(2);
  return k;
}

}  // namespace loom::sass
