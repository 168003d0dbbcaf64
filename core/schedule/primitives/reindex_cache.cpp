// reindex_cache_read(block, read_buffer_index, storage_scope, index_map) -> block
// reindex_cache_write(block, write_buffer_index, storage_scope, index_map) -> block
//
//   with lambda i, j, k: (k, i)
//
//                                            for i, k:
//   for i, j, k:                               block A_shared(vi, vk): A_shared[vk, vi] = A[vi, vk]
//     C[vi, vj] += A[vi, vk] * …         →   for i, j, k:
//                                              C[vi, vj] += A_shared[vk, vi] * …
//
// Like cache_read and cache_write, but the cache is laid out by a map of the block's iterators, and only this block
// uses it. The copy runs over those iterators of the block that index the buffer, in copies of its loops, and stands
// where cache_read, or cache_write, would put it.
//
// Refused, in this order: AssertionError, InvalidStorageScopeError, BufferIndexOutOfRangeError, NotStagePipelineError,
// NotSingleWriteBlock, NotSinglePointAccess (the block accesses more than one element at a time), InternalError (the
// map takes another number of indices), ReindexCacheReadWriteNotMatchError (the map uses other iterators than the
// buffer's indices do). A write is checked for a single point last.
#include <algorithm>

#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/cache_stage.h"
#include "core/schedule/index_map.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// A copy that is laid out by a map.
struct MappedStage : CacheStage {
  std::vector<Expr> indices;  // of the cache, in terms of the block's iterators
};

std::vector<Range> pointAt(const std::vector<Expr>& indices) {
  std::vector<Range> region;
  for (const Expr& index : indices) region.push_back({index, intImm(1)});
  return region;
}

// The scope in which the block uses the cache.
class MappedRewriter : public Mutator {
 public:
  MappedRewriter(Id scope, Id block, bool isRead, const MappedStage& stage)
      : scope_(scope),
        block_(block),
        isRead_(isRead),
        stage_(stage),
        buffer_(isRead ? stage.from : stage.to),
        cache_(isRead ? stage.to : stage.from) {}
  using Mutator::rewrite;

  Block rewriteBlock(const Block& block) override {
    const bool isScope = block->id == scope_, isThat = block->id == block_;
    if (isRead_) isInside_ = isThat;  // not restored after nested blocks, as in TVM
    const bool isSkipped = isRead_ ? writes(*block) : !isThat && !isInside_;
    if (!isScope && isSkipped) return block;
    const bool before = isInside_;
    isInside_ = isInside_ || isThat;
    BlockNode after = *Mutator::rewriteBlock(block);
    if (!isRead_) isInside_ = before;
    if (isScope) {
      if (stage_.location == scope_) after.body = *insertCopy(after.body, stage_);
      after.allocs.push_back(cache_);
    } else if (isThat || !isRead_) {
      for (BufferRegion& region : after.reads) redirect(region);
      if (!isRead_)
        for (BufferRegion& region : after.writes) redirect(region);
      for (MatchBuffer& match : after.matches) redirect(match.source);
    }
    return std::make_shared<const BlockNode>(std::move(after));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const Stmt after = Mutator::rewriteFor(s);
    const auto* loop = as<ForNode>(after);
    if (loop->id != stage_.location) return after;
    return edit(*loop, [&](ForNode& n) { n.body = *insertCopy(n.body, stage_); });
  }
  Expr rewriteLoad(const Expr& e) override {
    const auto* n = as<LoadNode>(e);
    if (n->buffer != buffer_ || (isRead_ && !isInside_)) return Mutator::rewriteLoad(e);
    return std::make_shared<LoadNode>(cache_, stage_.indices, n->dtype);
  }
  Stmt rewriteStore(const Stmt& s) override {
    const Stmt after = Mutator::rewriteStore(s);
    const auto* n = as<StoreNode>(after);
    return !isRead_ && n->buffer == buffer_ ? store(cache_, n->value, stage_.indices) : after;
  }
  Expr rewriteVar(const Expr& e) override { return e == Expr(buffer_->data) ? Expr(cache_->data) : e; }

 private:
  bool writes(const BlockNode& block) const {
    return std::any_of(block.writes.begin(), block.writes.end(),
                       [&](const BufferRegion& write) { return write.buffer == buffer_; });
  }
  void redirect(BufferRegion& region) const {
    if (region.buffer == buffer_) region = {cache_, pointAt(stage_.indices)};
  }

  Id scope_, block_;
  bool isRead_;
  const MappedStage& stage_;
  Buffer buffer_, cache_;
  bool isInside_ = false;
};

