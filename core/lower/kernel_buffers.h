#pragma once

#include <set>
#include <unordered_map>
#include <vector>

#include "core/device/operation.h"
#include "core/lower/convert.h"

/// Which memory one kernel uses, as `convert` comes across it. Private to the room.
namespace loom::lower {

/// The buffers that a kernel may use are the function's, in global memory, and those that its nest allocates: its own,
/// which become its allocations, and temporaries in global memory, which the host allocates.
class KernelBuffers {
 public:
  /// `globals` are the function's buffers and `symbols` its symbols; `byElements` is as `convert` has it; `forms` are
  /// those of the nest. Allocations and temporaries are added to `kernel`. All but the flag and the forms must outlive
  /// this object.
  KernelBuffers(const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols, bool byElements,
                device::FragmentForms forms, ConvertedKernel& kernel);

  /// Adds a buffer that the nest allocates. Error "NotAKernel": an extent isn't constant, the scope is none of CUDA's,
  /// or tensor cores have no fragment of this shape.
  Result<void> allocate(const ir::Buffer& b);

  /// Notes that the kernel uses a buffer. Error "NotAKernel": neither the function's nor allocated so far.
  Result<void> use(const ir::Buffer& b);

  /// Returns the buffer whose memory the pointer is, and notes its use. Error "NotAKernel": there is none.
  Result<ir::Buffer> ofData(const ir::VarNode* data);

  /// Gives the kernel its parameters: the function's buffers that it uses, in the function's order, then temporaries.
  void takeParameters();

 private:
  void addTemporary(const ir::Buffer& b, const ir::Buffer& flat, std::int64_t elements);
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
