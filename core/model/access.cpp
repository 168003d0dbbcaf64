#include "core/model/access.h"

#include <unordered_set>

#include "core/ir/packed.h"
#include "core/ir/visit.h"

namespace loom::model {
namespace {

using namespace device;
using ir::ExprKind;

class Collector {
 public:
  explicit Collector(const Kernel& kernel) {
    out_.kernel = &kernel;
    stmt(kernel.body);
  }
  KernelAccesses out_;

 private:
  template <class T>
  void place(T& item, const StmtNode* statement) const {
    item.loops = loops_;
    item.guards = guards_;
    item.block = block_;
    item.blockName = blockName_;
    item.statement = statement;
    item.phase = int(out_.barriers.size());
  }

  // Effects in their order: reads, then writes.
  void accesses(const Stmt& s) {
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      const std::size_t outer = guards_.size();
      for (const auto& [condition, holds] : effect.conditions) guards_.push_back({condition, holds, false});
      access(effect, *s);
      guards_.resize(outer);
    }
  }
  void access(const MemoryEffect& effect, const StmtNode& statement) {
    const Buffer& buffer = effect.place.buffer;
    const Expr& index = effect.place.index();
    Access a;
    static_cast<MemoryEffect&>(a) = effect;
    a.buffer = buffer;
    a.write = effect.writes();
    a.bytes = buffer->dtype.bytes();
    // A fragment's registers are nobody's line of the loop nest.
    if (a.memory != Memory::Fragment || !a.tile) a.origin = statement.origin;
    if (index->kind != ExprKind::Ramp) {
      a.index = index->kind == ExprKind::Broadcast ? ir::as<ir::BroadcastNode>(index)->value : index;
      place(a, &statement);
      out_.accesses.push_back(std::move(a));
      return;
    }
    const auto& ramp = *ir::as<ir::RampNode>(index);
    a.index = ramp.base;
    if (ir::isConst(ramp.stride, 1)) {
      a.elements = index->dtype.lanes;
      place(a, &statement);
      out_.accesses.push_back(std::move(a));
      return;
    }
    // Elements that don't lie side by side are accesses of their own.
    for (int lane = 0; lane < index->dtype.lanes; ++lane) {
      auto number = std::make_shared<ir::IntImmNode>(lane, ramp.base->dtype);
      auto step = std::make_shared<ir::BinaryNode>(ExprKind::Mul, ramp.stride, number, ramp.base->dtype);
      a.index = std::make_shared<ir::BinaryNode>(ExprKind::Add, ramp.base, step, ramp.base->dtype);
      place(a, &statement);
      out_.accesses.push_back(a);
    }
  }

  static double flopsOf(const Expr& e) {
    double n = 0;
    ir::forEachExpr(e, [&](const Expr& x) {
      bool arithmetic = x->kind == ExprKind::Add || x->kind == ExprKind::Sub || x->kind == ExprKind::Mul ||
                        x->kind == ExprKind::Div || x->kind == ExprKind::Min || x->kind == ExprKind::Max;
      if (arithmetic && x->dtype.isFloat()) n += x->dtype.lanes;
      auto* call = ir::asCall(x);
      if (const DotRow* dot = call ? dotOf(*call) : nullptr) n += dot->flops();
    });
    return n;
  }

  void operation(const Stmt& s) {
    const auto& n = *as<OperationNode>(s);
    if (n.row->multiplies()) {
      Work w;
      w.tensorFlops = n.row->flops() / warpsTogether(n);  // of one of its warps
      w.dtype = placeOf(n, "a")->buffer->dtype;
      w.product = &n;
      place(w, &n);
      out_.work.push_back(std::move(w));
    }
    accesses(s);
  }

  void barrier(const SyncNode& n) {
    BarrierInfo info;
    info.statement = &n;
    info.loops = loops_;
    info.guards = guards_;
    for (int l : loops_) {
      const LoopInfo& loop = out_.loops[std::size_t(l)];
      info.perBlock *= double(loop.extent);
      info.varies |= !loop.constant;
    }
    out_.barriers.push_back(std::move(info));
  }

