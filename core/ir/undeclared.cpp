#include "core/ir/undeclared.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/ir/symbols.h"
#include "core/ir/visit.h"

namespace loom::ir {
namespace {

class Uses : public Visitor {
 public:
  std::vector<Undeclared> found;

  void function(const Function& f) {
    for (const Parameter& p : f->params) {
      declared_.insert(p.var.get());
      if (p.buffer) declare(*p.buffer);
    }
    for (const Symbol& s : symbolsOf(*f)) declared_.insert(s.var.get());  // n of an extent n * 16, too
    visit(Stmt(f->body));
  }

 protected:
  void visitVar(const VarNode& v) override {
    if (declared_.count(&v)) return;
    auto same = [&](const Undeclared& u) { return u.var == &v && u.block == block_; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back({&v, block_, name_});
  }
  void visitFor(const ForNode& n) override {
    visit(n.min);
    visit(n.extent);
    during({n.var.get()}, [&] { visit(n.body); });
  }
  void visitLet(const LetNode& n) override {
    visit(n.value);
    during({n.var.get()}, [&] { visit(n.body); });
  }
  void visitLetStmt(const LetStmtNode& n) override {
    visit(n.value);
    during({n.var.get()}, [&] { visit(n.body); });
  }
  void visitRealize(const BlockRealizeNode& n) override {
    const BlockNode& b = *n.block;
    auto outer = std::pair(block_, name_);
    if (!b.name.empty()) std::tie(block_, name_) = std::pair(b.id, b.name);
    for (const Expr& value : n.values) visit(value);
    visit(n.predicate);
    visitBlock(b);
    std::tie(block_, name_) = outer;
  }
  void visitBlock(const BlockNode& n) override {
    std::vector<const VarNode*> own;
    for (const IterVar& iter : n.iters) {
      visit(iter.domain.min);
      visit(iter.domain.extent);
      own.push_back(iter.var.get());
    }
    during(own, [&] {
      // What a view's shape, strides and offset are called, the view declares; an allocation's are uses.
      std::vector<const VarNode*> memory;
      for (const Buffer& b : n.allocs) {
        for (const Expr& e : b->shape) visit(e);
        memory.push_back(b->data.get());
      }
      for (const MatchBuffer& m : n.matches) {
        for (const Range& r : m.source.region) {
          visit(r.min);
          visit(r.extent);
        }
        symbols(*m.buffer, memory);
      }
      during(memory, [&] {
        visit(n.init);
        visit(n.body);
      });
    });
  }

 private:
  static void symbols(const BufferNode& b, std::vector<const VarNode*>& into) {
    auto symbol = [&](const Expr& e) {
      if (auto* v = asVar(e)) into.push_back(v);
    };
    into.push_back(b.data.get());
    for (const Expr& e : b.shape) symbol(e);
    for (const Expr& e : b.strides) symbol(e);
    symbol(b.elemOffset);
  }
  void declare(const BufferNode& b) {
    std::vector<const VarNode*> vars;
    symbols(b, vars);
    declared_.insert(vars.begin(), vars.end());
  }
  template <class F>
  void during(const std::vector<const VarNode*>& vars, F inside) {
    std::vector<const VarNode*> added;
    for (const VarNode* v : vars)
      if (declared_.insert(v).second) added.push_back(v);
    inside();
    for (const VarNode* v : added) declared_.erase(v);
  }

  std::unordered_set<const VarNode*> declared_;
  Id block_;
  std::string name_;
};

}  // namespace

std::vector<Undeclared> undeclaredVariables(const Function& f) {
  Uses uses;
  uses.function(f);
  return std::move(uses.found);
}

}  // namespace loom::ir
