// rfactor(loop, factor_axis) -> block
//
//                                            for i, k_0, k_1:
//                                              block B_rf(vk_1 = k_1, vi = i, vk_0 = k_0):
//   for i, k_0, k_1:                             init: B_rf[vi, vk_1] = 0
//     block B(vi = i, vk = k_0 * 32 + k_1):      B_rf[vi, vk_1] += A[vi, vk_0 * 32 + vk_1]
//       init: B[vi] = 0                    →   for i, k_1:
//       B[vi] += A[vi, vk]                       block B(vk_1 = k_1, vi = i):
//                                                  init: B[vi] = 0
//                                                  B[vi] += B_rf[vi, vk_1]
//
// (here of k_1, with factor_axis 1). A reduction becomes partial reductions, one for each iteration of the loop, which
// is spatial there, and a reduction of their results. These stand in a new buffer with one dimension more: the loop's,
// at `factor_axis`, which counts from the end if negative. The partial block is returned. Its loops are copies; the
// final block keeps those loops that feed no reduction, and the given one.
//
// Refused, in this order: NonSingleChildBlockError (the loop holds several blocks), NotStagePipelineError,
// NotReductionBlockError, NotSerialLoopKindError, LoopPropertyError, RFactorNotApplicableError, NoMatchedReducerError,
// FactorAxisOutOfRangeError, InternalError (TVM does not know what to do with a block beside the loops).
#include <algorithm>

#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/instructions.h"
#include "core/schedule/new_loops.h"
#include "core/schedule/reducer.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// What the primitive looks at and makes from.
struct Factoring {
  BlockRealize whole;
  std::vector<Id> loops;  // around the block, outermost first
  For loop;
  std::unordered_set<const VarNode*> spatial, reduce;  // loops' variables that feed iterators of either type
  Reduction reduction;
  std::size_t axis = 0;

  const BlockNode& block() const { return *whole->block; }
};

Checked checkLoops(const Program& p, const Factoring& f) {
  const Tree& tree = p.tree();
  const auto property = [](Message message, Id loop) {
    return refuse("LoopPropertyError", std::move(message), {loop});
  };
  if (tree.childBlocks(f.loops.front()).front() != f.block().id)
    return property(message("The reduction must be the first block in the outermost loop around it"), f.loops.front());
  bool inReduction = false;
  for (Id id : f.loops) {
    const For loop = tree.loop(id);
    const bool isSpatial = f.spatial.contains(loop->var.get()), isReduce = f.reduce.contains(loop->var.get());
    if (isSpatial && isReduce)
      return property(message("The loop \"{}\" feeds both spatial and reduce iterators", loop->var->name), id);
    if (isSpatial && id == f.loop->id)
      return property(message("The loop \"{}\" feeds a spatial iterator; only a loop of the reduction can be factored",
                              loop->var->name),
                      id);
    if (isReduce && !inReduction) {
      if (auto only = singleChildBlock(p, id); !only) return Failure(only.error());
      inReduction = true;
    }
    if (!isSpatial && !isReduce && inReduction && !isConst(loop->extent, 1))
      return property(message("The loop \"{}\" below a loop of the reduction feeds no iterator", loop->var->name), id);
  }
  return {};
}

Result<std::size_t> checkAxis(std::int64_t axis, const Buffer& buffer) {
  const auto dimensions = std::int64_t(buffer->shape.size());
  if (axis < -(dimensions + 1) || axis > dimensions)
    return refuse("FactorAxisOutOfRangeError",
                  message("factor_axis must be in [{}, {}] for the {} dimensions of {}, but is {}", -(dimensions + 1),
                          dimensions, dimensions, buffer->name, axis),
                  {buffer->id});
  return std::size_t(axis < 0 ? axis + dimensions + 1 : axis);
}

IterVar iteratorOf(const For& loop, IterType type) {
  return {makeVar("v" + loop->var->name, loop->var->dtype), {loop->min, loop->extent}, type};
}