  void stmt(const Stmt& s) {
    if (!s) return;
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& c : as<SeqNode>(s)->stmts) stmt(c);
        return;
      case StmtKind::Loop: {
        const auto& n = *as<LoopNode>(s);
        LoopInfo info;
        info.var = n.var;
        info.extent = ir::constantOr(n.extent, -1);
        info.constant = info.extent >= 0;
        if (!info.constant) info.extent = 1;
        info.id = n.origin.empty() ? ir::Id{} : n.origin.front();
        info.unroll = n.unrolled();
        info.parent = loops_.empty() ? -1 : loops_.back();
        info.statement = &n;
        loops_.push_back(int(out_.loops.size()));
        out_.loops.push_back(std::move(info));
        stmt(n.body);
        loops_.pop_back();
        return;
      }
      case StmtKind::If: {
        const auto& n = *as<IfNode>(s);
        accesses(s);
        guards_.push_back({n.condition, true, n.standsForAll});
        stmt(n.yes);
        guards_.back().holds = false;
        stmt(n.no);
        guards_.pop_back();
        return;
      }
      case StmtKind::Store: {
        const auto& n = *as<StoreNode>(s);
        accesses(s);
        if (double flops = flopsOf(n.value); flops > 0) {
          Work w;
          w.flops = flops;
          w.dtype = n.value->dtype.element();
          place(w, &n);
          out_.work.push_back(std::move(w));
        }
        return;
      }
      case StmtKind::Operation: return operation(s);
      case StmtKind::Sync:
        if (meetsBlock(effectsOf(s))) barrier(*as<SyncNode>(s));
        return;
      case StmtKind::Block: {
        const auto& n = *as<BlockNode>(s);
        auto outer = std::pair(block_, blockName_);
        block_ = n.block;
        blockName_ = n.name;
        stmt(n.body);
        std::tie(block_, blockName_) = outer;
        return;
      }
    }
  }

  std::vector<int> loops_;
  std::vector<Guard> guards_;
  ir::Id block_;
  std::string blockName_;
};

}  // namespace

device::Axes standsFor(const Kernel& kernel, const Guard& guard) {
  Axes axes;
  if (!guard.uncovered) return axes;
  struct Named : ir::Visitor {
    std::unordered_set<const ir::VarNode*> vars;
    void visitVar(const ir::VarNode& v) override { vars.insert(&v); }
  } named;
  named.ir::Visitor::visit(guard.condition);
  for (int axis = 0; axis < 3; ++axis) {
    if (named.vars.contains(kernel.threadIdx[axis].get())) axes.bits |= 1 << axis;
    if (named.vars.contains(kernel.blockIdx[axis].get())) axes.bits |= 1 << (3 + axis);
  }
  return axes;
}

KernelAccesses accessesOf(const Kernel& kernel) { return std::move(Collector(kernel).out_); }

bool movesByItself(const Access& access) { return device::isBeside(access.agent); }

int warpsTogether(const StmtNode& statement) {
  constexpr int kWarpsOfGroup = 4;
  if (statement.kind != StmtKind::Operation) return 1;
  return static_cast<const OperationNode&>(statement).row->group == Group::Warpgroup ? kWarpsOfGroup : 1;
}

double tileBytes(const OperationNode& product, std::string_view operand) {
  const int i = product.row->find(operand);
  if (i < 0) return 0;
  return double(product.row->tile.elements(product.row->operands[std::size_t(i)].operand)) *
         ir::bytesEach(product.places[std::size_t(i)].buffer->dtype);
}

Memory memoryOf(const Kernel& kernel, const ir::BufferNode* buffer) {
  for (const Allocation& a : kernel.allocations)
    if (a.buffer.get() == buffer || a.buffer->data == buffer->data) return a.memory;
  return Memory::Global;
}

}  // namespace loom::model
