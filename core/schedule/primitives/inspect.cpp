// get_block, get_loops, get_child_blocks, get_producers, get_consumers, get_output_blocks, work_on: handles to what is
// there. Nothing changes.
#include <fmt/format.h>

#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

Handles blockHandles(const std::vector<Id>& ids) {
  Handles handles;
  for (Id id : ids) handles.push_back(BlockRef{id});
  return handles;
}

Result<Handles> blockHandles(const Result<std::vector<Id>>& ids) {
  if (!ids) return tl::unexpected(ids.error());
  return blockHandles(*ids);
}

// A single function is "main" to TVM's tir.Schedule whatever its name is in the text.
std::optional<int> functionNamed(const ir::Module& module, const std::string& name) {
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    if (module.functions[i]->name == name) return static_cast<int>(i);
  }
  if (name == "main" && module.functions.size() == 1) return 0;
  return std::nullopt;
}

Result<Handles> getBlock(Draft& draft, const Arguments& arguments) {
  std::optional<int> function = draft.base().workingFunction();
  if (auto* name = arguments["func_name"].as<std::string>()) {
    function = functionNamed(draft.module(), *name);
    if (!function) return fail("ValueError", message("There is no function \"{}\"", *name), Forbids::Input);
  } else if (!function) {
    return fail("ValueError", message("There are several functions: name one, or call work_on before"), Forbids::Input);
  }
  auto found = findBlock(draft.program(), *function, arguments.text("name"));
  if (!found) return tl::unexpected(found.error());
  return Handles{BlockRef{*found}};
}

Result<Handles> getLoops(Draft& draft, const Arguments& arguments) {
  Handles handles;
  for (Id loop : draft.tree().loopsAbove(arguments.block("block"))) handles.push_back(LoopRef{loop});
  return handles;
}

Result<Handles> getChildBlocks(Draft& draft, const Arguments& arguments) {
  return blockHandles(draft.tree().childBlocks(arguments.node("block_or_loop")));
}

Result<Handles> getProducers(Draft& draft, const Arguments& arguments) {
  return blockHandles(producersOf(draft.program(), arguments.block("block")));
}

Result<Handles> getConsumers(Draft& draft, const Arguments& arguments) {
  return blockHandles(consumersOf(draft.program(), arguments.block("block")));
}

Result<Handles> getOutputBlocks(Draft& draft, const Arguments& arguments) {
  return blockHandles(outputBlocks(draft.program(), arguments.block("scope_block")));
}

Result<Handles> workOn(Draft& draft, const Arguments& arguments) {
  auto function = functionNamed(draft.module(), arguments.text("func_name"));
  if (!function) {
    return fail("ValueError", message("There is no function \"{}\"", arguments.text("func_name")), Forbids::Input);
  }
  draft.workOn(*function);
  return Handles{};
}

Parameter blockParameter() {
  return {"block", ParameterType::Block, {}, "", "the block, or its name", "计算块，或计算块的名字"};
}

}  // namespace

Result<Id> findBlock(const Program& p, int function, const std::string& name) {
  std::vector<Id> found;
  for (const auto& node : p.tree().nodes()) {
    if (node.function == function && node.isBlock && ir::as<ir::BlockRealizeNode>(node.stmt)->block->name == name) {
      found.push_back(node.id);
    }
  }
  if (found.size() == 1) return found[0];
  return refuse("NotSingleResult",
                found.empty() ? message("There is no block \"{}\"", name)
                              : message("There are {} blocks \"{}\"", found.size(), name),
                found);
}

Instruction getBlockInstruction() {
  return {"get_block",
          "GetBlock",
          "inspect",
          {{"name", ParameterType::String, {}, "", "name of the block", "计算块的名字"},
           {"func_name", ParameterType::OptionalString, Value{}, "", "function that has it", "所在的函数"}},
          Instruction::Results::Block,
          getBlock,
          "Get the block of a name.",
          "按名字取计算块。"};
}
Instruction getLoopsInstruction() {
  return {"get_loops",
          "GetLoops",
          "inspect",
          {blockParameter()},
          Instruction::Results::Loops,
          getLoops,
          "Get the loops around a block, outermost first.",
          "取包围计算块的循环，由外到内。"};
}
Instruction getChildBlocksInstruction() {
  return {"get_child_blocks",
          "GetChildBlocks",
          "inspect",
          {{"block_or_loop", ParameterType::BlockOrLoop, {}, "", "the block or loop", "计算块或循环"}},
          Instruction::Results::Blocks,
          getChildBlocks,
          "Get the blocks directly inside.",
          "取直接嵌套在其内的计算块。"};
}
Instruction getProducersInstruction() {
  return {"get_producers",
          "GetProducers",
          "inspect",
          {blockParameter()},
          Instruction::Results::Blocks,
          getProducers,
          "Get the blocks that write what it reads.",
          "取写出其输入的计算块。"};
}
Instruction getConsumersInstruction() {
  return {"get_consumers",
          "GetConsumers",
          "inspect",
          {blockParameter()},
          Instruction::Results::Blocks,
          getConsumers,
          "Get the blocks that read what it writes.",
          "取读取其输出的计算块。"};
}
Instruction getOutputBlocksInstruction() {
  return {"get_output_blocks",
          "GetOutputBlocks",
          "inspect",
          {{"scope_block", ParameterType::Block, {}, "", "the block, or its name", "计算块，或计算块的名字"}},
          Instruction::Results::Blocks,
          getOutputBlocks,
          "Get the blocks inside whose results leave it.",
          "取其内输出结果的计算块。"};
}
Instruction workOnInstruction() {
  return {"work_on",
          "",
          "inspect",
          {{"func_name", ParameterType::String, {}, "", "name of the function", "函数的名字"}},
          Instruction::Results::None,
          workOn,
          "Choose the function that get_block looks in.",
          "选定 get_block 所查找的函数。"};
}

}  // namespace loom::schedule
