// blockize(target, preserve_unit_iters): a loop with everything in it becomes a block.
//
//   for i0, j0:                                for i0, j0:
//     for i1, j1:                                block C_o(vi_o = i0, vj_o = j0):      whole tile as its region
//       block C(vi = i0 * 16 + i1, …)      →       for i1, j1:
//         C[vi, vj] = …                              block C(vi_i = i1, vj_i = j1):  C[vi_o * 16 + vi_i, …] = …
//
// Legal when the loop has one child block (NonSingleChildBlockError) whose iterators split into a part above and a part
// from the loop down (SubspaceNotDivisibleError). An init becomes the outer block's, with a block of its own. A list of
// blocks that stand next to each other becomes one block `outer_A_B_`.
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/blockizing.h"

namespace loom::schedule {
namespace {

Result<Handles> applyBlockize(Draft& draft, const Arguments& arguments) {
  bool preserveUnitIters = arguments.flag("preserve_unit_iters");
  Id made;
  bool isList = !arguments["target"].as<Handle>();
  if (isList) {
    auto group = blockizedGroup(draft, arguments.blocks("target"), preserveUnitIters);
    if (!group) return Failure(group.error());
    draft.replace(group->scope, group->replacement);
    made = group->block->block->id;
  } else {
    Id loop = arguments.loop("target");
    auto block = blockized(draft, loop, preserveUnitIters);
    if (!block) return Failure(block.error());
    draft.replace(loop, *block);
    made = (*block)->block->id;
  }
  auto scope = scopeRoot(draft.program(), made, false);
  if (!scope) return Failure(scope.error());
  bool wasAffine = draft.info(*scope).affineBinding;
  draft.refreshScope(*scope);
  // TVM forgets to restore it after a list of blocks.
  if (!isList) draft.setAffineBinding(*scope, wasAffine);
  return Handles{BlockRef{made}};
}

}  // namespace

Instruction blockizeInstruction() {
  return {"blockize",
          "Blockize",
          "blocks",
          {{"target",
            ParameterType::BlocksOrLoop,
            {},
            "",
            "the loop to wrap with all inside it, or a list of adjacent blocks",
            "要连同内部一起包成计算块的循环，或一组相邻的计算块"},
           {"preserve_unit_iters", ParameterType::Bool, Value{true}, "", "keep iterators of extent 1",
            "保留长度为 1 的迭代变量"}},
          Instruction::Results::Block,
          applyBlockize,
          "Wrap a loop and everything in it as one block, such as a tile for the tensor cores.",
          "把一个循环及其内部包成一个计算块，例如供张量核心使用的分块。"};
}

}  // namespace loom::schedule
