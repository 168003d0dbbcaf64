// reindex(block, buffer, skip_simplify) -> block
//
//                                                        for ax0, ax1, ax2:
//   for n, h, w, c:                                        block A_reindex_reindex(v0, v1, v2):
//     block B(vn, vh, vw, vc):                       →       A_reindex[v0, v1, v2] = A[v0 + v1 * 2, v2]
//       B[vn, vh, vw, vc] = A[vn + vh * 2, vw] + …       for n, h, w, c: B[vn, vh, vw, vc] = A_reindex[vn, vh, vw] + …
//
// The block accesses a new buffer by those of its iterators that the buffer's indices use, in their order, and nothing
// else; a copy before its loops (of a written buffer: after them) brings the elements there. The copy is returned.
//
// Refused, in this order: AssertionError (no such buffer), NotStagePipelineError, NotLeafBlockError (it holds other
// blocks) and InvalidBufferAccessError (it accesses the buffer by different indices, or by its pointer), InternalError
// (its loops hold something else).
#include <algorithm>

#include "core/arith/deep_equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/copy_beside.h"
#include "core/schedule/instructions.h"
#include "core/schedule/new_loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// The one way in which a block's body indexes the buffer.
class AccessFinder : public Visitor {
 public:
  AccessFinder(Buffer buffer, const BlockNode& block) : buffer_(std::move(buffer)), block_(block) {}
  using Visitor::visit;

  Result<std::vector<Expr>> indices() {
    visit(block_.body);
    if (error_) return Failure(*error_);
    if (!indices_)
      return invalid(message("The block \"{}\" does not access {} in its body", block_.name, buffer_->name));
    return *indices_;
  }

 protected:
  void visitVar(const VarNode& v) override {
    if (&v == buffer_->data.get())
      refuseFirst(invalid(message("The block \"{}\" uses {} by its pointer", block_.name, buffer_->name)));
  }
  void visitLoad(const LoadNode& n) override {
    Visitor::visitLoad(n);
    if (n.buffer == buffer_) take(n.indices);
  }
  void visitStore(const StoreNode& n) override {
    Visitor::visitStore(n);
    if (n.buffer == buffer_) take(n.indices);
  }
  void visitRealize(const BlockRealizeNode&) override {
    refuseFirst(refuse("NotLeafBlockError", message("The block \"{}\" holds other blocks", block_.name), {block_.id}));
  }

 private:
  Failure invalid(Message message) const {
    return refuse("InvalidBufferAccessError", std::move(message), {block_.id, buffer_->id});
  }
  void refuseFirst(const Failure& failure) {
    if (!error_) error_ = failure.value();
  }
  void take(const std::vector<Expr>& indices) {
    if (!indices_) indices_ = indices;
    if (!std::equal(indices.begin(), indices.end(), indices_->begin(), indices_->end(), arith::deepEqual))
      refuseFirst(
          invalid(message("The block \"{}\" accesses {} by several different indices", block_.name, buffer_->name)));
  }

  Buffer buffer_;
  const BlockNode& block_;
  std::optional<std::vector<Expr>> indices_;
  std::optional<Error> error_;
};

// The block's accesses to the buffer, by its iterators.
class AccessReplacer : public Mutator {
 public:
  AccessReplacer(Buffer before, Buffer after, std::vector<Expr> indices)
      : before_(std::move(before)), after_(std::move(after)), indices_(std::move(indices)) {}
  using Mutator::rewrite;

  Block run(const Block& block) {
    BlockNode n = *Mutator::rewriteBlock(block);
    // As in TVM, what the regions of other buffers load stays as it was.
    n.reads = block->reads;
    n.writes = block->writes;
    n.matches = block->matches;
    const auto redirect = [&](BufferRegion& region) {
      if (region.buffer != before_) return;
      region = {after_, pointRegion(indices_)};
    };
    for (BufferRegion& region : n.reads) redirect(region);
    for (BufferRegion& region : n.writes) redirect(region);
    for (MatchBuffer& match : n.matches) redirect(match.source);
    return std::make_shared<const BlockNode>(std::move(n));
  }

 protected:
  Expr rewriteLoad(const Expr& e) override {
    const Expr after = Mutator::rewriteLoad(e);
    const auto* n = as<LoadNode>(after);
    return n->buffer == before_ ? std::make_shared<LoadNode>(after_, indices_, n->dtype) : after;
  }
  Stmt rewriteStore(const Stmt& s) override {
    const Stmt after = Mutator::rewriteStore(s);
    const auto* n = as<StoreNode>(after);
    return n->buffer == before_ ? store(after_, n->value, indices_) : after;
  }

 private:
  Buffer before_, after_;
  std::vector<Expr> indices_;
};

