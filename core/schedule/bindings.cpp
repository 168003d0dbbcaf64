// Bindings of blocks, domains of loops, buffers of a block.

#include <algorithm>
#include <stdexcept>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"
#include "core/schedule/analysis.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {}  // namespace

std::optional<int> storageRank(const std::string& scope) {
  static constexpr std::pair<std::string_view, int> kRanks[] = {
      {"global", 0}, {"shared", 1}, {"warp", 2}, {"local", 3}, {"texture", 7}, {"amx.tmm", 8}, {"metal.simdgroup", 12}};
  if (scope.empty()) return 0;
  for (const auto& [prefix, rank] : kRanks) {
    if (scope.starts_with(prefix)) return rank;
  }
  for (const layout::FragmentScope& fragment : layout::fragmentScopes()) {
    if (scope.starts_with(fragment.name)) return fragment.rank;
  }
  return std::nullopt;
}

Checked checkStorageScope(const std::string& scope) {
  if (storageRank(scope)) return {};
  return fail("InvalidStorageScopeError", message("\"{}\" is no storage scope", scope), Forbids::Input);
}

bool canRelaxStorageUnderThread(const std::string& storageScope, const std::string& thread) {
  int storage = storageRank(storageScope).value_or(0);
  if (storage == 2) return thread == "threadIdx.x";
  int rank = thread.starts_with("blockIdx.") ? 0 : thread.starts_with("clusterCtaIdx.") ? 2 : 1;
  return storage <= rank;
}

LoopDomain loopDomain(const Program& p, Id low, Id high, const std::string& storageScope) {
  LoopDomain result;
  const auto& nodes = p.tree().nodes();
  auto add = [&](const ir::ForNode& loop) { result.set(loop.var, ir::Range{loop.min, loop.extent}); };
  int i = p.tree().find(low);
  for (; i != Tree::kNone && nodes[i].id != high && !nodes[i].isBlock; i = nodes[i].parent) {
    add(*ir::as<ir::ForNode>(nodes[i].stmt));
  }
  if (storageRank(storageScope).value_or(0) != 0) {
    for (; i != Tree::kNone; i = nodes[i].parent) {
      auto* loop = ir::asFor(nodes[i].stmt);
      if (loop && loop->forKind == ir::ForKind::ThreadBinding &&
          canRelaxStorageUnderThread(storageScope, loop->thread)) {
        add(*loop);
      }
    }
  }
  return result;
}

std::unordered_map<const ir::VarNode*, ir::Expr> bindings(const ir::BlockRealizeNode& realize) {
  std::unordered_map<const ir::VarNode*, ir::Expr> result;
  for (std::size_t i = 0; i < realize.values.size(); ++i) {
    result.emplace(realize.block->iters[i].var.get(), realize.values[i]);
  }
  return result;
}

Checked checkAffineBinding(const Program& p, Id block) { return checkPartialAffineBinding(p, block, {}); }

Checked checkPartialAffineBinding(const Program& p, Id block, Id high) {
  if (p.info(block).affineBinding) return {};
  Id parent = p.tree().parent(block);
  if (parent && high) {
    arith::Analyzer analyzer;
    if (isAffineBinding(*p.tree().realize(block), loopDomain(p, parent, high), analyzer)) return {};
  }
  return refuse("NotAffineBindingError",
                message("The values of \"{}\"'s iteration variables are not affine in the loops around it",
                        p.tree().block(block)->name),
                {block});
}

bool varsTouchedByIters(const ir::BlockRealizeNode& realize, std::unordered_set<const ir::VarNode*>& spatial,
                        std::unordered_set<const ir::VarNode*>& reduce) {
  bool others = false;
  for (std::size_t i = 0; i < realize.values.size(); ++i) {
    auto type = realize.block->iters[i].type;
    if (type == ir::IterType::Opaque) {
      others = true;
      continue;
    }
    auto& vars = type == ir::IterType::Spatial ? spatial : reduce;
    ir::forEachExpr(realize.values[i], [&](const ir::Expr& e) {
      if (auto* var = ir::asVar(e)) vars.insert(var);
    });
  }
  return others;
}

bool isTrivialBinding(const Program& p, Id block) {
  auto loops = p.tree().loopsAbove(block);
  auto realize = p.tree().realize(block);
  if (loops.size() != realize->values.size()) return false;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (realize->values[i] != p.tree().loop(loops[i])->var) return false;
  }
  return true;
}

Checked checkTrivialBinding(const Program& p, Id block) {
  if (isTrivialBinding(p, block)) return {};
  return refuse("NotTrivialBindingError",
                message("The values of the block's iteration variables are not the loops around it"), {block});
}

Checked checkLoopStartsWithZero(const Program& p, Id loop, arith::Analyzer& analyzer) {
  const auto& min = p.tree().loop(loop)->min;
  if (ir::isConst(min, 0) || analyzer.canProve(ir::eq(min, ir::zero(min->dtype)))) return {};
  return refuse("LoopNotStartWithZeroError",
                message("The loop \"{}\" does not start at 0", p.tree().loop(loop)->var->name), {loop});
}

