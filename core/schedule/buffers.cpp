#include "core/schedule/buffers.h"

#include "core/ir/build.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

Buffer withScope(const Buffer& buffer, const std::string& scope, Id id) {
  auto made = std::make_shared<BufferNode>(*buffer);
  made->id = id;
  made->data = makeVar(buffer->data->name + "_" + scope, buffer->data->dtype);
  made->name = buffer->name + "_" + scope;
  made->scope = scope;
  return made;
}

Result<const BufferRegion*> regionOf(const std::vector<BufferRegion>& regions, const Buffer& buffer) {
  const BufferRegion* found = nullptr;
  for (const auto& region : regions) {
    if (region.buffer != buffer) continue;
    if (found)
      return refuse("InternalError", message("the block names {} twice", buffer->name), {buffer->id}, Forbids::Tvm);
    found = &region;
  }
  return found;
}

Result<Id> checkAllocated(const Program& p, Id block, const Buffer& buffer) {
  const DefiningSite site = definingSite(p, block, buffer);
  if (site.block && site.isAllocation) return site.block;
  return refuse(
      "NonAllocatedBufferError",
      message("the buffer {} is not allocated by a block: it is a parameter or a match_buffer view", buffer->name),
      {block, buffer->id});
}

}  // namespace loom::schedule
