// Which buffers of shared memory lie in the same bytes, because they are in use one after the other.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/device/flow.h"
#include "core/ir/packed.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/resident_blocks.h"

namespace loom::lower {

using namespace device;

namespace {

constexpr std::int64_t kTooMany = std::numeric_limits<std::int64_t>::max() / 128;  // bytes

// From where to where a buffer is in use, by the numbers of statements; and the number of its first access among all
// accesses, in the kernel and in the last of these statements.
struct Lifetime {
  std::size_t first = 0, last = 0, firstAccess = 0, lastAccess = 0;
  bool started = false;  // by copies that land later, which the last wait for all is for
};
using Lifetimes = std::unordered_map<const ir::BufferNode*, Lifetime>;

// Nothing where hardware beside the threads accesses shared memory: it may be late.
std::optional<Lifetimes> lifetimesOf(const std::vector<Stmt>& stmts) {
  Lifetimes all;
  bool beside = false, pending = false;
  std::size_t landed = 0, accesses = 0;
  for (std::size_t n = 0; n < stmts.size(); ++n) {
    forEach(stmts[n], [&](const Stmt& s) {
      const Effects effects = effectsOf(s);
      for (const MemoryEffect& e : effects.memory) {
        if (!isShared(e.memory)) continue;
        const Lifetime begins{n, n, accesses, accesses, false};
        Lifetime& life = all.try_emplace(e.place.buffer.get(), begins).first->second;
        if (life.last != n) life.lastAccess = accesses;
        life.last = n;
        ++accesses;
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

struct Use {
  Lifetime life;
  Allocation* allocation = nullptr;
};

std::int64_t padded(const Allocation& a) {
  return (a.bytes() + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
}

// Divides the kernel into parts: lifetimes that overlap are of one part, which ends where none of them goes on. `rest`
// is the bytes of buffers that nothing accesses.
void divide(const Kernel& kernel, std::vector<Use> uses, std::int64_t rest) {
  std::ranges::stable_sort(uses, {}, [](const Use& u) { return u.life.first; });
  std::vector<int> phases;
  std::int64_t part = 0, largest = 0, before = rest;
  std::size_t end = 0;
  for (const auto& [life, a] : uses) {
    const bool begins = phases.empty() || life.first > end;
    phases.push_back(begins ? (phases.empty() ? 1 : phases.back() + 1) : phases.back());
    end = begins ? life.last : std::max(end, life.last);
    part = (begins ? 0 : part) + padded(*a);
    largest = std::max(largest, part);
    before += padded(*a);
  }
  if (blocksThatFit(kernel, rest + largest) <= blocksThatFit(kernel, before)) return;
  for (std::size_t i = 0; i < phases.size(); ++i) uses[i].allocation->phase = phases[i];
}

// Bytes of shared.dyn as TVM 0.22 gives them. Buffers that are no longer in use leave their bytes to later ones:
//  - first, to one of the same element type (storage_rewrite.cc): the smallest free bytes that hold it, or else the
//    largest, which then grow;
//  - then to any (merge_shared_memory_allocations.cc, LivenessAnalysis and PlanMemory): the smallest free bytes that
//    hold it, or else the largest together until it fits, but for those that several buffers had one after the other.
//    In the end the bytes lie by size.
class TvmPlan {
 public:
  explicit TvmPlan(std::vector<Use> uses) : uses_(std::move(uses)) {
    std::ranges::sort(uses_, {}, [](const Use& u) { return std::pair(u.life.first, u.life.firstAccess); });
  }

  // Sets phases and regions, and returns the allocations as they lie in memory.
  std::vector<Allocation*> lay() {
    Free regions = merged(ofOneType());
    // Buffers of one type lie together as one buffer, which here needs a region of its own.
    const bool mixed = std::ranges::any_of(regions, [](const auto& region) {
      const Parts& parts = region.second;
      return (parts.size() > 1 || parts[0].size() > 1) &&
             std::ranges::any_of(parts, [](const auto& part) { return std::ranges::any_of(part, &Held::isShared); });
    });
    if (mixed) regions = merged(eachByItself());
    std::vector<Allocation*> order;
    int number = 0;
    for (const auto& [bytes, parts] : regions) {
      const bool shares = parts.size() > 1 || parts[0][0].isShared();
      for (std::size_t n = 0; n < parts.size(); ++n) {
        for (const Held& held : parts[n]) {
          for (std::size_t i = 0; i < held.buffers.size(); ++i) {
            held.buffers[i]->phase = shares ? int(n + i) + 1 : 0;
            held.buffers[i]->region = number;
            order.push_back(held.buffers[i]);
          }
        }
      }
      ++number;
    }
    return order;
  }

 private:
  // Buffers that are in use one after the other, in the same bytes from their first on.
  struct Held {
    Lifetime life;
    std::int64_t bytes = 0;
    std::vector<Allocation*> buffers;
    bool isShared() const { return buffers.size() > 1; }
  };
  using Parts = std::vector<std::vector<Held>>;     // in use one after the other, in the same bytes
  using Free = std::multimap<std::int64_t, Parts>;  // by bytes; of equal ones, the first that was left first
  static constexpr std::int64_t kWorth = 16;        // a buffer isn't given more than so many times its bytes

  std::vector<Held> eachByItself() const {
    std::vector<Held> all;
    for (const Use& use : uses_) all.push_back({use.life, use.allocation->bytes(), {use.allocation}});
    return all;
  }

  static auto end(const Lifetime& life) { return std::pair(life.last, life.lastAccess); }

  std::vector<Held> ofOneType() const {
    std::vector<Held> all;
    for (const Use& use : uses_) {
      const std::int64_t bytes = use.allocation->bytes();
      // Of those that are free by then: first the smallest that hold it, then the largest.
      std::vector<std::size_t> free;
      for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n].life.last < use.life.first && all[n].buffers[0]->buffer->dtype == use.allocation->buffer->dtype &&
            all[n].bytes <= bytes * kWorth && bytes <= all[n].bytes * kWorth)
          free.push_back(n);
      const auto rank = [&](std::size_t n) {
        const bool holds = all[n].bytes >= bytes;
        const auto [last, access] = end(all[n].life);
        // Of smaller ones of equal bytes, the one that was left last.
        return std::tuple(!holds, holds ? all[n].bytes : -all[n].bytes, holds ? last : ~last, holds ? access : ~access);
      };
      const auto best = std::ranges::min_element(free, {}, rank);
      if (best == free.end()) {
        all.push_back({use.life, bytes, {use.allocation}});
        continue;
      }
      Held& held = all[*best];
      held.bytes = std::max(held.bytes, bytes);
      held.life.last = use.life.last;
      held.life.lastAccess = use.life.lastAccess;
      held.buffers.push_back(use.allocation);
    }
    return all;
  }

  struct Taken {
    Lifetime life;
    std::int64_t bytes = 0;
    Parts parts;
  };

  static Free merged(const std::vector<Held>& all) {
    Free free;
    std::vector<Taken> used;
    const auto release = [&](std::size_t statement) {  // of those whose use ends before it
      std::ranges::stable_sort(used, {}, [](const Taken& t) { return end(t.life); });
      while (!used.empty() && used.front().life.last < statement) {
        free.emplace(used.front().bytes, std::move(used.front().parts));
        used.erase(used.begin());
      }
    };
    for (const Held& held : all) {
      release(held.life.first);
      used.push_back(taken(held, free));
    }
    release(std::numeric_limits<std::size_t>::max());
    return free;
  }

  static Taken taken(const Held& held, Free& free) {
    Taken all{held.life, held.bytes, {}};
    auto from = free.lower_bound(held.bytes);
    if (from != free.end() && from->first <= held.bytes * kWorth) {
      all.bytes = from->first;
      all.parts = std::move(from->second);
      free.erase(from);
    } else {
      std::int64_t sum = 0;
      std::vector<Held> before;
      while (sum < held.bytes && from != free.begin()) {
        --from;
        // Of two regions that were in use at a time, a later buffer of the one would lie where an earlier one of the
        // other does: TVM 0.22 joins these, too, and its kernels are then wrong.
        if (from->second.size() > 1) continue;
        sum += from->first;
        before.insert(before.end(), from->second[0].begin(), from->second[0].end());
        from = free.erase(from);
      }
      if (!before.empty()) all.parts.push_back(std::move(before));
      all.bytes = std::max(held.bytes, sum);
    }
    all.parts.push_back({held});
    return all;
  }

  std::vector<Use> uses_;
};

// Gives the allocations of `order`, which are some of a kernel's, their places in its list by that order.
void sortAllocations(const std::vector<Allocation*>& order) {
  std::vector<Allocation> sorted;
  for (const Allocation* a : order) sorted.push_back(*a);
  std::vector<Allocation*> places = order;
  std::ranges::sort(places);
  for (std::size_t n = 0; n < places.size(); ++n) *places[n] = std::move(sorted[n]);
}

}  // namespace

void findPhases(Kernel& kernel, bool ofArrays) {
  if (!kernel.body || !kernel.mbarriers.empty() || kernel.blocksOfCluster() > 1 || kernel.draft) return;
  std::vector<Stmt> stmts;
  collectInOrder(kernel.body, stmts);
  const auto lifetimes = lifetimesOf(stmts);
  if (!lifetimes) return;
  std::vector<Use> statics, dynamics;
  std::int64_t rest = 0;
  for (Allocation& a : kernel.allocations) {
    if (!isShared(a.memory)) continue;
    if (a.bytes() > kTooMany || ir::isPacked(a.buffer->dtype)) return;
    const auto life = lifetimes->find(a.buffer.get());
    if (life == lifetimes->end())
      rest += padded(a);
    else
      (a.memory == Memory::SharedDynamic ? dynamics : statics).push_back({life->second, &a});
  }
  if (!dynamics.empty()) return sortAllocations(TvmPlan(std::move(dynamics)).lay());
  if (ofArrays) divide(kernel, std::move(statics), rest);
}

}  // namespace loom::lower
