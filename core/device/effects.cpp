#include "core/device/effects.h"

#include <algorithm>

#include "core/device/cluster_memory.h"
#include "core/device/packed_tile.h"
#include "core/ir/build.h"
#include "core/ir/packed.h"

namespace loom::device {
namespace {

using ir::ExprKind;

constexpr std::size_t kUsualEffects = 4;  // of a statement: a sum of products reads three elements and writes one

using Conditions = std::vector<std::pair<Expr, bool>>;

// The loads of a statement or an expression, in the order in which they are evaluated: `onLoad` is called for each with
// the load, the block of the cluster that it is from (null: the own one) and the conditions of if_then_else around it.
template <class OnLoad>
class Loads {
 public:
  explicit Loads(OnLoad onLoad) : onLoad_(std::move(onLoad)) {}

  void in(const StmtNode& s) {
    switch (s.kind) {
      case StmtKind::Loop: return in(static_cast<const LoopNode&>(s).extent);
      case StmtKind::If: return in(static_cast<const IfNode&>(s).condition);
      case StmtKind::Store: {
        const auto& n = static_cast<const StoreNode&>(s);
        for (const Expr& index : n.to.at) in(index);
        return in(n.value);
      }
      case StmtKind::Operation: {
        const auto& n = static_cast<const OperationNode&>(s);
        for (const BufferPlace& place : n.places)
          for (const Expr& index : place.at) in(index);
        for (const Expr& value : n.values) in(value);
        return;
      }
      case StmtKind::Sync: {
        const auto& n = static_cast<const SyncNode&>(s);
        for (const Expr* e : {&n.slot, &n.phase, &n.target}) in(*e);
        return;
      }
      case StmtKind::Seq:
      case StmtKind::Block: return;
    }
  }

 private:
  // Those in the branches of if_then_else under their condition.
  void in(const Expr& e) {
    if (!e) return;
    if (auto* b = ir::asBinary(e)) {
      in(b->a);
      in(b->b);
      return;
    }
    switch (e->kind) {
      case ExprKind::Load: return load(*ir::as<ir::LoadNode>(e), {});
      case ExprKind::Call: return call(*ir::asCall(e));
      case ExprKind::Not: return in(ir::as<ir::NotNode>(e)->a);
      case ExprKind::Cast: return in(ir::as<ir::CastNode>(e)->value);
      case ExprKind::Select: {
        const auto& n = *ir::as<ir::SelectNode>(e);
        for (const Expr* x : {&n.condition, &n.yes, &n.no}) in(*x);
        return;
      }
      case ExprKind::Ramp: in(ir::as<ir::RampNode>(e)->base); return in(ir::as<ir::RampNode>(e)->stride);
      case ExprKind::Broadcast: return in(ir::as<ir::BroadcastNode>(e)->value);
      case ExprKind::Let: in(ir::as<ir::LetNode>(e)->value); return in(ir::as<ir::LetNode>(e)->body);
      default: return;
    }
  }
  void load(const ir::LoadNode& n, const Expr& block) {
    for (const Expr& index : n.indices) in(index);
    onLoad_(n, block, conditions_);
  }
  void call(const ir::CallNode& n) {
    if (n.op == kInBlock) {
      in(n.args[1]);
      return load(*ir::asLoad(n.args[0]), n.args[1]);
    }
    if (n.op != "if_then_else" || n.args.size() != 3) {
      for (const Expr& argument : n.args) in(argument);
      return;
    }
    in(n.args[0]);
    conditions_.emplace_back(n.args[0], true);
    in(n.args[1]);
    conditions_.back().second = false;
    in(n.args[2]);
    conditions_.pop_back();
  }

  const OnLoad onLoad_;
  Conditions conditions_;
};

// The places of an operation in the order of its effects: those that are read before those that are written. Calls
// use(index of the operand, whether it is written).
template <class Use>
void forEachOperand(const OperationNode& n, const Use& use) {
  for (bool write : {false, true})
    for (std::size_t i = 0; i < n.places.size(); ++i)
      if (n.row->operands[i].written() == write) use(i, write);
}

class Collector {
 public:
  Effects out;

  void statement(const Stmt& s) {
    Loads([this](const ir::LoadNode& n, const Expr& block, const Conditions& conditions) {
      add(MemoryEffect::Does::Read, {n.buffer, n.indices, n.dtype.lanes, false}, block).conditions = conditions;
    }).in(*s);
    switch (s->kind) {
      case StmtKind::Store: return store(*as<StoreNode>(s));
      case StmtKind::Operation: return operation(*as<OperationNode>(s));
      case StmtKind::Sync: return sync(*as<SyncNode>(s));
      case StmtKind::Loop:
      case StmtKind::If:
      case StmtKind::Seq:
      case StmtKind::Block: return;
    }
  }

 private:
  void sync(const SyncNode& n) {
    const TokenRow& row = rowOf(n.token);
    const bool waits = n.does == SyncNode::Does::Wait;
    out.group = row.group;
    if (waits) {
      out.awaits = {row.token};
      out.landed = n.landed;
    }
    if (row.byArrival || n.does == SyncNode::Does::Commit || n.does == SyncNode::Does::Expect ||
        n.does == SyncNode::Does::Arrive)
      out.signals = {row.token};
    if (!waits && out.signals.empty()) out.fences = {row.token};
  }

  void store(const StoreNode& n) {
    const bool repeatable = std::none_of(out.memory.begin(), out.memory.end(),
                                         [&](const MemoryEffect& e) { return e.place.buffer == n.to.buffer; });
    add(MemoryEffect::Does::Write, n.to).repeatable = repeatable;
  }

