// Scopes, kinds of blocks, producers and consumers.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/schedule/analysis.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

Message completeClause(int clause) {
  switch (clause) {
    case 1: return message("not all of its iteration variables are spatial");
    case 2: return message("it is not the only writer of what it writes");
    case 3: return message("it reads a buffer that it writes");
  }
  return {};
}

constexpr int kUnknownBuffer = 6;

// TVM's class of a refusal for this clause of the definition of a reduction.
std::string codeFor(int clause, const char* usual) { return clause == kUnknownBuffer ? "InternalError" : usual; }

Message reductionClause(int clause) {
  switch (clause) {
    case 1: return message("it has no init");
    case 2: return message("its bindings are not affine");
    case 3: return message("it has iteration variables that are neither spatial nor reduce");
    case 4: return message("it is not the only writer of what it writes");
    case 5: return message("a reduce variable indexes what it writes");
    case kUnknownBuffer:
      return message("a statement in it writes a buffer that it does not list, which TVM cannot judge");
  }
  return {};
}

bool contains(const std::vector<Id>& ids, Id id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

// Is the block the only writer of each of its outputs, as far as the scope (or the loop) remembers?
bool isDominant(const Program& p, Id scope, Id block) {
  auto node = p.tree().block(block);
  if (p.tree().isBlock(scope)) {
    const auto& writers = *p.info(scope).scope;
    for (const auto& write : node->writes) {
      auto* blocks = writers.writersOf(write.buffer.get());
      if (blocks && blocks->size() != 1) return false;
    }
    return true;
  }
  // Below a loop, TVM asks the scopes of the child blocks, the first that knows the buffer deciding.
  auto children = p.tree().childBlocks(scope);
  for (const auto& write : node->writes) {
    for (Id child : children) {
      if (auto* blocks = p.info(child).scope->writersOf(write.buffer.get())) {
        if (blocks->size() != 1) return false;
        break;
      }
    }
  }
  return true;
}

}  // namespace

Result<Id> scopeRoot(const Program& p, Id target, bool requireStagePipeline) {
  const auto& nodes = p.tree().nodes();
  int i = p.tree().at(target).parent;
  while (i != Tree::kNone && !nodes[i].isBlock) i = nodes[i].parent;
  if (i == Tree::kNone) {
    return refuse("RootBlockError", message("The primitive does not operate on the root block"), {target});
  }
  if (requireStagePipeline && !p.info(nodes[i].id).stagePipeline) {
    return refuse("NotStagePipelineError",
                  message("The scope is no stage pipeline: what one of its blocks reads is not known to be written "
                          "before, or a block "
                          "overwrites what another has read"),
                  {nodes[i].id});
  }
  return nodes[i].id;
}

int completeBlockViolation(const Program& p, Id block, Id scope) {
  auto node = p.tree().block(block);
  for (const auto& iter : node->iters) {
    if (iter.type != ir::IterType::Spatial) return 1;
  }
  if (!isDominant(p, scope, block)) return 2;
  for (const auto& read : node->reads) {
    for (const auto& write : node->writes) {
      if (read.buffer == write.buffer) return 3;
    }
  }
  return 0;
}

int reductionBlockViolation(const Program& p, Id block, Id scope) {
  auto node = p.tree().block(block);
  if (!node->init) return 1;
  if (!p.info(block).affineBinding) return 2;
  if (!onlySpatialAndReduceIters(node->iters)) return 3;
  if (!isDominant(p, scope, block)) return 4;
  switch (outputIndexing(*node)) {
    case OutputIndexing::SpatialOnly: return 0;
    case OutputIndexing::ByReduceVariable: return 5;
    case OutputIndexing::UnknownBuffer: return kUnknownBuffer;
  }
  return 0;
}

Checked checkCompleteBlock(const Program& p, Id block, Id scope) {
  int clause = completeBlockViolation(p, block, scope);
  if (clause == 0) return {};
  return refuse("IncompleteBlockError",
                message("The block \"{}\" is not complete: {}", p.tree().block(block)->name, completeClause(clause)),
                {block});
}

