// fuse(*loops): a chain of loops, each the only child of the one before, becomes one loop.
//
//   for i in 4: for j in 8: B[i, j]      →      for i_j_fused in 32: B[i_j_fused // 8, i_j_fused % 8]
//
// Legal for loops that start at 0, have neither annotation nor thread, and whose extents do not depend on each other.
#include <fmt/format.h>

#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

Result<Handles> fuse(Draft& draft, const Arguments& arguments) {
  auto ids = arguments.loops("loops");
  if (ids.empty()) return fail("ValueError", message("'fuse' requires at least 1 loop"), Forbids::Input);
  std::vector<ir::For> loops;
  arith::Analyzer analyzer;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto loop = draft.tree().loop(ids[i]);
    if (auto ok = checkNoAnnotationOrThread(draft.program(), ids[i]); !ok) return tl::unexpected(ok.error());
    if (i > 0) {
      if (draft.tree().parent(ids[i]) != ids[i - 1]) {
        return refuse("OuterNotInnerParent",
                      message("\"{}\" is not directly inside \"{}\"", loop->var->name, loops.back()->var->name),
                      {ids[i - 1], ids[i]});
      }
      if (loops.back()->body != loop) {
        return refuse("NotOnlyChildError",
                      message("\"{}\" is not all that \"{}\" contains", loop->var->name, loops.back()->var->name),
                      {ids[i - 1], ids[i]});
      }
    }
    if (auto ok = checkLoopStartsWithZero(draft.program(), ids[i], analyzer); !ok) return tl::unexpected(ok.error());
    auto isOuter = [&](const ir::VarNode* v) {
      return std::any_of(loops.begin(), loops.end(), [&](const ir::For& l) { return l->var.get() == v; });
    };
    if (ir::usesVar(loop->extent, isOuter)) {
      return refuse("DependentLoopError",
                    message("The extent of \"{}\" depends on a loop it would be fused with", loop->var->name),
                    {ids[i]});
    }
    loops.push_back(loop);
  }

  std::string name = loops[0]->var->name;
  int bits = loops[0]->var->dtype.bits;
  for (std::size_t i = 1; i < loops.size(); ++i) {
    name += "_" + loops[i]->var->name;
    bits = std::max<int>(bits, loops[i]->var->dtype.bits);
  }
  auto fused = ir::makeVar(name + "_fused", ir::DType::Int(bits));
  std::vector<std::pair<ir::Var, ir::Expr>> values(loops.size());
  ir::Expr lower = ir::intImm(1), extent = ir::intImm(1);
  auto isUnit = [](const ir::For& loop) { return ir::isConst(loop->extent, 1); };
  for (std::size_t i = loops.size() - 1; i > 0; --i) {
    ir::Expr value = ir::intImm(0);
    if (!isUnit(loops[i])) value = ir::floordiv(ir::floormod(fused, lower * loops[i]->extent), lower);
    values[i] = {loops[i]->var, value};
    lower = lower * loops[i]->extent;
  }
  values[0] = {loops[0]->var, isUnit(loops[0]) ? ir::intImm(0) : ir::floordiv(fused, lower)};
  for (const auto& loop : loops) extent = extent * loop->extent;

  Id made = draft.newId();
  draft.origin(made, ids);
  ir::Stmt nest = serialLoop(made, fused, analyzer.simplify(extent), substituteLoopVars(loops.back()->body, values));
  draft.replace(ids[0], simplifyBindings(nest, draft.program(), ids[0], arguments.flag("preserve_unit_iters")));
  return Handles{LoopRef{made}};
}

}  // namespace

Instruction fuseInstruction() {
  return {
      "fuse",
      "Fuse",
      "loops",
      {{"loops", ParameterType::Loops, {}, "", "a chain of loops, outermost first", "依次嵌套的循环，由外到内", true},
       {"preserve_unit_iters", ParameterType::Bool, Value{true}, "", "keep loops of one iteration in the bindings",
        "在绑定中保留长度为 1 的循环"}},
      Instruction::Results::Loop,
      fuse,
      "Join directly nested loops into one.",
      "把直接嵌套的循环融合为一个。"};
}

}  // namespace loom::schedule
