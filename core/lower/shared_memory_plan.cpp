#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/device/effects.h"
#include "core/ir/packed.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/lowering.h"
#include "core/lower/resident_blocks.h"

namespace loom::lower {

using namespace device;

namespace {

constexpr std::int64_t kStaticSharedLimit = 48 * 1024;  // more needs dynamic shared memory (CUDA C Programming Guide)
constexpr std::int64_t kSharedAlignment = 128;          // wavefronts of all banks begin there, and so may bulk copies
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

// The statements that a kernel executes one after the other, none of them a sequence.
void collectInOrder(const Stmt& s, std::vector<Stmt>& all) {
  if (s->kind == StmtKind::Block) return collectInOrder(as<BlockNode>(s)->body, all);
  if (s->kind != StmtKind::Seq) return all.push_back(s);
  for (const Stmt& child : as<SeqNode>(s)->stmts) collectInOrder(child, all);
}

// From where to where a buffer is in use, by the numbers of statements.
struct Lifetime {
  std::size_t first = 0, last = 0;
  bool started = false;  // by copies that land later, which the last wait for all is for
};
using Lifetimes = std::unordered_map<const ir::BufferNode*, Lifetime>;

// Nothing where hardware beside the threads accesses shared memory: it may be late.
std::optional<Lifetimes> lifetimesOf(const std::vector<Stmt>& stmts) {
  Lifetimes all;
  bool beside = false, pending = false;
  std::size_t landed = 0;
  for (std::size_t n = 0; n < stmts.size(); ++n) {
    forEach(stmts[n], [&](const Stmt& s) {
      const Effects effects = effectsOf(s);
      for (const MemoryEffect& e : effects.memory) {
        if (!isShared(e.memory)) continue;
        Lifetime& life = all.try_emplace(e.place.buffer.get(), Lifetime{n, n, false}).first->second;
        life.last = n;
        beside |= isBeside(e.agent) || e.inBlock;
        if (e.completes && e.writes()) life.started = pending = true;
      }
      if (s->kind == StmtKind::Sync && as<SyncNode>(s)->token == Token::AsyncCopies &&
          as<SyncNode>(s)->does == SyncDoes::Wait && as<SyncNode>(s)->allow == 0) {
        pending = false;
        landed = n;
      }
      return true;
    });
  }
  if (beside || pending) return std::nullopt;
  for (auto& [buffer, life] : all)
    if (life.started) life.last = std::max(life.last, landed);
  return all;
}

}  // namespace

void findPhases(Kernel& kernel) {
  if (!kernel.body || !kernel.mbarriers.empty() || kernel.blocksOfCluster() > 1 || kernel.draft) return;
  std::vector<Stmt> stmts;
  collectInOrder(kernel.body, stmts);
  const auto lifetimes = lifetimesOf(stmts);
  if (!lifetimes) return;
  std::vector<std::pair<Lifetime, Allocation*>> inOrder;
  std::int64_t before = 0, after = 0;  // bytes, if buffers have their own, and if parts of the kernel share them
  for (Allocation& a : kernel.allocations) {
    if (isShared(a.memory) && (a.bytes() > kMost / 64 || ir::isPacked(a.buffer->dtype))) return;
    const auto life = lifetimes->find(a.buffer.get());
    if (!isShared(a.memory)) continue;
    const std::int64_t bytes = (a.bytes() + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    before += bytes;
    if (life != lifetimes->end())
      inOrder.emplace_back(life->second, &a);
    else
      after += bytes;
  }
  std::ranges::stable_sort(inOrder, {}, [](const auto& each) { return each.first.first; });
  // Lifetimes that overlap are of one part, which ends where none of them goes on.
  std::vector<int> phases;
  std::int64_t part = 0, largest = 0;
  std::size_t end = 0;
  for (const auto& [life, a] : inOrder) {
    const bool begins = phases.empty() || life.first > end;
    phases.push_back(begins ? (phases.empty() ? 1 : phases.back() + 1) : phases.back());
    end = begins ? life.last : std::max(end, life.last);
    part = (begins ? 0 : part) + (a->bytes() + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    largest = std::max(largest, part);
  }
  if (blocksThatFit(kernel, after + largest) <= blocksThatFit(kernel, before)) return;
  for (std::size_t i = 0; i < phases.size(); ++i) inOrder[i].second->phase = phases[i];
}

void planSharedMemory(Kernel& kernel) {
  const bool allDynamic = isAllDynamic(kernel);
  // The launch's memory begins behind what the compiler lays out.
  std::int64_t end[2] = {0, 0};
  const auto place = [&](bool dynamic, int phase) {
    for (Allocation& a : kernel.allocations) {
      if (!isShared(a.memory) || dynamic != isDynamic(a, allDynamic) || a.phase != phase) continue;
      a.dynamic = dynamic;
      a.alignment = std::max(a.alignment, kSharedAlignment);
      a.offset = (end[dynamic] + a.alignment - 1) / a.alignment * a.alignment;
      end[dynamic] = std::min(kMost, a.offset + std::min(kMost, a.bytes()));
    }
  };
  int phases = 0;
  for (const Allocation& a : kernel.allocations) phases = std::max(phases, a.phase);
  for (const bool dynamic : {false, true}) {
    place(dynamic, 0);
    // What is in use in one part of the kernel lies where what is in use in another does.
    const std::int64_t shared = end[dynamic];
    std::int64_t most = shared;
    for (int phase = 1; phase <= phases; ++phase) {
      end[dynamic] = shared;
      place(dynamic, phase);
      most = std::max(most, end[dynamic]);
    }
    end[dynamic] = most;
    if (dynamic) continue;
    // Where the launch's part begins, all that lies in it is aligned.
    std::int64_t aligned = kSharedAlignment;
    for (const Allocation& a : kernel.allocations)
      if (isDynamic(a, allDynamic)) aligned = std::max(aligned, a.alignment);
    end[1] = (end[0] + aligned - 1) / aligned * aligned;
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