template <typename T>
std::vector<T> inserted(std::vector<T> list, std::size_t at, T value) {
  list.insert(list.begin() + std::ptrdiff_t(at), std::move(value));
  return list;
}

// The buffer of the partial results.
Buffer partialBuffer(Draft& draft, const Factoring& f, const Buffer& whole) {
  auto made = std::make_shared<BufferNode>(*whole);
  made->id = draft.newId();
  made->name = whole->name + ".rf";
  made->data = makeVar(whole->data->name + ".rf", whole->data->dtype);
  made->shape = inserted(whole->shape, f.axis, f.loop->extent);
  draft.origin(made->id, {whole->id});
  return made;
}

// Stores `values` to the elements. Several are named before the first store, because each may need what another
// overwrites.
Stmt stores(const std::vector<Buffer>& buffers, const std::vector<Expr>& indices, const std::vector<Expr>& values) {
  if (buffers.size() == 1) return store(buffers[0], values[0], indices);
  std::vector<Var> names;
  std::vector<Stmt> all;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    names.push_back(makeVar("v_" + buffers[i]->name, values[i]->dtype));
    all.push_back(store(buffers[i], names[i], indices));
  }
  Stmt body = seq(all);
  for (std::size_t i = buffers.size(); i-- > 0;) {
    auto let = std::make_shared<LetStmtNode>();
    let->var = names[i];
    let->value = values[i];
    let->body = std::move(body);
    body = let;
  }
  return body;
}

Stmt initialStores(const std::vector<Buffer>& buffers, const std::vector<Expr>& indices, const Reducer& reducer) {
  std::vector<Stmt> all;
  for (std::size_t i = 0; i < buffers.size(); ++i) all.push_back(store(buffers[i], reducer.identity[i], indices));
  return seq(all);
}

std::vector<Expr> loads(const std::vector<Buffer>& buffers, const std::vector<Expr>& indices) {
  std::vector<Expr> all;
  for (const Buffer& buffer : buffers) all.push_back(load(buffer, indices));
  return all;
}

std::vector<BufferRegion> points(const std::vector<Buffer>& buffers, const std::vector<Expr>& indices) {
  const std::vector<Range> region = pointRegion(indices);
  std::vector<BufferRegion> all;
  for (const Buffer& buffer : buffers) all.push_back({buffer, region});
  return all;
}

struct Made {
  BlockRealize realize;
  Var factor;                 // the iterator of the given loop
  std::vector<Expr> indices;  // of the partial results, in terms of the whole block's iterators and the factor
};

// A reduce iterator that the loop feeds is replaced by one for each other loop that feeds it.
Made partialBlock(Draft& draft, const Factoring& f, const std::vector<Buffer>& buffers) {
  const BlockNode& whole = f.block();
  auto block = std::make_shared<BlockNode>();
  block->id = draft.newId();
  block->name = whole.name + "_rf";
  block->annotations = whole.annotations;
  std::vector<Expr> values{f.loop->var};
  block->iters.push_back(iteratorOf(f.loop, IterType::Spatial));
  const Var factor = block->iters.front().var;
  VarMap iteratorOfLoop{{f.loop->var.get(), factor}}, map;
  const auto isFactored = [&](const VarNode* v) { return v == f.loop->var.get(); };
  for (std::size_t i = 0; i < whole.iters.size(); ++i) {
    const IterVar& iter = whole.iters[i];
    if (iter.type == IterType::Spatial || !usesVar(f.whole->values[i], isFactored)) {
      block->iters.push_back(iter);
      values.push_back(f.whole->values[i]);
      continue;
    }
    forEachExpr(f.whole->values[i], [&](const Expr& e) {
      if (e->kind != ExprKind::Var || iteratorOfLoop.contains(as<VarNode>(e))) return;
      for (Id id : f.loops) {
        const For loop = draft.tree().loop(id);
        if (Expr(loop->var) != e) continue;
        block->iters.push_back(iteratorOf(loop, IterType::Reduce));
        values.push_back(loop->var);
        iteratorOfLoop[loop->var.get()] = block->iters.back().var;
      }
    });
    map[iter.var.get()] = substitute(f.whole->values[i], iteratorOfLoop);
  }

  const auto indices = inserted(f.reduction.indices, f.axis, Expr(factor));
  const bool isReduction = std::any_of(block->iters.begin(), block->iters.end(),
                                       [](const IterVar& iter) { return iter.type == IterType::Reduce; });
  const std::vector<Expr> results =
      isReduction ? f.reduction.reducer.combine(loads(buffers, indices), f.reduction.values) : f.reduction.values;
  block->body = substitute(stores(buffers, indices, results), map);
  if (isReduction) block->init = substitute(initialStores(buffers, indices, f.reduction.reducer), map);
  for (const BufferRegion& read : whole.reads) block->reads.push_back(substitute(read, map));
  for (const BufferRegion& write : whole.writes) {
    const auto place = std::find(f.reduction.buffers.begin(), f.reduction.buffers.end(), write.buffer);
    const Range only{factor, one(factor->dtype)};
    block->writes.push_back({buffers[std::size_t(place - f.reduction.buffers.begin())],
                             substitute(inserted(write.region, f.axis, only), map)});
  }
  return {realize(std::move(values), f.whole->predicate, block), factor, indices};
}

