#include "core/arith/block_access.h"

#include <array>
#include <stdexcept>
#include <unordered_set>

#include "core/arith/analyzer.h"
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
  }

 private:
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
