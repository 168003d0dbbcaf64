#include "core/lower/resident_blocks.h"

#include <algorithm>

#include "core/ir/packed.h"
#include "core/layout/request.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"

namespace loom::lower {
namespace {

using namespace device;

// Of a multiprocessor of compute capability 9.0, which has the most of each (CUDA C Programming Guide, tables of
// compute capabilities).
constexpr std::int64_t kMostBlocks = 32, kMostThreads = 2048, kRegisters = 65536, kSharedBytes = 228 * 1024;
constexpr std::int64_t kMultiprocessors = 132;  // of an H100 SXM and an H200
constexpr std::int64_t kReserved = 1024;        // bytes of shared memory that the driver takes of each block
constexpr std::int64_t kMostRegisters = 255;    // of a thread
constexpr std::int64_t kRegisterUnit = 8;       // registers of a thread are given in multiples of it
constexpr std::int64_t kRegisterBytes = 4;
// Of a thread, beside arrays and fragments: 24 to 40 in six kernels of wmma (NVRTC 13.0, sm_90a).
constexpr std::int64_t kOtherRegisters = 36;
// Where the compiler aims at one block more, it has held so much of these: 164 to 170 of 196, in fourteen kernels of
// mma.sync whose warps compute 64 × 64 elements (NVRTC 13.0, sm_90a). With the number of blocks they ran 1.07 to 1.26
// times as fast; five kernels of 256 threads, of which one block runs, 0.94 to 1.10 times (H200, 2026-11-29).
constexpr double kLeastShare = 0.8;
constexpr std::int64_t kThreadsOfSmallBlocks = 128;
// Of so many registers that a thread may have, the compiler easily takes a few more where this share is known. Of fewer
// it has too few for all else: a product with 8 × 4 sums for each of 128 threads, six blocks of which may have 80
// registers a thread, then keeps some in local memory (NVRTC 13.0, sm_90a).
constexpr std::int64_t kManyRegisters = 128;
constexpr double kNearlyAll = 0.85;

// Threads of a block as a multiprocessor gives them room: in whole warps.
std::int64_t threadsOfWarps(const Kernel& kernel) {
  return (kernel.threads() + layout::kLanes - 1) / layout::kLanes * layout::kLanes;
}

// That a block asks for; 0 where its annotation is no number.
std::int64_t blocksOf(const BlockNode& b) { return numberOf(b.annotations.at(kMinBlocks)).value_or(0); }

// Registers that a thread's array takes, if all of it is held at a time.
std::int64_t registersOf(const Allocation& a) {
  return a.memory == Memory::Local ? (a.bytes() + kRegisterBytes - 1) / kRegisterBytes : 0;
}

// Registers that a lane's part of a warp's fragments takes, which are counted in tiles.
std::int64_t registersOfFragments(const Allocation& a) {
  if (!a.fragment) return 0;
  const double tile = ir::bytesEach(a.buffer->dtype) * double(a.fragment->tile.elements(a.fragment->operand));
  return std::int64_t(double(a.elements) * tile / double(layout::kLanes * kRegisterBytes));
}

// Registers of a thread that are known before the compiler has chosen.
std::int64_t knownRegisters(const Kernel& kernel) {
  std::int64_t registers = kOtherRegisters;
  for (const Allocation& a : kernel.allocations)
    registers += std::min(kRegisters, registersOf(a) + registersOfFragments(a));
  return registers;
}

// For how many blocks registers suffice, by those that are known before the compiler has chosen, if each thread takes
// such a share of them.
std::int64_t blocksByRegisters(const Kernel& kernel, double share = 1) {
  return std::int64_t(double(kRegisters) /
                      (share * double(std::min(knownRegisters(kernel), kMostRegisters) * threadsOfWarps(kernel))));
}

// Of all allocations, before they have offsets.
std::int64_t sharedOfAllocations(const Kernel& kernel) {
  std::int64_t shared = 0;
  for (const Allocation& a : kernel.allocations)
    if (isShared(a.memory)) shared += std::min(kSharedBytes, a.bytes());
  return shared;
}

// How many of the grid's blocks a multiprocessor gets.
std::int64_t blocksOfGrid(const Kernel& kernel) { return (kernel.blocks() + kMultiprocessors - 1) / kMultiprocessors; }

// How many registers a thread may have where so many blocks of so many threads are resident.
std::int64_t registersEach(std::int64_t blocks, std::int64_t threads) {
  return std::min(kMostRegisters, kRegisters / (blocks * threads) / kRegisterUnit * kRegisterUnit);
}

// How many share a multiprocessor, where the compiler is to know it; else 0.
std::int64_t blocksThatRun(const Kernel& kernel) {
  const std::int64_t run = std::min(blocksOfGrid(kernel), blocksThatFit(kernel, kernel.sharedBytes()));
  const std::int64_t threads = threadsOfWarps(kernel);
  if (!hasOperationsOf(Group::Warp, kernel.body)) {
    if (run <= 1 || hasOperationsOf(Group::Warpgroup, kernel.body)) return 0;
    const std::int64_t known = knownRegisters(kernel), each = registersEach(run, threads);
    return each >= kManyRegisters && known <= each && double(known) >= kNearlyAll * double(each) ? run : 0;
  }
  const double share = threads <= kThreadsOfSmallBlocks ? kLeastShare : 1;
  return run * threads <= kFewThreads && run < blocksByRegisters(kernel, share) ? run : 0;
}

}  // namespace

std::int64_t blocksThatFit(const Kernel& kernel, std::int64_t sharedBytes) {
  return std::min({kSharedBytes / (sharedBytes + kReserved), kMostThreads / threadsOfWarps(kernel), kMostBlocks});
}

std::int64_t expectedBlocks(const Kernel& kernel) {
  return std::max<std::int64_t>(
      1, std::min(blocksThatFit(kernel, sharedOfAllocations(kernel)), blocksByRegisters(kernel)));
}

std::int64_t blocksAtOnce(const Kernel& kernel) {
  const std::int64_t ofGrid = kernel.blocks() > 0 ? blocksOfGrid(kernel) : kMostBlocks;
  return std::max<std::int64_t>(1, std::min(ofGrid, blocksThatFit(kernel, sharedOfAllocations(kernel))));
}

bool hasRegistersFor(const Kernel& kernel, std::int64_t bytes, std::int64_t blocks) {
  const auto asking = annotatedBlocks(kernel.body, kMinBlocks);
  const std::int64_t resident = std::max(blocks, asking.empty() ? 1 : std::min(kMostBlocks, blocksOf(*asking.front())));
  const std::int64_t held = (bytes + kRegisterBytes - 1) / kRegisterBytes;
  return knownRegisters(kernel) + held <= registersEach(resident, threadsOfWarps(kernel));
}

ResidentBlocks residentBlocks(const Kernel& kernel) {
  if (const auto asking = annotatedBlocks(kernel.body, kMinBlocks); !asking.empty())
    return {blocksOf(*asking.front()), true};
  return {blocksThatRun(kernel), false};
}

Result<void> checkResidentBlocks(const Kernel& kernel) {
  const auto asking = annotatedBlocks(kernel.body, kMinBlocks);
  if (asking.empty()) return {};
  const BlockNode& first = *asking.front();
  const std::int64_t blocks = blocksOf(first), threads = kernel.threads(), warps = threadsOfWarps(kernel);
  auto refuse = [&](Message why, Message remedy = {}) {
    return notAKernel(std::move(why), {first.block}, std::move(remedy), Forbids::Hardware);
  };
  if (blocks < 1 || blocks > kMostBlocks) {
    return notAKernel(message("{} of block {} is a number from 1 to {}", kMinBlocks, first.name, kMostBlocks),
                      {first.block});
  }
  for (const BlockNode* other : asking) {
    if (blocksOf(*other) == blocks) continue;
    return notAKernel(message("block {} asks for {} resident blocks and block {} of the same kernel for {}", first.name,
                              blocks, other->name, blocksOf(*other)),
                      {first.block, other->block});
  }
  if (blocks * warps > kMostThreads) {
    const std::int64_t all = blocks * warps;
    return refuse(
        threads == warps
            ? message("{} blocks of {} threads are {} threads on a multiprocessor; the hardware allows {}", blocks,
                      threads, all, kMostThreads)
            : message("{} blocks of {} threads, which take the room of {}, are {} threads on a multiprocessor; the "
                      "hardware allows {}",
                      blocks, threads, warps, all, kMostThreads),
        message("{} = {}", kMinBlocks, kMostThreads / warps));
  }
  const std::int64_t shared = kernel.sharedBytes() + kReserved;
  if (blocks * shared > kSharedBytes) {
    return refuse(message("{} blocks of {} bytes of shared memory, {} of them the driver's, are {} bytes on a "
                          "multiprocessor; the hardware has {}",
                          blocks, shared, kReserved, blocks * shared, kSharedBytes),
                  message("{} = {}", kMinBlocks, kSharedBytes / shared));
  }
  const std::int64_t each = registersEach(blocks, warps);
  for (const Allocation& a : kernel.allocations) {
    if (registersOf(a) < each) continue;
    return refuse(message("{} blocks of {} threads leave {} registers for a thread, and {} alone takes {}", blocks,
                          threads, each, a.buffer->name, registersOf(a)),
                  message("a smaller tile for a thread, or fewer blocks"));
  }
  return {};
}

}  // namespace loom::lower
