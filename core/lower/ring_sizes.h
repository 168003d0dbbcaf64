// How many versions of a buffer blocks ask for: TVM's `double_buffer_scope`, and `tileloom.slots`, which TVM keeps as
// an annotation without meaning.
#pragma once
#include <optional>
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/lower/versions.h"

namespace loom::lower {

// Of a block in a pipelined loop, by sch.annotate(block, kSlots, n): the ring of what it writes has n slots, where TVM
// counts one for each stage from the first to the last. Fewer are enough where the last reader of a slot comes before
// its next writer in a turn; more do no harm.
inline constexpr const char* kSlots = "tileloom.slots";

// How many slots the annotations of a kernel's blocks give to its rings and buffers.
class RingSizes {
 public:
  // Returns what the annotations of the kernel's blocks ask for. Error "NotAKernel" for values that aren't a number of
  // slots or don't name a buffer.
  static Result<RingSizes> of(const device::Kernel& kernel);

  // Returns whether the buffer is to have two versions at least.
  bool isDoubled(const device::Buffer& b) const;
  // The number of slots that a block asks for, and the block; nothing where none does.
  struct Slots {
    int count = 0;
    const device::BlockNode* block = nullptr;
  };
  std::optional<Slots> slotsOf(const device::Buffer& b) const;
  // Remarks on what had no effect, since no loop has versions of the buffers; `versioned` are those that have.
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
