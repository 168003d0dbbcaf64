#include "core/lower/private_memory.h"

#include <fmt/format.h>

#include <bit>

#include "core/ir/visit.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace device;

void PrivateMemoryCheck::write(const Buffer& b, const std::vector<Expr>& at, const Kernel& kernel, ir::Id block) {
  unsigned axes = 0;
  for (const Expr& index : at) {
    ir::forEachExpr(index, [&](const Expr& x) {
      for (int axis = 0; axis < 3; ++axis) {
        if (x == Expr(kernel.threadIdx[axis]) && kernel.block[axis] > 1) axes |= 1u << axis;
        if (x == Expr(kernel.blockIdx[axis]) && kernel.hasBlocks(axis)) axes |= 8u << axis;
      }
    });
  }
  Uses& u = uses_[b.get()];
  if (axes) u.writer = block;
  u.parts |= axes;
}

void PrivateMemoryCheck::read(const Buffer& b, unsigned bound, ir::Id block) {
  Uses& u = uses_[b.get()];
  if (u.inside & ~bound) u.reader = block;
  u.inside &= bound;
}

Result<void> PrivateMemoryCheck::check(const Kernel& kernel) const {
  for (const Allocation& a : kernel.allocations) {
    auto found = uses_.find(a.buffer.get());
    if (found == uses_.end()) continue;
    const Uses& u = found->second;
    bool local = a.memory == Memory::Local;
    // Along blockIdx.z the blocks of a cluster have a slice each (cluster_slices.h).
    const unsigned along = local ? 0b111111 : a.buffer->scope == kSharedCluster ? 0b011000 : 0b111000;
    unsigned missing = u.parts & ~u.inside & along;
    if (missing == 0) continue;
    int bit = std::countr_zero(missing);
    std::string axis = fmt::format("{}.{}", bit < 3 ? "threadIdx" : "blockIdx", "xyz"[bit % 3]);
    return notAKernel(
        message("{} is {} memory, which each {} has of its own, but a loop bound to {} inside its allocation "
                "fills a part of it each, and a block outside that loop reads all parts",
                a.buffer->name, a.buffer->scope, local ? "thread" : "block", axis),
        {u.writer, u.reader, a.buffer->id},
        local && bit < 3
            ? message("sch.compute_at(…) or sch.reverse_compute_at(…) moves the copy into the loop bound to {}, or "
                      "sch.set_scope(…, \"shared\")",
                      axis)
        : bit == 5 && !local
            ? message("sch.set_scope(…, \"{}\"), so that the blocks of a cluster along {} read each other's parts, or "
                      "sch.compute_at(…) or sch.reverse_compute_at(…), which moves the copy into the loop bound to it",
                      kSharedCluster, axis)
            : message("sch.compute_at(…) or sch.reverse_compute_at(…) moves the copy into the loop bound to {}", axis));
  }
  return {};
}

}  // namespace loom::lower
