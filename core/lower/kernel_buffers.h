#pragma once

#include <set>
#include <unordered_map>
#include <vector>

#include "core/device/operation.h"
#include "core/lower/convert.h"

/// The buffers that one kernel uses, collected while `convert` makes the kernel of a loop nest. Only for core/lower.
namespace loom::lower {

/// Collects the buffers that a kernel uses. A kernel may use the function's buffers, in global memory, and those that
/// its nest allocates: buffers in shared or local memory become allocations of the kernel, those in global memory
/// temporaries, which the host allocates.
class KernelBuffers {
 public:
  /// `globals` are the function's buffers, each with its flat buffer (of one dimension, over the same memory), and
  /// `symbols` the function's symbols, on which extents of temporaries may depend. `byElements` says that tensor-core
  /// fragments may be accessed element by element, as in a draft (lower.h), which no GPU can run: fragments of any
  /// shape are then allowed. `forms` says, for each fragment of the nest, which tile the first call that uses it gives
  /// it, and whether all loads take it from memory by rows (device::FragmentForm). Allocations and temporaries are
  /// added to `kernel`. `globals`, `symbols` and `kernel` must outlive this object.
  KernelBuffers(const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols, bool byElements,
                device::FragmentForms forms, ConvertedKernel& kernel);

  /// Adds a buffer that the nest allocates; called before its first use. Error "NotAKernel" if an extent is negative or
  /// isn't constant (in global memory it may depend on symbols), if the buffer is too large, if CUDA has no memory of
  /// the scope, or if tensor cores have no fragment of this shape.
  Result<void> allocate(const ir::Buffer& b);

  /// Notes that the kernel uses a buffer. Error "NotAKernel" if the buffer is neither the function's nor was given to
  /// `allocate`.
  Result<void> use(const ir::Buffer& b);

  /// Returns the buffer whose data variable is `data`, not its flat buffer, and notes that the kernel uses it: the last
  /// that was given to `allocate` with this variable, else the function's first. Error "NotAKernel" if there is none.
  Result<ir::Buffer> ofData(const ir::VarNode* data);

  /// Sets the parameters of `kernel` that are buffers: the function's that it uses, in the function's order, then the
  /// temporaries. Called once, after all buffers were noted.
  void takeParameters();

 private:
  void addTemporary(const ir::Buffer& b, const ir::Buffer& flat, std::int64_t elements);
  void know(const ir::Buffer& b);
  bool hasSymbolicSize(const ir::BufferNode& b) const;

  const GlobalBuffers& globals_;
  const std::vector<ir::Symbol>& symbols_;
  const bool byElements_;
  const device::FragmentForms forms_;
  ConvertedKernel& kernel_;
  std::set<const ir::BufferNode*> used_, allocated_;
  GlobalBuffers temporaries_;
  std::unordered_map<const ir::VarNode*, ir::Buffer> allocatedByData_;
};

}  // namespace loom::lower
