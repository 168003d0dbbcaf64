#include "core/schedule/buffers.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

void addViews(const BlockNode& block, BufferMap& map, const ViewOf& viewOf) {
  for (const auto& match : block.matches) {
    const auto it = map.find(match.source.buffer.get());
    if (it != map.end()) map[match.buffer.get()] = viewOf(match.buffer, it->second);
  }
  forEachStmt(block.body, [&](const Stmt& s) {
    const auto* realize = asRealize(s);
    if (realize) addViews(*realize->block, map, viewOf);
    return !realize;
  });
}

Buffer withScope(const Buffer& buffer, const std::string& scope, Id id) {
  auto made = std::make_shared<BufferNode>(*buffer);
  made->id = id;
  made->data = makeVar(buffer->data->name + "_" + scope, buffer->data->dtype);
  made->name = buffer->name + "_" + scope;
  made->scope = scope.empty() ? "global" : scope;  // as TVM reads a pointer that names no memory
  return made;
}

Result<const BufferRegion*> regionOf(const std::vector<BufferRegion>& regions, const Buffer& buffer) {
  const BufferRegion* found = nullptr;
  for (const auto& region : regions) {
    if (region.buffer != buffer) continue;
    if (found)
      return refuse("InternalError", message("the block names {} twice", buffer->name), {buffer->id}, Forbids::Tvm);
    found = &region;
  }
  return found;
}

Result<Id> checkAllocated(const Program& p, Id block, const Buffer& buffer) {
  const DefiningSite site = definingSite(p, block, buffer);
  if (site.block && site.isAllocation) return site.block;
  return refuse(
      "NonAllocatedBufferError",
      message("the buffer {} is not allocated by a block: it is a parameter or a match_buffer view", buffer->name),
      {block, buffer->id});
}

Result<UseScope> useScope(const Program& p, Id block, const Buffer& buffer) {
  const DefiningSite site = definingSite(p, block, buffer);
  if (site.isAllocation) return UseScope{site.block, false};
  const auto scope = scopeRoot(p, block, false);
  if (!scope) return Failure(scope.error());
  if (!site.block && *scope == p.tree().rootOf(block)) return UseScope{*scope, true};
  return refuse(
      "IndexError",
      site.block ? message("{} is a match_buffer view, which TVM looks for among the parameters", buffer->name)
                 : message("{} is a parameter, which TVM finds only from blocks of the outermost scope", buffer->name),
      {block, buffer->id}, Forbids::Tvm);
}

void replaceBuffer(Draft& draft, const UseScope& scope, const Block& rewritten, const Buffer& before,
                   const Buffer& after) {
  const auto function = std::size_t(draft.tree().at(scope.block).function);
  draft.replace(scope.block, rewritten);
  if (!scope.isParameter) return;
  auto changed = std::make_shared<FunctionNode>(*draft.module().functions[function]);
  for (Parameter& parameter : changed->params)
    if (parameter.buffer == before) parameter.buffer = after;
  draft.replaceFunction(int(function), changed);
}

}  // namespace loom::schedule
