// parallel, vectorize, bind and unroll: how the iterations of a loop are executed.
//
//   for i in 32: B      bind(i, "threadIdx.x")  →      for i in T.thread_binding(32, thread="threadIdx.x"): B
//
// Unrolling is always legal. The others need compact dataflow below the loop, and every iteration variable that the
// loop feeds to be spatial; a reduce variable may also be bound to threadIdx. What the loop was before is replaced.

#include "core/ir/visit.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

// "blockIdx.…", "threadIdx.…", "vthread…", "cthread", "clusterCtaIdx.…"
bool isThreadAxis(const std::string& axis) {
  return axis.starts_with("vthread") || axis == "cthread" || axis.starts_with("blockIdx.") ||
         axis.starts_with("threadIdx.") || axis.starts_with("clusterCtaIdx.");
}

Checked checkBlocksBelow(const Program& p, Id id, std::string_view primitive, bool acrossThreads) {
  const auto& nodes = p.tree().nodes();
  int self = p.tree().find(id);
  const ir::VarNode* var = ir::as<ir::ForNode>(nodes[self].stmt)->var.get();
  for (int i = self + 1; i < nodes[self].end; ++i) {
    auto* realize = ir::asRealize(nodes[i].stmt);
    if (!realize) continue;
    for (std::size_t v = 0; v < realize->values.size(); ++v) {
      auto type = realize->block->iters[v].type;
      if (type == ir::IterType::Spatial || (type == ir::IterType::Reduce && acrossThreads)) continue;
      if (!ir::usesVar(realize->values[v], [&](const ir::VarNode* x) { return x == var; })) continue;
      return refuse("WrongBlockIterTypeError",
                    message("{} is not allowed: \"{}\" feeds \"{}\" of block \"{}\", which is not spatial", primitive,
                            var->name, realize->block->iters[v].var->name, realize->block->name),
                    {id, realize->block->id});
    }
  }
  return {};
}

Result<Handles> change(Draft& draft, const Arguments& arguments, ir::ForKind kind, std::string_view primitive,
                       const std::string& axis) {
  Id id = arguments.loop("loop");
  if (kind != ir::ForKind::Unrolled) {
    if (auto ok = checkSubtreeCompactDataflow(draft.program(), id); !ok) return tl::unexpected(ok.error());
    if (kind == ir::ForKind::ThreadBinding && !isThreadAxis(axis)) {
      return fail("InternalError", message("\"{}\" is no thread axis", axis), Forbids::Input);
    }
    if (auto ok = checkBlocksBelow(draft.program(), id, primitive, axis.starts_with("threadIdx.")); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  draft.replace(id, ir::edit(*draft.tree().loop(id), [&](ir::ForNode& n) {
                  n.forKind = kind;
                  n.thread = axis;
                }));
  return Handles{};
}

Result<Handles> parallel(Draft& draft, const Arguments& arguments) {
  return change(draft, arguments, ir::ForKind::Parallel, "parallel", "");
}
Result<Handles> vectorize(Draft& draft, const Arguments& arguments) {
  return change(draft, arguments, ir::ForKind::Vectorized, "vectorize", "");
}
Result<Handles> unroll(Draft& draft, const Arguments& arguments) {
  return change(draft, arguments, ir::ForKind::Unrolled, "unroll", "");
}
Result<Handles> bind(Draft& draft, const Arguments& arguments) {
  return change(draft, arguments, ir::ForKind::ThreadBinding, "bind", arguments.text("thread_axis"));
}

Parameter loopParameter() { return {"loop", ParameterType::Loop, {}, "", "the loop", "循环"}; }

}  // namespace

Instruction parallelInstruction() {
  return {"parallel",
          "Parallel",
          "bindings",
          {loopParameter()},
          Instruction::Results::None,
          parallel,
          "Let CPU threads share the iterations.",
          "由多个 CPU 线程分担各次迭代。"};
}
Instruction vectorizeInstruction() {
  return {"vectorize",
          "Vectorize",
          "bindings",
          {loopParameter()},
          Instruction::Results::None,
          vectorize,
          "Execute the iterations as one vector operation.",
          "把各次迭代作为一条向量操作执行。"};
}
Instruction unrollInstruction() {
  return {"unroll",
          "Unroll",
          "bindings",
          {loopParameter()},
          Instruction::Results::None,
          unroll,
          "Write the iterations out one after the other.",
          "把各次迭代逐一展开。"};
}
Instruction bindInstruction() {
  return {"bind",
          "Bind",
          "bindings",
          {loopParameter(),
           {"thread_axis", ParameterType::ThreadAxis, {}, "", "blockIdx.x, threadIdx.x, vthread.x…", "线程轴"}},
          Instruction::Results::None,
          bind,
          "Give each iteration to a thread, block or virtual thread of the GPU.",
          "把各次迭代分配给 GPU 的线程、线程块或虚拟线程。"};
}

}  // namespace loom::schedule
