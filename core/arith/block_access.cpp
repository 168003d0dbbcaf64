#include "core/arith/block_access.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_set>

#include "core/arith/analyzer.h"
#include "core/arith/comparisons.h"
#include "core/arith/int_set.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::arith {
namespace {

using namespace ir;

// What was accessed, in order of first access.
struct Accesses {
  std::vector<Buffer> buffers;
  std::vector<std::vector<IntSet>> regions;
};
using BufferSet = std::unordered_set<const BufferNode*>;

class Detector : public Visitor {
 public:
  explicit Detector(const KnownBuffers& known) : known_(known) {}

  void detect(const BlockNode& block) {
    for (const auto& match : block.matches) {
      if (!known_.count(match.source.buffer->data.get())) continue;
      views_[match.buffer->data.get()] = &match;
      known_[match.buffer->data.get()] = match.buffer;
    }
    visitBlock(block);
  }

  std::vector<BufferRegion> collectReads(const BufferSet& excluded) { return collect(reads_, excluded); }
  std::vector<BufferRegion> collectWrites(const BufferSet& excluded) { return collect(writes_, excluded); }
  std::vector<BufferRegion> collectOpaque() { return collect(opaque_, {}); }

 protected:
  void visitVar(const VarNode& v) override {
    if (auto it = known_.find(&v); it != known_.end()) record(opaque_, it->second, wholeOf(it->second));
  }

  void visitLoad(const LoadNode& n) override {
    record(reads_, n.buffer, relax(n.indices));
    Visitor::visitLoad(n);
  }

  void visitStore(const StoreNode& n) override {
    record(writes_, n.buffer, relax(n.indices));
    Visitor::visitStore(n);
  }

  void visitFor(const ForNode& n) override {
    domains_.insert_or_assign(n.var.get(), IntSet::fromRange(Range{n.min, n.extent}));
    Visitor::visitFor(n);
    domains_.erase(n.var.get());
  }

  void visitIf(const IfThenElseNode& n) override {
    visit(n.condition);
    under(n.condition, [&] { visit(n.yes); });
    if (n.no) under(notOf(n.condition), [&] { visit(n.no); });
  }

  void visitLetStmt(const LetStmtNode& n) override {
    lets_[n.var.get()] = n.value;
    Visitor::visitLetStmt(n);
    lets_.erase(n.var.get());
  }

  void visitAttr(const AttrNode& n) override {  // the node of an attribute is no access
    visit(n.value);
    visit(n.body);
  }

  void visitCall(const CallNode& n) override {
    if (n.op == "if_then_else") {
      visit(n.args[0]);
      under(n.args[0], [&] { visit(n.args[1]); });
      under(notOf(n.args[0]), [&] { visit(n.args[2]); });
      return;
    }
    if (n.op != "tvm_access_ptr") return Visitor::visitCall(n);
    auto* pointer = n.args.size() > 4 ? asVar(n.args[1]) : nullptr;
    auto* mask = n.args.size() > 4 ? asInt(n.args[4]) : nullptr;
    if (!pointer || !mask) return Visitor::visitCall(n);
    auto it = known_.find(pointer);
    if (it == known_.end()) return;
    const Buffer buffer = it->second;
    const bool reads = mask->value & 1, writes = mask->value & 2;
    if (!reads && !writes) return;
    record(reads && writes ? opaque_ : reads ? reads_ : writes_, buffer, wholeOf(buffer));
  }

  // A child block's signature stands for it.
  void visitRealize(const BlockRealizeNode& n) override {
    VarMap bindings;
    for (std::size_t i = 0; i < n.values.size(); ++i) bindings[n.block->iters[i].var.get()] = n.values[i];
    auto take = [&](Accesses& into, const std::vector<BufferRegion>& regions) {
      for (const auto& r : regions) {
        std::vector<IntSet> sets;
        for (const auto& range : r.region) {
          sets.push_back(evalSet(IntSet::fromRange(substitute(range, bindings)), domains_));
        }
        record(into, r.buffer, std::move(sets));
      }
    };
    take(reads_, n.block->reads);
    take(writes_, n.block->writes);
    // The TVM that is our judge then looks inside as well, though the signature says it all: its regions of outer
    // blocks come to use iteration variables of inner ones.
    Visitor::visitRealize(n);
  }

