#include <set>

#include "core/arith/analyzer.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/instance.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

class Simplification : public Mutator {
 public:
  explicit Simplification(const std::vector<Symbol>& symbols) { bindSymbols(analyzer_, symbols); }
  Expr rewrite(const Expr& e) override { return e ? analyzer_.simplifyOwn(e) : e; }
  using Mutator::rewrite;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto& loop = *asFor(s);
    Expr min = rewrite(loop.min), extent = rewrite(loop.extent);
    if (isConst(extent, 0)) return nullptr;
    if (isConst(extent, 1) && loop.forKind != ForKind::ThreadBinding) {
      Stmt once = rewrite(keepingUnrollAnnotations(loop, substitute(loop.body, VarMap{{loop.var.get(), min}})));
      if (!parts_.contains(&loop) || !asSeq(withoutBlocks(once))) return once;
      return edit(loop, [&](ForNode& n) { n.min = min, n.extent = extent, n.body = once; });
    }
    analyzer_.bind(loop.var, Range{min, extent}, true);
    if (loop.annotations.contains(kStage)) addParts(loop.body);
    Stmt body = rewrite(loop.body);
    if (!body) return nullptr;
    return edit(loop, [&](ForNode& n) {
      n.min = min;
      n.extent = extent;
      n.body = body;
    });
  }
  Stmt rewriteRealize(const Stmt& s) override {
    const auto& realize = *asRealize(s);
    Expr predicate = terms(rewrite(realize.predicate));
    if (isFalse(predicate)) return nullptr;
    auto known = analyzer_.enter(predicate);
    Block block = rewriteBlock(realize.block);
    if (!block->body) return nullptr;
    return ir::realize({}, predicate, block);
  }
  Block rewriteBlock(const Block& b) override {
    return edit(*b, [&](BlockNode& n) {
      for (BufferRegion& r : n.reads) r = rewriteRegion(r);
      for (BufferRegion& r : n.writes) r = rewriteRegion(r);
      n.body = rewrite(n.body);
    });
  }
  Stmt rewriteIf(const Stmt& s) override {
    const auto& n = *as<IfThenElseNode>(s);
    Expr condition = terms(rewrite(n.condition));
    if (isTrue(condition)) return rewrite(n.yes);
    if (isFalse(condition)) return rewrite(n.no);
    Stmt yes, no;
    {
      auto known = analyzer_.enter(condition);
      yes = rewrite(n.yes);
    }
    {
      auto known = analyzer_.enter(notOf(condition));
      no = rewrite(n.no);
    }
    if (!yes && !no) return nullptr;
    if (!yes) return ifThen(rewrite(notOf(condition)), no);
    return ifThen(condition, yes, no);
  }

 private:
  static const Stmt& withoutBlocks(const Stmt& s) {
    const auto* realize = asRealize(s);
    return realize ? withoutBlocks(realize->block->body) : s;
  }

  // Adds the loops among the statements of a pipeline's body.
  void addParts(const Stmt& body) {
    const SeqNode* all = asSeq(withoutBlocks(body));
    if (!all) return;
    for (const Stmt& s : all->stmts)
      if (const ForNode* part = asFor(withoutBlocks(s))) parts_.insert(part);
  }

  // Terms that only bound a variable say something about the others: (tx & 3) < n && tx < 4 becomes tx < n && tx < 4.
  Expr terms(const Expr& condition) {
    std::vector<Expr> all;
    splitInto(all, condition);
    auto bounds = [](const Expr& e) {
      auto* b = asBinary(e);
      return b && b->kind != ExprKind::And && asVar(b->a) && asInt(b->b);
    };
    Expr plain, result;
    for (const Expr& e : all) {
      if (bounds(e)) plain = plain ? andOf(plain, e) : e;
    }
    if (!plain || all.size() < 2) return condition;
    auto known = analyzer_.enter(plain);
    for (const Expr& e : all) {
      Expr term = bounds(e) ? e : analyzer_.simplifyOwn(e);
      if (!isTrue(term)) result = result ? andOf(result, term) : term;
    }
    return result;
  }
  static void splitInto(std::vector<Expr>& terms, const Expr& e) {
    if (auto* both = asBinary(e, ExprKind::And)) {
      splitInto(terms, both->a);
      splitInto(terms, both->b);
    } else {
      terms.push_back(e);
    }
  }

  arith::Analyzer analyzer_;
  // A pipeline's annotations count the statements of its body: a loop of one iteration is one of them, however many
  // statements it has. The pass "pipeline" removes it.
  std::set<const ForNode*> parts_;
};

}  // namespace

Stmt simplify(const Stmt& s, const std::vector<Symbol>& symbols) { return Simplification(symbols).rewrite(s); }

namespace {
bool isAxis(std::string_view tag, std::string_view stem) {
  return tag.size() == stem.size() + 2 && tag.starts_with(stem) && tag[stem.size()] == '.' && tag.back() >= 'x' &&
         tag.back() <= 'z';
}
}  // namespace

bool isThreadIdx(const std::string& tag) { return isAxis(tag, "threadIdx"); }
bool isBlockIdx(const std::string& tag) { return isAxis(tag, "blockIdx"); }
bool isVirtualThread(const std::string& tag) { return tag == "vthread" || tag == "cthread" || isAxis(tag, "vthread"); }
int axisOf(const std::string& tag) { return tag.empty() ? 0 : tag.back() - 'x'; }

}  // namespace loom::lower
