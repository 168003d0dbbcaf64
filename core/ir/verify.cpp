#include "core/ir/verify.h"

#include <unordered_set>
#include <utility>

#include "core/ir/visit.h"

namespace loom::ir {
namespace {

class Verifier : public Visitor {
 public:
  explicit Verifier(Dangling dangling) : dangling_(dangling) {}
  std::optional<std::string> problem;

  void function(const Function& f) {
    place_ = "function " + f->name;
    if (!f->body) return report("has no body");
    for (const auto& p : f->params) {
      define(p.var);
      if (!p.buffer) continue;
      if (!p.var->dtype.isHandle()) report("the parameter " + p.var->name + " of a buffer is no handle");
      defineBuffer(p.buffer, true);
    }
    visit(Stmt(f->body));
  }
  void id(Id id, const char* what) {
    if (!id) return report(std::string(what) + " without an id");
    if (!ids_.insert(id).second) report(std::string(what) + " whose id another one has");
  }

  using Visitor::visit;
  void visit(const Expr& e) override {
    if (!problem && !e) return report("an expression is missing");
    if (!problem) Visitor::visit(e);
  }
  void visit(const Stmt& s) override {
    if (!problem && s) Visitor::visit(s);
  }

 protected:
  void visitVar(const VarNode& v) override {
    if (!anyVar_ && !vars_.count(&v)) report("the variable " + v.name + " is used out of scope");
  }
  void visitBinary(const BinaryNode& n) override {
    if (n.a->dtype != n.b->dtype) {
      report("operands of dtypes " + n.a->dtype.str() + " and " + n.b->dtype.str() + " meet in one operator");
    }
    bool truth = n.kind == ExprKind::And || n.kind == ExprKind::Or;
    if (truth && !n.a->dtype.isBool()) report("an operand of 'and' or 'or' has dtype " + n.a->dtype.str());
    Visitor::visitBinary(n);
  }
  void visitSelect(const SelectNode& n) override {
    if (!n.condition->dtype.isBool()) report("a condition has dtype " + n.condition->dtype.str());
    if (n.yes->dtype != n.no->dtype) report("the two values of a Select have different dtypes");
    Visitor::visitSelect(n);
  }
  void visitLoad(const LoadNode& n) override {
    access(n.buffer, n.indices);
    Visitor::visitLoad(n);
  }
  void visitLet(const LetNode& n) override {
    visit(n.value);
    bool added = vars_.insert(n.var.get()).second;
    visit(n.body);
    if (added) vars_.erase(n.var.get());
  }
  void visitStore(const StoreNode& n) override {
    access(n.buffer, n.indices);
    int lanes = n.indices.empty() ? 1 : n.indices.back()->dtype.lanes;
    DType wanted = n.buffer->dtype.withLanes(n.buffer->dtype.lanes * lanes);
    if (n.value->dtype != wanted) {
      report("a value of dtype " + n.value->dtype.str() + " is stored in " + n.buffer->name + " of " + wanted.str());
    }
    Visitor::visitStore(n);
  }
  void visitFor(const ForNode& n) override {
    id(n.id, "a loop");
    visit(n.min);
    visit(n.extent);
    if ((n.forKind == ForKind::ThreadBinding) == n.thread.empty()) report("the loop " + n.var->name + " has no thread");
    if (!vars_.insert(n.var.get()).second) return report("the loop variable " + n.var->name + " is bound already");
    if (!n.body) report("the loop " + n.var->name + " has no body");
    visit(n.body);
    vars_.erase(n.var.get());
  }
  void visitRealize(const BlockRealizeNode& n) override {
    const BlockNode& b = *n.block;
    if (n.values.size() != b.iters.size()) {
      return report("the block " + b.name + " has " + std::to_string(b.iters.size()) + " iteration variables and " +
                    std::to_string(n.values.size()) + " values");
    }
    for (std::size_t i = 0; i < n.values.size(); ++i) {
      visit(n.values[i]);
      if (problem) return;
      if (n.values[i]->dtype != b.iters[i].var->dtype) {
        return report("the iteration variable " + b.iters[i].var->name + " and its value have different dtypes");
      }
    }
    visit(n.predicate);
    if (!problem && !n.predicate->dtype.isBool()) report("the predicate of the block " + b.name + " is no condition");
    if (!problem) visitBlock(b);
  }
  void visitBlock(const BlockNode& n) override {
    std::string outer = std::exchange(place_, "block " + n.name);
    id(n.id, "a block");
    std::vector<const VarNode*> vars;
    std::vector<const BufferNode*> buffers;
    for (const auto& iter : n.iters) {
      visit(iter.domain.min);
      visit(iter.domain.extent);
      if (!vars_.insert(iter.var.get()).second) return report(iter.var->name + " is bound already");
      vars.push_back(iter.var.get());
    }
    // regions may use the outer buffers and the iteration variables, not what the block allocates
    anyVar_ = dangling_ == Dangling::InRegions;
    for (const auto& r : n.reads) region(r);
    for (const auto& w : n.writes) region(w);
    anyVar_ = false;
    for (const auto& a : n.allocs) own(a, false, vars, buffers);
    for (const auto& m : n.matches) {
      region(m.source);
      if (!problem) own(m.buffer, true, vars, buffers);
    }
    visit(n.init);
    if (!n.body) report("it has no body");
    visit(n.body);
    for (auto* v : vars) vars_.erase(v);
    for (auto* b : buffers) buffers_.erase(b);
    place_ = std::move(outer);
  }
  void visitSeq(const SeqNode& n) override {
    if (n.stmts.size() < 2) report("a sequence of fewer than two statements");
    for (const auto& s : n.stmts) {
      if (!s) return report("a sequence with a null");
      if (s->kind == StmtKind::Seq) return report("a sequence inside a sequence");
    }
    Visitor::visitSeq(n);
  }
  void visitIf(const IfThenElseNode& n) override {
    visit(n.condition);
    if (!problem && !n.condition->dtype.isBool()) report("a condition has dtype " + n.condition->dtype.str());
    visit(n.yes);
    visit(n.no);
  }
  void visitLetStmt(const LetStmtNode& n) override {
    visit(n.value);
    bool added = vars_.insert(n.var.get()).second;
    visit(n.body);
    if (added) vars_.erase(n.var.get());
  }

