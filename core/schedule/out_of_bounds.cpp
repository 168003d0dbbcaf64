#include "core/schedule/out_of_bounds.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/arith/analyzer.h"
#include "core/arith/int_math.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::schedule {
namespace {

using namespace ir;

using Point = std::unordered_map<const VarNode*, std::int64_t>;

// The value at a point; nothing where it depends on what isn't known there.
std::optional<std::int64_t> valueAt(const Expr& e, const Point& at) {
  switch (e->kind) {
    case ExprKind::Var: {
      auto found = at.find(asVar(e));
      return found == at.end() ? std::nullopt : std::optional(found->second);
    }
    case ExprKind::IntImm: return asInt(e)->value;
    case ExprKind::Cast: {
      if (!e->dtype.isInt() && !e->dtype.isBool()) return std::nullopt;
      return valueAt(as<CastNode>(e)->value, at);
    }
    case ExprKind::Not: {
      auto a = valueAt(as<NotNode>(e)->a, at);
      return a ? std::optional<std::int64_t>(!*a) : std::nullopt;
    }
    case ExprKind::Select: {
      const auto& n = *as<SelectNode>(e);
      auto condition = valueAt(n.condition, at);
      return condition ? valueAt(*condition ? n.yes : n.no, at) : std::nullopt;
    }
    case ExprKind::Call: {
      const auto& c = *as<CallNode>(e);
      if (c.op == "likely") return valueAt(c.args[0], at);
      if (c.op != "if_then_else") return std::nullopt;
      auto condition = valueAt(c.args[0], at);
      return condition ? valueAt(c.args[*condition ? 1 : 2], at) : std::nullopt;
    }
    default: break;
  }
  auto* n = asBinary(e);
  if (!n) return std::nullopt;
  auto a = valueAt(n->a, at);
  if (!a) return std::nullopt;
  if (n->kind == ExprKind::And && !*a) return 0;
  if (n->kind == ExprKind::Or && *a) return 1;
  auto b = valueAt(n->b, at);
  if (!b) return std::nullopt;
  const std::int64_t x = *a, y = *b;
  std::int64_t result = 0;
  const bool divides = n->kind >= ExprKind::Div && n->kind <= ExprKind::FloorMod;
  if (divides && (y == 0 || y == -1))
    return y == 0 ? std::nullopt : valueAt(fold(n->kind, intImm(x, n->dtype), n->b), at);
  switch (n->kind) {
    case ExprKind::Add: return __builtin_add_overflow(x, y, &result) ? std::nullopt : std::optional(result);
    case ExprKind::Sub: return __builtin_sub_overflow(x, y, &result) ? std::nullopt : std::optional(result);
    case ExprKind::Mul: return __builtin_mul_overflow(x, y, &result) ? std::nullopt : std::optional(result);
    case ExprKind::Div: return x / y;
    case ExprKind::Mod: return x % y;
    case ExprKind::FloorDiv: return arith::floorDiv(x, y);
    case ExprKind::FloorMod: return x - arith::floorDiv(x, y) * y;
    case ExprKind::Min: return std::min(x, y);
    case ExprKind::Max: return std::max(x, y);
    case ExprKind::EQ: return x == y;
    case ExprKind::NE: return x != y;
    case ExprKind::LT: return x < y;
    case ExprKind::LE: return x <= y;
    case ExprKind::GT: return x > y;
    case ExprKind::GE: return x >= y;
    case ExprKind::And:
    case ExprKind::Or: return y != 0;
    default: return std::nullopt;
  }
}

// The buffers whose memory is as large as they are declared: parameters, and global memory that several nests share.
// What one nest uses alone gets the memory that its accesses need (lower's compaction), whatever it is declared.
std::unordered_set<const BufferNode*> ofFixedSize(const Function& f) {
  std::unordered_set<const BufferNode*> fixed;
  for (const ir::Parameter& p : f->params)
    if (p.buffer) fixed.insert(p.buffer.get());
  std::unordered_map<const BufferNode*, std::size_t> users;
  const Stmt body = f->body->block->body;
  const std::vector<Stmt> nests = body->kind == StmtKind::Seq ? asSeq(body)->stmts : std::vector<Stmt>{body};
  for (const Stmt& nest : nests) {
    for (const Buffer& b : f->body->block->allocs) {
      const VarNode* data = b->data.get();
      users[b.get()] += usesVar(nest, [&](const VarNode* v) { return v == data; });
    }
  }
  for (const auto& [buffer, count] : users)
    if (count > 1 && buffer->scope == "global") fixed.insert(buffer);
  return fixed;
}

class Search : public Visitor {
 public:
  explicit Search(std::unordered_set<const BufferNode*> fixed) : fixed_(std::move(fixed)) {}
  std::vector<OutOfBounds> found;

