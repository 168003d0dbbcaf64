#include "core/lower/sequential.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

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
    const auto data = std::ranges::find_if(c.args, [](const Expr& e) { return asVar(e) != nullptr; });
    if (!byColumns || data == c.args.end()) return;
    if (auto found = source_.find(asVar(*data)); found != source_.end()) columnMajor[found->second] = *byColumns;
  }

 private:
  std::map<const VarNode*, const BufferNode*> source_;
};

class Sequential : public Mutator {
 public:
  Sequential(std::map<const BufferNode*, bool> columnMajor, bool keepsThreads)
      : columnMajor_(std::move(columnMajor)), keepsThreads_(keepsThreads) {}
  std::optional<Error> error;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto& loop = *asFor(s);
    const Expr outer = lane_;
    if (isThreadIdx(loop.thread) && axisOf(loop.thread) == 0) lane_ = loop.var;
    Stmt inner = Mutator::rewriteFor(s);
    lane_ = outer;
    if (keepsThreads_) return inner;
    return edit(*asFor(inner), [](ForNode& n) {
      n.forKind = ForKind::Serial;
      n.thread.clear();
      n.annotations.clear();
    });
  }
  Block rewriteBlock(const Block& b) override {
    for (const MatchBuffer& m : b->matches) views_[m.buffer->data.get()] = &m;
    Block inner = Mutator::rewriteBlock(b);
    if (keepsThreads_) return inner;
    return edit(*inner, [](BlockNode& n) { n.annotations.clear(); });
  }
  Stmt rewriteEvaluate(const Stmt& s) override {
    auto* c = asCall(as<EvaluateNode>(s)->value);
    if (!c) return s;
    if (c->op == "assume") return evaluate(intImm(0));
    const device::InOrder context{[this](const Expr& data) { return viewOf(data); }, columnMajor_, lane_};
    auto loops = device::inElements(*c, context);
    if (!loops && device::isOperation(c->op)) loops = device::inOrder(*c, context);
    if (!loops) return s;
    if (!*loops && !error) error = loops->error();
    if (!*loops) return s;
    return keepsThreads_ ? **loops : numbered(**loops);
  }

 private:
  // What a call means is loops and stores; each loop gets an id.
  Stmt numbered(const Stmt& s) {
    if (s->kind != StmtKind::For) return s;
    return edit(*asFor(s), [&](ForNode& n) {
      n.id = made_.next();
      n.body = numbered(n.body);
    });
  }
  const MatchBuffer* viewOf(const Expr& data) const {
    auto* v = asVar(data);
    auto found = v ? views_.find(v) : views_.end();
    if (found == views_.end() || found->second->buffer->shape.size() != 2) return nullptr;
    return found->second;
  }

  std::map<const BufferNode*, bool> columnMajor_;
  const bool keepsThreads_;
  std::map<const VarNode*, const MatchBuffer*> views_;
  Expr lane_;  // of the loop over threadIdx.x around; null outside of one
  IdSource made_{std::numeric_limits<std::uint32_t>::max()};  // of no step
};

Result<Stmt> rewritten(const Function& function, bool keepsThreads) {
  Layouts layouts;
  layouts.visit(Stmt(function->body));
  Sequential pass(std::move(layouts.columnMajor), keepsThreads);
  Stmt body = pass.rewrite(Stmt(function->body));
  if (pass.error) return Failure(*pass.error);
  return body;
}

Function withBody(const Function& function, const Stmt& body) {
  return edit(*function, [&](FunctionNode& f) { f.body = std::static_pointer_cast<const BlockRealizeNode>(body); });
}

}  // namespace

Result<Function> callsAsLoops(const Function& function) {
  auto body = rewritten(function, true);
  if (!body) return Failure(body.error());
  return withBody(function, *body);
}

Result<Function> sequential(const Function& function) {
  auto inOrder = rewritten(function, false);
  if (!inOrder) return Failure(inOrder.error());
  Stmt body = *inOrder;
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
  return withBody(function, body);
}

}  // namespace loom::lower
