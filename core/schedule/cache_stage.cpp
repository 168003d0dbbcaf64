#include "core/schedule/cache_stage.h"

#include <algorithm>

#include "core/arith/region.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

// Walks the scope in program order until the writer and one of the related blocks have been met in one sequence.
class Locator : public Visitor {
 public:
  Locator(Id writer, Id scope, const std::vector<Id>& related) : writer_(writer), scope_(scope), related_(related) {}

  void visitScope(const BlockNode& scope) {
    visit(scope.init);
    visit(scope.body);
    if (seenRelated_ && !location_) {
      location_ = scope_;
      if (!seenWriter_ && position_ == -1) position_ = 0;
    }
  }
  Id location() const { return location_; }
  int position() const { return position_; }

 protected:
  using Visitor::visit;
  void visit(const Expr&) override {}

  void visitSeq(const SeqNode& n) override {
    const bool before = seenWriter_;
    seenWriter_ = false;
    for (std::size_t i = 0; i < n.stmts.size() && position_ == -1; ++i) {
      visit(n.stmts[i]);
      if (seenWriter_ && seenRelated_ && position_ == -1) position_ = static_cast<int>(i);
      if (seenRelated_) break;
    }
    seenWriter_ = seenWriter_ || before;
  }

  void visitFor(const ForNode& n) override {
    visit(n.body);
    if (seenWriter_ && seenRelated_ && !location_ && position_ != -1) location_ = n.id;
  }

  void visitRealize(const BlockRealizeNode& n) override {
    const Id id = n.block->id;
    if (id == writer_) {
      seenWriter_ = true;
    } else if (std::find(related_.begin(), related_.end(), id) != related_.end()) {
      seenRelated_ = true;
    }
  }

 private:
  Id writer_, scope_;
  const std::vector<Id>& related_;
  bool seenWriter_ = false, seenRelated_ = false;
  Id location_;
  int position_ = -1;
};

}  // namespace

std::set<Id> withChildBlocks(const Program& p, const std::vector<Id>& blocks) {
  std::set<Id> all;
  for (Id block : blocks) {
    all.insert(block);
    for (Id child : p.tree().childBlocks(block)) all.insert(child);
  }
  return all;
}

Result<Id> onlyWriter(const Program& p, Id scope, const Buffer& buffer) {
  const auto* writers = p.info(scope).scope->writersOf(buffer.get());
  if (!writers || writers->empty()) return Id{};
  if (writers->size() > 1) {
    return refuse("NotSingleWriteBlock",
                  message("the buffer {} must be written by a single block, but {} blocks write it", buffer->name,
                          writers->size()),
                  *writers);
  }
  // Tensorize leaves the dependencies of the scope around the tile as they were, with the block that it replaced.
  if (!p.tree().contains(writers->front())) {
    return refuse("InternalError",
                  message("tensorize replaced the block that writes {}, and what TVM keeps of the scope still names "
                          "the one before: TVM fails a check here",
                          buffer->name),
                  {scope}, Forbids::Tvm);
  }
  return writers->front();
}

void locate(const Program& p, Id writer, Id scope, const std::vector<Id>& related, CacheStage& stage) {
  Locator locator(writer, scope, related);
  locator.visitScope(*p.tree().block(scope));
  stage.location = locator.location();
  stage.position = locator.position();
}

void locateAtEnd(const Program& p, Id scope, CacheStage& stage) {
  const Block block = p.tree().block(scope);
  auto* body = asSeq(block->body);
  stage.location = scope;
  stage.position = body ? static_cast<int>(body->stmts.size()) : 1;
}

BufferRegion relaxedRegion(const Program& p, Id block, const BufferRegion& region, Id location) {
  const BlockRealize realize = p.tree().realize(block);
  const auto binding = bindings(*realize);
  const auto substituted = substitute(region.region, binding);
  arith::Analyzer analyzer;
  arith::VarRanges domain;
  for (const auto& [var, range] : loopDomain(p, p.tree().parent(block), location, region.buffer->scope)) {
    domain.set(var, range);
  }
  const auto sets = arith::estimateRegionUpperBound(substituted, domain, realize->predicate, analyzer);
  BufferRegion relaxed{region.buffer, {}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Expr& extent = region.buffer->shape[i];
    relaxed.region.push_back(sets[i].coverRange(Range{zero(extent->dtype), extent}));
  }
  return relaxed;
}