Checked checkNoAnnotationOrThread(const Program& p, Id loop) {
  auto node = p.tree().loop(loop);
  if (node->annotations.empty() && node->forKind != ir::ForKind::ThreadBinding) return {};
  return refuse("HasAnnotationOrThreadBindingError",
                message("The loop \"{}\" has an annotation or is bound to a thread axis", node->var->name), {loop});
}

ir::IterType loopIterType(const ir::ForNode& loop) {
  int spatial = 0, reduce = 0, others = 0;
  ir::forEachStmt(loop.body, [&](const ir::Stmt& s) {
    auto* realize = ir::asRealize(s);
    if (!realize) return true;
    for (std::size_t i = 0; i < realize->values.size(); ++i) {
      if (!ir::usesVar(realize->values[i], [&](const ir::VarNode* v) { return v == loop.var.get(); })) continue;
      switch (realize->block->iters[i].type) {
        case ir::IterType::Spatial: ++spatial; break;
        case ir::IterType::Reduce: ++reduce; break;
        case ir::IterType::Opaque: ++others; break;
      }
    }
    return false;
  });
  if (others || (spatial && reduce)) return ir::IterType::Opaque;
  return reduce ? ir::IterType::Reduce : ir::IterType::Spatial;
}

Result<ir::BlockRealize> singleChildBlock(const Program& p, Id parent) {
  auto children = p.tree().childBlocks(parent);
  if (children.size() == 1) return p.tree().realize(children[0]);
  return refuse("NonSingleChildBlockError", message("There are {} blocks below, not one", children.size()), {parent});
}

void addShapeVarBounds(const Program& p, Id inside, arith::Analyzer& analyzer) {
  for (const auto& parameter : p.module.functions[p.tree().at(inside).function]->params) {
    if (!parameter.buffer) continue;
    for (const auto& extent : parameter.buffer->shape) {
      if (!ir::asInt(extent)) analyzer.markNonNegative(extent);
    }
  }
}

Result<ir::BufferRegion> accessRegion(const ir::BlockNode& block, std::int64_t index, Access access) {
  const auto& regions = access == Access::Write ? block.writes : block.reads;
  if (index >= 0 && index < static_cast<std::int64_t>(regions.size())) return regions[static_cast<std::size_t>(index)];
  return refuse("BufferIndexOutOfRangeError",
                access == Access::Write ? message("The block \"{}\" writes {} buffer regions; there is no number {}",
                                                  block.name, regions.size(), index)
                                        : message("The block \"{}\" reads {} buffer regions; there is no number {}",
                                                  block.name, regions.size(), index),
                {block.id});
}

DefiningSite definingSite(const Program& p, Id block, const ir::Buffer& buffer) {
  const auto& nodes = p.tree().nodes();
  for (int i = p.tree().find(block); i != Tree::kNone; i = nodes[i].parent) {
    if (!nodes[i].isBlock) continue;
    const auto& node = *ir::as<ir::BlockRealizeNode>(nodes[i].stmt)->block;
    if (std::find(node.allocs.begin(), node.allocs.end(), buffer) != node.allocs.end()) return {nodes[i].id, true};
    for (const auto& match : node.matches) {
      if (match.buffer == buffer) return {nodes[i].id, false};
    }
  }
  return {};
}

bool onlySpatialAndReduceIters(const std::vector<ir::IterVar>& iters) {
  return std::all_of(iters.begin(), iters.end(), [](const ir::IterVar& i) { return i.type != ir::IterType::Opaque; });
}

OutputIndexing outputIndexing(const ir::BlockNode& block) {
  auto isReduce = [&](const ir::VarNode* var) {
    return std::any_of(block.iters.begin(), block.iters.end(),
                       [&](const ir::IterVar& i) { return i.type == ir::IterType::Reduce && i.var.get() == var; });
  };
  auto isWritten = [&](const ir::Buffer& buffer) {
    return std::any_of(block.writes.begin(), block.writes.end(),
                       [&](const ir::BufferRegion& write) { return write.buffer == buffer; });
  };
  std::vector<ir::Buffer> known = block.allocs;  // and views of what the block writes
  auto addViews = [&](const std::vector<ir::MatchBuffer>& matches) {
    for (const auto& match : matches) {
      if (isWritten(match.source.buffer)) known.push_back(match.buffer);
    }
  };
  addViews(block.matches);
  auto result = OutputIndexing::SpatialOnly;
  ir::forEachStmt(block.body, [&](const ir::Stmt& s) {
    if (result != OutputIndexing::SpatialOnly) return false;
    if (auto* realize = ir::asRealize(s)) addViews(realize->block->matches);
    if (s->kind != ir::StmtKind::Store) return true;
    auto* store = ir::as<ir::StoreNode>(s);
    if (!isWritten(store->buffer) && std::find(known.begin(), known.end(), store->buffer) == known.end()) {
      result = OutputIndexing::UnknownBuffer;
    }
    for (const auto& index : store->indices) {
      if (result == OutputIndexing::SpatialOnly && ir::usesVar(index, isReduce))
        result = OutputIndexing::ByReduceVariable;
    }
    return false;
  });
  return result;
}

}  // namespace loom::schedule
