#include "core/model/occupancy.h"

#include <algorithm>
#include <climits>

namespace loom::model {
namespace {

std::int64_t roundUp(std::int64_t x, std::int64_t unit) { return (x + unit - 1) / unit * unit; }

}  // namespace

const char* nameOf(Limiter limiter) {
  static const char* kNames[] = {"threads", "blocks", "registers", "shared", "too_large"};
  return kNames[int(limiter)];
}

Result<Occupancy> occupancy(const Device& device, const Resources& r) {
  if (r.threads < 1 || r.registers < 0 || r.shared < 0)
    return fail("InvalidArgument",
                message("a block of {} threads, {} registers a thread and {} bytes", r.threads, r.registers, r.shared),
                Forbids::Input);
  std::int64_t figures[12];
  constexpr Quantity kNeeded[] = {Quantity::ThreadsPerMultiprocessor,
                                  Quantity::BlocksPerMultiprocessor,
                                  Quantity::ThreadsPerBlock,
                                  Quantity::RegistersPerMultiprocessor,
                                  Quantity::RegistersPerBlock,
                                  Quantity::RegistersPerThread,
                                  Quantity::RegisterUnit,
                                  Quantity::SubPartitions,
                                  Quantity::SharedPerMultiprocessor,
                                  Quantity::SharedPerBlock,
                                  Quantity::SharedUnit,
                                  Quantity::SharedReserve};
  for (int i = 0; i < 12; ++i) {
    auto value = device.need(kNeeded[i]);
    if (!value) return Failure(value.error());
    figures[i] = std::int64_t(*value);
  }
  auto [threadsMax, blocksMax, blockThreads, registersMax, registersBlock, registersThread, registerUnit, partitions,
        sharedMax, sharedBlock, sharedUnit, reserve] = figures;

  Occupancy o;
  std::int64_t warps = (r.threads + 31) / 32;
  o.maxWarps = int(threadsMax / 32);
  o.byBlocks = int(blocksMax);
  o.byThreads = r.threads > blockThreads ? 0 : int(o.maxWarps / warps);

  o.sharedPerBlock = roundUp(r.shared + reserve, sharedUnit);
  bool sharedFits = o.sharedPerBlock <= sharedBlock + reserve;
  o.byShared = !sharedFits ? 0 : o.sharedPerBlock > 0 ? int(sharedMax / o.sharedPerBlock) : INT_MAX;

  if (r.registers > 0) {
    // Registers go to warps, warps to sub-partitions; the launch check counts as if all partitions got the same.
    std::int64_t perWarp = roundUp(std::int64_t(r.registers) * 32, registerUnit);
    o.registersPerBlock = perWarp * warps;
    bool fits = perWarp * roundUp(warps, partitions) <= registersBlock && r.registers <= registersThread;
    std::int64_t warpsMax = registersMax / partitions / perWarp * partitions;
    o.byRegisters = fits ? int(warpsMax / warps) : 0;
  }

  o.blocks = std::min({o.byThreads, o.byBlocks, o.byShared, o.byRegisters < 0 ? INT_MAX : o.byRegisters});
  o.warps = int(o.blocks * warps);
  o.limiter = o.blocks == 0               ? Limiter::TooLarge
              : o.blocks == o.byThreads   ? Limiter::Threads
              : o.blocks == o.byBlocks    ? Limiter::Blocks
              : o.blocks == o.byRegisters ? Limiter::Registers
                                          : Limiter::Shared;
  return o;
}

}  // namespace loom::model
