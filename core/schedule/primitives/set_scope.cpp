// set_scope(block, buffer_index, storage_scope)
//
//   B = alloc_buffer(…)                      B_shared = alloc_buffer(…, scope="shared")
//   B[vi, vj] = … ; C[vi, vj] = B[vi, vj]  →   B_shared[vi, vj] = … ; C[vi, vj] = B_shared[vi, vj]
//
// The buffer that the block writes moves to another memory, with every use of it; views of it (match_buffer) follow.
// Refused: BufferIndexOutOfRangeError, InvalidStorageScopeError, NonAllocatedBufferError (a parameter or a view).
#include "core/ir/substitute.h"
#include "core/schedule/buffers.h"
#include "core/schedule/instructions.h"

namespace loom::schedule {

using namespace ir;

namespace {

Result<Handles> applySetScope(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Id id = arguments.block("block");
  const Block block = draft.tree().block(id);
  const auto index = arguments.bufferIndex("buffer_index", *block, true);
  if (!index) return Failure(index.error());
  const std::string& storageScope = arguments.text("storage_scope");
  const auto access = accessRegion(*block, *index, Access::Write);
  if (!access) return Failure(access.error());
  const Buffer buffer = access->buffer;
  if (buffer->scope == storageScope) return Handles{};
  if (auto checked = checkStorageScope(storageScope); !checked) return Failure(checked.error());
  const auto site = checkAllocated(p, id, buffer);
  if (!site) return Failure(site.error());

  BufferMap map{{buffer.get(), withScope(buffer, storageScope, buffer->id)}};
  const Block allocator = draft.tree().block(*site);
  addViews(*allocator, map,
           [](const Buffer& view, const Buffer& replacement) { return withScope(view, replacement->scope, view->id); });
  draft.replace(*site, replaceBuffers(allocator, map));
  return Handles{};
}

}  // namespace

Instruction setScopeInstruction() {
  Instruction row;
  row.name = "set_scope";
  row.traceKind = "SetScope";
  row.group = "memory";
  row.parameters = {{"block", ParameterType::Block, {}, "", "a block that writes the buffer", "写入该缓冲区的计算块"},
                    {"buffer_index",
                     ParameterType::WriteBuffer,
                     {},
                     "",
                     "which of its writes, or the buffer's name",
                     "第几个写入区域，或缓冲区名"},
                    {"storage_scope", ParameterType::StorageScope, {}, "", "the new memory", "新的存储层次"}};
  row.apply = applySetScope;
  row.en = "Move an intermediate buffer to another memory.";
  row.zh = "把中间缓冲区移到另一存储层次。";
  return row;
}

}  // namespace loom::schedule
