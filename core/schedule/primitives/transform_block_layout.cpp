// transform_block_layout(block, index_map)
//
//   with lambda i, j: (i * 128 + j,)
//
//   for i, j:                                  for ax0:
//     block B(vi = i, vj = j):             →     block B(v0 = ax0):
//       B[vi, vj] = A[vi, vj]                      B[v0 // 128, v0 % 128] = A[v0 // 128, v0 % 128]
//
// The block iterates over the map's outputs, in new loops, one for each. The buffers stay as they are.
//
// Refused, in this order: LoopNotStartWithZeroError, NonSingleChildBlockError (the loops hold other blocks),
// NotTrivialBindingError (the iterators are no loop variables), IndexMapNotApplicableToBlockIterError (the map takes
// another number of indices), OpaqueNewIterTypeError (an output mixes spatial and reduce iterators),
// NotBijectiveAffineIndexMapError.
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/analysis.h"
#include "core/schedule/index_map.h"
#include "core/schedule/index_simplifier.h"
#include "core/schedule/instructions.h"
#include "core/schedule/new_loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// The type of all block iterators in the expression; opaque where they differ, or there are none.
IterType typeOf(const Expr& e, const std::vector<IterVar>& iters) {
  std::optional<IterType> type;
  forEachExpr(e, [&](const Expr& x) {
    for (const IterVar& iter : iters) {
      if (Expr(iter.var) != x) continue;
      type = type && *type != iter.type ? IterType::Opaque : iter.type;
    }
  });
  return type.value_or(IterType::Opaque);
}

Result<Handles> applyTransformBlockLayout(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const BlockRealize realized = tree.realize(id);
  const BlockNode& block = *realized->block;
  const auto map = indexMapOf(**arguments["index_map"].as<Lambda>(), std::nullopt, indexTypeOf(block));
  if (!map) return Failure(map.error());
  if (!map->separators.empty())
    return fail("AssertionError", message("The iterators of a block have no axis separators"), Forbids::Input);

  arith::Analyzer analyzer;
  addShapeVarBounds(p, id, analyzer);
  const std::vector<Id> loops = tree.loopsAbove(id);
  for (Id loop : loops)
    if (auto ok = checkLoopStartsWithZero(p, loop, analyzer); !ok) return Failure(ok.error());
  if (!loops.empty()) {
    if (auto only = singleChildBlock(p, loops.front()); !only) return Failure(only.error());
  }
  if (auto ok = checkTrivialBinding(p, id); !ok) return Failure(ok.error());

  std::vector<Expr> vars, extents;
  std::vector<Range> ranges;
  for (const IterVar& iter : block.iters) {
    vars.push_back(iter.var);
    extents.push_back(iter.domain.extent);
    ranges.push_back({zero(iter.domain.extent->dtype), iter.domain.extent});
    if (!isConst(iter.domain.min, 0))
      return refuse("InternalError", message("The iterator \"{}\" does not begin at 0", iter.var->name), {id},
                    Forbids::Tvm);
  }
  if (map->inputs.size() != vars.size())
    return refuse("IndexMapNotApplicableToBlockIterError",
                  message("The map takes {} indices, and the block \"{}\" has {} iterators", map->inputs.size(),
                          block.name, vars.size()),
                  {id});
  const auto mapped = mapIndices(*map, vars, analyzer);
  if (!mapped) return Failure(mapped.error());
  const auto shape = mapShape(*map, extents, analyzer);
  if (!shape) return Failure(shape.error());

  std::vector<IterVar> iters;
  std::vector<Expr> iterVars;
  for (std::size_t i = 0; i < mapped->size(); ++i) {
    const DType type = (*mapped)[i]->dtype;
    const Var var = makeVar("v" + std::to_string(i), type);
    const IterType kind = isConst((*shape)[i], 1) ? IterType::Spatial : typeOf((*mapped)[i], block.iters);
    if (kind == IterType::Opaque)
      return refuse(
          "OpaqueNewIterTypeError",
          message("Output {} of the map mixes spatial and reduce iterators of the block \"{}\"", i, block.name), {id});
    iters.push_back({var, {zero(type), cast(type, (*shape)[i])}, kind});
    iterVars.push_back(var);
  }
  const auto inverse = inverseOf(*map, ranges, arith::IterMapLevel::Bijective, analyzer);
  const auto back =
      inverse ? mapIndices(inverse->map, iterVars, analyzer) : Result<std::vector<Expr>>(Failure(inverse.error()));
  if (!back)
    return refuse(
        "NotBijectiveAffineIndexMapError",
        message("The map is not affine, or does not take each point of the block \"{}\" to a point of its own",
                block.name),
        {id});
  for (std::size_t i = 0; i < iters.size(); ++i)
    if ((*shape)[i]->dtype.bits > iters[i].var->dtype.bits)
      return refuse("InternalError", message("Output {} of the map is narrower than the extents of the block", i), {id},
                    Forbids::Tvm);
  if (loops.empty())
    return refuse("InternalError", message("TVM cannot give loops to a block that has none"), {id}, Forbids::Tvm);

  VarMap replaced;
  for (std::size_t i = 0; i < vars.size(); ++i) replaced[asVar(vars[i])] = (*back)[i];
  const Stmt moved = substitute(Stmt(realized), replaced);
  const Block after = withSimplifiedAccesses(
      edit(*as<BlockRealizeNode>(moved)->block, [&](BlockNode& n) { n.iters = iters; }), analyzer);
  std::vector<Expr> values;
  for (std::size_t i = 0; i < iters.size(); ++i)
    values.push_back(makeVar("ax" + std::to_string(i), iters[i].var->dtype));
  std::vector<Range> domains;
  for (std::size_t i = 0; i < iters.size(); ++i) domains.push_back({zero(iters[i].var->dtype), (*shape)[i]});
  const Stmt nest = newLoops(draft, values, domains, realize(values, realized->predicate, after), loops);
  if (iters.empty())
    return refuse("InternalError", message("TVM cannot take all its loops from a block"), {id}, Forbids::Tvm);
  draft.replace(loops.front(), nest);
  return Handles{};
}

}  // namespace

Instruction transformBlockLayoutInstruction() {
  Instruction row;
  row.name = "transform_block_layout";
  row.traceKind = "TransformBlockLayout";
  row.group = "blocks";
  row.parameters = {
      {"block", ParameterType::Block, {}, "", "its bindings are plain loop variables", "其迭代变量直接绑定到循环变量"},
      {"index_map",
       ParameterType::IndexMap,
       {},
       "",
       "a one-to-one lambda from its iterators to new ones",
       "从其迭代变量到新迭代变量的一一对应的 lambda"}};
  row.apply = applyTransformBlockLayout;
  row.en = "Iterate over a block by other iterators, which a lambda gives, in new loops.";
  row.zh = "按 lambda 给出的新迭代变量，用新的循环遍历计算块。";
  return row;
}

}  // namespace loom::schedule
