#include "core/lower/over_ring.h"

#include <algorithm>

#include "core/lower/annotations.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace device;

Result<const BlockNode*> blockOverRing(const Stmt& s) {
  const auto asking = annotatedBlocks(s, kOverRing);
  if (asking.empty()) return nullptr;
  const BlockNode* block = asking.front();
  for (const BlockNode* b : asking) {
    if (numberOf(b->annotations.at(kOverRing)) != 1)
      return notAKernel(message("\"{}\" of block {} is 1", kOverRing, b->name), {b->block});
    if (b->block != block->block)
      return notAKernel(
          message("\"{}\" is of one block of a kernel, not of {} and {}", kOverRing, block->name, b->name),
          {block->block, b->block});
  }
  if (block->writes.empty())
    return notAKernel(message("\"{}\": block {} writes no buffer", kOverRing, block->name), {block->block});
  return block;
}

Result<void> putOverRing(Kernel& kernel, const BlockNode& block, const std::vector<Buffer>& rings) {
  constexpr int kFilled = 1, kStored = 2;  // parts of the kernel
  const auto put = [&](const Buffer& b, int part) {
    const auto a = std::ranges::find(kernel.allocations, b, &Allocation::buffer);
    if (a == kernel.allocations.end() || !isShared(a->memory)) return false;
    a->phase = part;
    return true;
  };
  const bool done = std::ranges::all_of(rings, [&](const Buffer& b) { return put(b, kFilled); }) &&
                    std::ranges::all_of(block.writes, [&](const Buffer& b) { return put(b, kStored); });
  if (done) return {};
  return notAKernel(message("\"{}\": block {} writes no shared memory of the kernel's own", kOverRing, block.name),
                    {block.block});
}

}  // namespace loom::lower
