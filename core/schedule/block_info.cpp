#include "core/schedule/block_info.h"

#include <algorithm>

#include "core/arith/deep_equal.h"
#include "core/arith/iter_map.h"
#include "core/arith/region.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/schedule/analysis.h"

namespace loom::schedule {

std::shared_ptr<const BlockScope> findDependencies(const Tree& tree, const std::vector<Id>& blocks) {
  static const auto kNoChildren = std::make_shared<const BlockScope>();
  if (blocks.empty()) return kNoChildren;
  auto scope = std::make_shared<BlockScope>();
  using Accesses = std::vector<std::pair<const ir::BufferNode*, std::vector<Id>>>;
  Accesses readers;
  Accesses& writers = scope->bufferWriters;
  auto entry = [](Accesses& accesses, const ir::BufferRegion& region) -> std::vector<Id>* {
    for (auto& [buffer, by] : accesses) {
      if (buffer == region.buffer.get()) return &by;
    }
    return nullptr;
  };
  auto add = [&](Accesses& accesses, const ir::BufferRegion& region, Id block) {
    if (auto* by = entry(accesses, region)) {
      by->push_back(block);
    } else {
      accesses.push_back({region.buffer.get(), {block}});
    }
  };
  auto depend = [&](const std::vector<Id>* sources, Id block, Dependency::Kind kind) {
    if (!sources) return;
    for (Id source : *sources) {
      if (source != block) scope->deps.push_back({source, block, kind});
    }
  };
  for (Id id : blocks) {
    auto block = tree.block(id);
    for (const auto& read : block->reads) add(readers, read, id);
    for (const auto& write : block->writes) add(writers, write, id);
    for (const auto& read : block->reads) depend(entry(writers, read), id, Dependency::Kind::RAW);
    for (const auto& write : block->writes) depend(entry(writers, write), id, Dependency::Kind::WAW);
    for (const auto& write : block->writes) depend(entry(readers, write), id, Dependency::Kind::WAR);
  }
  return scope;
}

bool isAffineBinding(const ir::BlockRealizeNode& realize, const LoopDomain& loops, arith::Analyzer& analyzer) {
  if (loops.empty()) return true;
  // One loop variable per iteration variable, each another: what most blocks have.
  auto isPlain = [&] {
    if (realize.values.empty() || !ir::isTrue(realize.predicate)) return false;
    for (std::size_t i = 0; i < realize.values.size(); ++i) {
      auto* var = ir::asVar(realize.values[i]);
      auto* range = var ? loops.find(var) : nullptr;
      if (!range || !ir::asInt(range->min) || !ir::asInt(range->extent)) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (realize.values[j].get() == var) return false;
      }
    }
    return true;
  };
  if (isPlain()) return true;
  auto map =
      arith::detectIterMap(realize.values, loops, realize.predicate, arith::IterMapLevel::Surjective, analyzer, false);
  if (!map) return false;
  return std::all_of(map.indices.begin(), map.indices.end(), [](const arith::IterSum& sum) {
    return sum->args.empty() || ir::isConst(sum->args[0]->scale, 1);
  });
}

namespace {

bool areEqual(const arith::IntSet& x, const arith::IntSet& y) {
  const auto same = [](const ir::Expr& a, const ir::Expr& b) { return a && b && arith::deepEqual(a, b); };
  return same(x.min(), y.min()) && same(x.max(), y.max());
}

// Is what was produced, clipped to the buffer, at least what is consumed?
bool covers(const ir::Buffer& buffer, const arith::IntRegion& produced, const arith::IntRegion& consumed,
            arith::Analyzer& analyzer) {
  auto simplified = [&](const arith::IntSet& set, bool canonically) {
    auto end = [&](const ir::Expr& e) -> ir::Expr {
      if (!e) return nullptr;
      return canonically ? analyzer.canonicalSimplify(e) : analyzer.simplify(e);
    };
    return arith::IntSet::interval(end(set.min()), end(set.max()));
  };
  for (std::size_t i = 0; i < produced.size(); ++i) {
    if (produced[i].isNothing()) return false;
    if (consumed[i].isNothing()) continue;
    auto whole = arith::IntSet::fromMinExtent(ir::zero(buffer->shape[i]->dtype), buffer->shape[i]);
    auto clipped = [&](const arith::IntSet& set) {
      const arith::IntSet both[] = {set, whole};
      return arith::intersect(both);
    };
    const auto made = simplified(produced[i], true), used = simplified(consumed[i], true);
    auto there = clipped(made);
    if (there.isNothing()) return false;
    there = simplified(there, false);
    if (!there.min() || !there.max()) return false;
    if (areEqual(made, used)) continue;  // as most are: each covers itself
    auto wanted = clipped(used);
    if (wanted.isNothing()) return false;
    wanted = simplified(wanted, false);
    if (!wanted.min() || !wanted.max()) return false;
    auto atMostZero = [&](const ir::Expr& a, const ir::Expr& b) {
      ir::Expr difference = analyzer.canonicalSimplify(a - b);
      return ir::le(difference, ir::zero(difference->dtype));
    };
    if (!analyzer.canProve(ir::andOf(atMostZero(there.min(), wanted.min()), atMostZero(wanted.max(), there.max())))) {
      return false;
    }
  }
  return true;
}

class FlagCollector {
 public:
  explicit FlagCollector(Program& program)
      : program_(program),
        nodes_(program.tree().nodes()),
        before_(program.known ? program.known : std::make_shared<const KnownFlags>()) {}