bool uses(const std::vector<Expr>& list, const Var& var) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Expr& e) { return usesVar(e, [&](const VarNode* v) { return v == var.get(); }); });
}

Checked checkSinglePoint(const BlockNode& block, const BufferRegion& region) {
  for (const Range& range : region.region) {
    if (isConst(range.extent, 1)) continue;
    return refuse(
        "NotSinglePointAccess",
        message("The block \"{}\" accesses more than one element of {} at a time", block.name, region.buffer->name),
        {block.id, region.buffer->id});
  }
  return {};
}

// Makes the cache and the copy.
Checked makeMappedCopy(Draft& draft, const std::string& storageScope, const IndexMap& map,
                       const BlockRealizeNode& whole, const BufferRegion& region, bool isRead, MappedStage& stage) {
  const BlockNode& block = *whole.block;
  std::vector<Expr> vars, extents, old;
  for (const IterVar& iter : block.iters) {
    vars.push_back(iter.var);
    extents.push_back(iter.domain.extent);
  }
  for (const Range& range : region.region) old.push_back(range.min);
  arith::Analyzer analyzer;
  auto indices = mapIndices(map, vars, analyzer);
  if (!indices) return Failure(indices.error());
  const auto shape = mapShape(map, extents, analyzer);
  if (!shape) return Failure(shape.error());
  stage.indices = std::move(*indices);

  auto copy = std::make_shared<BlockNode>();
  copy->id = draft.newId();
  copy->name = region.buffer->name + "_" + storageScope;
  VarMap renamed;
  std::vector<Expr> values;
  for (std::size_t i = 0; i < vars.size(); ++i) {
    const IterVar& iter = block.iters[i];
    const bool isNew = uses(stage.indices, iter.var), isOld = uses(old, iter.var);
    if (isNew != isOld)
      return refuse("ReindexCacheReadWriteNotMatchError",
                    isOld ? message("The iterator \"{}\" indexes {}, and the map does not use it", iter.var->name,
                                    region.buffer->name)
                          : message("The map uses the iterator \"{}\", which does not index {}", iter.var->name,
                                    region.buffer->name),
                    {block.id, region.buffer->id});
    if (!isNew) continue;
    const Var var = makeVar(iter.var->name, iter.var->dtype);
    copy->iters.push_back({var, iter.domain, IterType::Spatial});
    renamed[iter.var.get()] = var;
    values.push_back(whole.values[i]);
  }
  std::vector<For> loops;
  for (Id id = draft.tree().parent(block.id); id && draft.tree().isLoop(id) && id != stage.location;
       id = draft.tree().parent(id)) {
    const For loop = draft.tree().loop(id);
    if (uses(values, loop->var)) loops.push_back(loop);
  }
  for (const For& loop : loops) renamed[loop->var.get()] = makeVar(loop->var->name, loop->var->dtype);

  auto cache = std::make_shared<BufferNode>(*withScope(region.buffer, storageScope, draft.newId()));
  cache->shape = *shape;
  draft.origin(cache->id, {region.buffer->id});
  (isRead ? stage.to : stage.from) = cache;
  const auto moved = [&](std::vector<Expr> list) {
    for (Expr& e : list) e = substitute(e, renamed);
    return list;
  };
  const auto inBuffer = moved(old), inCache = moved(stage.indices);
  const auto &from = isRead ? inBuffer : inCache, &to = isRead ? inCache : inBuffer;
  copy->reads = {{stage.from, pointAt(from)}};
  copy->writes = {{stage.to, pointAt(to)}};
  copy->body = store(stage.to, load(stage.from, from), to);
  stage.block = copy->id;
  stage.nest = realize(moved(values), boolImm(true), copy);
  for (const For& loop : loops) {
    auto outer = std::make_shared<ForNode>();
    outer->id = draft.newId();
    outer->var = varOf(renamed.at(loop->var.get()));
    outer->min = loop->min;
    outer->extent = loop->extent;
    outer->body = std::move(stage.nest);
    draft.origin(outer->id, {loop->id});
    stage.nest = outer;
  }
  draft.origin(stage.block, {block.id});
  return {};
}

