#include "core/ir/equal.h"

#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/ir/visit.h"

namespace loom::ir {
namespace {

class Equality {
 public:
  bool exprs(const Expr& a, const Expr& b);
  bool stmts(const Stmt& a, const Stmt& b);
  bool regions(const BufferRegion& a, const BufferRegion& b);
  bool annotations(const Annotations& a, const Annotations& b);
  bool annotationValues(const AnnotationValue& a, const AnnotationValue& b);
  bool functions(const Function& a, const Function& b);

 private:
  template <class T, class F>
  bool all(const std::vector<T>& a, const std::vector<T>& b, F same) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i])) return false;
    }
    return true;
  }
  bool lists(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return all(a, b, [&](const Expr& x, const Expr& y) { return exprs(x, y); });
  }
  bool ranges(const Range& a, const Range& b) { return exprs(a.min, b.min) && exprs(a.extent, b.extent); }
  bool vars(const VarNode* a, const VarNode* b);
  bool define(const Var& a, const Var& b);
  bool buffers(const Buffer& a, const Buffer& b);
  bool bufferFields(const BufferNode& a, const BufferNode& b);
  bool defineBuffer(const Buffer& a, const Buffer& b);
  bool blocks(const BlockNode& a, const BlockNode& b);
  bool fors(const ForNode& a, const ForNode& b);

  std::unordered_map<const VarNode*, const VarNode*> to_, from_;
  std::unordered_map<const BufferNode*, const BufferNode*> buffers_;
  bool defining_ = false;  // inside a buffer's definition: its free variables are defined by their first use
};

bool Equality::define(const Var& a, const Var& b) {
  if (a->dtype != b->dtype) return false;
  to_[a.get()] = b.get();
  from_[b.get()] = a.get();
  return true;
}

bool Equality::vars(const VarNode* a, const VarNode* b) {
  auto to = to_.find(a);
  auto from = from_.find(b);
  if (to != to_.end() || from != from_.end()) {
    return to != to_.end() && from != from_.end() && to->second == b && from->second == a;
  }
  if (a == b) return true;
  if (!defining_ || a->dtype != b->dtype) return false;
  to_[a] = b;
  from_[b] = a;
  return true;
}

bool Equality::bufferFields(const BufferNode& a, const BufferNode& b) {
  return a.dtype == b.dtype && a.scope == b.scope && lists(a.shape, b.shape) && lists(a.strides, b.strides) &&
         exprs(a.elemOffset, b.elemOffset) && a.dataAlignment == b.dataAlignment && a.offsetFactor == b.offsetFactor &&
         a.axisSeparators == b.axisSeparators;
}

bool Equality::buffers(const Buffer& a, const Buffer& b) {
  if (auto it = buffers_.find(a.get()); it != buffers_.end()) return it->second == b.get();
  if (a == b) return true;
  return a && b && vars(a->data.get(), b->data.get()) && bufferFields(*a, *b);
}

bool Equality::defineBuffer(const Buffer& a, const Buffer& b) {
  bool before = std::exchange(defining_, true);
  bool same = define(a->data, b->data) && bufferFields(*a, *b);
  defining_ = before;
  buffers_[a.get()] = b.get();
  return same;
}

