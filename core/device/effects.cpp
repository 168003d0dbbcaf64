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

class Collector {
 public:
  Effects out;

  void statement(const Stmt& s) {
    switch (s->kind) {
      case StmtKind::Loop: return reads(as<LoopNode>(s)->extent);
      case StmtKind::If: return reads(as<IfNode>(s)->condition);
      case StmtKind::Store: return store(*as<StoreNode>(s));
      case StmtKind::Operation: return operation(*as<OperationNode>(s));
      case StmtKind::Sync: return sync(*as<SyncNode>(s));
      case StmtKind::Seq:
      case StmtKind::Block: return;
    }
  }

 private:
  void sync(const SyncNode& n) {
    const TokenRow& row = rowOf(n.token);
    const bool waits = n.does == SyncNode::Does::Wait;
    out.group = row.group;
    reads(n.slot);
    reads(n.phase);
    reads(n.target);
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
    for (const Expr& index : n.to.at) reads(index);
    reads(n.value);
    const bool repeatable = std::none_of(out.memory.begin(), out.memory.end(),
                                         [&](const MemoryEffect& e) { return e.place.buffer == n.to.buffer; });
    add(MemoryEffect::Does::Write, n.to);
    out.memory.back().repeatable = repeatable;
  }

  void operation(const OperationNode& n) {
    out.group = n.row->group;
    out.row = n.row;
    if (n.row->completes) out.signals = {*n.row->completes};
    for (const BufferPlace& place : n.places)
      for (const Expr& index : place.at) reads(index);
    for (const Expr& value : n.values) reads(value);
    for (bool write : {false, true}) {
      for (std::size_t i = 0; i < n.places.size(); ++i) {
        const OperandRow& operand = n.row->operands[i];
        if (operand.written() != write) continue;
        add(write ? MemoryEffect::Does::Write : MemoryEffect::Does::Read, n.places[i]);
        MemoryEffect& effect = out.memory.back();
        effect.operand = int(i);
        effect.agent = n.row->agent;
        effect.completes = n.row->completes;
        if (!write && n.row->readsIf >= 0) effect.conditions.emplace_back(n.values[std::size_t(n.row->readsIf)], true);
        if (operand.isSpan()) continue;
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
      }
    }
  }

  void add(MemoryEffect::Does does, BufferPlace place, const Expr& block = {}) {
    if (out.memory.empty()) out.memory.reserve(kUsualEffects);
    MemoryEffect& e = out.memory.emplace_back();
    e.does = does;
    e.inBlock = block ? block : place.byOffset ? Expr() : sliceOf(place.buffer, place.at);
    e.memory = memoryOf(place.buffer->scope).value_or(Memory::Local);
    e.place = std::move(place);
    e.conditions = conditions_;
  }

  // Loads in the order in which they are evaluated; those in the branches of if_then_else under their condition.
  void reads(const Expr& e) {
    if (!e) return;
    if (auto* b = ir::asBinary(e)) {
      reads(b->a);
      reads(b->b);
      return;
    }
    switch (e->kind) {
      case ExprKind::Load: return load(*ir::as<ir::LoadNode>(e));
      case ExprKind::Call: return call(*ir::asCall(e));
      case ExprKind::Not: return reads(ir::as<ir::NotNode>(e)->a);
      case ExprKind::Cast: return reads(ir::as<ir::CastNode>(e)->value);
      case ExprKind::Select: {
        const auto& n = *ir::as<ir::SelectNode>(e);
        for (const Expr* x : {&n.condition, &n.yes, &n.no}) reads(*x);
        return;
      }
      case ExprKind::Ramp: reads(ir::as<ir::RampNode>(e)->base); return reads(ir::as<ir::RampNode>(e)->stride);
      case ExprKind::Broadcast: return reads(ir::as<ir::BroadcastNode>(e)->value);
      case ExprKind::Let: reads(ir::as<ir::LetNode>(e)->value); return reads(ir::as<ir::LetNode>(e)->body);
      default: return;
    }
  }
  void load(const ir::LoadNode& n, const Expr& block = {}) {
    for (const Expr& index : n.indices) reads(index);
    add(MemoryEffect::Does::Read, {n.buffer, n.indices, n.dtype.lanes, false}, block);
  }
  void call(const ir::CallNode& n) {
    if (n.op == kInBlock) {
      reads(n.args[1]);
      return load(*ir::asLoad(n.args[0]), n.args[1]);
    }
    if (n.op != "if_then_else" || n.args.size() != 3) {
      for (const Expr& argument : n.args) reads(argument);
      return;
    }
    reads(n.args[0]);
    conditions_.emplace_back(n.args[0], true);
    reads(n.args[1]);
    conditions_.back().second = false;
    reads(n.args[2]);
    conditions_.pop_back();
  }

  std::vector<std::pair<Expr, bool>> conditions_;
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
    const Effects effects = effectsOf(s);
    if (effects.row) add(effects.row->preamble);
    for (const MemoryEffect& e : effects.memory) {
      if (!e.inBlock) continue;
      add(kClusterLoadPreamble);
      if (e.place.buffer->dtype.bytes() == 1) add(kClusterLoadBytePreamble);
    }
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
    for (const MemoryEffect& e : effectsOf(s).memory)
      addOnce(e.writes() ? uses.written : uses.read, e.place.buffer.get());
    return true;
  });
  return uses;
}

}  // namespace loom::device