 private:
  // Runs f with the domains of the loops inside the block narrowed by the condition.
  template <class F>
  void under(const Expr& condition, F f) {
    if (domains_.empty()) return f();
    const IntSetMap before = domains_;
    narrow(condition);
    f();
    domains_ = before;
  }

  // TVM solves the system of inequalities, and gives up unless its solution is a box of ranges. So here: every
  // comparison of integer sums in the `and` chain must bound one loop variable by a constant; other conjuncts say
  // nothing.
  void narrow(const Expr& condition) {
    IntSetMap narrowed = domains_;
    if (narrowAll(Analyzer().simplify(condition), narrowed)) domains_ = std::move(narrowed);
  }

  bool narrowAll(const Expr& condition, IntSetMap& domains) {
    if (auto* both = asBinary(condition, ExprKind::And)) {
      return narrowAll(both->a, domains) && narrowAll(both->b, domains);
    }
    if (auto* likely = asCall(condition); likely && likely->op == "likely") return narrowAll(likely->args[0], domains);
    if (!isComparison(condition->kind)) return true;
    bool isSum = true, hasVar = false;
    forEachExpr(condition, [&](const Expr& e) {
      if (e == condition) return;
      hasVar = hasVar || e->kind == ExprKind::Var;
      isSum = isSum && (e->kind == ExprKind::Var || e->kind == ExprKind::IntImm || e->kind == ExprKind::Add ||
                        e->kind == ExprKind::Sub || e->kind == ExprKind::Mul || e->kind == ExprKind::FloorDiv ||
                        e->kind == ExprKind::FloorMod);
    });
    if (!isSum || !hasVar) return true;
    auto* n = as<BinaryNode>(condition);
    return asVar(n->a) ? narrowVar(n->kind, n->a, n->b, domains)
                       : narrowVar(swappedComparison(n->kind), n->b, n->a, domains);
  }

  // var (kind) limit
  static bool narrowVar(ExprKind kind, const Expr& var, const Expr& limit, IntSetMap& domains) {
    auto* value = asInt(limit);
    auto it = asVar(var) ? domains.find(asVar(var)) : domains.end();
    if (!value || it == domains.end()) return false;
    auto *low = asInt(it->second.min()), *high = asInt(it->second.max());
    if (!low || !high) return false;
    std::int64_t first = low->value, last = high->value;
    switch (kind) {
      case ExprKind::LT: last = std::min(last, value->value - 1); break;
      case ExprKind::LE: last = std::min(last, value->value); break;
      case ExprKind::GT: first = std::max(first, value->value + 1); break;
      case ExprKind::GE: first = std::max(first, value->value); break;
      case ExprKind::EQ:
        first = std::max(first, value->value);
        last = std::min(last, value->value);
        break;
      default: return false;
    }
    if (first > last) return false;
    it->second = IntSet::interval(intImm(first, var->dtype), intImm(last, var->dtype));
    return true;
  }

  std::vector<IntSet> relax(const std::vector<Expr>& indices) {
    std::vector<IntSet> sets;
    for (const auto& index : indices) {
      Expr now = index;
      if (!lets_.empty()) {
        for (Expr next = substitute(now, lets_); next != now; next = substitute(now, lets_)) now = next;
      }
      sets.push_back(evalSet(IntSet::lanesOf(now), domains_));
    }
    return sets;
  }

  std::vector<IntSet> wholeOf(const Buffer& buffer) {
    std::vector<IntSet> sets;
    for (const auto& range : wholeRegion(buffer).region) sets.push_back(evalSet(range, domains_));
    return sets;
  }

