// cache_write(block, write_buffer_index, storage_scope, consumer_blocks=[]) -> block
//
//   for i, j, k: C[i, j] += …      for i, j, k: C_local[i, j] += …
//                              →   for ax0, ax1: C[ax0, ax1] = C_local[ax0, ax1]
//
// The block, and what is below it, writes the cache; the copy stands before the first reader of the buffer that shares
// a sequence with the block, else last in the scope. `consumer_blocks` read the cache, the others the buffer. Outside
// any loop the cache is as large as the region, inside one it keeps the buffer's shape. Refused:
// InvalidStorageScopeError, BufferIndexOutOfRangeError, RootBlockError, NotSingleWriteBlock.
#include "core/ir/visit.h"
#include "core/schedule/cache_stage.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

class WriteRewriter : public Mutator {
 public:
  WriteRewriter(Id scope, Id writer, const CacheStage& stage) : scope_(scope), writer_(writer), stage_(stage) {}

  Block rewriteBlock(const Block& block) override {
    if (stage_.consumers.count(block->id)) {
      if (!uses(*block)) return block;
      BlockNode after = *block;
      redirectAll(after, *block);
      after.body = rewrite(block->body);
      return std::make_shared<const BlockNode>(std::move(after));
    }
    const bool isScope = block->id == scope_, isWriter = block->id == writer_;
    if (!isScope && !isWriter && !underWriter_) return block;
    const bool before = underWriter_;
    underWriter_ = before || isWriter;
    Block after = Mutator::rewriteBlock(block);
    underWriter_ = before;
    if (!isScope && !uses(*block)) return after;
    BlockNode changed = *after;
    if (isScope) {
      if (stage_.location == scope_) changed.body = *insertCopy(changed.body, stage_);
      changed.allocs.push_back(stage_.from);
    } else {
      redirectAll(changed, *block);
    }
    return std::make_shared<const BlockNode>(std::move(changed));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    Stmt after = Mutator::rewriteFor(s);
    auto* loop = as<ForNode>(after);
    if (loop->id != stage_.location) return after;
    return edit(*loop, [&](ForNode& n) { n.body = *insertCopy(n.body, stage_); });
  }

  Stmt rewriteStore(const Stmt& s) override {
    Stmt after = Mutator::rewriteStore(s);
    auto* n = as<StoreNode>(after);
    return n->buffer == stage_.to ? store(stage_.from, n->value, moved(n->indices)) : after;
  }

  Expr rewriteLoad(const Expr& e) override {
    auto* n = as<LoadNode>(e);
    return n->buffer == stage_.to ? load(stage_.from, moved(n->indices)) : Mutator::rewriteLoad(e);
  }

  Expr rewriteVar(const Expr& e) override { return e == Expr(stage_.to->data) ? Expr(stage_.from->data) : e; }

 private:
  bool uses(const BlockNode& block) const {
    auto names = [&](const BufferRegion& r) { return r.buffer == stage_.to; };
    for (const auto& write : block.writes) {
      if (names(write)) return true;
    }
    for (const auto& read : block.reads) {
      if (names(read)) return true;
    }
    for (const auto& match : block.matches) {
      if (names(match.source)) return true;
    }
    return false;
  }

  // The signature of `before`, redirected to the cache.
  void redirectAll(BlockNode& block, const BlockNode& before) {
    block.writes = before.writes;
    block.reads = before.reads;
    block.matches = before.matches;
    for (auto& write : block.writes) redirect(write);
    for (auto& read : block.reads) redirect(read);
    for (auto& match : block.matches) redirect(match.source);
  }
  void redirect(BufferRegion& region) {
    if (region.buffer != stage_.to) return;
    region.buffer = stage_.from;
    if (stage_.isFull) return;
    for (std::size_t i = 0; i < region.region.size(); ++i) region.region[i].min = fromStart(region.region[i].min, i);
  }
  std::vector<Expr> moved(std::vector<Expr> indices) {
    if (!stage_.isFull) {
      for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = fromStart(indices[i], i);
    }
    return indices;
  }
  Expr fromStart(const Expr& index, std::size_t dimension) {
    return analyzer_.simplify(index - stage_.region.region[dimension].min);
  }

  Id scope_, writer_;
  const CacheStage& stage_;
  bool underWriter_ = false;
  arith::Analyzer analyzer_;
};

Result<Handles> applyCacheWrite(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const Block block = tree.block(id);
  const auto index = arguments.bufferIndex("write_buffer_index", *block, true);
  if (!index) return Failure(index.error());
  const std::string& storageScope = arguments.text("storage_scope");
  if (auto checked = checkStorageScope(storageScope); !checked) return Failure(checked.error());
  const auto access = accessRegion(*block, *index, Access::Write);
  if (!access) return Failure(access.error());
  const Buffer buffer = access->buffer;
  const auto scope = scopeRoot(p, id, false);
  if (!scope) return Failure(scope.error());

  CacheStage stage;
  stage.to = buffer;
  stage.consumers = withChildBlocks(p, arguments.blocks("consumer_blocks"));
  const auto writer = onlyWriter(p, *scope, buffer);
  if (!writer) return Failure(writer.error());
  if (*writer != id) {
    return refuse("InternalError", message("the block is not the writer of {} in its scope", buffer->name),
                  {id, buffer->id}, Forbids::Tvm);
  }
  const auto written = regionOf(block->writes, buffer);
  if (!written) return Failure(written.error());
  std::vector<Id> related;
  for (const auto& dependency : p.info(*scope).scope->bySrc(id)) {
    if (dependency.kind == Dependency::Kind::RAW && !stage.consumers.count(dependency.dst)) {
      related.push_back(dependency.dst);
    }
  }
  if (related.empty()) {
    locateAtEnd(p, *scope, stage);
  } else {
    locate(p, id, *scope, related, stage);
  }
  if (auto checked = checkInsertion(p, stage); !checked) return Failure(checked.error());
  stage.region = relaxedRegion(p, id, **written, stage.location);
  auto cache = makeCache(draft, *scope, buffer, storageScope, stage);
  if (!cache) return Failure(cache.error());
  stage.from = *cache;
  makeCopy(draft, buffer, storageScope, stage);
  draft.origin(stage.block, {id});
  auto done = finishCopy(draft, *scope, WriteRewriter(*scope, id, stage).rewriteBlock(tree.block(*scope)), stage);
  if (!done) return Failure(done.error());
  return Handles{BlockRef{stage.block}};
}

}  // namespace

Instruction cacheWriteInstruction() {
  Instruction row;
  row.name = "cache_write";
  row.traceKind = "CacheWrite";
  row.group = "memory";
  row.parameters = {{"block", ParameterType::Block, {}, "", "the block that writes the buffer", "写入该缓冲区的计算块"},
                    {"write_buffer_index",
                     ParameterType::WriteBuffer,
                     {},
                     "",
                     "which of its writes, or the buffer's name",
                     "第几个写入区域，或缓冲区名"},
                    {"storage_scope", ParameterType::StorageScope, {}, "", "memory of the cache", "缓存所在的存储层次"},
                    {"consumer_blocks", ParameterType::Blocks, Value{List{}}, "",
                     "blocks that read the cache instead of the buffer", "改为读取缓存的计算块"}};
  row.results = Instruction::Results::Block;
  row.apply = applyCacheWrite;
  row.en = "Let a block write into a buffer of another memory, and copy the result out afterwards.";
  row.zh = "让计算块先写入另一存储层次的缓冲区，再把结果拷贝出去。";
  return row;
}

}  // namespace loom::schedule