bool Equality::exprs(const Expr& a, const Expr& b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->dtype != b->dtype) return false;
  switch (a->kind) {
    case ExprKind::Var: return vars(as<VarNode>(a), as<VarNode>(b));
    case ExprKind::IntImm: return asInt(a)->value == asInt(b)->value;
    case ExprKind::FloatImm: {
      double x = as<FloatImmNode>(a)->value, y = as<FloatImmNode>(b)->value;
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
    }
    case ExprKind::StringImm: return as<StringImmNode>(a)->value == as<StringImmNode>(b)->value;
    case ExprKind::Not: return exprs(as<NotNode>(a)->a, as<NotNode>(b)->a);
    case ExprKind::Cast: return exprs(as<CastNode>(a)->value, as<CastNode>(b)->value);
    case ExprKind::Select: {
      auto *x = as<SelectNode>(a), *y = as<SelectNode>(b);
      return exprs(x->condition, y->condition) && exprs(x->yes, y->yes) && exprs(x->no, y->no);
    }
    case ExprKind::Load: {
      auto *x = asLoad(a), *y = asLoad(b);
      return buffers(x->buffer, y->buffer) && lists(x->indices, y->indices);
    }
    case ExprKind::Call: return asCall(a)->op == asCall(b)->op && lists(asCall(a)->args, asCall(b)->args);
    case ExprKind::Ramp: {
      auto *x = as<RampNode>(a), *y = as<RampNode>(b);
      return exprs(x->base, y->base) && exprs(x->stride, y->stride);
    }
    case ExprKind::Broadcast: return exprs(as<BroadcastNode>(a)->value, as<BroadcastNode>(b)->value);
    case ExprKind::Let: {
      auto *x = as<LetNode>(a), *y = as<LetNode>(b);
      return exprs(x->value, y->value) && define(x->var, y->var) && exprs(x->body, y->body);
    }
    default: {
      auto *x = as<BinaryNode>(a), *y = as<BinaryNode>(b);
      return exprs(x->a, y->a) && exprs(x->b, y->b);
    }
  }
}

bool Equality::regions(const BufferRegion& a, const BufferRegion& b) {
  return buffers(a.buffer, b.buffer) &&
         all(a.region, b.region, [&](const Range& x, const Range& y) { return ranges(x, y); });
}

bool Equality::annotationValues(const AnnotationValue& a, const AnnotationValue& b) {
  if (a.value.index() != b.value.index() || a.typed != b.typed) return false;
  if (auto* e = std::get_if<Expr>(&a.value)) return exprs(*e, std::get<Expr>(b.value));
  if (auto* d = std::get_if<Annotations>(&a.value)) return annotations(*d, std::get<Annotations>(b.value));
  return all(std::get<AnnotationList>(a.value), std::get<AnnotationList>(b.value),
             [&](const AnnotationValue& x, const AnnotationValue& y) { return annotationValues(x, y); });
}

bool Equality::annotations(const Annotations& a, const Annotations& b) {
  if (a.size() != b.size()) return false;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
    if (x->first != y->first || !annotationValues(x->second, y->second)) return false;
  }
  return true;
}

bool Equality::fors(const ForNode& a, const ForNode& b) {
  return a.forKind == b.forKind && a.thread == b.thread && exprs(a.min, b.min) && exprs(a.extent, b.extent) &&
         annotations(a.annotations, b.annotations) && define(a.var, b.var) && stmts(a.body, b.body);
}

bool Equality::blocks(const BlockNode& a, const BlockNode& b) {
  auto iter = [&](const IterVar& x, const IterVar& y) {
    return x.type == y.type && ranges(x.domain, y.domain) && define(x.var, y.var);
  };
  auto alloc = [&](const Buffer& x, const Buffer& y) { return defineBuffer(x, y); };
  auto match = [&](const MatchBuffer& x, const MatchBuffer& y) {
    return regions(x.source, y.source) && defineBuffer(x.buffer, y.buffer);
  };
  auto region = [&](const BufferRegion& x, const BufferRegion& y) { return regions(x, y); };
  return a.name == b.name && all(a.iters, b.iters, iter) && all(a.allocs, b.allocs, alloc) &&
         all(a.matches, b.matches, match) && all(a.reads, b.reads, region) && all(a.writes, b.writes, region) &&
         annotations(a.annotations, b.annotations) && stmts(a.init, b.init) && stmts(a.body, b.body);
}

