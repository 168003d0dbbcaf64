#include "core/intrin/instantiate.h"

#include <unordered_map>

#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::intrin {
namespace {

using namespace loom::ir;

class Copier : public Mutator {
 public:
  Copier(IdSource& ids, int indexBits) : ids_(ids), index_(DType::Int(indexBits)) {}

  Var fresh(const Var& var) {
    auto& copy = vars_[var.get()];
    if (!copy) copy = makeVar(var->name, isIndex(var->dtype) ? index_ : var->dtype);
    return copy;
  }

  Buffer rewriteBuffer(const Buffer& b) override {
    auto it = buffers_.find(b.get());
    if (it != buffers_.end()) return it->second;
    auto copy = std::make_shared<BufferNode>(*b);
    copy->id = ids_.next();
    copy->data = fresh(b->data);
    for (auto& e : copy->shape) e = asIndex(e);
    for (auto& e : copy->strides) e = asIndex(e);
    copy->elemOffset = asIndex(copy->elemOffset);
    return buffers_[b.get()] = copy;
  }

  Block rewriteBlock(const Block& b) override {
    auto after = std::make_shared<BlockNode>(*b);
    after->id = ids_.next();
    for (auto& iter : after->iters) iter = {fresh(iter.var), range(iter.domain), iter.type};
    for (auto& region : after->reads) region = regionOf(region);
    for (auto& region : after->writes) region = regionOf(region);
    for (auto& buffer : after->allocs) buffer = rewriteBuffer(buffer);
    for (auto& match : after->matches) match = {rewriteBuffer(match.buffer), regionOf(match.source)};
    after->init = rewrite(b->init);
    after->body = rewrite(b->body);
    return after;
  }
  using Mutator::rewrite;

 protected:
  Expr rewriteVar(const Expr& e) override { return fresh(varOf(e)); }

  Expr rewriteBinary(const Expr& e) override {
    auto* n = as<BinaryNode>(e);
    Expr a = rewrite(n->a), b = rewrite(n->b);
    // Constants take the type of what they stand beside; the tree stays as it was written.
    if (a->dtype != b->dtype) {
      if (asInt(a)) a = cast(b->dtype, a);
      if (asInt(b)) b = cast(a->dtype, b);
    }
    return a->dtype == b->dtype ? binary(n->kind, a, b) : fold(n->kind, a, b);
  }
  Expr rewriteLoad(const Expr& e) override {
    auto* n = as<LoadNode>(e);
    std::vector<Expr> indices;
    for (const auto& i : n->indices) indices.push_back(asIndex(i));
    return load(rewriteBuffer(n->buffer), std::move(indices));
  }
  Expr rewriteLet(const Expr& e) override {
    auto* n = as<LetNode>(e);
    return std::make_shared<LetNode>(fresh(n->var), rewrite(n->value), rewrite(n->body));
  }

  Stmt rewriteFor(const Stmt& s) override {
    return edit(*as<ForNode>(s), [&](ForNode& f) {
      f.id = ids_.next();
      f.var = fresh(f.var);
      f.min = asIndex(f.min);
      f.extent = asIndex(f.extent);
      f.body = rewrite(f.body);
    });
  }
  Stmt rewriteRealize(const Stmt& s) override {
    auto* n = as<BlockRealizeNode>(s);
    std::vector<Expr> values;
    for (const auto& v : n->values) values.push_back(asIndex(v));
    return realize(std::move(values), rewrite(n->predicate), rewriteBlock(n->block));
  }
  Stmt rewriteStore(const Stmt& s) override {
    return edit(*as<StoreNode>(s), [&](StoreNode& n) {
      n.buffer = rewriteBuffer(n.buffer);
      n.value = rewrite(n.value);
      for (auto& i : n.indices) i = asIndex(i);
    });
  }
  Stmt rewriteLetStmt(const Stmt& s) override {
    return edit(*as<LetStmtNode>(s), [&](LetStmtNode& n) {
      n.var = fresh(n.var);
      n.value = rewrite(n.value);
      n.body = rewrite(n.body);
    });
  }

 private:
  static bool isIndex(DType t) { return t.isInt() && t.isScalar() && t.bits >= 32; }
  Expr asIndex(const Expr& e) {
    Expr after = rewrite(e);
    return isIndex(after->dtype) ? cast(index_, after) : after;
  }
  Range range(const Range& r) { return {asIndex(r.min), asIndex(r.extent)}; }
  BufferRegion regionOf(const BufferRegion& r) {
    BufferRegion after{rewriteBuffer(r.buffer), {}};
    for (const auto& dimension : r.region) after.region.push_back(range(dimension));
    return after;
  }

  IdSource& ids_;
  DType index_;
  std::unordered_map<const VarNode*, Var> vars_;
  std::unordered_map<const BufferNode*, Buffer> buffers_;
};

}  // namespace

ir::Function instantiate(const ir::Function& implementation, ir::IdSource& ids, int indexBits) {
  Copier copier(ids, indexBits);
  auto copy = std::make_shared<FunctionNode>(*implementation);
  for (auto& parameter : copy->params) {
    parameter.var = copier.fresh(parameter.var);
    if (parameter.buffer) parameter.buffer = copier.rewriteBuffer(parameter.buffer);
  }
  Stmt body = copier.rewrite(Stmt(copy->body));
  copy->body = std::static_pointer_cast<const BlockRealizeNode>(body);
  return copy;
}

}  // namespace loom::intrin