 protected:
  void visitFor(const ForNode& n) override {
    visit(n.min);
    visit(n.extent);
    analyzer_.bind(n.var, Range{n.min, n.extent}, true);
    loops_.push_back(&n);
    visit(n.body);
    loops_.pop_back();
  }
  void visitRealize(const BlockRealizeNode& n) override {
    for (std::size_t i = 0; i < n.block->iters.size() && i < n.values.size(); ++i)
      values_[n.block->iters[i].var.get()] = bound(n.values[i]);
    under(bound(n.predicate), [&] { visitBlock(*n.block); });
  }
  void visitBlock(const BlockNode& n) override {
    const BlockNode* outer = std::exchange(block_, &n);
    if (n.init) {
      Expr first = boolImm(true);
      for (const IterVar& iter : n.iters)
        if (iter.type == IterType::Reduce) first = andOf(first, eq(bound(iter.var), bound(iter.domain.min)));
      under(first, [&] { visit(n.init); });
    }
    visit(n.body);
    block_ = outer;
  }
  void visitIf(const IfThenElseNode& n) override {
    visit(n.condition);
    under(bound(n.condition), [&] { visit(n.yes); });
    if (n.no) under(notOf(bound(n.condition)), [&] { visit(n.no); });
  }
  void visitCall(const CallNode& n) override {
    if (n.op != "if_then_else") return Visitor::visitCall(n);
    visit(n.args[0]);
    under(bound(n.args[0]), [&] { visit(n.args[1]); });
    under(notOf(bound(n.args[0])), [&] { visit(n.args[2]); });
  }
  void visitLetStmt(const LetStmtNode& n) override {
    visit(n.value);
    values_[n.var.get()] = bound(n.value);
    visit(n.body);
  }
  void visitWhile(const WhileNode&) override {}  // nobody knows how often
  void visitLoad(const LoadNode& n) override {
    Visitor::visitLoad(n);
    access(n.buffer, n.indices, false);
  }
  void visitStore(const StoreNode& n) override {
    Visitor::visitStore(n);
    access(n.buffer, n.indices, true);
  }

 private:
  Expr bound(const Expr& e) const { return substitute(e, values_); }

  template <class F>
  void under(const Expr& condition, F inside) {
    if (isFalse(condition)) return;
    if (isTrue(condition)) return inside();
    auto known = analyzer_.enter(condition);
    conditions_.push_back(condition);
    inside();
    conditions_.pop_back();
  }

  void access(const Buffer& b, const std::vector<Expr>& indices, bool writes) {
    if (!block_ || !fixed_.count(b.get())) return;
    auto same = [&](const OutOfBounds& o) { return o.block == block_->id && o.buffer == b->id && o.writes == writes; };
    if (std::any_of(found.begin(), found.end(), same)) return;
    for (std::size_t d = 0; d < indices.size() && d < b->shape.size(); ++d) {
      auto* extent = asInt(b->shape[d]);
      if (!extent || indices[d]->dtype.lanes != 1) continue;
      const Expr index = bound(indices[d]);
      const auto within = analyzer_.constIntBound(index);
      if (within.min >= 0 && within.max < extent->value) continue;
      const Expr simple = analyzer_.simplify(index);
      const auto known = analyzer_.constIntBound(simple);
      if (known.min >= 0 && known.max < extent->value) continue;
      if (auto outside = findOutside(index, extent->value)) {
        found.push_back({block_->id, b->id, block_->name, b->name, writes, d, *outside, extent->value});
        return;
      }
    }
  }

  // An index outside of [0, extent) that some iteration comes to.
  std::optional<std::int64_t> findOutside(const Expr& index, std::int64_t extent) const {
    std::vector<const ForNode*> concerned;
    auto add = [&](const Expr& e) {
      forEachExpr(e, [&](const Expr& x) {
        for (const ForNode* loop : loops_) {
          if (asVar(x) == loop->var.get() && std::find(concerned.begin(), concerned.end(), loop) == concerned.end())
            concerned.push_back(loop);
        }
      });
    };
    add(index);
    for (const Expr& c : conditions_) add(c);
    // Outer loops first: the extent of an inner one may depend on them.
    std::vector<const ForNode*> loops;
    for (const ForNode* loop : loops_) {
      add(loop->min);
      add(loop->extent);
    }
    for (const ForNode* loop : loops_)
      if (std::find(concerned.begin(), concerned.end(), loop) != concerned.end()) loops.push_back(loop);
    constexpr std::uint64_t kCorners = 4096, kBetween = 512;
    const std::uint64_t corners = loops.size() > 12 ? kCorners : std::uint64_t{1} << loops.size();
    std::uint64_t random = 0x9E3779B97F4A7C15;
    for (std::uint64_t n = 0; n < corners + kBetween; ++n) {
      Point at;
      bool reached = true;
      for (std::size_t i = 0; i < loops.size() && reached; ++i) {
        auto min = valueAt(loops[i]->min, at), count = valueAt(loops[i]->extent, at);
        reached = min && count && *count > 0;
        if (!reached) break;
        random = random * 6364136223846793005u + 1442695040888963407u;
        // First the last iterations: that is where tiles hang over.
        const std::int64_t step = n >= corners || i >= 12 ? std::int64_t((random >> 33) % std::uint64_t(*count))
                                  : (n >> i & 1)          ? 0
                                                          : *count - 1;
        at[loops[i]->var.get()] = *min + step;
      }
      auto holds = [&](const Expr& c) { return valueAt(c, at).value_or(0) != 0; };
      if (!reached || !std::all_of(conditions_.begin(), conditions_.end(), holds)) continue;
      auto value = valueAt(index, at);
      if (!value) return std::nullopt;
      if (*value < 0 || *value >= extent) return value;
    }
    return std::nullopt;
  }

  const std::unordered_set<const BufferNode*> fixed_;
  arith::Analyzer analyzer_;
  std::vector<const ForNode*> loops_;
  std::vector<Expr> conditions_;  // in terms of the loops
  VarMap values_;                 // of iteration variables, in terms of the loops
  const BlockNode* block_ = nullptr;
};

}  // namespace

std::vector<OutOfBounds> accessesOutOfBounds(const Function& f) {
  Search search(ofFixedSize(f));
  search.visit(Stmt(f->body));
  return std::move(search.found);
}

}  // namespace loom::schedule