Result<Handles> applyMappedCache(Draft& draft, const Arguments& arguments, bool isRead) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const BlockRealize whole = tree.realize(id);
  const BlockNode& block = *whole->block;
  // TVM's Python calls the lambda before anything is looked at.
  const auto map = indexMapOf(**arguments["index_map"].as<Lambda>(), std::nullopt, indexTypeOf(block));
  if (!map) return Failure(map.error());
  const auto index = arguments.bufferIndex(isRead ? "read_buffer_index" : "write_buffer_index", block, !isRead);
  if (!index) return Failure(index.error());
  if (auto ok = checkStorageScope(arguments.text("storage_scope")); !ok) return Failure(ok.error());
  const auto region = accessRegion(block, *index, isRead ? Access::Read : Access::Write);
  if (!region) return Failure(region.error());
  const Buffer buffer = region->buffer;
  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());

  MappedStage stage;
  (isRead ? stage.from : stage.to) = buffer;
  const auto writer = onlyWriter(p, *scope, buffer);
  if (!writer) return Failure(writer.error());
  if (!isRead && *writer != id)
    return refuse("InternalError", message("the block is not the writer of {} in its scope", buffer->name),
                  {id, buffer->id}, Forbids::Tvm);
  const auto only = regionOf(isRead ? block.reads : block.writes, buffer);
  if (!only) return Failure(only.error());
  if (isRead && !*writer) {
    stage.location = *scope;
    stage.position = 0;
  } else if (isRead) {
    locate(p, *writer, *scope, {id}, stage);
  } else {
    std::vector<Id> readers;
    for (const Dependency& dependency : p.info(*scope).scope->bySrc(id))
      if (dependency.kind == Dependency::Kind::RAW) readers.push_back(dependency.dst);
    if (readers.empty()) {
      locateAtEnd(p, *scope, stage);
    } else {
      locate(p, id, *scope, readers, stage);
    }
  }
  if (isRead)
    if (auto ok = checkSinglePoint(block, **only); !ok) return Failure(ok.error());
  if (auto ok = makeMappedCopy(draft, arguments.text("storage_scope"), *map, *whole, **only, isRead, stage); !ok)
    return Failure(ok.error());
  if (!isRead)
    if (auto ok = checkSinglePoint(block, **only); !ok) return Failure(ok.error());
  if (auto ok = checkInsertion(p, stage); !ok) return Failure(ok.error());
  auto done =
      finishCopy(draft, *scope, MappedRewriter(*scope, id, isRead, stage).rewriteBlock(tree.block(*scope)), stage);
  if (!done) return Failure(done.error());
  return Handles{BlockRef{stage.block}};
}

Result<Handles> applyReindexCacheRead(Draft& draft, const Arguments& arguments) {
  return applyMappedCache(draft, arguments, true);
}
Result<Handles> applyReindexCacheWrite(Draft& draft, const Arguments& arguments) {
  return applyMappedCache(draft, arguments, false);
}

Parameter mapParameter() {
  return {"index_map",
          ParameterType::IndexMap,
          {},
          "",
          "where the cache holds an element: a lambda of the block's iterators",
          "元素在缓存中的位置：计算块迭代变量的 lambda"};
}

}  // namespace

Instruction reindexCacheReadInstruction() {
  Instruction row;
  row.name = "reindex_cache_read";
  row.traceKind = "ReindexCacheRead";
  row.group = "memory";
  row.parameters = {
      {"block", ParameterType::Block, {}, "", "the block that reads the buffer", "读取该缓冲区的计算块"},
      {"read_buffer_index", ParameterType::ReadBuffer, {}, "", "which of its reads", "第几个读取区域", false, true},
      {"storage_scope", ParameterType::StorageScope, {}, "", "memory of the copy", "副本所在的存储层次"},
      mapParameter()};
  row.results = Instruction::Results::Block;
  row.apply = applyReindexCacheRead;
  row.en = "Copy what a block reads into another memory, laid out by its iterators.";
  row.zh = "把计算块读取的数据拷贝到另一存储层次，按其迭代变量排布。";
  return row;
}

Instruction reindexCacheWriteInstruction() {
  Instruction row;
  row.name = "reindex_cache_write";
  row.traceKind = "ReindexCacheWrite";
  row.group = "memory";
  row.parameters = {
      {"block", ParameterType::Block, {}, "", "the block that writes the buffer", "写入该缓冲区的计算块"},
      {"write_buffer_index", ParameterType::WriteBuffer, {}, "", "which of its writes", "第几个写入区域", false, true},
      {"storage_scope", ParameterType::StorageScope, {}, "", "memory of the cache", "缓存所在的存储层次"},
      mapParameter()};
  row.results = Instruction::Results::Block;
  row.apply = applyReindexCacheWrite;
  row.en = "Let a block write into another memory, laid out by its iterators, and copy the result out afterwards.";
  row.zh = "让计算块先写入按其迭代变量排布的另一存储层次，再把结果拷贝出去。";
  return row;
}

}  // namespace loom::schedule
