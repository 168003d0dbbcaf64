#include "core/lower/sequential.h"

#include <fmt/format.h>

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
    if (c.op != "tvm_load_matrix_sync" || c.args.size() < 8) return;
    auto* data = asVar(c.args[0]);
    auto found = data ? source_.find(data) : source_.end();
    if (found == source_.end() || c.args[7]->kind != ExprKind::StringImm) return;
    columnMajor[found->second] = as<StringImmNode>(c.args[7])->value == "col_major";
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
    Stmt loops = loopsOf(*c);
    if (!loops && !error) {
      error = fail("NotExecutable", verbatim(fmt::format("T.{} isn't over tiles that its block views", c->op)),
                   Forbids::Environment)
                  .value();
    }
    return loops ? loops : s;
  }

 private:
  const MatchBuffer* viewOf(const Expr& data) const {
    auto* v = asVar(data);
    auto found = v ? views_.find(v) : views_.end();
    if (found == views_.end() || found->second->buffer->shape.size() != 2) return nullptr;
    return found->second;
  }

  static std::int64_t rows(const MatchBuffer& m) { return constantOr(m.buffer->shape[0], 0); }
  static std::int64_t columns(const MatchBuffer& m) { return constantOr(m.buffer->shape[1], 0); }

  // for row, column (, k): body
  static Stmt nest(const std::vector<std::pair<Var, std::int64_t>>& loops, Stmt body) {
    for (std::size_t i = loops.size(); i-- > 0;) {
      ForNode n;
      n.var = loops[i].first;
      n.min = intImm(0);
      n.extent = intImm(loops[i].second);
      n.body = std::move(body);
      body = std::make_shared<const ForNode>(std::move(n));
    }
    return body;
  }

  Stmt loopsOf(const CallNode& c) {
    Var row = makeVar("row"), column = makeVar("column"), k = makeVar("k");
    if (c.op == "tvm_mma_sync") {
      if (c.args.size() < 8) return nullptr;
      auto *d = viewOf(c.args[0]), *a = viewOf(c.args[2]), *b = viewOf(c.args[4]), *sum = viewOf(c.args[6]);
      if (!d || !a || !b || !sum) return nullptr;
      auto lies = columnMajor_.find(b->source.buffer.get());
      if (lies == columnMajor_.end()) {
        error =
            fail("NotExecutable",
                 verbatim(fmt::format("no load says whether {} lies by rows or by columns", b->source.buffer->name)),
                 Forbids::Environment)
                .value();
        return nullptr;
      }
      const Buffer& out = d->buffer;
      Expr x = load(a->buffer, {row, k});
      Expr y = lies->second ? load(b->buffer, {column, k}) : load(b->buffer, {k, column});
      Expr value = load(sum->buffer, {row, column}) + cast(out->dtype, x) * cast(out->dtype, y);
      return nest({{row, rows(*d)}, {column, columns(*d)}, {k, columns(*a)}}, store(out, value, {row, column}));
    }
    if (c.args.size() < 6) return nullptr;
    auto* tile = viewOf(c.args[0]);
    if (!tile) return nullptr;
    const std::vector<std::pair<Var, std::int64_t>> all = {{row, rows(*tile)}, {column, columns(*tile)}};
    if (c.op == "tvm_fill_fragment") {
      return nest(all, store(tile->buffer, cast(tile->buffer->dtype, c.args[5]), {row, column}));
    }
    auto* pointer = asCall(c.args[5]);
    if (!pointer || pointer->args.size() < 2) return nullptr;
    auto* memory = viewOf(pointer->args[1]);
    if (!memory) return nullptr;
    // A fragment that is loaded by columns holds the tile as memory does; the product knows.
    bool loads = c.op == "tvm_load_matrix_sync";
    const Buffer &to = loads ? tile->buffer : memory->buffer, &from = loads ? memory->buffer : tile->buffer;
    return nest(all, store(to, load(from, {row, column}), {row, column}));
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
