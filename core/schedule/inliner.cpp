#include "core/schedule/inliner.h"
#include "core/schedule/refuse.h"

#include <algorithm>

namespace loom::schedule {

using namespace ir;

Inliner::Inliner(Buffer buffer, const Block& inlined, Id scope)
    : buffer_(std::move(buffer)),
      store_(inlined->body->kind == StmtKind::Store ? as<StoreNode>(inlined->body) : nullptr),
      inlined_(inlined),
      scope_(scope) {
  remember(*inlined);
}

Block Inliner::run(const LeafRemoval& removal, const Block& scope) {
  removal_ = &removal;
  return rewriteBlock(scope);
}

Expr Inliner::rewriteVar(const Expr& e) {
  if (e == Expr(buffer_->data)) hasOpaqueAccess_ = true;
  return e;
}

Stmt Inliner::rewriteFor(const Stmt& s) {
  auto* removed = removal_ ? asFor(removal_->before) : nullptr;
  return Mutator::rewriteFor(removed && removed->id == as<ForNode>(s)->id ? removal_->after : s);
}

Block Inliner::rewriteBlock(const Block& block) {
  for (const auto& match : block->matches) {
    if (match.source.buffer == buffer_) hasOpaqueAccess_ = true;
  }
  remember(*block);
  auto* removed = removal_ ? asRealize(removal_->after) : nullptr;
  const Block& from = removed && removed->block->id == block->id ? removed->block : block;
  return withSignature(Mutator::rewriteBlock(from), block->id == scope_);
}

void Inliner::remember(const BlockNode& block) {
  for (const auto& read : block.reads) known_[read.buffer->data.get()] = read.buffer;
  for (const auto& write : block.writes) known_[write.buffer->data.get()] = write.buffer;
  for (const auto& buffer : block.allocs) known_[buffer->data.get()] = buffer;
}

Block Inliner::withSignature(const Block& block, bool isScope) const {
  BlockNode changed = *block;
  if (isScope) {
    auto& allocs = changed.allocs;
    const auto end = std::remove(allocs.begin(), allocs.end(), buffer_);
    if (end == allocs.end()) return block;
    allocs.erase(end, allocs.end());
  } else {
    auto names = [&](const BufferRegion& region) { return region.buffer == buffer_; };
    if (std::none_of(block->reads.begin(), block->reads.end(), names) &&
        std::none_of(block->writes.begin(), block->writes.end(), names)) {
      return block;
    }
    auto access = arith::blockReadWrite(block, known_);
    changed.reads = std::move(access.reads);
    changed.writes = std::move(access.writes);
  }
  return std::make_shared<const BlockNode>(std::move(changed));
}

Checked checkNoInit(const BlockNode& block) {
  if (!block.init) return {};
  return refuse("HasInitBlock", message("block {} has an init statement, so it cannot be inlined", block.name),
                {block.id});
}

Failure opaqueAccess(const Buffer& buffer, Id scope) {
  return refuse("OpaqueAccessError",
                message("the buffer {} is used by pointer, or a block views a part of it", buffer->name),
                {scope, buffer->id});
}

}  // namespace loom::schedule
