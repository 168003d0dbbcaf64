#include "core/ir/substitute.h"

#include "core/ir/visit.h"

namespace loom::ir {
namespace {

class Substituter : public Mutator {
 public:
  explicit Substituter(const VarReplacement& map) : map_(map) {}

  Buffer rewriteBuffer(const Buffer& b) override {
    auto [it, isNew] = buffers_.try_emplace(b.get(), b);
    if (!isNew) return it->second;
    std::shared_ptr<BufferNode> changed;  // few buffers change, and to copy one takes long
    const auto edited = [&]() -> BufferNode& {
      if (!changed) changed = std::make_shared<BufferNode>(*b);
      return *changed;
    };
    const auto replace = [&](std::vector<Expr> BufferNode::*list) {
      for (std::size_t i = 0; i < ((*b).*list).size(); ++i)
        if (Expr now = rewrite(((*b).*list)[i]); now != ((*b).*list)[i]) (edited().*list)[i] = std::move(now);
    };
    replace(&BufferNode::shape);
    replace(&BufferNode::strides);
    if (Expr now = rewrite(b->elemOffset); now != b->elemOffset) edited().elemOffset = std::move(now);
    const Expr data = map_(b->data.get());
    if (data && data->kind == ExprKind::Var && data != b->data) edited().data = varOf(data);
    return changed ? buffers_[b.get()] = changed : b;
  }
  using Mutator::rewriteRange;
  using Mutator::rewriteRegion;

 protected:
  Expr rewriteVar(const Expr& e) override {
    Expr with = map_(as<VarNode>(e));
    return with ? with : e;
  }

 private:
  const VarReplacement& map_;
  std::unordered_map<const BufferNode*, Buffer> buffers_;
};

class BufferReplacer : public Mutator {
 public:
  explicit BufferReplacer(const BufferMap& map) : map_(map) {
    for (const auto& [from, to] : map) {
      if (from->data != to->data) data_.emplace(from->data.get(), to->data);
    }
  }
  Buffer rewriteBuffer(const Buffer& b) override {
    auto it = map_.find(b.get());
    return it == map_.end() ? b : it->second;
  }

 protected:
  Expr rewriteVar(const Expr& e) override {
    auto it = data_.find(as<VarNode>(e));
    return it == data_.end() ? e : it->second;
  }

 private:
  const BufferMap& map_;
  VarMap data_;
};

// Whether any of these variables is used, also in the shapes and places of buffers that are loaded from. To see that
// none is takes a fraction of a rewrite.
class UsesAny : public Visitor {
 public:
  explicit UsesAny(const VarMap& map) : map_(map) {}
  using Visitor::visit;
  void visit(const Expr& e) override {
    if (!found) Visitor::visit(e);
  }
  bool found = false;

 protected:
  void visitVar(const VarNode& v) override { found = found || map_.contains(&v); }
  void visitLoad(const LoadNode& n) override {
    const BufferNode& b = *n.buffer;
    visitVar(*b.data);
    for (const auto* list : {&b.shape, &b.strides, &n.indices})
      for (const Expr& e : *list) visit(e);
    visit(b.elemOffset);
  }

 private:
  const VarMap& map_;
};

VarReplacement lookup(const VarMap& map) {
  return [&map](const VarNode* v) -> Expr {
    auto it = map.find(v);
    return it == map.end() ? nullptr : it->second;
  };
}

}  // namespace

Expr substitute(const Expr& e, const VarReplacement& map) { return Substituter(map).rewrite(e); }
Expr substitute(const Expr& e, const VarMap& map) {
  UsesAny uses(map);
  uses.visit(e);
  return uses.found ? substitute(e, lookup(map)) : e;
}
Stmt substitute(const Stmt& s, const VarMap& map) {
  auto find = lookup(map);
  return Substituter(find).rewrite(s);
}
Range substitute(const Range& r, const VarMap& map) {
  auto find = lookup(map);
  return Substituter(find).rewriteRange(r);
}
BufferRegion substitute(const BufferRegion& r, const VarMap& map) {
  auto find = lookup(map);
  return Substituter(find).rewriteRegion(r);
}
std::vector<Range> substitute(const std::vector<Range>& region, const VarMap& map) {
  std::vector<Range> after;
  for (const auto& r : region) after.push_back(substitute(r, map));
  return after;
}

Stmt replaceBuffers(const Stmt& s, const BufferMap& map) { return BufferReplacer(map).rewrite(s); }
Block replaceBuffers(const Block& b, const BufferMap& map) { return BufferReplacer(map).rewriteBlock(b); }

}  // namespace loom::ir