BlockRealize finalBlock(const Factoring& f, const std::vector<Buffer>& buffers, const Made& partial) {
  const BlockNode& whole = f.block();
  auto block = std::make_shared<BlockNode>();
  block->id = whole.id;
  block->name = whole.name;
  block->annotations = whole.annotations;
  std::vector<Expr> values{f.loop->var};
  block->iters.push_back(iteratorOf(f.loop, IterType::Reduce));
  VarMap map{{partial.factor.get(), block->iters.front().var}};
  for (std::size_t i = 0; i < whole.iters.size(); ++i) {
    const IterVar& iter = whole.iters[i];
    if (iter.type != IterType::Spatial) continue;
    block->iters.push_back({makeVar(iter.var->name, iter.var->dtype), iter.domain, iter.type});
    values.push_back(f.whole->values[i]);
    map[iter.var.get()] = block->iters.back().var;
  }
  const auto moved = [&](std::vector<Expr> list) {
    for (Expr& e : list) e = substitute(e, map);
    return list;
  };
  const auto from = moved(partial.indices), to = moved(f.reduction.indices);
  const auto& wholes = f.reduction.buffers;
  block->body = stores(wholes, to, f.reduction.reducer.combine(loads(wholes, to), loads(buffers, from)));
  block->init = initialStores(wholes, to, f.reduction.reducer);
  block->reads = points(buffers, from);
  block->writes = points(wholes, to);
  return realize(std::move(values), boolImm(true), block);
}

// The block in copies of all loops that were around the whole.
Stmt copiedLoops(Draft& draft, const Factoring& f, Stmt nest) {
  VarMap map;
  for (auto id = f.loops.rbegin(); id != f.loops.rend(); ++id) {
    const For loop = draft.tree().loop(*id);
    nest = edit(*loop, [&](ForNode& copy) {
      copy.id = draft.newId();
      copy.var = makeVar(loop->var->name, loop->var->dtype);
      copy.body = std::move(nest);
      map[loop->var.get()] = copy.var;
      draft.origin(copy.id, {loop->id});
    });
  }
  return substitute(nest, map);
}

