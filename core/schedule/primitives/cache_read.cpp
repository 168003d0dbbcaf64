// cache_read(block, read_buffer_index, storage_scope, consumer_blocks=[]) -> block
//
//   for i, j, k: C[i, j] += A[i, k] * …      for ax0, ax1: A_shared[ax0, ax1] = A[ax0, ax1]
//                                        →   for i, j, k: C[i, j] += A_shared[i, k] * …
//
// All readers of the buffer in the block's scope, or only `consumer_blocks` and their children, read the copy. If a
// block of the scope writes the buffer, the copy stands right before the first reader that shares a sequence with the
// writer, and holds what the writer writes below that place; otherwise it stands first in the scope. Outside any loop
// the cache is as large as the region, inside one it keeps the buffer's shape. Of a block that reads the buffer at
// several places and says at which (`tileloom.place`, read_place.h), the reads at this one alone read the copy. Of a
// block that says so (`tileloom.value`, read_value.h) the copy, which stands right before the block's loops, holds what
// the block makes of each element.
// Refused: InvalidStorageScopeError, BufferIndexOutOfRangeError, RootBlockError, NotRegionCoverError (a reader isn't
// covered), NotSingleWriteBlock, ValueError (it has no such place, makes nothing of an
// element, or isn't the only one of consumer_blocks), InternalError.
#include <algorithm>

#include "core/arith/deep_equal.h"
#include "core/ir/visit.h"
#include "core/schedule/cache_stage.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/cached_value.h"
#include "core/schedule/read_place.h"
#include "core/schedule/read_value.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

class ReadRewriter : public Mutator {
 public:
  // `place`: the indices of those loads that read the cache; none: all do.
  ReadRewriter(Id scope, const CacheStage& stage, std::vector<Expr> place)
      : scope_(scope), stage_(stage), place_(std::move(place)) {}

  Block rewriteBlock(const Block& block) override {
    const bool isScope = block->id == scope_;
    const bool consumes = stage_.consumers.empty() || stage_.consumers.count(block->id);
    consumes_ = consumes;  // not restored after nested blocks, as in TVM
    if (!isScope && writesSource(*block)) return block;
    Block after = Mutator::rewriteBlock(block);
    if (isScope) {
      return std::make_shared<const BlockNode>(edited(*after, [&](BlockNode& n) {
        if (stage_.location == scope_) n.body = *insertCopy(n.body, stage_);
        n.allocs.push_back(stage_.to);
      }));
    }
    if (!consumes || !readsSource(*after)) return after;
    return std::make_shared<const BlockNode>(edited(*after, [&](BlockNode& n) {
      if (place_.empty())
        for (auto& read : n.reads) redirect(read);
      else
        n.reads = readsOfBody(after);
      for (auto& match : n.matches) redirect(match.source);
    }));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    Stmt after = Mutator::rewriteFor(s);
    auto* loop = as<ForNode>(after);
    if (loop->id != stage_.location) return after;
    return edit(*loop, [&](ForNode& n) { n.body = *insertCopy(n.body, stage_); });
  }

  Expr rewriteLoad(const Expr& e) override {
    auto* n = as<LoadNode>(e);
    if (n->buffer != stage_.from || !consumes_ || !isThere(n->indices)) return Mutator::rewriteLoad(e);
    std::vector<Expr> indices = n->indices;
    if (!stage_.isFull) {
      for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = fromStart(indices[i], i);
    }
    return load(stage_.to, std::move(indices));
  }

  Expr rewriteVar(const Expr& e) override { return e == Expr(stage_.from->data) ? Expr(stage_.to->data) : e; }

 private:
  template <class Change>
  static BlockNode edited(const BlockNode& block, Change change) {
    BlockNode copy = block;
    change(copy);
    return copy;
  }

  bool writesSource(const BlockNode& block) const {
    for (const auto& write : block.writes) {
      if (write.buffer == stage_.from) return true;
    }
    return false;
  }
  bool readsSource(const BlockNode& block) const {
    for (const auto& read : block.reads) {
      if (read.buffer == stage_.from) return true;
    }
    for (const auto& match : block.matches) {
      if (match.source.buffer == stage_.from) return true;
    }
    return false;
  }

  bool isThere(const std::vector<Expr>& indices) const {
    return place_.empty() || std::ranges::equal(indices, place_, arith::deepEqual);
  }

  Expr fromStart(const Expr& index, std::size_t dimension) {
    return analyzer_.simplify(index - stage_.region.region[dimension].min);
  }
  void redirect(BufferRegion& region) {
    if (region.buffer != stage_.from) return;
    region.buffer = stage_.to;
    if (stage_.isFull) return;
    for (std::size_t i = 0; i < region.region.size(); ++i) region.region[i].min = fromStart(region.region[i].min, i);
  }

  Id scope_;
  const CacheStage& stage_;
  const std::vector<Expr> place_;
  bool consumes_ = false;
  arith::Analyzer analyzer_;
};

Checked checkRegionCover(const Program& p, Id scope, const Buffer& buffer) {
  for (Id child : p.tree().childBlocks(scope)) {
    for (const auto& read : p.tree().block(child)->reads) {
      if (read.buffer == buffer && !p.info(child).regionCover) {
        return refuse("NotRegionCoverError",
                      message("what block {} reads of {} is not certainly written before: the region cover of the "
                              "scope is not complete",
                              p.tree().block(child)->name, buffer->name),
                      {scope, child});
      }
    }
  }
  return {};
}

