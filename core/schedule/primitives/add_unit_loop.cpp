// add_unit_loop(block_or_loop): a loop of one iteration around a loop or a block.
//
//   B      →      for u in 1: B
//
// Refused for a function's root block.
#include "core/ir/build.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"

namespace loom::schedule {

namespace {

Result<Handles> addUnitLoop(Draft& draft, const Arguments& arguments) {
  Id target = arguments.node("block_or_loop");
  const auto& node = draft.tree().at(target);
  if (node.parent == Tree::kNone) {
    return fail("ValueError", message("Cannot add loops on top of the root block"), Forbids::Program);
  }
  Id made = draft.newId();
  draft.origin(made, {target});
  draft.replace(target, serialLoop(made, ir::makeVar("u"), ir::intImm(1), node.stmt));
  return Handles{LoopRef{made}};
}

}  // namespace

Instruction addUnitLoopInstruction() {
  return {"add_unit_loop",
          "AddUnitLoop",
          "loops",
          {{"block_or_loop",
            ParameterType::BlockOrLoop,
            {},
            "",
            "what the loop shall stand around",
            "要包上循环的计算块或循环"}},
          Instruction::Results::Loop,
          addUnitLoop,
          "Put a loop of one iteration around a block or loop.",
          "在计算块或循环外加一个长度为 1 的循环。"};
}

}  // namespace loom::schedule
