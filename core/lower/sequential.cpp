#include "core/lower/sequential.h"

#include <map>
#include <set>

#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::lower {
namespace {

using namespace ir;

// The buffers whose fragments some load fills column by column.
class Layouts : public Visitor {
 public:
  std::map<const BufferNode*, bool> columnMajor;

 protected:
  void visitBlock(const BlockNode& n) override {
    for (const MatchBuffer& m : n.matches) source_[m.buffer->data.get()] = m.source.buffer.get();
    visit(n.body);
  }
  void visitCall(const CallNode& c) override {
    const auto byColumns = device::loadsByColumns(c);
    auto* data = byColumns ? asVar(c.args[0]) : nullptr;
    if (auto found = data ? source_.find(data) : source_.end(); found != source_.end())
      columnMajor[found->second] = *byColumns;
  }

 private:
  std::map<const VarNode*, const BufferNode*> source_;
};

class Sequential : public Mutator {
 public:
  explicit Sequential(std::map<const BufferNode*, bool> columnMajor) : columnMajor_(std::move(columnMajor)) {}
  std::optional<Error> error;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    Stmt inner = Mutator::rewriteFor(s);
    return edit(*asFor(inner), [](ForNode& n) {
      n.forKind = ForKind::Serial;
      n.thread.clear();
      n.annotations.clear();
    });
  }
  Block rewriteBlock(const Block& b) override {
    for (const MatchBuffer& m : b->matches) views_[m.buffer->data.get()] = &m;
    Block inner = Mutator::rewriteBlock(b);
    return edit(*inner, [](BlockNode& n) { n.annotations.clear(); });
  }
  Stmt rewriteEvaluate(const Stmt& s) override {
    auto* c = asCall(as<EvaluateNode>(s)->value);
    if (!c || !device::isOperation(c->op)) return s;
    auto loops = device::inOrder(*c, {[this](const Expr& data) { return viewOf(data); }, columnMajor_});
    if (!loops && !error) error = loops.error();
    return loops ? *loops : s;
  }

 private:
  const MatchBuffer* viewOf(const Expr& data) const {
    auto* v = asVar(data);
    auto found = v ? views_.find(v) : views_.end();
    if (found == views_.end() || found->second->buffer->shape.size() != 2) return nullptr;
    return found->second;
  }

  std::map<const BufferNode*, bool> columnMajor_;
  std::map<const VarNode*, const MatchBuffer*> views_;
};

}  // namespace

Result<Function> sequential(const Function& function) {
  Layouts layouts;
  layouts.visit(Stmt(function->body));
  Sequential pass(std::move(layouts.columnMajor));
  Stmt body = pass.rewrite(Stmt(function->body));
  if (pass.error) return Failure(*pass.error);
  // Buffers of any scope become plain memory, views of them too.
  BufferMap plain;
  auto note = [&](const Buffer& b) {
    if (b->scope == "global") return;
    plain[b.get()] = edit(*b, [](BufferNode& n) { n.scope = "global"; });
  };
  forEachStmt(body, [&](const Stmt& s) {
    if (auto* r = asRealize(s)) {
      for (const Buffer& b : r->block->allocs) note(b);
      for (const MatchBuffer& m : r->block->matches) note(m.buffer);
    }
    return true;
  });
  body = replaceBuffers(body, plain);
  return edit(*function, [&](FunctionNode& f) { f.body = std::static_pointer_cast<const BlockRealizeNode>(body); });
}

}  // namespace loom::lower
