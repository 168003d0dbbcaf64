// reverse_compute_inline(block)
//
//   for i, j: B[i, j] = A[i, j] * 2
//   for i, j: C[i, j] = B[i, j] + 1   →   for i, j: C[i, j] = A[i, j] * 2 + 1     (in the producer's place)
//
// The consumer disappears: its only producer stores what the consumer would have stored. Where the producer computes
// more than the consumer takes, the difference becomes the producer's predicate, in place of the one it had. Other
// readers of the buffer are left without it, as in TVM.
// Refused, in TVM's order: HasInitBlock, RootBlockError, NotStagePipelineError, NotSingleReadWriteBuffer,
// IncompleteBlockError, NonSingleProducerError, OutputBlockError, BodyAnalysisError, OnlyLeafError, OpaqueAccessError.
#include "core/arith/int_set.h"
#include "core/arith/iter_map.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/schedule/inliner.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

constexpr const char* kAutoCopy = "auto_copy";  // blocks whose body is a loop nest over one store

const StoreNode* asStore(const Stmt& s) { return s && s->kind == StmtKind::Store ? as<StoreNode>(s) : nullptr; }

class ReverseInliner : public Inliner {
 public:
  ReverseInliner(const Buffer& buffer, const Block& producer, const BlockRealize& consumer, Id scope)
      : Inliner(buffer, consumer->block, scope), producer_(producer), consumer_(consumer) {
    inBounds_ = boolImm(true);
    for (const auto& iter : inlined_->iters) {
      const Range& domain = iter.domain;
      inBounds_ = andOf(inBounds_, andOf(ge(iter.var, domain.min), lt(iter.var, domain.min + domain.extent)));
    }
  }

  // Finds the consumer's iterators in terms of the producer's; false when the bodies have not the needed form.
  Result<bool> analyze() {
    if (!isTrue(consumer_->predicate) || !store_) return false;
    arith::VarRanges domains;
    for (const auto& iter : inlined_->iters) {
      domains.set(iter.var, iter.domain);
      if (isConst(iter.domain.extent, 1) && asInt(iter.domain.min)) replacement_[iter.var.get()] = iter.domain.min;
    }
    std::vector<Expr> indices;
    if (!loadIndices(indices)) return false;
    const auto map =
        arith::detectIterMap(indices, domains, boolImm(true), arith::IterMapLevel::NoCheck, analyzer_, false);
    if (!map) return false;
    const StoreNode* producerStore = storeOfProducer();
    if (!producerStore) return false;
    const auto iters = arith::inverseAffineIterMap(map.indices, producerStore->indices);
    if (!iters) return Failure(iters.error());
    for (const auto& [var, value] : *iters) replacement_[var.get()] = value;
    return consumerIsCovered();
  }

 protected:
  Stmt rewriteRealize(const Stmt& s) override {
    Stmt after = Mutator::rewriteRealize(s);
    auto* n = as<BlockRealizeNode>(after);
    return n->block->id == producer_->id ? Stmt(withPredicate(*n)) : after;
  }

  Stmt rewriteStore(const Stmt& s) override {
    Stmt after = Mutator::rewriteStore(s);
    auto* n = as<StoreNode>(after);
    if (n->buffer != buffer_) return after;
    // The value may load the buffer itself, in a reduction: that load becomes one of the consumer's output.
    const Expr value = Replacer(*this, nullptr).rewrite(n->value);
    return Replacer(*this, value).rewriteStatement(*store_);
  }

 private:
  // Replaces the consumer's iterators, and loads of the buffer by a value, or by a load of the consumer's output.
  class Replacer : public Mutator {
   public:
    Replacer(const ReverseInliner& self, Expr value) : self_(self), value_(std::move(value)) {}
    Stmt rewriteStatement(const StoreNode& s) { return Mutator::rewrite(Stmt(std::make_shared<StoreNode>(s))); }

   protected:
    Expr rewriteVar(const Expr& e) override {
      auto it = self_.replacement_.find(as<VarNode>(e));
      return it == self_.replacement_.end() ? e : it->second;
    }
    Expr rewriteLoad(const Expr& e) override {
      Expr after = Mutator::rewriteLoad(e);
      if (as<LoadNode>(after)->buffer != self_.buffer_) return after;
      return value_ ? value_ : Mutator::rewriteLoad(load(self_.store_->buffer, self_.store_->indices));
    }