Checked checkReductionBlock(const Program& p, Id block, Id scope) {
  int clause = reductionBlockViolation(p, block, scope);
  if (clause == 0) return {};
  return refuse(codeFor(clause, "NotReductionBlockError"),
                message("The block \"{}\" is no reduction: {}", p.tree().block(block)->name, reductionClause(clause)),
                {block});
}

Checked checkCompleteOrReductionBlock(const Program& p, Id block, Id scope) {
  int complete = completeBlockViolation(p, block, scope);
  if (complete == 0) return {};
  int reduction = reductionBlockViolation(p, block, scope);
  if (reduction == 0) return {};
  return refuse(codeFor(reduction, "NotCompleteOrReductionBlockError"),
                message("The block \"{}\" is neither complete ({}) nor a reduction ({})", p.tree().block(block)->name,
                        completeClause(complete), reductionClause(reduction)),
                {block});
}

Checked checkSubtreeCompactDataflow(const Program& p, Id subtreeRoot) {
  for (Id block : p.tree().childBlocks(subtreeRoot)) {
    int complete = completeBlockViolation(p, block, subtreeRoot);
    if (complete == 0) continue;
    int reduction = reductionBlockViolation(p, block, subtreeRoot);
    if (reduction == 0) continue;
    return refuse(codeFor(reduction, "NotCompactDataFlowError"),
                  message("The block \"{}\" is neither complete ({}) nor a reduction ({})", p.tree().block(block)->name,
                          completeClause(complete), reductionClause(reduction)),
                  {subtreeRoot, block});
  }
  return {};
}

bool isOutputBlock(const Program& p, Id block, Id scope) {
  auto node = p.tree().block(block), around = p.tree().block(scope);
  for (const auto& write : node->writes) {
    if (std::find(around->allocs.begin(), around->allocs.end(), write.buffer) == around->allocs.end()) return true;
  }
  return false;
}

Checked checkNotOutputBlock(const Program& p, Id block, Id scope) {
  if (!isOutputBlock(p, block, scope)) return {};
  return refuse("OutputBlockError",
                message("The block \"{}\" writes what is needed outside its scope", p.tree().block(block)->name),
                {block});
}

std::vector<Id> outputBlocks(const Program& p, Id scope) {
  std::vector<Id> result;
  const auto& nodes = p.tree().nodes();
  int self = p.tree().find(scope);
  for (int i = self + 1; i < nodes[self].end; ++i) {
    if (!nodes[i].isBlock) continue;
    int around = nodes[i].parent;
    while (!nodes[around].isBlock) around = nodes[around].parent;
    if (isOutputBlock(p, nodes[i].id, nodes[around].id)) result.push_back(nodes[i].id);
  }
  return result;
}

std::vector<Id> producers(const BlockScope& scope, Id block) {
  std::vector<Id> result;
  for (const auto& d : scope.deps) {
    bool carries = d.kind == Dependency::Kind::RAW || d.kind == Dependency::Kind::WAW;
    if (d.dst == block && carries && !contains(result, d.src)) result.push_back(d.src);
  }
  return result;
}

std::vector<Id> consumers(const BlockScope& scope, Id block) {
  std::vector<Id> result;
  for (const auto& d : scope.deps) {
    bool carries = d.kind == Dependency::Kind::RAW || d.kind == Dependency::Kind::WAW;
    if (d.src == block && carries && !contains(result, d.dst)) result.push_back(d.dst);
  }
  return result;
}

Result<std::vector<Id>> producersOf(const Program& p, Id block) {
  auto scope = scopeRoot(p, block, false);
  if (!scope) return tl::unexpected(scope.error());
  return producers(*p.info(*scope).scope, block);
}

Result<std::vector<Id>> consumersOf(const Program& p, Id block) {
  auto scope = scopeRoot(p, block, false);
  if (!scope) return tl::unexpected(scope.error());
  return consumers(*p.info(*scope).scope, block);
}

