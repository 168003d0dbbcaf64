// Checks that several threads (or blocks) don't each fill a part of memory of which each thread (or block) has a copy
// of its own: no thread would then have all parts.
#pragma once
#include <map>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Collects the uses of one kernel's local and shared memory while the kernel is converted. The buffers must live until
// `check`.
class PrivateMemoryCheck {
 public:
  // Notes a store to buffer `b` at the indices `at`, or a load from `b`. `kernel` is the one that is being converted,
  // with its threadIdx, blockIdx and their extents. Accesses to buffers that `check` finds no allocation of count for
  // nothing. `block` is the block of the program that has the access, for the error. `bound` has a bit for each axis
  // that loops around the load are bound to: 0 to 2 for threadIdx.x to .z, 3 to 5 for blockIdx.x to .z.
  void write(const device::Buffer& b, const std::vector<device::Expr>& at, const device::Kernel& kernel, ir::Id block);
  void read(const device::Buffer& b, unsigned bound, ir::Id block);
  // Checks the accesses noted so far. Error "NotAKernel" for local memory (Memory::Local, not fragments) that is filled
  // in parts along a thread or block axis, and for shared memory that is filled in parts along a block axis, if it is
  // read outside of the loop that is bound to the axis. Excepted is shared memory of which the blocks of a cluster have
  // slices (scope shared.cluster), along blockIdx.z.
  Result<void> check(const device::Kernel& kernel) const;

 private:
  struct Uses {
    unsigned parts = 0;     // axes that the indices of stores depend on
    unsigned inside = ~0u;  // axes that are bound around every load
    ir::Id writer, reader;
  };
  std::map<const ir::BufferNode*, Uses> uses_;
};

}  // namespace loom::lower
