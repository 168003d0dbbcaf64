#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/lowering.h"

namespace loom::lower {

using namespace device;

namespace {

constexpr std::int64_t kStaticSharedLimit = 48 * 1024;  // more needs dynamic shared memory (CUDA C Programming Guide)
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;

// Whether the launch gives memory to all buffers: the compiler's own is limited.
bool isAllDynamic(const Kernel& kernel) {
  std::int64_t statics = 0;
  for (const Allocation& a : kernel.allocations)
    if (a.memory == Memory::Shared) statics = std::min(kMost, statics + std::min(kMost, a.bytes()));
  return statics > kStaticSharedLimit;
}

// The compiler gives each array bytes of its own: those that share theirs are the launch's.
bool isDynamic(const Allocation& a, bool allDynamic) {
  return isShared(a.memory) && (allDynamic || a.memory == Memory::SharedDynamic || a.phase > 0);
}

}  // namespace

// Regions lie one after the other, as the allocations that begin them do. Within a region, what is in use in one part
// of the kernel lies where what is in use in another does; an allocation by itself is a region of its own.
void planSharedMemory(Kernel& kernel) {
  const bool allDynamic = isAllDynamic(kernel);
  std::int64_t begin = 0, end = 0;  // bytes
  const auto place = [&](Allocation& a, std::int64_t at) {
    a.alignment = std::max(a.alignment, kSharedAlignment);
    a.offset = (at + a.alignment - 1) / a.alignment * a.alignment;
    return std::min(kMost, a.offset + std::min(kMost, a.bytes()));
  };
  for (const bool dynamic : {false, true}) {
    std::set<int> laid;
    for (Allocation& a : kernel.allocations) {
      if (!isShared(a.memory) || dynamic != isDynamic(a, allDynamic)) continue;
      a.dynamic = dynamic;
      if (a.phase > 0 && !laid.insert(a.region).second) continue;
      std::map<int, std::int64_t> ends;  // of each phase
      for (Allocation& other : kernel.allocations) {
        if (&other != &a && (a.phase == 0 || other.phase == 0 || other.region != a.region)) continue;
        std::int64_t& at = ends.try_emplace(other.phase, begin).first->second;
        end = std::max(end, at = place(other, at));
      }
      begin = end;
    }
    if (dynamic) continue;
    // The launch's memory begins behind what the compiler lays out; where it begins, all that lies in it is aligned.
    std::int64_t aligned = kSharedAlignment;
    for (const Allocation& a : kernel.allocations)
      if (isDynamic(a, allDynamic)) aligned = std::max(aligned, a.alignment);
    begin = (begin + aligned - 1) / aligned * aligned;
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