bool Equality::stmts(const Stmt& a, const Stmt& b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case StmtKind::For: return fors(*as<ForNode>(a), *as<ForNode>(b));
    case StmtKind::BlockRealize: {
      auto *x = asRealize(a), *y = asRealize(b);
      return lists(x->values, y->values) && exprs(x->predicate, y->predicate) && blocks(*x->block, *y->block);
    }
    case StmtKind::Store: {
      auto *x = as<StoreNode>(a), *y = as<StoreNode>(b);
      return buffers(x->buffer, y->buffer) && lists(x->indices, y->indices) && exprs(x->value, y->value);
    }
    case StmtKind::Evaluate: return exprs(as<EvaluateNode>(a)->value, as<EvaluateNode>(b)->value);
    case StmtKind::IfThenElse: {
      auto *x = as<IfThenElseNode>(a), *y = as<IfThenElseNode>(b);
      return exprs(x->condition, y->condition) && stmts(x->yes, y->yes) && stmts(x->no, y->no);
    }
    case StmtKind::Seq:
      return all(asSeq(a)->stmts, asSeq(b)->stmts, [&](const Stmt& x, const Stmt& y) { return stmts(x, y); });
    case StmtKind::Let: {
      auto *x = as<LetStmtNode>(a), *y = as<LetStmtNode>(b);
      return exprs(x->value, y->value) && define(x->var, y->var) && stmts(x->body, y->body);
    }
    case StmtKind::Attr: {
      auto *x = as<AttrNode>(a), *y = as<AttrNode>(b);
      return x->key == y->key && exprs(x->node, y->node) && exprs(x->value, y->value) && stmts(x->body, y->body);
    }
    case StmtKind::While: {
      auto *x = as<WhileNode>(a), *y = as<WhileNode>(b);
      return exprs(x->condition, y->condition) && stmts(x->body, y->body);
    }
  }
  return false;
}

bool Equality::functions(const Function& a, const Function& b) {
  auto param = [&](const Parameter& x, const Parameter& y) {
    if (!x.buffer != !y.buffer || !define(x.var, y.var)) return false;
    return !x.buffer || defineBuffer(x.buffer, y.buffer);
  };
  return a->name == b->name && all(a->params, b->params, param) && annotations(a->attrs, b->attrs) &&
         stmts(a->body, b->body);
}

void mix(std::size_t& seed, std::size_t value) { seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2); }

class Hash : public Visitor {
 public:
  std::size_t value = 0;
  using Visitor::visit;
  void visit(const Expr& e) override {
    mix(value, static_cast<std::size_t>(e->kind) << 32 | static_cast<std::size_t>(e->dtype.code) << 24 |
                   static_cast<std::size_t>(e->dtype.bits) << 16 | e->dtype.lanes);
    Visitor::visit(e);
  }

 protected:
  void visitVar(const VarNode& v) override {
    for (auto* bound : bound_) {
      if (bound == &v) return;
    }
    mix(value, std::hash<const void*>{}(&v));
  }
  void visitImmediate(const ExprNode& e) override {
    if (e.kind == ExprKind::IntImm) mix(value, static_cast<std::size_t>(static_cast<const IntImmNode&>(e).value));
    if (e.kind == ExprKind::FloatImm) {
      double x = static_cast<const FloatImmNode&>(e).value;
      mix(value, std::isnan(x) ? 1 : std::bit_cast<std::uint64_t>(x));
    }
    if (e.kind == ExprKind::StringImm) {
      mix(value, std::hash<std::string>{}(static_cast<const StringImmNode&>(e).value));
    }
  }
  void visitLoad(const LoadNode& n) override {
    mix(value, std::hash<const void*>{}(n.buffer->data.get()));
    Visitor::visitLoad(n);
  }
  void visitCall(const CallNode& n) override {
    mix(value, std::hash<std::string>{}(n.op));
    mix(value, n.args.size());
    Visitor::visitCall(n);
  }
  void visitLet(const LetNode& n) override {
    visit(n.value);
    bound_.push_back(n.var.get());
    visit(n.body);
    bound_.pop_back();
  }

 private:
  std::vector<const VarNode*> bound_;
};

}  // namespace

bool structuralEqual(const Expr& a, const Expr& b) { return a == b || Equality().exprs(a, b); }
bool structuralEqual(const Stmt& a, const Stmt& b) { return a == b || Equality().stmts(a, b); }
bool structuralEqual(const Function& a, const Function& b) { return a == b || Equality().functions(a, b); }
bool structuralEqual(const Annotations& a, const Annotations& b) { return Equality().annotations(a, b); }
bool structuralEqual(const AnnotationValue& a, const AnnotationValue& b) { return Equality().annotationValues(a, b); }
bool structuralEqual(const BufferRegion& a, const BufferRegion& b) { return Equality().regions(a, b); }

std::size_t structuralHash(const Expr& e) {
  Hash h;
  if (e) h.visit(e);
  return h.value;
}

}  // namespace loom::ir
