// Memory that each thread or each block has of its own must not be filled in parts by several of them.
#pragma once
#include <map>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Collects the uses of a kernel's local and shared memory while it is converted. `bound` is the set of hardware axes
// (bits of device::Axes) that loops around the use are bound to.
class PrivateMemoryCheck {
 public:
  void write(const device::Buffer& b, const std::vector<device::Expr>& at, const device::Kernel& kernel, ir::Id block);
  void read(const device::Buffer& b, unsigned bound, ir::Id block);
  // Checks the accesses noted so far. Error "NotAKernel" for memory of threads that is filled in parts along an axis
  // and read outside the axis's loop.
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
