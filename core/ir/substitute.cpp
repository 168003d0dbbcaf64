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
    auto changed = std::make_shared<BufferNode>(*b);
    bool same = true;
    auto replace = [&](Expr& e) {
      Expr now = rewrite(e);
      same = same && now == e;
      e = now;
    };
    for (auto& e : changed->shape) replace(e);
    for (auto& e : changed->strides) replace(e);
    replace(changed->elemOffset);
    Expr data = map_(b->data.get());
    if (data && data->kind == ExprKind::Var && data != b->data) {
      changed->data = varOf(data);
      same = false;
    }
    return same ? b : buffers_[b.get()] = changed;
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

VarReplacement lookup(const VarMap& map) {
  return [&map](const VarNode* v) -> Expr {
    auto it = map.find(v);
    return it == map.end() ? nullptr : it->second;
  };
}

}  // namespace

Expr substitute(const Expr& e, const VarReplacement& map) { return Substituter(map).rewrite(e); }
Expr substitute(const Expr& e, const VarMap& map) { return substitute(e, lookup(map)); }
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
