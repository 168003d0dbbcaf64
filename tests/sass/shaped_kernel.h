// Kernels of the tests of machine code.
#pragma once
#include "core/device/program.h"

namespace loom::sass {

// A kernel of so many blocks and threads along x, with two parameters and no statements.
inline device::Kernel shaped(std::int64_t blocks, std::int64_t threads) {
  device::Kernel k;
  k.grid[0] = blocks;
  k.block[0] = threads;
  k.params.resize(2);
  return k;
}

}  // namespace loom::sass
