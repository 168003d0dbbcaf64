#include "core/lower/loads_before_barriers.h"

#include <algorithm>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/early_loads.h"
#include "core/lower/resident_blocks.h"

namespace loom::lower {
namespace {

using namespace device;

// Of a thread's copies behind one barrier. Each vector that it loads is one load. With few of them the compiler makes
// one round of loads and stores by itself, and coming first gains nothing: 0.92 to 1.05 times as fast with three or
// four, 0.99 in the mean of nine kernels; 0.98 to 1.21 with six or more, 1.04 in the mean of twenty (H200, 2026-11-30,
// driver 580.159.04, NVRTC 13.0).
constexpr std::int64_t kFewestLoads = 6;
// What a thread holds in registers meanwhile, in bytes: 0.98 to 1.08 times as fast with 48 to 96, 1.03 in the mean of
// thirteen kernels. Those that copy 128 to 192 bytes gained as well, 1.21, 1.08, 1.04, 1.04, 1.01 and 0.996 times in
// six kernels (the same measurements), 0.98 to 1.17 times in 23 states of lessons, 1.015 in the mean. They stay as they
// are because the model makes too much of it: at the end of the Tensor Core lesson it then sees nothing left to be
// gained by a pipeline, which takes 12.6 µs instead of 14.2. Of 256 bytes and more some are spilled (NVRTC 13.0).
constexpr std::int64_t kMostBytes = 96;
// More may not cost resident blocks by what is known of registers. So few may: 12 registers made 10 blocks of 12 in one
// kernel, 1.08 times as fast, and 8 of 9 in another, 1.00 times (the same measurements).
constexpr std::int64_t kFewBytes = 48;
// Of a vector, in bytes. Narrower loads and single elements weren't measured.
constexpr int kLeastWidth = 4;

// Divides the copies of a kernel.
class Dividing {
 public:
  explicit Dividing(Kernel& kernel) : kernel_(kernel) {}

  // `ofLoop`: whether `s` is all that a serial loop's body does.
  Stmt walk(const Stmt& s, bool ofLoop) {
    const bool serial = s->kind == StmtKind::Loop && as<LoopNode>(s)->use == LoopUse::Serial;
    const bool inside = serial || (ofLoop && s->kind == StmtKind::Block);
    const Stmt walked = mapChildren(s, [&](const Stmt& c) { return walk(c, inside); });
    return ofLoop && s->kind == StmtKind::Seq ? turn(as<SeqNode>(walked)->stmts) : walked;
  }

 private:
  static bool isBarrier(const Stmt& s) { return s->kind == StmtKind::Sync && meetsBlock(effectsOf(s)); }

  // The statements of a turn, in parts that begin with a barrier.
  Stmt turn(const std::vector<Stmt>& stmts) {
    std::vector<Stmt> out;
    for (auto from = stmts.begin(); from != stmts.end();) {
      const auto to = std::find_if(from + 1, stmts.end(), isBarrier);
      const std::vector<Stmt> part(from, to);
      const auto made = isBarrier(*from) && part.size() > 1 ? loadedFirst(part) : std::nullopt;
      std::ranges::copy(made ? *made : part, std::back_inserter(out));
      from = to;
    }
    return seq(std::move(out));
  }

  // A barrier and copies, the loads of which come first; nothing if they stay behind it.
  std::optional<std::vector<Stmt>> loadedFirst(const std::vector<Stmt>& part) {
    std::vector<Stmt> loads, stores{part.front()};
    std::vector<Buffer> arrays;
    std::int64_t bytes = 0;
    number_ = 0;
    from_.clear();
    for (const Stmt& copy : std::span(part).subspan(1)) {
      auto divided = dividedCopy(copy, {}, kernel_.allocations.size() + arrays.size());
      if (!divided || !(divided->loads = keptHere(divided->loads, 1))) return std::nullopt;
      loads.push_back(divided->loads);
      stores.push_back(divided->stores);
      arrays.insert(arrays.end(), divided->arrays.begin(), divided->arrays.end());
      bytes += divided->bytes;
    }
    const std::int64_t blocks = bytes <= kFewBytes ? 1 : blocksAtOnce(kernel_);  // that stay resident
    if (number_ < kFewestLoads || bytes > kMostBytes || !hasRegistersFor(kernel_, bytes, blocks) || writesAnyOf(from_))
      return std::nullopt;
    for (const Buffer& array : arrays) kernel_.allocations.push_back(allocationOf(array));
    loads.insert(loads.end(), stores.begin(), stores.end());
    return loads;
  }

  // The loads of a copy, executed `times` times, marked as such that stay where they are; null if some can't be.
  Stmt keptHere(const Stmt& s, std::int64_t times) {
    if (s->kind == StmtKind::Loop) times *= ir::asInt(as<LoopNode>(s)->extent)->value;
    if (s->kind == StmtKind::Store) {
      const ir::LoadNode* from = ir::asLoad(as<StoreNode>(s)->value);
      if (!from || from->dtype.lanes == 1 || from->dtype.bytes() < kLeastWidth) return nullptr;
      number_ += times;
      from_.insert(from->buffer.get());
      return edit<StoreNode>(s, [](StoreNode& n) { n.loadsHere = true; });
    }
    bool all = true;
    const Stmt kept = mapChildren(s, [&](const Stmt& c) {
      const Stmt child = keptHere(c, times);
      all &= child != nullptr;
      return child;
    });
    return all ? kept : nullptr;
  }

  bool writesAnyOf(const std::set<const ir::BufferNode*>& buffers) const {
    return std::ranges::any_of(usesOf(kernel_.body).written,
                               [&](const ir::BufferNode* b) { return buffers.contains(b); });
  }

  Kernel& kernel_;
  // Of the copies behind a barrier: how many loads of a thread, and of which buffers.
  std::int64_t number_ = 0;
  std::set<const ir::BufferNode*> from_;
};

}  // namespace

void loadBeforeBarriers(Kernel& kernel) {
  if (kernel.body) kernel.body = Dividing(kernel).walk(kernel.body, false);
}

}  // namespace loom::lower