  // The part of the source that a part of the view is.
  std::vector<IntSet> sourceOf(const MatchBuffer& match, const std::vector<IntSet>& part) {
    const auto& source = match.source.region;
    const std::size_t outer = source.size() - part.size();
    std::vector<IntSet> sets;
    for (std::size_t i = 0; i < source.size(); ++i) {
      Range range{source[i].min, intImm(1, source[i].min->dtype)};
      if (i >= outer) {
        const Expr& extent = match.buffer->shape[i - outer];
        Range inner = part[i - outer].coverRange(Range{zero(extent->dtype), extent});
        range = Range{source[i].min + inner.min, inner.extent};
      }
      sets.push_back(evalSet(range, domains_));
    }
    return sets;
  }

  void record(Accesses& into, Buffer buffer, std::vector<IntSet> region) {
    if (!known_.count(buffer->data.get())) return;
    if (auto it = views_.find(buffer->data.get()); it != views_.end()) {
      region = sourceOf(*it->second, region);
      buffer = it->second->source.buffer;
    }
    for (std::size_t i = 0; i < into.buffers.size(); ++i) {
      if (into.buffers[i] != buffer) continue;
      auto& sets = into.regions[i];
      if (sets.size() != region.size()) throw std::logic_error("accesses of one buffer differ in dimensions");
      for (std::size_t d = 0; d < sets.size(); ++d) sets[d] = unionOf(std::array{sets[d], region[d]});
      return;
    }
    into.buffers.push_back(std::move(buffer));
    into.regions.push_back(std::move(region));
  }

  std::vector<BufferRegion> collect(const Accesses& accesses, const BufferSet& excluded) {
    std::vector<BufferRegion> regions;
    for (std::size_t i = 0; i < accesses.buffers.size(); ++i) {
      const Buffer& buffer = accesses.buffers[i];
      if (excluded.count(buffer.get())) continue;
      BufferRegion region{buffer, {}};
      for (std::size_t d = 0; d < accesses.regions[i].size(); ++d) {
        const IntSet& set = accesses.regions[i][d];
        if (set.canProvePoint(analyzer_)) {
          Expr min = set.min();
          region.region.push_back(Range{min, one(min->dtype)});
        } else {
          const Expr& extent = buffer->shape[d];
          region.region.push_back(set.coverRange(Range{zero(extent->dtype), extent}));
        }
      }
      regions.push_back(std::move(region));
    }
    return regions;
  }

  KnownBuffers known_;
  std::unordered_map<const VarNode*, const MatchBuffer*> views_;
  IntSetMap domains_;  // of the loops inside the block
  VarMap lets_;
  Accesses reads_, writes_, opaque_;
  Analyzer analyzer_;
};

void exclude(BufferSet& excluded, const std::vector<BufferRegion>& regions) {
  for (const auto& r : regions) excluded.insert(r.buffer.get());
}

}  // namespace

BlockAccess blockAccess(const Block& block, const KnownBuffers& known) {
  Detector detector(known);
  detector.detect(*block);
  BlockAccess access;
  access.writes = detector.collectWrites({});
  BufferSet excluded;
  if (block->init) exclude(excluded, access.writes);
  access.reads = detector.collectReads(excluded);
  access.opaque = detector.collectOpaque();
  return access;
}

BlockAccess blockReadWrite(const Block& block, const KnownBuffers& known) {
  Detector detector(known);
  detector.detect(*block);
  const auto opaque = detector.collectOpaque();
  BlockAccess access;
  BufferSet excluded;
  exclude(excluded, opaque);
  access.writes = detector.collectWrites(excluded);
  if (block->init) exclude(excluded, access.writes);
  access.reads = detector.collectReads(excluded);
  access.reads.insert(access.reads.end(), opaque.begin(), opaque.end());
  access.writes.insert(access.writes.end(), opaque.begin(), opaque.end());
  return access;
}

}  // namespace loom::arith