Expr shorter(const Expr& e, arith::Analyzer& analyzer) {
  const Expr simple = analyzer.simplify(e);
  return asInt(simple) ? e : simple;
}

// Loops around the copy between the buffer and the new one.
void makeReindexCopy(Draft& draft, const BlockNode& block, const std::vector<IterVar>& used,
                     const std::vector<Expr>& indices, bool isWrite, CacheStage& stage) {
  auto copy = std::make_shared<BlockNode>();
  copy->id = draft.newId();
  copy->name = stage.to->name + "_reindex";
  VarMap map;
  std::vector<Expr> values, inNew, inOld;
  for (const IterVar& iter : used) {
    const std::string number = std::to_string(values.size());
    const Var var = makeVar("v" + number, iter.var->dtype);
    copy->iters.push_back({var, iter.domain, IterType::Spatial});
    values.push_back(makeVar("ax" + number, iter.var->dtype));
    inNew.push_back(var);
    map[iter.var.get()] = var;
  }
  for (const Expr& index : indices) inOld.push_back(substitute(index, map));
  const auto& from = isWrite ? inNew : inOld;
  const auto& to = isWrite ? inOld : inNew;
  copy->reads = {{stage.from, pointRegion(from)}};
  copy->writes = {{stage.to, pointRegion(to)}};
  copy->body = store(stage.to, load(stage.from, from), to);
  stage.block = copy->id;
  std::vector<Range> domains;
  for (const IterVar& iter : copy->iters) domains.push_back(iter.domain);
  stage.nest = newLoops(draft, values, domains, realize(values, boolImm(true), copy), {});
  draft.origin(stage.block, {block.id});
}

Result<Handles> applyReindex(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const Block block = tree.block(id);
  const auto place = arguments.buffer("buffer", *block);
  if (!place) return Failure(place.error());
  const Buffer buffer = place->buffer;
  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());
  auto indices = AccessFinder(buffer, *block).indices();
  if (!indices) return Failure(indices.error());
  arith::Analyzer analyzer;
  for (const IterVar& iter : block->iters) analyzer.bind(iter.var, iter.domain);
  if (!arguments.flag("skip_simplify"))
    for (Expr& index : *indices) index = shorter(index, analyzer);

  std::vector<IterVar> used;
  auto made = std::make_shared<BufferNode>(*buffer);
  made->id = draft.newId();
  made->name += "_reindex";
  made->data = makeVar(buffer->data->name + "_reindex", buffer->data->dtype);
  made->shape.clear();
  made->strides.clear();
  std::vector<Expr> byIters;
  for (const IterVar& iter : block->iters) {
    const bool isUsed = std::any_of(indices->begin(), indices->end(), [&](const Expr& index) {
      return usesVar(index, [&](const VarNode* v) { return v == iter.var.get(); });
    });
    if (!isUsed) continue;
    used.push_back(iter);
    byIters.push_back(iter.var);
    made->shape.push_back(iter.domain.min + iter.domain.extent);
  }
  draft.origin(made->id, {buffer->id});

  CacheStage stage;
  if (auto located = locateBeside(p, *scope, id, place->isWrite, Forbids::Tvm, stage); !located)
    return Failure(located.error());
  stage.from = place->isWrite ? Buffer(made) : buffer;
  stage.to = place->isWrite ? buffer : Buffer(made);
  makeReindexCopy(draft, *block, used, *indices, place->isWrite, stage);
  return copyBeside(draft, *scope, AccessReplacer(buffer, made, byIters).run(block), made, stage);
}

}  // namespace

Instruction reindexInstruction() {
  Instruction row;
  row.name = "reindex";
  row.traceKind = "ReIndex";
  row.group = "memory";
  row.parameters = {{"block",
                     ParameterType::Block,
                     {},
                     "",
                     "it accesses the buffer by one kind of indices",
                     "它以同一种下标访问该缓冲区"},
                    {"buffer",
                     ParameterType::Buffer,
                     {},
                     "",
                     "the buffer: (\"read\" or \"write\", index), or its name",
                     "缓冲区：(\"read\" 或 \"write\", 序号)，或其名称"},
                    {"skip_simplify", ParameterType::Bool, Value{false}, "",
                     "take the indices as they are written, which keeps iterators of extent 1 in them",
                     "按原样使用下标，其中保留长度为 1 的迭代变量"}};
  row.results = Instruction::Results::Block;
  row.apply = applyReindex;
  row.en = "Copy a buffer so that a block accesses it by its own iterators, in their order.";
  row.zh = "拷贝缓冲区，使计算块按自身迭代变量的顺序访问它。";
  return row;
}

}  // namespace loom::schedule
