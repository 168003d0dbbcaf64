// set_axis_separator(block, buffer, axis_separators)
//
//   B = alloc_buffer((128, 128))   →   B = alloc_buffer((128, 128), axis_separators=[1])
//
// Parts the buffer's dimensions into groups, each of which becomes one dimension of the flat memory: the numbers say
// before which dimension a group begins.
//
// Refused: AssertionError (no such buffer), IndexError (a parameter, from a block inside another).
#include <algorithm>

#include "core/ir/substitute.h"
#include "core/schedule/buffers.h"
#include "core/schedule/instructions.h"

namespace loom::schedule {
namespace {

using namespace ir;

Result<Handles> applySetAxisSeparator(Draft& draft, const Arguments& arguments) {
  const Id id = arguments.block("block");
  const auto place = arguments.buffer("buffer", *draft.tree().block(id));
  if (!place) return Failure(place.error());
  const auto scope = useScope(draft.program(), id, place->buffer);
  if (!scope) return Failure(scope.error());
  auto after = std::make_shared<BufferNode>(*place->buffer);
  after->axisSeparators.clear();
  if (const List* list = arguments["axis_separators"].as<List>())
    for (const Value& value : *list) after->axisSeparators.push_back(int(*value.as<std::int64_t>()));
  const Block whole = draft.tree().block(scope->block);
  BufferMap map{{place->buffer.get(), after}};
  addViews(*whole, map, [](const Buffer& view, const Buffer& replacement) {
    auto made = std::make_shared<BufferNode>(*view);
    made->axisSeparators = replacement->axisSeparators;
    // TVM knows nothing of views of other dimensions, and says so.
    if (view->shape.size() != replacement->shape.size())
      std::fill(made->axisSeparators.begin(), made->axisSeparators.end(), 0);
    return made;
  });
  replaceBuffer(draft, *scope, replaceBuffers(whole, map), place->buffer, after);
  return Handles{};
}

}  // namespace

Instruction setAxisSeparatorInstruction() {
  Instruction row;
  row.name = "set_axis_separator";
  row.traceKind = "SetAxisSeparator";
  row.group = "memory";
  row.parameters = {{"block", ParameterType::Block, {}, "", "a block that uses the buffer", "使用该缓冲区的计算块"},
                    {"buffer",
                     ParameterType::Buffer,
                     {},
                     "",
                     "the buffer: (\"read\" or \"write\", index), or its name",
                     "缓冲区：(\"read\" 或 \"write\", 序号)，或其名称"},
                    {"axis_separators",
                     ParameterType::OptionalIntegers,
                     {},
                     "",
                     "the dimensions at which a new group begins; None: there is one group",
                     "各新分组开始的维度；None 表示只有一组"}};
  row.apply = applySetAxisSeparator;
  row.en = "Part a buffer's dimensions into groups that stay dimensions of the flat memory.";
  row.zh = "把缓冲区的各维分组，每组在展平后的内存中仍为一维。";
  return row;
}

}  // namespace loom::schedule
