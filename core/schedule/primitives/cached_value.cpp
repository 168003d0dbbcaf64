#include "core/schedule/primitives/cached_value.h"

#include <set>

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"
#include "core/schedule/copy_beside.h"
#include "core/schedule/new_loops.h"
#include "core/schedule/read_place.h"
#include "core/schedule/read_value.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

using namespace ir;

// A block with an expression replaced everywhere.
class WholeReplacer : public Mutator {
 public:
  WholeReplacer(Expr from, Expr to) : from_(std::move(from)), to_(std::move(to)) {}
  using Mutator::rewrite;
  Expr rewrite(const Expr& e) override { return e && structuralEqual(e, from_) ? to_ : Mutator::rewrite(e); }

 private:
  Expr from_, to_;
};

// The block with reads of the copy in place of what it makes of elements.
Block readingCopy(const Block& block, const ReadValue& made, const Buffer& copy) {
  Expr value = load(copy, made.indices);
  for (const DType& type : made.casts) value = cast(type, std::move(value));
  const Block replaced = edit(*block, [&](BlockNode& n) {
    n.body = WholeReplacer(made.whole, value).rewrite(n.body);
    n.annotations.erase(kReadValue);
  });
  return edit(*replaced, [&](BlockNode& n) { n.reads = readsOfBody(replaced); });
}

// The first block of the scope's statement around `reader` that writes what `value` reads; null if none does. What it
// writes isn't there yet where the copy stands, or isn't what the reader would find.
const BlockNode* writerBeside(const Tree& tree, Id scope, Id reader, const Expr& value) {
  std::set<const VarNode*> read;
  forEachExpr(value, [&](const Expr& e) {
    if (const LoadNode* n = asLoad(e)) read.insert(n->buffer->data.get());
  });
  Id outermost = reader;
  while (tree.parent(outermost) != scope) outermost = tree.parent(outermost);
  const int first = tree.find(outermost), end = tree.at(outermost).end;
  for (int i = first; i < end; ++i) {
    const Tree::Node& node = tree.nodes()[std::size_t(i)];
    if (!node.isBlock) continue;
    const BlockNode& block = *as<BlockRealizeNode>(node.stmt)->block;
    for (const BufferRegion& written : block.writes)
      if (read.contains(written.buffer->data.get())) return &block;
  }
  return nullptr;
}

// Loops around the block that makes the copy.
void makeCopyOfValues(Draft& draft, Id reader, const ReadValue& made, CacheStage& stage) {
  auto copy = std::make_shared<BlockNode>();
  copy->id = draft.newId();
  copy->name = stage.to->name;
  copy->iters = made.iterators;
  std::vector<Expr> inCopy, values;
  std::vector<Range> domains;
  for (const IterVar& iter : made.iterators) {
    inCopy.push_back(iter.var);
    values.push_back(makeVar("ax" + std::to_string(values.size()), iter.var->dtype));
    domains.push_back(iter.domain);
  }
  copy->body = store(stage.to, made.value, inCopy);
  copy->writes = {{stage.to, pointRegion(inCopy)}};
  copy->reads = readsOfBody(copy);
  stage.block = copy->id;
  stage.nest = newLoops(draft, values, domains, realize(values, boolImm(true), copy), {});
  draft.origin(stage.block, {reader});
}

}  // namespace

Result<Handles> cacheValue(Draft& draft, Id id, const Buffer& buffer, const std::string& storageScope) {
  const Program& p = draft.program();
  const Block block = draft.tree().block(id);
  const auto scope = scopeRoot(p, id, false);
  if (!scope) return Failure(scope.error());
  const auto made = readValueOf(*block, buffer);
  if (!made)
    return refuse(
        "ValueError",
        message("Block {} makes nothing of an element of {} that its place alone says", block->name, buffer->name),
        {id, buffer->id});
  CacheStage stage;
  if (auto located = locateBeside(p, *scope, id, false, Forbids::Program, stage); !located)
    return Failure(located.error());
  if (const BlockNode* writer = writerBeside(draft.tree(), *scope, id, made->value))
    return refuse(
        "ValueError",
        message("The loops around the block {} hold the block {}, which writes what the copy before them would "
                "read",
                block->name, writer->name),
        {id, writer->id});
  auto cache = std::make_shared<BufferNode>(*withScope(buffer, storageScope, draft.newId()));
  cache->dtype = made->value->dtype;
  cache->data = makeVar(cache->data->name, cache->data->dtype);
  cache->shape.clear();
  cache->strides.clear();
  for (const IterVar& iter : made->iterators) cache->shape.push_back(iter.domain.extent);
  draft.origin(cache->id, {buffer->id});
  stage.from = buffer;
  stage.to = cache;
  makeCopyOfValues(draft, id, *made, stage);
  return copyBeside(draft, *scope, readingCopy(block, *made, cache), cache, stage);
}

}  // namespace loom::schedule
