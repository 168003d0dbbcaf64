#include "core/model/element_threads.h"

#include <algorithm>

#include "core/layout/request.h"
#include "core/model/count.h"

namespace loom::model {
namespace {

// An axis of grid or block on which an index doesn't depend: every `step`th of `extent` values from `first`.
struct OpenAxis {
  Axis axis;
  int number;
  std::int64_t first, extent, step;
};

std::int64_t numberOf(const std::array<std::int64_t, 3>& at, const std::array<std::int64_t, 3>& extents) {
  return at[0] + extents[0] * (at[1] + extents[1] * at[2]);
}

}  // namespace

Result<ElementThreads> threadsOfElement(const KernelAccesses& kernel, const Access& access, std::int64_t element,
                                        const AccessingThread& whose, std::int64_t atMost) {
  const auto separated = separateJoined(kernel, access);
  if (!separated) return Failure(separated.error());
  const auto owners = ownersOf(kernel, access, element, atMost);
  if (!owners) return Failure(owners.error());
  const device::Kernel& k = *kernel.kernel;
  const bool everyBlock = access.memory == device::Memory::Global;
  const bool everyThread = device::isVisible(access.memory);
  const std::int64_t only = access.tile ? whose.thread - whose.thread % layout::kLanes : whose.thread;
  Chosen own;
  chooseBlock(own, k, whose.block);
  chooseThread(own, k, whose.thread);
  std::vector<OpenAxis> open;
  for (const Axis axis : {Axis::Block, Axis::Thread}) {
    for (int i = 0; i < 3; ++i) {
      const std::int64_t extent = axis == Axis::Block ? k.grid[std::size_t(i)] : k.block[std::size_t(i)];
      const bool fixed = separated->dependsOn(axis, i);
      if (fixed || extent <= 1) continue;
      const bool lanes = access.tile && axis == Axis::Thread && i == 0 && extent % layout::kLanes == 0;
      if (axis == Axis::Block ? everyBlock : everyThread) {
        open.push_back({axis, i, 0, extent, lanes ? layout::kLanes : 1});
      } else {
        open.push_back({axis, i, (axis == Axis::Block ? own.block : own.thread)[i], 1, 1});
      }
    }
  }
  std::int64_t each = 1;
  for (const OpenAxis& a : open) each *= a.extent / a.step;

  ElementThreads found;
  found.complete = owners->complete;
  std::int64_t looked = 0;
  for (const Owner& owner : owners->owners) {
    device::WarpState state;
    for (const auto& [loop, value] : owner.loops) state.set(kernel.loops[std::size_t(loop)].var.get(), value);
    for (std::int64_t n = 0; n < each; ++n) {
      if (++looked > atMost) {
        found.complete = false;
        break;
      }
      auto block = owner.block, thread = owner.thread;
      std::int64_t rest = n;
      for (const OpenAxis& a : open) {
        const std::int64_t count = a.extent / a.step;
        (a.axis == Axis::Block ? block : thread)[std::size_t(a.number)] = a.first + rest % count * a.step;
        rest /= count;
      }
      if (!access.guards.empty()) {
        for (std::size_t i = 0; i < 3; ++i) {
          state.set(k.blockIdx[i].get(), block[i]);
          state.set(k.threadIdx[i].get(), thread[i]);
        }
        bool known = true;
        if (activeLanes(access.guards, state, known) == 0) continue;
      }
      std::int64_t number = numberOf(thread, k.block);
      if (access.tile) number -= number % layout::kLanes;
      if (!everyBlock && numberOf(block, k.grid) != whose.block) continue;
      if (!everyThread && number != only) continue;
      found.all.push_back({numberOf(block, k.grid), number});
    }
  }
  std::sort(found.all.begin(), found.all.end());
  found.all.erase(std::unique(found.all.begin(), found.all.end()), found.all.end());
  for (std::size_t i = 0; i < found.all.size(); ++i)
    found.blocks += i == 0 || found.all[i].block != found.all[i - 1].block;
  return found;
}

}  // namespace loom::model