  // All blocks in [first, end of `top`).
  void collect(int top, int first) {
    // Children before the blocks that contain them; loops bind the analyzer as they are entered.
    keeps_ = nodes_[top].parent == Tree::kNone;  // else it would know fewer loops around
    if (keeps_ && first > top) now_ = *before_;  // not all are asked for
    std::vector<int> blocks;
    for (int i = first; i < nodes_[top].end; ++i) {
      if (nodes_[i].isBlock) {
        blocks.push_back(i);
      } else {
        auto* loop = ir::as<ir::ForNode>(nodes_[i].stmt);
        analyzer_.bind(loop->var, ir::Range{loop->min, loop->extent}, true);
      }
    }
    for (auto it = blocks.rbegin(); it != blocks.rend(); ++it)
      collectBlock(*it, *it == top || (first > top && nodes_[*it].parent == top));
    if (keeps_) program_.known = std::make_shared<const KnownFlags>(std::move(now_));
  }

 private:
  struct Accesses {
    std::vector<ir::BufferRegion> reads, writes;  // in terms of the loops
  };

  static void add(const std::shared_ptr<const void>& node, KnownFlags::Key& key, KnownFlags::Flag& flag) {
    key.push_back(reinterpret_cast<std::uintptr_t>(node.get()));
    flag.nodes.push_back(node);
  }

  // A step makes the loops around what it changes anew, but not their variables and extents.
  static void addAround(const Tree::Node& node, KnownFlags::Key& key, KnownFlags::Flag& flag) {
    key.push_back(node.isBlock ? 1 : 0);
    if (node.isBlock) {
      key.push_back(std::uint64_t{node.id.step} << 32 | node.id.ordinal);
      return;
    }
    const auto& loop = *ir::as<ir::ForNode>(node.stmt);
    add(loop.var, key, flag);
    add(loop.min, key, flag);
    add(loop.extent, key, flag);
    key.push_back(std::uint64_t(loop.forKind) << 32 | loop.thread.size());
    for (std::size_t n = 0; n < loop.thread.size(); n += sizeof(std::uint64_t)) {
      std::uint64_t letters = 0;
      loop.thread.copy(reinterpret_cast<char*>(&letters), sizeof letters, n);
      key.push_back(letters);
    }
  }

  // What is known of these blocks, or else what `find` says.
  template <class Find>
  bool flag(std::map<KnownFlags::Key, KnownFlags::Flag> KnownFlags::*flags, const std::vector<Id>& blocks,
            const Find& find) {
    if (!keeps_) return find();
    KnownFlags::Key key;
    KnownFlags::Flag flag;
    for (const Id block : blocks) {
      int index = program_.tree().find(block);
      add(nodes_[index].stmt, key, flag);
      for (index = nodes_[index].parent; index != Tree::kNone; index = nodes_[index].parent)
        addAround(nodes_[index], key, flag);
    }
    const auto known = ((*before_).*flags).find(key);
    flag.holds = known != ((*before_).*flags).end() ? known->second.holds : find();
    const bool holds = flag.holds;
    (now_.*flags).emplace(std::move(key), std::move(flag));
    return holds;
  }