Result<ProducerConsumerSplit> splitProducersConsumers(const std::vector<ir::Stmt>& subtrees,
                                                      const std::vector<Id>& producers,
                                                      const std::vector<Id>& consumers) {
  ProducerConsumerSplit split;
  int n = static_cast<int>(subtrees.size());
  split.firstConsumer = n;
  for (int i = 0; i < n; ++i) {
    int producersBefore = split.producersVisited, consumersBefore = split.consumersVisited;
    ir::forEachStmt(subtrees[i], [&](const ir::Stmt& s) {
      auto* realize = ir::asRealize(s);
      if (!realize) return true;
      if (contains(producers, realize->block->id)) ++split.producersVisited;
      if (contains(consumers, realize->block->id)) ++split.consumersVisited;
      return false;
    });
    if (split.producersVisited != producersBefore) split.lastProducer = i;
    if (split.consumersVisited != consumersBefore && split.firstConsumer == n) split.firstConsumer = i;
  }
  if (split.lastProducer >= split.firstConsumer) {
    return fail("InsertionPointNotFoundError",
                message("The last producer stands in statement {}, the first consumer in statement {}",
                        split.lastProducer, split.firstConsumer));
  }
  return split;
}

ScopeLoops scopeLoops(const ir::BlockNode& scope) {
  ScopeLoops result;
  ir::forEachStmt(scope.body, [&](const ir::Stmt& s) {
    auto* realize = ir::asRealize(s);
    if (!realize) return true;
    result.realizes.push_back(std::static_pointer_cast<const ir::BlockRealizeNode>(s));
    for (std::size_t i = 0; i < realize->values.size(); ++i) {
      auto& vars = realize->block->iters[i].type == ir::IterType::Spatial ? result.spatial : result.nonSpatial;
      ir::forEachExpr(realize->values[i], [&](const ir::Expr& e) {
        if (auto* var = ir::asVar(e)) vars.insert(var);
      });
    }
    return false;
  });
  return result;
}

std::vector<ir::Stmt> asArray(const ir::Stmt& stmt) {
  if (auto* seq = ir::asSeq(stmt)) return seq->stmts;
  return {stmt};
}

Result<LeafRemoval> leafRemovalPlan(const Program& p, Id leafBlock) {
  const auto& nodes = p.tree().nodes();
  int last = p.tree().find(leafBlock);
  int around = nodes[last].parent;
  if (around == Tree::kNone) throw std::logic_error("a root block has no scope");
  while (!nodes[around].isBlock && !ir::asSeq(ir::as<ir::ForNode>(nodes[around].stmt)->body)) {
    last = around;
    around = nodes[around].parent;
  }
  auto without = [&](const ir::SeqNode& seq) {
    std::vector<ir::Stmt> rest;
    for (const auto& s : seq.stmts) {
      if (s != nodes[last].stmt) rest.push_back(s);
    }
    return ir::seq(std::move(rest));
  };
  LeafRemoval plan{nodes[around].stmt, nullptr};
  if (auto* loop = ir::asFor(plan.before)) {
    ir::Stmt body = without(*ir::asSeq(loop->body));
    plan.after = ir::edit(*loop, [&](ir::ForNode& n) { n.body = body; });
    return plan;
  }
  auto* realize = ir::asRealize(plan.before);
  if (auto* seq = ir::asSeq(realize->block->body)) {
    ir::Stmt body = without(*seq);
    auto block = ir::edit(*realize->block, [&](ir::BlockNode& n) { n.body = body; });
    plan.after = ir::edit(*realize, [&](ir::BlockRealizeNode& n) { n.block = block; });
    return plan;
  }
  return refuse("OnlyLeafError",
                message("\"{}\" is the only block in its scope, which would be empty without it",
                        p.tree().block(leafBlock)->name),
                {leafBlock, nodes[around].id});
}

}  // namespace loom::schedule
