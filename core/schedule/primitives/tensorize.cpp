// tensorize(block_or_loop, tensor_intrin, preserve_unit_iters): a tile's computation becomes the hardware's.
//
//   block C_o(vi_o, vj_o):                   block C_o(vi_o, vj_o):
//     for i1, j1:                              A = match_buffer(X[vi_o * 16:…, …]);  C = match_buffer(…)
//       block C(vi_i, vj_i):  …          →     tvm_load_matrix_sync(C.data, …, A.data, …)
//
// A loop is blockized first. Legal when the intrinsic exists (ValueError) and its description is what the block
// computes, up to names and the place of the tile in its buffers (TensorIntrinMismatchError, with the first
// difference).
#include <algorithm>

#include "core/intrin/instantiate.h"
#include "core/intrin/intrinsic.h"
#include "core/intrin/match.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/blockizing.h"

namespace loom::schedule {
namespace {

using namespace loom::ir;

Failure mismatch(const intrin::Difference& difference, const std::string& intrinsic) {
  if (difference.onlyPredicate) {
    return fail("InternalError", message("The block is guarded by `where`, which no tensor intrinsic can be"),
                Forbids::Tvm);
  }
  Failure failure =
      fail("TensorIntrinMismatchError", message("The block does not compute what {} does: {} is {}, not {}", intrinsic,
                                                difference.what, difference.found, difference.wanted));
  Error& error = failure.value();
  error.parameter = "tensor_intrin";
  error.subjects = {difference.place};
  error.numbers = {
      {"intrinsic", intrinsic}, {"what", difference.what}, {"found", difference.found}, {"wanted", difference.wanted}};
  return failure;
}

// Bits of the indices of the block's regions, 0 without regions.
int indexBits(const BlockNode& block) {
  int bits = 0;
  for (const auto* regions : {&block.reads, &block.writes}) {
    for (const auto& region : *regions) {
      for (const auto& range : region.region) bits = std::max(bits, static_cast<int>(range.min->dtype.bits));
    }
  }
  return bits;
}

// Where each parameter of the implementation lies in the program.
std::vector<MatchBuffer> views(const intrin::Intrinsic& intrinsic, const Function& implementation,
                               const intrin::Match& match) {
  std::vector<MatchBuffer> out;
  const BlockNode& block = *implementation->body->block;
  for (std::size_t i = 0; i < implementation->params.size(); ++i) {
    const Buffer& view = implementation->params[i].buffer;
    const Buffer& source = match.current.at(intrinsic.description->params[i].buffer.get());
    const std::vector<Expr>& base = match.base.at(source.get());
    const BufferRegion* region = nullptr;
    for (const auto* regions : {&block.reads, &block.writes}) {
      for (const auto& r : *regions) {
        if (!region && r.buffer == view) region = &r;
      }
    }
    std::size_t offset = base.size() - region->region.size();
    BufferRegion place{source, {}};
    for (std::size_t d = 0; d < base.size(); ++d) {
      Expr extent = d < offset ? one(base[d]->dtype) : cast(base[d]->dtype, region->region[d - offset].extent);
      place.region.push_back({base[d], extent});
    }
    out.push_back({view, place});
  }
  return out;
}

Result<Handles> applyTensorize(Draft& draft, const Arguments& arguments) {
  Id target = arguments.node("block_or_loop");
  const std::string& name = arguments.text("tensor_intrin");
  const auto* library = draft.environment().intrinsics;
  const intrin::Intrinsic* intrinsic = library ? library->find(name) : nullptr;
  if (!intrinsic) {
    const bool isThere = library && std::ranges::count(library->names(), name) > 0;
    const Message wrong = isThere ? message("TensorIntrin '{}' can't be read: doctor says what is wrong", name)
                                  : message("TensorIntrin '{}' is not registered", name);
    return fail("ValueError", wrong, Forbids::Environment);
  }
  bool isBlock = draft.tree().isBlock(target);
  BlockRealize current;
  if (isBlock) {
    current = draft.tree().realize(target);
  } else {
    auto wrapped = blockized(draft, target, arguments.flag("preserve_unit_iters"));
    if (!wrapped) return Failure(wrapped.error());
    current = *wrapped;
  }
  int bits = indexBits(*current->block);
  if (bits == 0) return fail("InternalError", message("The block reads and writes nothing"), Forbids::Tvm);
  auto match = intrin::match(current, intrinsic->description);
  if (!match) return mismatch(match.error(), name);

  Function implementation = intrin::instantiate(intrinsic->implementation, draft.ids(), bits);
  const BlockNode& body = *implementation->body->block;
  Block block = edit(*current->block, [&](BlockNode& n) {
    n.body = body.body;
    n.matches = views(*intrinsic, implementation, *match);
    // What the schedule has annotated already stays.
    n.annotations.insert(body.annotations.begin(), body.annotations.end());
  });
  if (isBlock) {
    draft.replace(target, block);
  } else {
    draft.replace(target, realize(current->values, current->predicate, block));
  }
  auto scope = scopeRoot(draft.program(), block->id, false);
  if (!scope) return Failure(scope.error());
  draft.refreshInside(*scope);
  return Handles{};
}

}  // namespace

Instruction tensorizeInstruction() {
  return {"tensorize",
          "Tensorize",
          "blocks",
          {{"block_or_loop",
            ParameterType::BlockOrLoop,
            {},
            "",
            "the tile: a block, or the outermost loop of one",
            "分块：一个计算块，或其最外层循环"},
           {"tensor_intrin",
            ParameterType::Intrinsic,
            {},
            "",
            "the tensor intrinsic that computes the tile",
            "计算该分块的张量内建函数"},
           {"preserve_unit_iters", ParameterType::Bool, Value{true}, "", "keep iterators of extent 1",
            "保留长度为 1 的迭代变量"}},
          Instruction::Results::None,
          applyTensorize,
          "Replace a tile's computation by a hardware instruction that does the same.",
          "用等价的硬件指令替换一个分块的计算。"};
}

}  // namespace loom::schedule