 private:
  void report(const std::string& what) {
    if (!problem) problem = place_ + ": " + what;
  }
  void define(const Var& v) { vars_.insert(v.get()); }

  // A parameter or a view defines the variables of its own shape, strides and offset.
  void defineBuffer(const Buffer& b, bool definesVars, std::vector<const VarNode*>* added = nullptr) {
    id(b->id, "a buffer");
    auto defineVar = [&](const VarNode* v) {
      if (vars_.insert(v).second && added) added->push_back(v);
    };
    auto parts = [&](const Expr& e) {
      if (!e) return report("the buffer " + b->name + " lacks an extent, stride or offset");
      if (auto* v = asVar(e); v && definesVars) return defineVar(v);
      visit(e);
    };
    for (const auto& e : b->shape) parts(e);
    for (const auto& e : b->strides) parts(e);
    parts(b->elemOffset);
    defineVar(b->data.get());
    buffers_.insert(b.get());
  }
  void own(const Buffer& b, bool definesVars, std::vector<const VarNode*>& vars,
           std::vector<const BufferNode*>& buffers) {
    if (buffers_.count(b.get())) return report("the buffer " + b->name + " is defined twice");
    defineBuffer(b, definesVars, &vars);
    buffers.push_back(b.get());
  }
  void inScope(const Buffer& b) {
    if (!b) return report("a buffer is missing");
    if (!buffers_.count(b.get()))
      report("the buffer " + b->name + " is neither parameter, allocation nor view in scope");
  }
  void access(const Buffer& b, const std::vector<Expr>& indices) {
    inScope(b);
    if (!problem && indices.size() != b->shape.size()) {
      report("the buffer " + b->name + " of rank " + std::to_string(b->shape.size()) + " has " +
             std::to_string(indices.size()) + " indices");
    }
  }
  void region(const BufferRegion& r) {
    if (problem) return;
    inScope(r.buffer);
    if (problem) return;
    if (r.region.size() != r.buffer->shape.size()) {
      return report("a region of " + r.buffer->name + " has " + std::to_string(r.region.size()) + " ranges for rank " +
                    std::to_string(r.buffer->shape.size()));
    }
    for (const auto& range : r.region) {
      visit(range.min);
      visit(range.extent);
    }
  }

  const Dangling dangling_;
  bool anyVar_ = false;  // inside regions that may use any variable
  std::string place_;
  std::unordered_set<const VarNode*> vars_;
  std::unordered_set<const BufferNode*> buffers_;
  std::unordered_set<Id> ids_;
};

}  // namespace

std::optional<std::string> verify(const Function& f, Dangling dangling) {
  Verifier v(dangling);
  v.function(f);
  return v.problem;
}

std::optional<std::string> verify(const Module& m, Dangling dangling) {
  for (std::size_t i = 0; i < m.functions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (m.functions[i]->name == m.functions[j]->name) return "two functions are called " + m.functions[i]->name;
    }
    if (auto problem = verify(m.functions[i], dangling)) return problem;
  }
  return std::nullopt;
}

}  // namespace loom::ir
