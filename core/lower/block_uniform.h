#pragma once

#include <array>
#include <optional>
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
  explicit BlockUniform(const device::Kernel& kernel) : kernel_(kernel) {}
  /// Returns whether the value is known to be the same for all threads of the block. The first value that loads
  /// something has the kernel's statements looked at.
  bool is(const ir::Expr& e) const;
  /// Returns whether the value is known to be the same for all lanes of each warp. Rows of threads along threadIdx.x
  /// must be whole warps, else it returns what `is` does.
  bool isInWarps(const ir::Expr& e) const;

 private:
  // Returns whether the value has none of the variables, of which some may be null, and all that it loads is the same
  // for all threads that load from the same place.
  bool isAlike(const ir::Expr& e, const std::array<ir::Var, 3>& without) const;

  const device::Kernel& kernel_;
  // What all threads load the same from, if their indices are the same; nothing as long as nobody asked.
  mutable std::optional<std::set<const ir::BufferNode*>> alike_;
};

}  // namespace loom::lower
