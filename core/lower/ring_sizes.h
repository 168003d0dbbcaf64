// The annotations by which blocks ask for several versions of a buffer, which are the slots of a ring buffer: TVM's
// `double_buffer_scope`, and `tileloom.slots`, which TVM keeps as an annotation without meaning.
#pragma once
#include <optional>
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/lower/versions.h"

namespace loom::lower {

// An annotation of blocks, sch.annotate(block, kSlots, n), for a block in a pipelined loop or one whose buffer the copy
// engine stores to global memory (bulk_stores.h): each buffer that the block writes becomes a ring buffer of n slots.
// In pipelined loops TVM has one slot for each stage from the one that writes to the last that reads. Fewer are enough
// if, in an iteration of the pipeline, a slot's last reader runs before the slot is written again; more do no harm.
inline constexpr const char* kSlots = "tileloom.slots";

// The number of slots that the annotations of a kernel's blocks ask for, by buffer.
class RingSizes {
 public:
  // Returns what the annotations of the kernel's blocks ask for. Error "NotAKernel" if a value of kSlots isn't a whole
  // number from 1 to 64, or a value of `double_buffer_scope` isn't the index of a buffer among those that the block
  // writes. The kernel must outlive the result.
  static Result<RingSizes> of(const device::Kernel& kernel);

  // Returns whether the annotation `double_buffer_scope` of some block asks for two versions of the buffer.
  bool isDoubled(const device::Buffer& b) const;
  // The number of slots that a block asks for, and the block.
  struct Slots {
    int count = 0;
    const device::BlockNode* block = nullptr;  // null only by default
  };
  // Returns how many slots the annotation kSlots asks for a buffer to have, by the first block in program order that
  // writes the buffer and has the annotation; nothing if there is no such block.
  std::optional<Slots> slotsOf(const device::Buffer& b) const;
  // Returns remarks on the annotations without effect: those that ask for several versions, but whose blocks write none
  // of the buffers `versioned`, which have several versions in the kernel.
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