// A block that says with an annotation what of it reads the copy is the copy's only reader.
Checked checkOnlyReader(const Block& block, const std::vector<Id>& consumers) {
  for (const char* key : {kReadValue, kReadPlace}) {
    if (!block->annotations.contains(key)) continue;
    if (std::ranges::any_of(consumers, [&](Id consumer) { return consumer != block->id; }))
      return refuse(
          "ValueError",
          message("Block {} has {}: it alone reads the copy, and consumer_blocks names others", block->name, key),
          {block->id});
  }
  return {};
}

// Decides where the copy stands and what it holds of the buffer.
Checked placeCopy(const Program& p, Id scope, const Buffer& buffer, CacheStage& stage) {
  const Tree& tree = p.tree();
  const auto writer = onlyWriter(p, scope, buffer);
  if (!writer) return Failure(writer.error());
  if (!*writer) {
    stage.location = scope;
    stage.position = 0;
    const auto read = regionOf(tree.block(scope)->reads, buffer);
    if (!read) return Failure(read.error());
    stage.region = *read ? **read : wholeRegion(buffer);
    return checkInsertion(p, stage);
  }
  const auto written = regionOf(tree.block(*writer)->writes, buffer);
  if (!written) return Failure(written.error());
  std::vector<Id> related(stage.consumers.begin(), stage.consumers.end());
  if (related.empty()) {
    for (const auto& dependency : p.info(scope).scope->bySrc(*writer)) {
      if (dependency.kind == Dependency::Kind::RAW) related.push_back(dependency.dst);
    }
  }
  if (related.empty()) {
    locateAtEnd(p, scope, stage);
  } else {
    locate(p, *writer, scope, related, stage);
  }
  stage.region = relaxedRegion(p, *writer, **written, stage.location);
  return checkInsertion(p, stage);
}

Result<Handles> applyCacheRead(Draft& draft, const Arguments& arguments) {
  const Id id = arguments.block("block");
  const Block block = draft.tree().block(id);
  const std::string& storageScope = arguments.text("storage_scope");
  const auto index = arguments.bufferIndex("read_buffer_index", *block, false);
  if (!index) return Failure(index.error());
  if (auto checked = checkStorageScope(storageScope); !checked) return Failure(checked.error());
  const auto access = accessRegion(*block, *index, Access::Read);
  if (!access) return Failure(access.error());
  const Buffer buffer = access->buffer;
  if (auto checked = checkOnlyReader(block, arguments.blocks("consumer_blocks")); !checked)
    return Failure(checked.error());
  if (block->annotations.contains(kReadValue)) return cacheValue(draft, id, buffer, storageScope);
  auto place = annotatedPlace(*block, buffer);
  if (!place) return Failure(place.error());
  // What the annotation said is done now. The block's reads are put in the order of its text by that, so that the index
  // means another one afterwards.
  if (!place->empty()) draft.replace(id, withoutPlace(block));

  const Program& p = draft.program();
  const auto scope = scopeRoot(p, id, false);
  if (!scope) return Failure(scope.error());
  if (auto checked = checkRegionCover(p, *scope, buffer); !checked) return Failure(checked.error());
  CacheStage stage;
  stage.from = buffer;
  stage.consumers = place->empty() ? withChildBlocks(p, arguments.blocks("consumer_blocks")) : std::set<Id>{id};
  if (auto placed = placeCopy(p, *scope, buffer, stage); !placed) return Failure(placed.error());
  auto cache = makeCache(draft, *scope, buffer, storageScope, stage);
  if (!cache) return Failure(cache.error());
  stage.to = *cache;
  makeCopy(draft, buffer, storageScope, stage);
  draft.origin(stage.block, {id});
  ReadRewriter rewriter(*scope, stage, std::move(*place));
  if (auto done = finishCopy(draft, *scope, rewriter.rewriteBlock(p.tree().block(*scope)), stage); !done)
    return Failure(done.error());
  return Handles{BlockRef{stage.block}};
}

}  // namespace

Instruction cacheReadInstruction() {
  Instruction row;
  row.name = "cache_read";
  row.traceKind = "CacheRead";
  row.group = "memory";
  row.parameters = {{"block", ParameterType::Block, {}, "", "the block that reads the buffer", "读取该缓冲区的计算块"},
                    {"read_buffer_index",
                     ParameterType::ReadBuffer,
                     {},
                     "",
                     "which of its reads, or the buffer's name",
                     "第几个读取区域，或缓冲区名"},
                    {"storage_scope", ParameterType::StorageScope, {}, "", "memory of the copy", "副本所在的存储层次"},
                    {"consumer_blocks", ParameterType::Blocks, Value{List{}}, "",
                     "blocks that read the copy; empty: all", "读取副本的计算块；空表示全部"}};
  row.results = Instruction::Results::Block;
  row.apply = applyCacheRead;
  row.en = "Copy what a block reads into a buffer of another memory, and read it from there.";
  row.zh = "把计算块读取的数据拷贝到另一存储层次的缓冲区，并改为从副本读取。";
  return row;
}

}  // namespace loom::schedule