  void operation(const OperationNode& n) {
    out.group = n.row->group;
    out.row = n.row;
    if (n.row->completes) out.signals = {*n.row->completes};
    forEachOperand(n, [&](std::size_t i, bool write) {
      const OperandRow& operand = n.row->operands[i];
      MemoryEffect& effect = add(write ? MemoryEffect::Does::Write : MemoryEffect::Does::Read, n.places[i]);
      effect.operand = int(i);
      effect.agent = n.row->agent;
      effect.completes = n.row->completes;
      if (!write && n.row->readsIf >= 0) effect.conditions.emplace_back(n.values[std::size_t(n.row->readsIf)], true);
      if (operand.isSpan()) return;
      MemoryTile tile{operand.operand,
                      n.row->tile.rows(operand.operand),
                      n.row->tile.columns(operand.operand),
                      {},
                      operand.rowMajor};
      if (operand.boxed) {
        tile.rows = int(n.places[i].box[0]);
        tile.columns = int(n.places[i].box[1]);
      }
      if (!operand.rowMajor) std::swap(tile.rows, tile.columns);
      if (operand.inMemory()) tile.leading = n.values[std::size_t(operand.leading)];
      if (const auto held = operand.inMemory() ? packedIn(n, n.places[i]) : std::nullopt) {
        const int per = ir::perByte(*held);
        tile.columns /= per;
        tile.leading = ir::floordiv(tile.leading, ir::intImm(per, tile.leading->dtype));
      }
      effect.tile = tile;
    });
  }

  MemoryEffect& add(MemoryEffect::Does does, BufferPlace place, const Expr& block = {}) {
    if (out.memory.empty()) out.memory.reserve(kUsualEffects);
    MemoryEffect& e = out.memory.emplace_back();
    e.does = does;
    e.inBlock = block ? block : place.byOffset ? Expr() : sliceOf(place.buffer, place.at);
    e.memory = memoryOf(place.buffer->scope).value_or(Memory::Local);
    e.place = std::move(place);
    return e;
  }
};

void addOnce(std::vector<const ir::BufferNode*>& all, const ir::BufferNode* b) {
  if (std::find(all.begin(), all.end(), b) == all.end()) all.push_back(b);
}

}  // namespace

Effects effectsOf(const Stmt& statement) {
  Collector collector;
  collector.statement(statement);
  return std::move(collector.out);
}

void forEachAccess(const Stmt& statement, const std::function<void(const BufferAccess&)>& f) {
  Loads([&](const ir::LoadNode& n, const Expr& block, const Conditions&) {
    f({n.buffer, n.dtype.lanes, false, block || sliceOf(n.buffer, n.indices)});
  }).in(*statement);
  const auto place = [&](const BufferPlace& p, bool writes) {
    f({p.buffer, p.lanes, writes, !p.byOffset && sliceOf(p.buffer, p.at)});
  };
  if (statement->kind == StmtKind::Store) {
    place(as<StoreNode>(statement)->to, true);
  } else if (statement->kind == StmtKind::Operation) {
    const auto& n = *as<OperationNode>(statement);
    forEachOperand(n, [&](std::size_t i, bool write) { place(n.places[i], write); });
  }
}

bool meetsBlock(const Effects& effects) {
  return std::ranges::any_of(effects.awaits, [](Token token) {
    const TokenRow& row = rowOf(token);
    return row.byArrival && row.forAll && (row.group == Group::Block || row.group == Group::Cluster);
  });
}

bool meetsCluster(const Effects& effects) {
  return std::ranges::any_of(effects.awaits, [](Token token) {
    const TokenRow& row = rowOf(token);
    return row.byArrival && row.forAll && row.group == Group::Cluster;
  });
}

std::vector<std::string_view> preamblesOf(const Stmt& statement) {
  std::vector<std::string_view> all;
  auto add = [&](std::string_view preamble) {
    if (!preamble.empty() && std::ranges::find(all, preamble) == all.end()) all.push_back(preamble);
  };
  forEach(statement, [&](const Stmt& s) {
    if (s->kind == StmtKind::Operation) add(as<OperationNode>(s)->row->preamble);
    forEachAccess(s, [&](const BufferAccess& a) {
      if (!a.inBlock) return;
      add(kClusterLoadPreamble);
      if (a.buffer->dtype.bytes() == 1) add(kClusterLoadBytePreamble);
    });
    if (s->kind != StmtKind::Operation && s->kind != StmtKind::Sync) return true;
    const Effects effects = effectsOf(s);
    for (Token token : effects.signals) add(rowOf(token).preamble);
    for (Token token : effects.awaits) add(rowOf(token).preamble);
    for (Token token : effects.fences) add(rowOf(token).preamble);
    if (s->kind != StmtKind::Sync) return true;
    const auto& sync = *as<SyncNode>(s);
    if (sync.phase) add(rowOf(sync.token).preambleOfPhase);
    if (sync.target) add(rowOf(sync.token).preambleOfTarget);
    return true;
  });
  return all;
}

BufferUses usesOf(const Stmt& statement) {
  BufferUses uses;
  forEach(statement, [&](const Stmt& s) {
    forEachAccess(s, [&](const BufferAccess& a) { addOnce(a.writes ? uses.written : uses.read, a.buffer.get()); });
    return true;
  });
  return uses;
}

}  // namespace loom::device
