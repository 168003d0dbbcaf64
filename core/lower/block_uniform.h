#pragma once

#include <set>

#include "core/device/program.h"

namespace loom::lower {

/// Knows which values are the same for all threads of a block that evaluate them at the same statement, in the same
/// iteration of the loops around it. Such a value doesn't depend on threadIdx. It may depend on loaded elements only if
/// their indices are the same for all threads, too, and if they lie in global memory that the kernel doesn't write, or
/// in memory of which each thread has its own (Memory::Local) and in which all threads store the same values.
class BlockUniform {
 public:
  /// The kernel must outlive this object, and its body must not change meanwhile but for further barriers.
  explicit BlockUniform(const device::Kernel& kernel);
  /// Returns whether the value is known to be the same for all threads of the block.
  bool is(const ir::Expr& e) const;
  /// Returns whether the value is known to be the same for all lanes of each warp. Rows of threads along threadIdx.x
  /// must be whole warps, else it returns what `is` does.
  bool isInWarps(const ir::Expr& e) const;

 private:
  // Takes from `alike_` the buffers that the statement may leave with different values in different threads. `varies`:
  // some threads skip the statement, or repeat it more often than others.
  void follow(const device::Stmt& s, bool varies);
  // Returns whether all elements that the value depends on are the same for all threads that read the same ones.
  bool loadsAlike(const ir::Expr& e) const;

  const device::Kernel& kernel_;
  std::set<const ir::BufferNode*> kept_;   // global memory that the kernel doesn't write
  std::set<const ir::BufferNode*> alike_;  // each thread has its own, and all hold the same
};

}  // namespace loom::lower
