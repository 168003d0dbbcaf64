#include "core/device/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/device/declared.h"
#include "core/device/flow.h"
#include "core/device/lane_values.h"
#include "core/ir/build.h"
#include "core/ir/packed.h"

namespace loom::device {
namespace {

constexpr int kWarpsOfGroup = 4;  // of a warpgroup

// Accesses of shared memory since the threads last met.
struct Pending {
  struct Touch {
    const ir::BufferNode* buffer;
    bool writes, tile;
    bool ofWarp = false;                     // of a tile or sum's rows that may be a warp's own, or of single elements
    bool met = false;                        // the lanes of each warp have met since
    const OperationRow* storedBy = nullptr;  // of a tile that a warp stores
    auto operator<=>(const Touch&) const = default;
  };
  std::set<Touch> touches;
  // The allocations that share bytes with others and were accessed, and whether they were written.
  std::set<std::pair<const Allocation*, bool>> sharing;
  bool operator==(const Pending&) const = default;
  void merge(const Pending& other) {
    touches.insert(other.touches.begin(), other.touches.end());
    sharing.insert(other.sharing.begin(), other.sharing.end());
  }
};

class Verifier {
 public:
  Verifier(const Kernel& kernel, unsigned given) : kernel_(kernel), given_(given) {
    for (int axis = 0; axis < 3; ++axis) {
      bind(kernel.threadIdx[axis], ir::intImm(kernel.block[axis]));
      bind(kernel.blockIdx[axis], kernel.gridExtent(axis));
    }
    for (const Allocation& a : kernel.allocations) allocations_[a.buffer.get()] = &a;
  }

  Result<void> run() {
    if (given_ & form::kPlanned) {
      sharedMemory();
      inTurn();
    }
    if (auto declared = checkDeclared(kernel_); !declared) breach(declared.error().message);
    walk(kernel_.body);
    if (broken_.empty() && (given_ & form::kOrdered) && kernel_.threads() > 1) ordered();
    if (broken_.empty()) return {};
    return fail("BadProgram", message("kernel {}: {}", kernel_.name, broken_), Forbids::Environment);
  }

 private:
  // Null for a parameter.
  const Allocation* allocationOf(const Buffer& b) const {
    const auto found = allocations_.find(b.get());
    return found == allocations_.end() ? nullptr : found->second;
  }
  void breach(Message what) {
    if (broken_.empty()) broken_ = block_.empty() ? std::move(what) : message("block {}: {}", block_, std::move(what));
  }
  void bind(const Var& var, const Expr& extent) {
    analyzer_.bind(var, ir::Range{ir::intImm(0, var->dtype), extent}, true);
  }

  void sharedMemory() {
    std::vector<const Allocation*> shared;
    for (const Allocation& a : kernel_.allocations)
      if (isShared(a.memory)) shared.push_back(&a);
    for (const Allocation* a : shared) {
      const bool within = std::ranges::any_of(shared, [&](const Allocation* b) {
        return a != b && !a->mayLieIn(*b) && b->offset <= a->offset && a->offset < b->offset + b->bytes();
      });
      if (within) breach(message("{} begins at byte {}, within another buffer", a->buffer->name, a->offset));
      if (a->offset % a->alignment != 0)
        breach(message("{} begins at byte {}, no multiple of {}", a->buffer->name, a->offset, a->alignment));
    }
  }

  // Buffers that lie in the same bytes are in use one after the other, by whole statements of the kernel. Where threads
  // wait at an mbarrier in between, these are of several roles, and `ordered` alone knows.
  void inTurn() {
    std::vector<Stmt> stmts;
    collectInOrder(kernel_.body, stmts);
    std::map<const Allocation*, std::pair<std::size_t, std::size_t>> uses;  // the first and the last statement
    for (std::size_t n = 0; n < stmts.size(); ++n) {
      forEach(stmts[n], [&](const Stmt& s) {
        const Effects effects = effectsOf(s);
        for (const MemoryEffect& e : effects.memory)
          if (const Allocation* a = allocationOf(e.place.buffer); a && a->phase > 0)
            uses.try_emplace(a, n, n).first->second.second = n;
        return true;
      });
    }
    for (const auto& [a, one] : uses) {
      for (const auto& [b, other] : uses) {
        if (!a->needsMeeting(*b) || !a->meets(*b)) continue;
        if (one.first <= other.second && other.first <= one.second)
          breach(message("{} and {} lie in the same bytes and are in use at a time", a->buffer->name, b->buffer->name));
      }
    }
  }

  // Which version is meant `barriers` alone knows, too.
  bool isRing(const Buffer& b) const {
    const Allocation* allocation = allocationOf(b);
    return allocation && !allocation->versions.empty();
  }

