#include "core/lower/cluster_slices.h"

#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/refusal.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/addressing.h"
#include "core/lower/clusters.h"

namespace loom::lower {

using namespace device;
using ir::intImm;

namespace {

constexpr std::size_t kAxis = 2;  // of the blocks that have a slice each: blockIdx.z

Result<void> checkBlocks(const Kernel& kernel, const Allocation& a, std::int64_t slices) {
  if (kernel.grid[kAxis] != slices)
    return notAKernel(
        message("{} of scope \"{}\" has {} slices, one for each block of a cluster, and the grid has {} blocks along "
                "blockIdx.z",
                a.buffer->name, kSharedCluster, slices, kernel.grid[kAxis]),
        {a.buffer->id},
        message("sch.bind(…, \"blockIdx.z\") of the loop over the first dimension of {}, and of a loop of the same "
                "extent around the block that reads it",
                a.buffer->name));
  const std::int64_t others = kernel.cluster[0] * kernel.cluster[1];
  if (others * slices > kMostBlocksOfCluster)
    return notAKernel(
        others > 1 ? message("{} slices of {} in clusters of {} × {} are clusters of {} blocks, more than the {} that "
                             "GPUs allow",
                             slices, a.buffer->name, kernel.cluster[0], kernel.cluster[1], others * slices,
                             kMostBlocksOfCluster)
                   : message("a cluster of {} blocks, one for each slice of {}, is more than the {} that GPUs allow",
                             slices, a.buffer->name, kMostBlocksOfCluster),
        {a.buffer->id}, message("sch.rfactor(…) of a loop of at most {} iterations", kMostBlocksOfCluster / others),
        Forbids::Hardware);
  return {};
}

// Pointers are to the block's own slice, of `each` elements: the number of the slice is dropped from them.
Stmt withOwnPointers(const Kernel& kernel, const Stmt& s, const Buffer& buffer, std::int64_t each) {
  if (!s) return s;
  if (s->kind != StmtKind::Operation)
    return mapChildren(s, [&](const Stmt& child) { return withOwnPointers(kernel, child, buffer, each); });
  return edit<OperationNode>(s, [&](OperationNode& n) {
    for (BufferPlace& p : n.places) {
      if (p.buffer != buffer || !p.byOffset) continue;
      Expr& offset = p.at.back();
      arith::Analyzer analyzer;
      analyzer.bind(kernel.blockIdx[kAxis], ir::Range{intImm(0), intImm(kernel.grid[kAxis])}, true);
      offset =
          analyzer.simplify(offset - ir::cast(offset->dtype, kernel.blockIdx[kAxis]) * intImm(each, offset->dtype));
    }
  });
}

// What a statement does to the buffer: its own slice is written, and each read, but by operations of the hardware.
Result<void> checkAccesses(const Kernel& kernel, const Stmt& s, const Buffer& buffer) {
  for (const MemoryEffect& effect : effectsOf(s).memory) {
    if (effect.place.buffer != buffer) continue;
    const bool reaches = effect.operand < 0 && !effect.writes();
    if (effect.inBlock && (reaches || isOwnSlice(kernel, effect.inBlock))) continue;
    // What is left of a pointer to another slice depends on the block still.
    const auto isAxis = [&](const ir::VarNode* v) { return v == kernel.blockIdx[kAxis].get(); };
    if (effect.place.byOffset && !ir::usesVar(effect.place.at.back(), isAxis)) continue;
    return notAKernel(
        effect.writes()
            ? message("a block of a cluster writes only its own slice of {}: the first index is that of the loop that "
                      "is bound to blockIdx.z",
                      buffer->name)
            : message("an operation of the hardware reads only the block's own slice of {}", buffer->name),
        s->origin,
        effect.writes() ? message("sch.bind(…, \"blockIdx.z\") of the loop over the first dimension of {} around the "
                                  "block that writes it",
                                  buffer->name)
                        : Message{});
  }
  return {};
}

}  // namespace

bool isOwnSlice(const Kernel& kernel, const Expr& slice) {
  const Expr block = ir::cast(slice->dtype, kernel.blockIdx[kAxis]);
  return ir::isConst(arith::Analyzer().simplify(slice - block), 0);
}

bool isOwnMemory(const Kernel& kernel, const ir::LoadNode& load) {
  return load.buffer->scope != kSharedCluster || isOwnSlice(kernel, load.indices.front());
}

Expr blockOfSlice(const Kernel& kernel, const Expr& slice) {
  return numberInCluster(kernel, {placeInCluster(kernel, 0), placeInCluster(kernel, 1), slice});
}

Result<void> sliceBuffers(Kernel& kernel) {
  for (Allocation& a : kernel.allocations) {
    if (a.buffer->scope != kSharedCluster) continue;
    const std::vector<std::int64_t> extents = a.extents();
    std::vector<std::int64_t> strides = a.strides();
    if (extents.size() < 2)
      return notAKernel(message("{} of scope \"{}\" has one dimension; the first one is over the blocks of a cluster",
                                a.buffer->name, kSharedCluster),
                        {a.buffer->id});
    if (auto fits = checkBlocks(kernel, a, extents[0]); !fits) return fits;
    kernel.cluster[kAxis] = extents[0];
    kernel.body = withOwnPointers(kernel, kernel.body, a.buffer, strides[0]);
    Result<void> all;
    forEach(kernel.body, [&](const Stmt& s) {
      if (all) all = checkAccesses(kernel, s, a.buffer);
      return bool(all);
    });
    if (!all) return all;
    // All slices lie at one address.
    a.elements = std::exchange(strides[0], 0);
    a.layout = rowsOf(extents, strides);
  }
  return {};
}

}  // namespace loom::lower
