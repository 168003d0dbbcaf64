#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/lowering.h"

namespace loom::lower {

using namespace device;

namespace {

constexpr std::int64_t kStaticSharedLimit = 48 * 1024;  // more needs dynamic shared memory (CUDA C Programming Guide)
constexpr std::int64_t kSharedAlignment = 128;          // wavefronts of all banks begin there, and so may bulk copies
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;

}  // namespace

void planSharedMemory(Kernel& kernel) {
  std::int64_t statics = 0;
  for (const Allocation& a : kernel.allocations)
    if (a.memory == Memory::Shared) statics = std::min(kMost, statics + std::min(kMost, a.bytes()));
  const bool allDynamic = statics > kStaticSharedLimit;
  // The launch's memory begins behind what the compiler lays out.
  std::int64_t end[2] = {0, 0};
  for (const bool dynamic : {false, true}) {
    for (Allocation& a : kernel.allocations) {
      if (!isShared(a.memory) || dynamic != (allDynamic || a.memory == Memory::SharedDynamic)) continue;
      a.dynamic = dynamic;
      a.alignment = std::max(a.alignment, kSharedAlignment);
      a.offset = (end[dynamic] + a.alignment - 1) / a.alignment * a.alignment;
      end[dynamic] = std::min(kMost, a.offset + std::min(kMost, a.bytes()));
    }
    if (dynamic) continue;
    // Where the launch's part begins, all that lies in it is aligned.
    std::int64_t most = kSharedAlignment;
    for (const Allocation& a : kernel.allocations)
      if (isShared(a.memory) && (allDynamic || a.memory == Memory::SharedDynamic)) most = std::max(most, a.alignment);
    end[1] = (end[0] + most - 1) / most * most;
  }
}

Result<void> checkMemory(const Kernel& k, const Limits& limits) {
  std::int64_t local = 0;
  std::vector<ir::Id> locals;
  for (const Allocation& a : k.allocations) {
    if (a.memory != Memory::Local) continue;
    if (__builtin_add_overflow(local, a.bytes(), &local)) local = std::numeric_limits<std::int64_t>::max();
    locals.push_back(a.buffer->id);
  }
  if (k.sharedBytes() > limits.sharedBytesPerBlock) {
    std::vector<ir::Id> subjects;
    std::string sizes;
    for (const Allocation& a : k.allocations) {
      if (!isShared(a.memory)) continue;
      subjects.push_back(a.buffer->id);
      sizes += fmt::format("{}{} {} bytes", sizes.empty() ? "" : ", ", a.buffer->name, a.bytes());
    }
    return notAKernel(message("{} bytes of shared memory in a block ({}); the hardware allows {}", k.sharedBytes(),
                              sizes, limits.sharedBytesPerBlock),
                      subjects, message("sch.compute_at(…) moves the copy into a loop, so that only a tile is kept"),
                      Forbids::Hardware);
  }
  if (local > limits.localBytesPerThread) {
    return notAKernel(
        message("{} bytes of local memory in a thread; the hardware allows {}", local, limits.localBytesPerThread),
        locals, message("sch.compute_at(…) or sch.reverse_compute_at(…) moves the cache into the loop over threads"),
        Forbids::Hardware);
  }
  return {};
}

}  // namespace loom::lower
