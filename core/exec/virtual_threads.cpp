#include "core/exec/virtual_threads.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::exec {
namespace {

using namespace ir;

bool isVirtual(const ForNode& n) { return n.forKind == ForKind::ThreadBinding && lower::isVirtualThread(n.thread); }

// The loops over virtual threads around all uses of each buffer, outermost first.
class Uses : public Visitor {
 public:
  std::unordered_map<const BufferNode*, std::vector<const ForNode*>> around;

 protected:
  void visitFor(const ForNode& n) override {
    if (isVirtual(n)) loops_.push_back(&n);
    Visitor::visitFor(n);
    if (isVirtual(n)) loops_.pop_back();
  }
  void visitLoad(const LoadNode& n) override {
    note(*n.buffer);
    Visitor::visitLoad(n);
  }
  void visitStore(const StoreNode& n) override {
    note(*n.buffer);
    Visitor::visitStore(n);
  }

 private:
  void note(const BufferNode& b) {
    const auto [found, isNew] = around.emplace(&b, loops_);
    if (isNew) return;
    auto& common = found->second;
    common.erase(std::ranges::mismatch(common, loops_).in1, common.end());
  }

  std::vector<const ForNode*> loops_;
};

// The buffers whose values, or their places, depend on the iteration of a loop.
class Depends : public Visitor {
 public:
  explicit Depends(const ForNode& loop) : variables_{loop.var.get()} {
    for (std::size_t before = 0; before < variables_.size() + buffers_.size();) {
      before = variables_.size() + buffers_.size();
      visit(loop.body);
    }
  }
  bool contains(const BufferNode* b) const { return buffers_.contains(b); }

 protected:
  void visitFor(const ForNode& n) override {
    if (does(n.min) || does(n.extent)) variables_.insert(n.var.get());
    Visitor::visitFor(n);
  }
  void visitLetStmt(const LetStmtNode& n) override {
    if (does(n.value)) variables_.insert(n.var.get());
    Visitor::visitLetStmt(n);
  }
  void visitRealize(const BlockRealizeNode& n) override {
    for (std::size_t i = 0; i < n.values.size(); ++i)
      if (does(n.values[i])) variables_.insert(n.block->iters[i].var.get());
    Visitor::visitRealize(n);
  }
  void visitStore(const StoreNode& n) override {
    if (does(n.value) || std::ranges::any_of(n.indices, [&](const Expr& e) { return does(e); }))
      buffers_.insert(n.buffer.get());
  }

 private:
  bool does(const Expr& e) const {
    bool found = false;
    forEachExpr(e, [&](const Expr& x) {
      if (const auto* v = asVar(x)) found |= variables_.contains(v);
      if (const auto* l = asLoad(x)) found |= buffers_.contains(l->buffer.get());
    });
    return found;
  }

  std::unordered_set<const VarNode*> variables_;
  std::unordered_set<const BufferNode*> buffers_;
};

}  // namespace

std::unordered_map<const BufferNode*, std::vector<std::int64_t>> virtualCopies(const Function& function) {
  Uses uses;
  uses.visit(Stmt(function->body));
  std::unordered_map<const ForNode*, Depends> depending;
  std::unordered_map<const BufferNode*, std::vector<std::int64_t>> copies;
  for (const auto& [buffer, loops] : uses.around) {
    for (const ForNode* loop : loops) {
      const auto found = depending.try_emplace(loop, *loop).first;
      copies[buffer].push_back(found->second.contains(buffer) ? constantOr(loop->extent, 1) : 1);
    }
  }
  return copies;
}

}  // namespace loom::exec
