#include "core/exec/virtual_threads.h"

#include <algorithm>

#include "core/exec/runs_as_threads.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::exec {

using namespace ir;

bool isOverVirtualThreads(const ForNode& loop) {
  return loop.forKind == ForKind::ThreadBinding && lower::isVirtualThread(loop.thread);
}

// One walk over a loop's body, which adds what depends on what is already known to.
class VirtualLoop::Collector : public Visitor {
 public:
  explicit Collector(VirtualLoop& loop) : loop_(loop) {}

 protected:
  void visitFor(const ForNode& n) override {
    const bool depends = loop_.touches(n.min) || loop_.touches(n.extent);
    add(n.var, depends);
    bySome(depends, [&] { Visitor::visitFor(n); });
  }
  void visitIf(const IfThenElseNode& n) override {
    bySome(loop_.touches(n.condition), [&] { Visitor::visitIf(n); });
  }
  void visitLetStmt(const LetStmtNode& n) override {
    add(n.var, loop_.touches(n.value));
    Visitor::visitLetStmt(n);
  }
  void visitRealize(const BlockRealizeNode& n) override {
    for (std::size_t i = 0; i < n.values.size(); ++i) add(n.block->iters[i].var, loop_.touches(n.values[i]));
    bySome(loop_.touches(n.predicate), [&] { Visitor::visitRealize(n); });
  }
  void visitStore(const StoreNode& n) override {
    const auto touched = [&](const Expr& e) { return loop_.touches(e); };
    if (touched(n.value) || std::ranges::any_of(n.indices, touched) || (some_ && isOwnOfThread(*n.buffer)))
      loop_.buffers_.insert(n.buffer.get());
  }

 private:
  void add(const Var& variable, bool depends) {
    if (depends) loop_.variables_.insert(variable.get());
  }
  template <class Visit>
  void bySome(bool depends, Visit visit) {
    const bool outer = std::exchange(some_, some_ || depends);
    visit();
    some_ = outer;
  }

  VirtualLoop& loop_;
  bool some_ = false;  // whether not all iterations run what is visited, or not equally often
};

VirtualLoop::VirtualLoop(const ForNode& loop) : iterations_(constantOr(loop.extent, 1)), variables_{loop.var.get()} {
  // A value may go through buffers that are written further below.
  for (std::size_t before = 0; before < variables_.size() + buffers_.size();) {
    before = variables_.size() + buffers_.size();
    Collector(*this).visit(loop.body);
  }
}

bool VirtualLoop::touches(const Expr& e) const {
  bool found = false;
  forEachExpr(e, [&](const Expr& x) {
    if (const auto* v = asVar(x)) found |= variables_.contains(v);
    if (const auto* l = asLoad(x)) found |= buffers_.contains(l->buffer.get());
  });
  return found;
}

namespace {

// The loops over virtual threads, and those around all uses of each buffer, outermost first.
class Uses : public Visitor {
 public:
  std::unordered_map<const BufferNode*, std::vector<const ForNode*>> around;
  std::vector<const ForNode*> all;

 protected:
  void visitFor(const ForNode& n) override {
    const bool isOne = isOverVirtualThreads(n);
    if (isOne) all.push_back(&n), loops_.push_back(&n);
    Visitor::visitFor(n);
    if (isOne) loops_.pop_back();
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

}  // namespace

VirtualThreads::VirtualThreads(const Function& function) {
  Uses uses;
  uses.visit(Stmt(function->body));
  for (const ForNode* loop : uses.all) loops_.emplace(loop, *loop);
  around_ = std::move(uses.around);
}

std::vector<std::int64_t> VirtualThreads::copies(const BufferNode& buffer) const {
  std::vector<std::int64_t> copies;
  const auto found = around_.find(&buffer);
  if (found == around_.end()) return copies;
  for (const ForNode* n : found->second) {
    const VirtualLoop& loop = loops_.at(n);
    copies.push_back(isOwnOfThread(buffer) || loop.touches(buffer) ? loop.iterations() : 1);
  }
  return copies;
}

std::uint32_t VirtualThreads::dependsOn(std::span<const ForNode* const> around,
                                        std::span<const Expr> expressions) const {
  std::uint32_t loops = 0;
  for (std::size_t n = 0; n < around.size() && n < 32; ++n) {
    const VirtualLoop& loop = loops_.at(around[n]);
    if (std::ranges::any_of(expressions, [&](const Expr& e) { return loop.touches(e); })) loops |= 1u << n;
  }
  return loops;
}

}  // namespace loom::exec
