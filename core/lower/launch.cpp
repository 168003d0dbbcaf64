#include "core/lower/launch.h"

#include "core/device/operation.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"
#include "core/lower/execution_group.h"
#include "core/lower/passes.h"

namespace loom::lower {

using namespace ir;

Result<Launch> findLaunch(const Stmt& nest, const Limits& limits, bool byElements, const std::vector<Symbol>& symbols) {
  Launch launch;
  std::array<const ForNode*, 6> first{};
  std::optional<Failure> failure;
  forEachStmt(nest, [&](const Stmt& s) {
    if (failure) return false;
    if (s->kind == StmtKind::Evaluate) {
      auto* c = asCall(as<EvaluateNode>(s)->value);
      const auto group = c ? device::groupOf(c->op) : std::nullopt;
      if (group == device::Group::Warp) launch.warp = true;
      if (group == device::Group::Warpgroup) launch.warpgroup = true;
    }
    if (byElements && s->kind == StmtKind::BlockRealize) {
      for (const Buffer& b : asRealize(s)->block->allocs)
        launch.warp |= device::memoryOf(b->scope) == device::Memory::Fragment;
    }
    auto* loop = asFor(s);
    if (!loop || loop->forKind != ForKind::ThreadBinding || isVirtualThread(loop->thread)) return true;
    if (!isThreadIdx(loop->thread) && !isBlockIdx(loop->thread)) {
      failure =
          notAKernel(message("loop {} is bound to {}, which CUDA kernels don't have", loop->var->name, loop->thread),
                     {loop->id}, {}, Forbids::Hardware);
      return false;
    }
    int bit = (isThreadIdx(loop->thread) ? 0 : 3) + axisOf(loop->thread);
    auto* extent = asInt(loop->extent);
    const bool blocks = isBlockIdx(loop->thread) && isOver(loop->extent, symbols);
    if (!extent && !blocks) {
      failure = notAKernel(
          message("loop {} is bound to {}, but its extent isn't a constant", loop->var->name, loop->thread), {loop->id},
          isThreadIdx(loop->thread) ? message("sch.split(…) of the loop, and bind its inner part") : Message());
      return false;
    }
    if (blocks && (!extent || (first[bit] && launch.gridExtents[bit - 3]))) {
      Expr& grid = launch.gridExtents[bit - 3];
      if (first[bit] && !(grid && structuralEqual(grid, loop->extent))) {
        failure = notAKernel(message("two loops are bound to {} with different extents: those of {} and {}",
                                     loop->thread, first[bit]->var->name, loop->var->name),
                             {first[bit]->id, loop->id},
                             message("the same factor in sch.split(…) of both, before they are bound"));
        return false;
      }
      first[bit] = loop;
      grid = loop->extent;
      launch.loops.push_back(loop->id);
      return true;
    }
    if (extent->value < 0) {
      failure = notAKernel(message("loop {} has {} iterations: its extent is more than {} holds", loop->var->name,
                                   extent->value, loop->var->dtype.str()),
                           {loop->id});
      return false;
    }
    if (first[bit] && launch.extents[bit] != extent->value) {
      failure = notAKernel(
          message("two loops are bound to {} with different extents: {} has {}, {} has {}", loop->thread,
                  first[bit]->var->name, launch.extents[bit], loop->var->name, extent->value),
          {first[bit]->id, loop->id}, message("the same factor in sch.split(…) of both, before they are bound"));
      return false;
    }
    if (!first[bit]) first[bit] = loop;
    launch.extents[bit] = extent->value;
    launch.loops.push_back(loop->id);
    return true;
  });
  if (failure) return *failure;
  // The first of a warpgroup's warps is there for operations of warps, too.
  if (launch.warpgroup && !launch.extents[0]) launch.extents[0] = kWarpgroupThreads;
  if (launch.warp && !launch.extents[0]) launch.extents[0] = kWarpLanes;
  const Message split = message("sch.split(…) of the loop, and bind its inner part");
  auto tooMany = [&](int axis, std::int64_t most, const Message& remedy) {
    return notAKernel(
        message("{} threads along threadIdx.{}; the hardware allows {}", launch.extent(axis), "xyz"[axis], most),
        launch.loops, remedy, Forbids::Hardware);
  };
  constexpr std::int64_t kCounted = std::int64_t{1} << 20;  // a product of three such fits 64 bits
  for (int axis = 0; axis < 3; ++axis)
    if (launch.extent(axis) > kCounted) return tooMany(axis, limits.threadsPerBlock, split);
  std::int64_t threads = launch.extent(0) * launch.extent(1) * launch.extent(2);
  if (threads > limits.threadsPerBlock) {
    return notAKernel(message("{} × {} × {} = {} threads in a block; the hardware allows {}", launch.extent(0),
                              launch.extent(1), launch.extent(2), threads, limits.threadsPerBlock),
                      launch.loops, split, Forbids::Hardware);
  }
  if (launch.extent(2) > limits.blockZ)
    return tooMany(2, limits.blockZ, message("threadIdx.x and threadIdx.y take more"));
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t most = axis == 0 ? limits.gridX : limits.gridYZ;
    if (launch.extent(3 + axis) > most) {
      return notAKernel(
          message("{} blocks along blockIdx.{}; the hardware allows {}", launch.extent(3 + axis), "xyz"[axis], most),
          launch.loops,
          axis == 0
              ? split
              : message("blockIdx.x takes 2147483647: bind the loop to it, or sch.fuse(…) it with the one that is"),
          Forbids::Hardware);
    }
  }
  return launch;
}

}  // namespace loom::lower