  // A tile is spread over elements that any thread of the block may have accessed, so that the threads meet in between
  // if one of both writes. Of single elements `barriers` alone knows which threads access them.
  void ordered() {
    Pending state;
    flow(kernel_.body, state, [this](const Stmt& s, Pending& pending) {
      if (s->kind != StmtKind::Store && s->kind != StmtKind::Operation && s->kind != StmtKind::Sync) return;
      const Effects effects = effectsOf(s);
      std::vector<Pending::Touch> own;
      for (const MemoryEffect& e : effects.memory)
        if (isShared(e.memory) && !isRing(e.place.buffer) && !isBeside(e.agent))
          own.push_back({e.place.buffer.get(), e.writes(), e.tile.has_value(), mayBeOfWarp(effects, e), false,
                         effects.group == Group::Warp && e.tile && e.writes() ? effects.row : nullptr});
      for (const Pending::Touch& now : own) {
        for (const Pending::Touch& before : pending.touches) {
          // Whether each warp, and its threads, keep to its rows or tiles `barriers` alone knows, too.
          if (now.ofWarp && before.ofWarp && before.met) continue;
          if (now.storedBy && now.storedBy == before.storedBy) continue;
          if (now.buffer == before.buffer && (now.writes || before.writes) && (now.tile || before.tile))
            breach(now.writes ? message("a tile of {} is written before the threads have met", now.buffer->name)
                              : message("a tile of {} is read before the threads have met", now.buffer->name));
        }
      }
      oneAfterTheOther(effects, pending);
      if (s->kind == StmtKind::Sync) awaited(*as<SyncNode>(s), pending);
      if (meetsBlock(effects)) {
        pending.touches.clear();
        pending.sharing.clear();
      }
      if (s->kind == StmtKind::Sync && as<SyncNode>(s)->token == Token::WarpBarrier) {
        std::set<Pending::Touch> met;
        for (Pending::Touch touch : pending.touches) {
          touch.met = true;
          met.insert(touch);
        }
        pending.touches = std::move(met);
      }
      pending.touches.insert(own.begin(), own.end());
    });
  }

  // A warp stores its own rows of a warpgroup's sum, and its own tiles. Operands of a warpgroup are all its warps'.
  static bool mayBeOfWarp(const Effects& effects, const MemoryEffect& e) {
    if (!e.tile || effects.group == Group::Warp) return true;
    return effects.group == Group::Warpgroup && e.tile->operand == Operand::Accumulator;
  }

  // Of buffers that may lie in the same bytes the threads have met behind the one's use and before the other's.
  void oneAfterTheOther(const Effects& effects, Pending& pending) {
    std::set<std::pair<const Allocation*, bool>> own;
    for (const MemoryEffect& e : effects.memory) {
      const Allocation* allocation = allocationOf(e.place.buffer);
      if (!allocation || allocation->phase == 0) continue;
      for (const auto& [before, written] : pending.sharing)
        if (before->mayLieIn(*allocation) && (written || e.writes()))
          breach(message("{} is used, in bytes of another buffer, before the threads have met", e.place.buffer->name));
      own.emplace(allocation, e.writes());
    }
    pending.sharing.insert(own.begin(), own.end());
  }

  // Who has waited at the mbarrier that an allocation awaits may use it.
  void awaited(const SyncNode& sync, Pending& pending) const {
    if (sync.token != Token::Transfers || sync.does != SyncDoes::Wait) return;
    for (const Allocation& a : kernel_.allocations)
      if (a.awaits == sync.barrier && a.awaits >= 0)
        std::erase_if(pending.sharing, [&](const auto& use) { return use.first->mayLieIn(a); });
  }

  void walk(const Stmt& s) {
    if (!s || !broken_.empty()) return;
    const Effects effects = effectsOf(s);
    for (const MemoryEffect& effect : effects.memory) access(effect);
    if ((given_ & form::kGuarded) && !s->uncovered.none())
      breach(message("a statement is uncovered after guards were placed"));
    switch (s->kind) {
      case StmtKind::Loop: return loop(*as<LoopNode>(s));
      case StmtKind::If: return branch(*as<IfNode>(s));
      case StmtKind::Block: {
        const std::string outer = std::exchange(block_, as<BlockNode>(s)->name);
        walk(as<BlockNode>(s)->body);
        if (broken_.empty()) block_ = outer;
        return;
      }
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) walk(child);
        return;
      case StmtKind::Store: return store(*as<StoreNode>(s));
      case StmtKind::Operation: operation(*as<OperationNode>(s)); return together(effects.group);
      case StmtKind::Sync: return together(effects.group);
    }
  }

  void loop(const LoopNode& n) {
    if ((given_ & form::kNoLanes) && n.use == LoopUse::Lanes)
      breach(message("loop {} is still to become lanes", n.var->name));
    if ((given_ & form::kNoVirtual) && n.use == LoopUse::Virtual)
      breach(message("loop {} is still one over virtual threads", n.var->name));
    if ((given_ & form::kNoOverlap) && n.overlap) breach(message("loop {} is still to become a pipeline", n.var->name));
    bind(n.var, n.extent);
    walk(n.body);
  }

  void branch(const IfNode& n) {
    conditions_.push_back(n.condition);
    walk(n.yes);
    walk(n.no);
    conditions_.pop_back();
  }

  void store(const StoreNode& n) {
    if ((given_ & form::kNoPromises) && n.asynchronous)
      breach(message("a store to {} is still to become a copy that is only started", n.to.buffer->name));
    if (n.value->dtype.lanes != n.to.lanes)
      breach(message("{} lanes are stored to {} of {}", n.value->dtype.lanes, n.to.lanes, n.to.buffer->name));
  }

