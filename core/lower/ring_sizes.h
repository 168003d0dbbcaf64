// The annotations by which blocks ask for several versions of a buffer (the slots of a ring buffer): TVM's
// `double_buffer_scope`, and `tileloom.slots`, which TVM keeps as an annotation without meaning.
#pragma once
#include <optional>
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/lower/versions.h"

namespace loom::lower {

// An annotation of a block in a pipelined loop, sch.annotate(block, kSlots, n): the buffer that the block writes
// becomes a ring buffer of n slots. TVM has one slot for each stage from the one that writes to the last that reads.
// Fewer are enough if the last reader of a slot comes before its next writer in an iteration of the pipeline; more do
// no harm.
inline constexpr const char* kSlots = "tileloom.slots";

// The number of slots that the annotations of a kernel's blocks ask for, by buffer.
class RingSizes {
 public:
  // Returns what the annotations of the kernel's blocks ask for. Error "NotAKernel" if a value is no number of
  // slots or names no buffer. The kernel must outlive the result.
  static Result<RingSizes> of(const device::Kernel& kernel);

  // Returns whether the buffer is to have two versions at least.
  bool isDoubled(const device::Buffer& b) const;
  // The number of slots that a block asks for, and the block.
  struct Slots {
    int count = 0;
    const device::BlockNode* block = nullptr;
  };
  // Returns how many slots a block asks for a buffer to have; nothing if no block asks.
  std::optional<Slots> slotsOf(const device::Buffer& b) const;
  // Returns remarks on annotations without effect, whose buffers no loop has several versions of. `versioned` are the
  // buffers that have several versions.
  std::vector<device::Remark> withoutEffect(const Buffers& versioned) const;

 private:
  struct Request {
    const char* key = nullptr;
    const device::BlockNode* block = nullptr;
    std::vector<device::Buffer> of;
    int count = 0;
  };
  std::vector<Request> requests_;
};

}  // namespace loom::lower