Result<Buffer> makeCache(Draft& draft, Id scope, const Buffer& buffer, const std::string& storageScope,
                         CacheStage& stage) {
  const Tree& tree = draft.tree();
  stage.isFull = tree.isLoop(stage.location);
  if (!stage.isFull) {
    const auto here = tree.childBlocks(stage.location);
    for (Id child : tree.childBlocks(scope)) {
      auto read = regionOf(tree.block(child)->reads, buffer);
      if (!read) return Failure(read.error());
      if (*read && std::find(here.begin(), here.end(), child) == here.end()) {
        stage.isFull = true;
        break;
      }
    }
  }
  Buffer cache = withScope(buffer, storageScope, draft.newId());
  if (!stage.isFull) {
    auto compact = std::make_shared<BufferNode>(*cache);
    compact->shape.clear();
    for (const auto& range : stage.region.region) compact->shape.push_back(range.extent);
    cache = compact;
  }
  draft.origin(cache->id, {buffer->id});
  return cache;
}

void makeCopy(Draft& draft, const Buffer& cached, const std::string& storageScope, CacheStage& stage) {
  const bool isRead = cached == stage.from;
  auto block = std::make_shared<BlockNode>();
  block->id = draft.newId();
  block->name = cached->name + "_" + storageScope;
  std::vector<For> loops;
  std::vector<Expr> values, fromIndices, toIndices;
  BufferRegion read{stage.from, {}}, write{stage.to, {}};
  for (std::size_t i = 0; i < cached->shape.size(); ++i) {
    const Range& range = stage.region.region[i];
    const DType dtype = range.extent->dtype;
    auto loop = std::make_shared<ForNode>();
    loop->id = draft.newId();
    loop->var = makeVar("ax" + std::to_string(i), dtype);
    loop->min = zero(dtype);
    loop->extent = range.extent;
    Var var = makeVar("v" + std::to_string(i), dtype);
    const Expr& extent = stage.isFull ? cached->shape[i] : range.extent;
    block->iters.push_back({var, Range{zero(extent->dtype), extent}, IterType::Spatial});
    values.push_back(stage.isFull ? range.min + Expr(loop->var) : Expr(loop->var));
    const Expr inBuffer = stage.isFull ? Expr(var) : range.min + Expr(var);
    fromIndices.push_back(isRead ? inBuffer : Expr(var));
    toIndices.push_back(isRead ? Expr(var) : inBuffer);
    read.region.push_back({fromIndices.back(), one(dtype)});
    write.region.push_back({toIndices.back(), one(dtype)});
    loops.push_back(std::move(loop));
  }
  block->reads = {read};
  block->writes = {write};
  block->body = store(stage.to, load(stage.from, fromIndices), toIndices);
  stage.block = block->id;
  stage.nest = realize(std::move(values), boolImm(true), block);
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    stage.nest = edit(**it, [&](ForNode& n) { n.body = stage.nest; });
  }
}

Result<Stmt> insertCopy(const Stmt& body, const CacheStage& stage) {
  std::vector<Stmt> stmts = asArray(body);
  if (stage.position < 0 || stage.position > static_cast<int>(stmts.size())) {
    return refuse("InternalError",
                  message("cannot insert at position {} into a sequence of length {}", stage.position, stmts.size()),
                  {stage.location}, Forbids::Tvm);
  }
  stmts.insert(stmts.begin() + stage.position, stage.nest);
  return seq(std::move(stmts));
}

Checked checkInsertion(const Program& p, const CacheStage& stage) {
  if (!stage.location) {
    return refuse("InternalError",
                  message("no place for the copy: no consumer follows the block that writes the buffer"), {},
                  Forbids::Tvm);
  }
  const Tree& tree = p.tree();
  const Stmt body = tree.isLoop(stage.location) ? tree.loop(stage.location)->body : tree.block(stage.location)->body;
  auto inserted = insertCopy(body, stage);
  if (!inserted) return Failure(inserted.error());
  return {};
}

namespace {

// A view lies in the memory of what it views: TVM makes no other.
Checked checkViews(const BlockNode& block) {
  for (const MatchBuffer& match : block.matches) {
    if (match.buffer->scope == match.source.buffer->scope) continue;
    return refuse("InternalError",
                  message("{} is a view of {}, which would lie in other memory: \"{}\", not \"{}\"", match.buffer->name,
                          match.source.buffer->name, match.source.buffer->scope, match.buffer->scope),
                  {block.id, match.buffer->id}, Forbids::Tvm);
  }
  Checked all;
  forEachStmt(block.body, [&](const Stmt& s) {
    const auto* realize = asRealize(s);
    if (realize && all) all = checkViews(*realize->block);
    return !realize;
  });
  return all;
}

}  // namespace

Checked finishCopy(Draft& draft, Id scope, const Block& rewritten, const CacheStage& stage) {
  if (auto ok = checkViews(*rewritten); !ok) return ok;
  draft.replace(scope, rewritten);
  draft.recomputeAffineBinding(stage.block);
  draft.setRegionCover(stage.block, true);
  draft.setStagePipeline(stage.block, true);
  return {};
}

}  // namespace loom::schedule
