#include "core/codegen/register_sums.h"

#include <algorithm>
#include <optional>

#include "core/device/effects.h"

namespace loom::codegen {

using namespace device;

namespace {

class Sums {
 public:
  explicit Sums(const Kernel& kernel) : kernel_(kernel) {}

  // How many stores the statement executes. Nothing if it has to stay a loop: for what isn't a store or depends on
  // symbols.
  struct Count {
    std::int64_t stores = 0;
    bool adds = false;  // whether one of them goes on from an array of registers that it stores to
  };
  std::optional<Count> visit(const Stmt& s) {
    switch (s->kind) {
      case StmtKind::Store: return Count{1, addsUp(s)};
      case StmtKind::Operation:
      case StmtKind::Sync: return std::nullopt;
      case StmtKind::Block: return visit(as<BlockNode>(s)->body);
      case StmtKind::If: return both(as<IfNode>(s)->yes, as<IfNode>(s)->no);
      case StmtKind::Seq: {
        std::optional<Count> all = Count{};
        for (const Stmt& child : as<SeqNode>(s)->stmts) all = sum(all, visit(child));
        return all;
      }
      case StmtKind::Loop: break;
    }
    const LoopNode& loop = *as<LoopNode>(s);
    std::optional<Count> count = visit(loop.body);
    const auto* extent = ir::asInt(loop.extent);
    if (!count || extent == nullptr) return std::nullopt;
    count->stores = std::min(count->stores, kMostStores + 1) * std::min(extent->value, kMostStores + 1);
    if (count->adds && count->stores <= kMostStores) loops.insert(&loop);
    return count;
  }

  std::set<const LoopNode*> loops;

 private:
  static std::optional<Count> sum(const std::optional<Count>& a, const std::optional<Count>& b) {
    if (!a || !b) return std::nullopt;
    return Count{a->stores + b->stores, a->adds || b->adds};
  }
  std::optional<Count> both(const Stmt& yes, const Stmt& no) {
    const std::optional<Count> first = visit(yes);
    return no ? sum(first, visit(no)) : first;
  }

  bool addsUp(const Stmt& s) const {
    const Buffer& sums = as<StoreNode>(s)->to.buffer;
    const auto array = std::ranges::find(kernel_.allocations, sums, &Allocation::buffer);
    if (array == kernel_.allocations.end() || array->memory != Memory::Local || array->elements < kLeastSums)
      return false;
    bool reads = false;
    forEachAccess(s, [&](const BufferAccess& access) { reads |= !access.writes && access.buffer == sums; });
    return reads;
  }

  const Kernel& kernel_;
};

}  // namespace

std::set<const LoopNode*> loopsOfRegisterSums(const Kernel& kernel) {
  Sums sums(kernel);
  sums.visit(kernel.body);
  return std::move(sums.loops);
}

}  // namespace loom::codegen
