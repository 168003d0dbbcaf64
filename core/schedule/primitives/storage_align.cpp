// storage_align(block, buffer_index, axis, factor, offset)
//
//   with T.block("A_shared"): …   →   with T.block("A_shared"):
//                                         T.block_attr({"buffer_dim_align": [[0, axis, factor, offset]]}) …
//
// When the buffer that the block writes is lowered, the stride of `axis` becomes factor * k + offset. One entry per
// (buffer_index, axis); a second call replaces it.
// Refused: BufferIndexOutOfRangeError, StorageAlignInvalidFactorError, StorageAlignAxisOutOfRangeError,
// NonAllocatedBufferError, StorageAlignInvalidAnnotationError (the key is there with another kind of value).
#include <algorithm>

#include "core/ir/build.h"
#include "core/schedule/buffers.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

constexpr const char* kKey = "buffer_dim_align";

// A list of lists of four integers.
bool isAlignment(const AnnotationValue& value) {
  auto* entries = std::get_if<AnnotationList>(&value.value);
  if (!entries) return false;
  for (const auto& entry : *entries) {
    auto* fields = std::get_if<AnnotationList>(&entry.value);
    if (!fields || fields->size() != 4) return false;
    for (const auto& field : *fields) {
      auto* e = std::get_if<Expr>(&field.value);
      if (!e || !asInt(*e)) return false;
    }
  }
  return true;
}

std::int64_t field(const AnnotationValue& entry, std::size_t i) {
  return asInt(std::get<Expr>(std::get<AnnotationList>(entry.value)[i].value))->value;
}

Result<Handles> applyStorageAlign(Draft& draft, const Arguments& arguments) {
  const Id id = arguments.block("block");
  const Block block = draft.tree().block(id);
  const std::int64_t index = arguments.integer("buffer_index");
  const auto access = accessRegion(*block, index, Access::Write);
  if (!access) return Failure(access.error());
  const Buffer buffer = access->buffer;
  const std::int64_t factor = arguments.integer("factor"), offset = arguments.integer("offset");
  if (factor <= 0) {
    return refuse("StorageAlignInvalidFactorError", message("factor must be positive, but is {}", factor), {id},
                  Forbids::Tvm);
  }
  const auto dimensions = static_cast<std::int64_t>(buffer->shape.size());
  std::int64_t axis = arguments.integer("axis");
  if (axis < -dimensions || axis >= dimensions) {
    return refuse("StorageAlignAxisOutOfRangeError",
                  message("axis must be in [{}, {}), but is {}", -dimensions, dimensions, axis), {id, buffer->id},
                  Forbids::Tvm);
  }
  if (axis < 0) axis += dimensions;
  if (auto site = checkAllocated(draft.program(), id, buffer); !site) return Failure(site.error());

  AnnotationList entries;
  if (auto it = block->annotations.find(kKey); it != block->annotations.end()) {
    if (!isAlignment(it->second)) {
      return refuse("StorageAlignInvalidAnnotationError",
                    message("buffer_dim_align must be a list of (buffer_index, axis, factor, offset)"), {id},
                    Forbids::Tvm);
    }
    entries = std::get<AnnotationList>(it->second.value);
  }
  AnnotationList fields(4);
  const std::int64_t values[] = {index, axis, factor, offset};
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i].value = intImm(values[i]);
  auto old = std::find_if(entries.begin(), entries.end(), [&](const AnnotationValue& entry) {
    return field(entry, 0) == index && field(entry, 1) == axis;
  });
  if (old == entries.end()) old = entries.emplace(entries.end());
  old->value = std::move(fields);
  BlockNode changed = *block;
  changed.annotations[kKey].value = std::move(entries);
  draft.replace(id, std::make_shared<const BlockNode>(std::move(changed)));
  return Handles{};
}

}  // namespace

Instruction storageAlignInstruction() {
  Instruction row;
  row.name = "storage_align";
  row.traceKind = "StorageAlign";
  row.group = "memory";
  row.parameters = {
      {"block", ParameterType::Block, {}, "", "the block that writes the buffer", "写入该缓冲区的计算块"},
      {"buffer_index", ParameterType::Int, {}, "", "which of its writes", "第几个写入区域"},
      {"axis",
       ParameterType::Int,
       {},
       "",
       "dimension whose stride is aligned; negative counts from the end",
       "对齐步长的维度；负数从末尾数起"},
      {"factor", ParameterType::Int, {}, "elements", "the stride is a multiple of this", "步长是它的倍数"},
      {"offset", ParameterType::Int, {}, "elements", "plus this", "再加上它"}};
  row.apply = applyStorageAlign;
  row.en = "Pad a buffer's stride, for example against bank conflicts in shared memory.";
  row.zh = "为缓冲区的步长加填充，例如避免共享内存的 bank 冲突。";
  return row;
}

}  // namespace loom::schedule
