#include "core/script/definition_scope.h"

#include <unordered_set>

#include "core/ir/visit.h"

namespace loom::script {
namespace {

using namespace ir;

class PathFinder : public Visitor {
 public:
  using Path = DefinitionScopes::Path;
  std::unordered_map<const void*, Path> paths;
  std::unordered_map<const VarNode*, const BufferNode*> buffers;

  void function(const FunctionNode& f) {
    stack_.push_back(&f);
    for (const ir::Parameter& p : f.params) {
      visit(p.var);
      if (p.buffer) buffer(p.buffer);
    }
    visit(Stmt(f.body));
    stack_.pop_back();
  }

  void visit(const Expr& e) override {
    if (!e) return;
    bool first = seen_.insert(e.get()).second;
    if (e->kind == ExprKind::Var) return meet(e.get());
    if (first) Visitor::visit(e);
  }

  void visit(const Stmt& s) override {
    if (!s || !seen_.insert(s.get()).second) return;
    stack_.push_back(s.get());
    Visitor::visit(s);
    stack_.pop_back();
  }

 protected:
  void visitLoad(const LoadNode& n) override {
    buffer(n.buffer);
    Visitor::visitLoad(n);
  }
  void visitStore(const StoreNode& n) override {
    buffer(n.buffer);
    Visitor::visitStore(n);
  }
  void visitLet(const LetNode& n) override {
    visit(Expr(n.var));
    Visitor::visitLet(n);
  }
  void visitLetStmt(const LetStmtNode& n) override {
    visit(Expr(n.var));
    Visitor::visitLetStmt(n);
  }
  void visitFor(const ForNode& n) override {
    visit(Expr(n.var));
    Visitor::visitFor(n);
  }
  void visitRealize(const BlockRealizeNode& n) override {
    for (const Expr& v : n.values) visit(v);
    visit(n.predicate);
    if (!seen_.insert(n.block.get()).second) return;
    stack_.push_back(n.block.get());
    visitBlock(*n.block);
    stack_.pop_back();
  }
  void visitBlock(const BlockNode& n) override {
    for (const IterVar& i : n.iters) {
      visit(i.domain.min);
      visit(i.domain.extent);
      visit(Expr(i.var));
    }
    for (const BufferRegion& r : n.reads) region(r);
    for (const BufferRegion& r : n.writes) region(r);
    for (const Buffer& b : n.allocs) buffer(b);
    for (const MatchBuffer& m : n.matches) {
      buffer(m.buffer);
      region(m.source);
    }
    for (const auto& [key, value] : n.annotations) annotation(value);
    visit(n.init);
    visit(n.body);
  }

 private:
  void region(const BufferRegion& r) {
    buffer(r.buffer);
    for (const Range& range : r.region) {
      visit(range.min);
      visit(range.extent);
    }
  }
  void annotation(const AnnotationValue& value) {
    if (auto* e = std::get_if<Expr>(&value.value)) return visit(*e);
    if (auto* list = std::get_if<AnnotationList>(&value.value)) {
      for (const AnnotationValue& v : *list) annotation(v);
      return;
    }
    for (const auto& [key, v] : std::get<Annotations>(value.value)) annotation(v);
  }
  void buffer(const Buffer& b) {
    if (seen_.insert(b.get()).second) {
      buffers.try_emplace(b->data.get(), b.get());
      visit(Expr(b->data));
      for (const Expr& e : b->shape) visit(e);
      for (const Expr& e : b->strides) visit(e);
      visit(b->elemOffset);
    }
    meet(b.get());
  }
  void meet(const void* object) {
    auto [it, fresh] = paths.try_emplace(object, stack_);
    if (fresh) return;
    Path& path = it->second;
    std::size_t n = 0;
    while (n < path.size() && n < stack_.size() && path[n] == stack_[n]) ++n;
    path.resize(n);
  }

  Path stack_;
  std::unordered_set<const void*> seen_;
};

}  // namespace

DefinitionScopes::DefinitionScopes(const ir::FunctionNode& function) {
  PathFinder finder;
  finder.function(function);
  paths_ = std::move(finder.paths);
  buffers_ = std::move(finder.buffers);
}

const DefinitionScopes::Path& DefinitionScopes::pathOf(const void* varOrBuffer) const {
  auto it = paths_.find(varOrBuffer);
  return it == paths_.end() ? none_ : it->second;
}

const ir::BufferNode* DefinitionScopes::bufferOf(const ir::VarNode* data) const {
  auto it = buffers_.find(data);
  return it == buffers_.end() ? nullptr : it->second;
}

}  // namespace loom::script