   private:
    const ReverseInliner& self_;
    Expr value_;
  };

  // The indices of the consumer's loads of the buffer; false when there are none or they differ.
  bool loadIndices(std::vector<Expr>& indices) const {
    bool found = false, same = true;
    auto look = [&](const Expr& e) {
      auto* load = asLoad(e);
      if (!load || load->buffer != buffer_) return;
      if (!found || indices.empty()) {
        indices = load->indices;
      } else {
        same = same && indices.size() == load->indices.size() &&
               std::equal(indices.begin(), indices.end(), load->indices.begin(), ExprEqual{});
      }
      found = true;
    };
    for (const auto& index : store_->indices) forEachExpr(index, look);
    forEachExpr(store_->value, look);
    return found && same;
  }

  const StoreNode* storeOfProducer() const {
    const Stmt& body = producer_->body;
    if (body->kind == StmtKind::IfThenElse) {
      auto* n = as<IfThenElseNode>(body);
      return n->no ? nullptr : asStore(n->yes);
    }
    if (!producer_->annotations.count(kAutoCopy)) return asStore(body);
    const Stmt* inner = &body;
    while (asFor(*inner)) inner = &asFor(*inner)->body;
    return asStore(*inner);
  }

  bool consumerIsCovered() {
    arith::IntSetMap domains;
    for (const auto& iter : producer_->iters) {
      domains.insert_or_assign(iter.var.get(), arith::IntSet::fromRange(iter.domain));
    }
    for (const auto& iter : inlined_->iters) {
      auto it = replacement_.find(iter.var.get());
      if (it == replacement_.end()) return false;
      const auto set = arith::evalSet(it->second, domains);
      const Expr &min = iter.domain.min, &extent = iter.domain.extent;
      if (set.min() && analyzer_.canProve(gt(set.min(), min))) return false;
      if (set.max() && analyzer_.canProve(lt(set.max(), min + extent - 1))) return false;
    }
    return true;
  }

  BlockRealize withPredicate(const BlockRealizeNode& realize) {
    Block block = realize.block;
    for (const auto& iter : block->iters) analyzer_.bind(iter.var, iter.domain);
    if (block->annotations.count(kAutoCopy)) {
      for (const Stmt* inner = &block->body; asFor(*inner); inner = &asFor(*inner)->body) {
        auto* loop = asFor(*inner);
        analyzer_.bind(loop->var, Range{zero(loop->extent->dtype), loop->extent});
      }
    }
    Expr predicate = analyzer_.simplify(Replacer(*this, nullptr).rewrite(inBounds_));
    if (isTrue(predicate)) return ir::realize(realize.values, realize.predicate, block);
    if (block->body->kind == StmtKind::IfThenElse && !as<IfThenElseNode>(block->body)->no) {
      auto* guarded = as<IfThenElseNode>(block->body);
      if (!structuralEqual(predicate, analyzer_.simplify(guarded->condition))) {
        predicate = analyzer_.simplify(andOf(predicate, guarded->condition));
        BlockNode changed = *block;
        changed.body = guarded->yes;
        block = std::make_shared<const BlockNode>(std::move(changed));
      }
    }
    return ir::realize(realize.values, analyzer_.simplify(substitute(predicate, bindings(realize))), block);
  }

  const Block producer_;
  const BlockRealize consumer_;
  Expr inBounds_;  // the consumer's iterators are in their domains
  arith::Analyzer analyzer_;
};

// The buffer that the block reads and the scope writes, of which there must be one.
Result<Buffer> singleRead(const Program& p, const BlockNode& block, Id scope) {
  Buffer found;
  auto refused = [&] {
    return refuse("NotSingleReadWriteBuffer",
                  message("block {} must read a single buffer that the scope writes", block.name), {block.id});
  };
  for (const auto& read : block.reads) {
    if (read.buffer == found || !p.info(scope).scope->writersOf(read.buffer.get())) continue;
    if (found) return refused();
    found = read.buffer;
  }
  if (!found) return refused();
  return found;
}