  void access(const MemoryEffect& effect) {
    const BufferPlace& place = effect.place;
    const Allocation* allocation = allocationOf(place.buffer);
    const std::size_t versions = allocation ? allocation->versions.size() : 0;
    const std::size_t wanted = given_ & form::kFlat ? 1 : versions + (place.byOffset ? 1 : place.buffer->shape.size());
    if (place.at.size() != wanted)
      return breach(message("{} is accessed by {} indices, not {}", place.buffer->name, place.at.size(), wanted));
    if (!(given_ & form::kSound) || given_ & form::kFlat || place.byOffset) return;
    for (std::size_t d = 0; d < place.buffer->shape.size(); ++d) inside(place, place.at[versions + d], d);
  }
  // Conditions around are not asked: an index that is outside whatever its variables are can't be meant.
  void inside(const BufferPlace& place, const Expr& index, std::size_t dimension) {
    if (index->dtype.lanes > 1) return;
    const arith::ConstIntBound bound = analyzer_.constIntBound(index);
    const std::int64_t extent = ir::constantOr(place.buffer->shape[dimension], arith::kPosInf);
    if (bound.max < 0 || bound.min >= extent)
      breach(message("an index of {} is never within dimension {}, which has {} elements", place.buffer->name,
                     dimension, extent));
  }

  void operation(const OperationNode& n) {
    if (n.places.size() != n.row->operands.size() || n.values.size() != n.row->values.size())
      return breach(message("{} takes {} operands and {} values, not {} and {}", n.row->name, n.row->operands.size(),
                            n.row->values.size(), n.places.size(), n.values.size()));
    for (std::size_t i = 0; i < n.places.size(); ++i) operand(n, n.row->operands[i], n.places[i]);
  }
  void operand(const OperationNode& n, const OperandRow& row, const BufferPlace& place) {
    const Memory memory = memoryOf(place.buffer->scope).value_or(Memory::Local);
    const bool wrong = row.where == OperandRow::Where::Global   ? memory != Memory::Global
                       : row.where == OperandRow::Where::Shared ? !isShared(memory)
                       : row.inMemory()                         ? memory == Memory::Fragment
                       : row.isSpan()                           ? memory != Memory::Local
                                                                : memory != Memory::Fragment;
    if (wrong) return breach(message("{} of {} lies in {} memory", row.name, n.row->name, nameOf(memory)));
    if (const std::int64_t bytes = ir::bytesOf(place.buffer->dtype, place.lanes); row.isSpan() && bytes != row.bytes)
      return breach(
          message("{} of {} are {} bytes of {}, not {}", row.name, n.row->name, bytes, place.buffer->name, row.bytes));
    const Allocation* allocation = allocationOf(place.buffer);
    if (row.inMemory() || row.isSpan() || !allocation) return;
    const auto& shape = allocation->fragment;
    const int columns = n.row->tile.columns(row.operand);
    const bool fits = shape && (row.first < 0 ? shape->columns() == columns : shape->columns() % columns == 0);
    if (!fits || shape->operand != row.operand || shape->rows() != n.row->tile.rows(row.operand))
      breach(message("{} isn't what {} takes as {}", place.buffer->name, n.row->name, row.name));
  }

  // The threads of a group that executes a statement together all take the branches around it. Asked of the warps of
  // the first block, of conditions whose value is known there.
  void together(Group group) {
    if (group == Group::Thread || !(given_ & form::kSound)) return;
    const int warps = int((kernel_.threads() + kLanes - 1) / kLanes);
    const int each = group == Group::Warp ? 1 : group == Group::Warpgroup ? kWarpsOfGroup : warps;  // of a group
    for (const Expr& condition : conditions_) {
      std::int64_t first = 0;  // the value in the group's first warp
      for (int warp = 0; warp < warps; ++warp) {
        WarpState state;
        state.place(kernel_, 0, warp);
        const auto values = state.evaluate(condition);
        if (!values) break;
        const int lanes = int(std::min<std::int64_t>(kLanes, kernel_.threads() - std::int64_t{warp} * kLanes));
        for (int lane = 1; lane < lanes; ++lane)
          if (((*values)[lane] != 0) != ((*values)[0] != 0))
            return breach(message("a condition parts the lanes of a warp"));
        const std::int64_t here = (*values)[0] != 0;
        if (warp % each == 0) first = here;
        if (here != first)
          return breach(group == Group::Warpgroup ? message("a condition parts the warps of a warpgroup")
                                                  : message("a condition parts the warps that wait for each other"));
      }
    }
  }

  const Kernel& kernel_;
  const unsigned given_;
  arith::Analyzer analyzer_;
  std::unordered_map<const ir::BufferNode*, const Allocation*> allocations_;
  std::vector<Expr> conditions_;
  std::string block_;
  Message broken_;
};

}  // namespace

Result<void> verify(const Kernel& kernel, unsigned given) { return Verifier(kernel, given).run(); }

}  // namespace loom::device