// Puts the partial nest before the outermost loop, and the final block in place of the whole one, without the loops of
// the reduction.
class Replacer : public Mutator {
 public:
  Replacer(const Factoring& f, Stmt partial, BlockRealize last)
      : f_(f), partial_(std::move(partial)), last_(std::move(last)) {}
  using Mutator::rewrite;
  // A block that stands directly in the scope, or in one of the loops, beside the whole one; null: there is none.
  const Block& beside() const { return beside_; }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto* loop = as<ForNode>(s);
    if (std::find(f_.loops.begin(), f_.loops.end(), loop->id) == f_.loops.end()) return s;
    Stmt after = rewrite(loop->body);
    if (loop->id == f_.loop->id || !f_.reduce.contains(loop->var.get()))
      after = edit(*loop, [&](ForNode& n) { n.body = std::move(after); });
    return loop->id == f_.loops.front() ? seq({partial_, after}) : after;
  }
  Stmt rewriteRealize(const Stmt& s) override {
    const Block& block = as<BlockRealizeNode>(s)->block;
    if (block->id == last_->block->id) return last_;
    beside_ = block;
    return s;
  }

 private:
  const Factoring& f_;
  Stmt partial_;
  BlockRealize last_;
  Block beside_;
};

Result<Handles> applyFactoring(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  Factoring f;
  f.loop = tree.loop(arguments.loop("loop"));
  const auto whole = singleChildBlock(p, f.loop->id);
  if (!whole) return Failure(whole.error());
  f.whole = *whole;
  const Id id = f.block().id;
  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());
  if (auto ok = checkReductionBlock(p, id, *scope); !ok) return Failure(ok.error());
  if (f.loop->forKind != ForKind::Serial)
    return refuse("NotSerialLoopKindError", message("The loop \"{}\" must be serial", f.loop->var->name), {f.loop->id});
  varsTouchedByIters(*f.whole, f.spatial, f.reduce);
  f.loops = tree.loopsAbove(id);
  if (auto ok = checkLoops(p, f); !ok) return Failure(ok.error());
  auto reduction = reductionOf(f.block());
  if (!reduction) return Failure(reduction.error());
  f.reduction = std::move(*reduction);
  const auto axis = checkAxis(arguments.integer("factor_axis"), f.reduction.buffers.front());
  if (!axis) return Failure(axis.error());
  f.axis = *axis;

  std::vector<Buffer> buffers;
  for (const Buffer& buffer : f.reduction.buffers) buffers.push_back(partialBuffer(draft, f, buffer));
  const Made partial = partialBlock(draft, f, buffers);
  const Id made = partial.realize->block->id;
  draft.origin(made, {id});
  Replacer replacer(f, copiedLoops(draft, f, partial.realize), finalBlock(f, buffers, partial));
  const Block after = edit(*tree.block(*scope), [&](BlockNode& n) {
    n.body = replacer.rewrite(n.body);
    n.allocs.insert(n.allocs.end(), buffers.begin(), buffers.end());
  });
  if (const Block& beside = replacer.beside())
    return refuse(
        "InternalError",
        message("TVM cannot factor a reduction beside whose loops another block, \"{}\", stands without loops of "
                "its own",
                beside->name),
        {id, beside->id}, Forbids::Tvm);
  draft.replace(*scope, after);
  for (Id block : {made, id}) {
    draft.setAffineBinding(block, true);
    draft.setRegionCover(block, true);
    draft.setStagePipeline(block, true);
  }
  return Handles{BlockRef{made}};
}

}  // namespace

Instruction rfactorInstruction() {
  Instruction row;
  row.name = "rfactor";
  row.traceKind = "RFactor";
  row.group = "reduction";
  row.parameters = {{"loop",
                     ParameterType::Loop,
                     {},
                     "",
                     "a loop of the reduction, whose iterations are added up apart",
                     "归约的一个循环，其各次迭代分别归约"},
                    {"factor_axis",
                     ParameterType::Int,
                     {},
                     "",
                     "where the loop's dimension stands in the buffer of partial results; negative counts from the end",
                     "该循环的维在部分结果缓冲区中的位置；负数从末尾数起"}};
  row.results = Instruction::Results::Block;
  row.apply = applyFactoring;
  row.en = "Split a reduction into partial ones, one for each iteration of a loop, and a reduction of their results.";
  row.zh = "把归约拆成两步：先对某个循环的每次迭代分别归约，再把各部分结果归约到一起。";
  return row;
}

}  // namespace loom::schedule