  void collectBlock(int index, bool isTop) {
    const auto& node = nodes_[index];
    auto* realize = ir::as<ir::BlockRealizeNode>(node.stmt);
    auto children = program_.tree().childBlocks(node.id);
    BlockInfo& info = program_.infos[node.id];
    info = BlockInfo{};
    info.scope = findDependencies(program_.tree(), children);
    info.affineBinding = isTop ? realize->block->iters.empty() : flag(&KnownFlags::affine, {node.id}, [&] {
      return isAffineBinding(*realize, loopDomain(program_, nodes_[node.parent].id), analyzer_);
    });
    info.regionCover = true;
    info.stagePipeline = checkChildren(info, index, children);
  }

  bool checkChildren(const BlockInfo& info, int scope, const std::vector<Id>& children) {
    bool pipeline = true;
    for (Id consumer : children) {
      bool hasDependency = false;
      std::vector<Id> producers;
      for (const auto& dependency : info.scope->deps) {
        if (dependency.dst != consumer) continue;
        hasDependency = true;
        if (dependency.kind == Dependency::Kind::WAR || dependency.kind == Dependency::Kind::Opaque) pipeline = false;
        if (dependency.kind == Dependency::Kind::RAW) producers.push_back(dependency.src);
      }
      if (!hasDependency) continue;
      std::vector<Id> both = {consumer};
      both.insert(both.end(), producers.begin(), producers.end());
      bool cover = flag(&KnownFlags::covered, both, [&] { return isCovered(scope, consumer, producers); });
      program_.infos.at(consumer).regionCover = cover;
      pipeline = pipeline && cover;
    }
    return pipeline;
  }

  const Accesses& accessesOf(Id block) {
    for (const auto& [id, accesses] : accesses_) {
      if (id == block) return *accesses;
    }
    auto realize = program_.tree().realize(block);
    auto values = bindings(*realize);
    auto accesses = std::make_unique<Accesses>();
    for (const auto& read : realize->block->reads) accesses->reads.push_back(ir::substitute(read, values));
    for (const auto& write : realize->block->writes) accesses->writes.push_back(ir::substitute(write, values));
    accesses_.emplace_back(block, std::move(accesses));
    return *accesses_.back().second;
  }

  // At each place where the consumer's path and its producers' meet: is what they surely wrote below it all that the
  // consumer may read there?
  bool isCovered(int scope, Id consumer, const std::vector<Id>& producers) {
    const Tree& tree = program_.tree();
    for (int place = tree.find(consumer); place != nodes_[scope].parent; place = nodes_[place].parent) {
      Id meet = nodes_[place].id;
      std::vector<Id> here;
      for (Id producer : producers) {
        if (tree.lowestCommonAncestor({producer, consumer}) == meet) here.push_back(producer);
      }
      if (here.empty()) continue;
      for (const auto& read : accessesOf(consumer).reads) {
        std::vector<arith::IntRegion> written;
        for (Id producer : here) {
          for (const auto& write : accessesOf(producer).writes) {
            if (write.buffer != read.buffer) continue;
            auto domain = loopDomain(program_, tree.parent(producer), meet, write.buffer->scope);
            auto region =
                arith::estimateRegionLowerBound(write.region, domain, tree.realize(producer)->predicate, analyzer_);
            written.push_back(region ? *region
                                     : arith::IntRegion(write.buffer->shape.size(), arith::IntSet::nothing()));
          }
        }
        if (written.empty()) continue;
        auto domain = loopDomain(program_, tree.parent(consumer), meet, read.buffer->scope);
        auto consumed =
            arith::estimateRegionUpperBound(read.region, domain, tree.realize(consumer)->predicate, analyzer_);
        if (!covers(read.buffer, arith::unionRegionLowerBound(written), consumed, analyzer_)) return false;
      }
    }
    return true;
  }

  Program& program_;
  const std::vector<Tree::Node>& nodes_;
  arith::Analyzer analyzer_;
  std::vector<std::pair<Id, std::unique_ptr<Accesses>>> accesses_;
  bool keeps_ = false;  // whether flags are kept from one time to the next: those of a whole function
  const std::shared_ptr<const KnownFlags> before_;
  KnownFlags now_;
};

}  // namespace

void computeBlockInfo(Program& program, Id block) {
  int top = program.tree().find(block);
  FlagCollector(program).collect(top, top);
}

void computeBlockInfoInside(Program& program, Id block) {
  int top = program.tree().find(block);
  FlagCollector(program).collect(top, top + 1);
}

}  // namespace loom::schedule