// The leaf blocks that write the buffer, at any depth of the scope; each must be a complete block.
class ProducerFinder : public Visitor {
 public:
  ProducerFinder(const Program& p, Id scope, const Buffer& buffer) : p_(p), scope_(scope), buffer_(buffer) {}

  Result<std::vector<Id>> find() {
    visitBlock(*p_.tree().block(scope_));
    if (refusal_) return Failure(*refusal_);
    return found_;
  }

 protected:
  using Visitor::visit;
  void visit(const Expr&) override {}

  void visitBlock(const BlockNode& block) override {
    const std::size_t before = found_.size();
    const bool wasInInit = inInit_;
    inInit_ = true;
    visit(block.init);
    inInit_ = wasInInit;
    visit(block.body);
    if (refusal_ || found_.size() != before || block.id == scope_) return;
    for (const auto& write : block.writes) {
      if (write.buffer != buffer_) continue;
      if (inInit_) {  // TVM looks for the position of a block that has none
        refusal_ = refuse("InternalError", message("block {} in an init writes {}", block.name, buffer_->name),
                          {block.id}, Forbids::Tvm)
                       .value();
      } else if (!isCompleteBlock(p_, block.id, scope_)) {
        refusal_ =
            refuse("NonSingleProducerError", message("the producer {} is no complete block", block.name), {block.id})
                .value();
      } else {
        found_.push_back(block.id);
      }
      return;
    }
  }

 private:
  const Program& p_;
  Id scope_;
  const Buffer& buffer_;
  bool inInit_ = false;
  std::vector<Id> found_;
  std::optional<Error> refusal_;
};

}  // namespace

Checked reverseComputeInline(Draft& draft, Id id) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const BlockRealize consumer = tree.realize(id);
  const Block& block = consumer->block;
  if (auto ok = checkNoInit(*block); !ok) return Failure(ok.error());
  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());
  const auto buffer = singleRead(p, *block, *scope);
  if (!buffer) return Failure(buffer.error());
  if (auto ok = checkCompleteBlock(p, id, *scope); !ok) return Failure(ok.error());
  const auto producers = ProducerFinder(p, *scope, *buffer).find();
  if (!producers) return Failure(producers.error());
  if (producers->size() != 1) {
    return refuse("NonSingleProducerError",
                  message("block {} must have a single producer, but has {}", block->name, producers->size()), {id});
  }
  const Id producer = producers->front();
  if (auto ok = checkNotOutputBlock(p, producer, *scope); !ok) return Failure(ok.error());
  ReverseInliner inliner(*buffer, tree.block(producer), consumer, *scope);
  const auto hasForm = inliner.analyze();
  if (!hasForm) return Failure(hasForm.error());
  if (!*hasForm) {
    return refuse("BodyAnalysisError",
                  message("the body of block {} must be one store B[…] = g(i, j, A[f(i, j, …)], …), f affine, without "
                          "a predicate, and the producer must cover its iterators",
                          block->name),
                  {id});
  }
  const auto removal = leafRemovalPlan(p, id);
  if (!removal) return Failure(removal.error());
  const Block rewritten = inliner.run(*removal, tree.block(*scope));
  if (inliner.hasOpaqueAccess()) return opaqueAccess(*buffer, *scope);
  draft.replace(*scope, rewritten);
  draft.recomputeAffineBinding(producer);
  return {};
}

Instruction reverseComputeInlineInstruction() {
  Instruction row;
  row.name = "reverse_compute_inline";
  row.traceKind = "ReverseComputeInline";
  row.group = "memory";
  row.parameters = {{"block", ParameterType::Block, {}, "", "the consumer to inline", "要内联的消费者计算块"}};
  row.apply = [](Draft& draft, const Arguments& arguments) -> Result<Handles> {
    if (auto done = reverseComputeInline(draft, arguments.block("block")); !done) return Failure(done.error());
    return Handles{};
  };
  row.en = "Let a producer store what its consumer would have made of the value, and drop the buffer between them.";
  row.zh = "让生产者直接写出消费者的结果，去掉中间缓冲区。";
  return row;
}

}  // namespace loom::schedule
