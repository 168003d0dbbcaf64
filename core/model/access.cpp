#include "core/model/access.h"

#include <unordered_map>
#include <unordered_set>

#include "core/ir/called.h"
#include "core/ir/visit.h"

namespace loom::model {
namespace {

using namespace device;
using ir::ExprKind;

class Collector {
 public:
  explicit Collector(const Kernel& kernel) {
    out_.kernel = &kernel;
    for (const Allocation& a : kernel.allocations) {
      memory_[a.buffer.get()] = a.memory;
      byData_[a.buffer->data.get()] = a.memory;
    }
    stmt(kernel.body);
  }
  KernelAccesses out_;

 private:
  Memory memoryOf(const Buffer& b) const {
    if (auto at = memory_.find(b.get()); at != memory_.end()) return at->second;
    auto at = byData_.find(b->data.get());
    return at == byData_.end() ? Memory::Global : at->second;
  }

  template <class T>
  void place(T& item, const StmtNode* statement) const {
    item.loops = loops_;
    item.guards = guards_;
    item.block = block_;
    item.blockName = blockName_;
    item.statement = statement;
    item.phase = int(out_.barriers.size());
  }

  void access(const Buffer& buffer, const Expr& index, bool write, const StmtNode& statement) {
    Access a;
    a.buffer = buffer;
    a.memory = memoryOf(buffer);
    a.write = write;
    a.bytes = buffer->dtype.bytes();
    a.origin = statement.origin;
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

  // Loads of an expression; the branches of if_then_else under their condition.
  void loads(const Expr& e, const StmtNode& statement) {
    if (!e) return;
    if (auto* call = ir::asCall(e); call && call->op == "if_then_else" && call->args.size() == 3) {
      loads(call->args[0], statement);
      guards_.push_back({call->args[0], true, false});
      loads(call->args[1], statement);
      guards_.back().holds = false;
      loads(call->args[2], statement);
      guards_.pop_back();
      return;
    }
    if (auto* load = ir::asLoad(e)) {
      for (const Expr& i : load->indices) loads(i, statement);
      access(load->buffer, load->indices[0], false, statement);
      return;
    }
    if (auto* b = ir::asBinary(e)) {
      loads(b->a, statement);
      loads(b->b, statement);
      return;
    }
    switch (e->kind) {
      case ExprKind::Not: return loads(ir::as<ir::NotNode>(e)->a, statement);
      case ExprKind::Cast: return loads(ir::as<ir::CastNode>(e)->value, statement);
      case ExprKind::Select: {
        const auto& n = *ir::as<ir::SelectNode>(e);
        for (const Expr* x : {&n.condition, &n.yes, &n.no}) loads(*x, statement);
        return;
      }
      case ExprKind::Call:
        for (const Expr& a : ir::as<ir::CallNode>(e)->args) loads(a, statement);
        return;
      case ExprKind::Ramp: return loads(ir::as<ir::RampNode>(e)->base, statement);
      case ExprKind::Broadcast: return loads(ir::as<ir::BroadcastNode>(e)->value, statement);
      case ExprKind::Let:
        loads(ir::as<ir::LetNode>(e)->value, statement);
        return loads(ir::as<ir::LetNode>(e)->body, statement);
      default: return;
    }
  }

  static double flopsOf(const Expr& e) {
    double n = 0;
    ir::forEachExpr(e, [&](const Expr& x) {
      bool arithmetic = x->kind == ExprKind::Add || x->kind == ExprKind::Sub || x->kind == ExprKind::Mul ||
                        x->kind == ExprKind::Div || x->kind == ExprKind::Min || x->kind == ExprKind::Max;
      if (arithmetic && x->dtype.isFloat()) n += x->dtype.lanes;
      auto* call = ir::asCall(x);
      if (call && ir::isCallOf(*call, "__dp4a")) n += 8;  // four multiplications and additions
    });
    return n;
  }

  void wmma(const WmmaNode& n) {
    if (n.op == WmmaNode::Op::Mma) {
      Work w;
      w.tensorFlops = 2.0 * n.m * n.n * n.k;
      w.halfAccumulator = n.d.fragment->dtype.bits == 16;
      w.dtype = n.a.fragment->dtype;
      place(w, &n);
      out_.work.push_back(std::move(w));
    }
    if (n.op == WmmaNode::Op::Mma)
      for (const WmmaNode::Tile* t : {&n.a, &n.b, &n.c}) fragment(*t, false, n);
    if (n.op == WmmaNode::Op::Store) fragment(n.d, false, n);
    if (n.memory) tileAccess(n);
    if (n.op != WmmaNode::Op::Store) fragment(n.d, true, n);
  }

  // A whole fragment, in registers.
  void fragment(const WmmaNode::Tile& t, bool write, const WmmaNode& n) {
    Access a;
    a.buffer = t.fragment;
    a.memory = Memory::Fragment;
    a.write = write;
    a.index = t.index;
    a.bytes = t.fragment->dtype.bytes();
    Tile tile;
    tile.operand = operandOf(t.fragment);
    using Operand = FragmentShape::Operand;
    tile.rows = tile.operand == Operand::MatrixB ? n.k : n.m;
    tile.columns = tile.operand == Operand::MatrixA ? n.k : n.n;
    a.tile = tile;
    place(a, &n);
    out_.accesses.push_back(std::move(a));
  }

  FragmentShape::Operand operandOf(const Buffer& fragment) const {
    for (const Allocation& f : out_.kernel->allocations)
      if (f.buffer == fragment && f.fragment) return f.fragment->operand;
    return FragmentShape::Operand::Accumulator;
  }

  void tileAccess(const WmmaNode& n) {
    Access a;
    a.buffer = n.memory;
    a.memory = memoryOf(n.memory);
    a.write = n.op == WmmaNode::Op::Store;
    a.index = n.offset;
    a.bytes = n.memory->dtype.bytes();
    a.origin = n.origin;
    Tile t;
    t.operand = operandOf(n.d.fragment);
    using Operand = FragmentShape::Operand;
    int rows = t.operand == Operand::MatrixB ? n.k : n.m, columns = t.operand == Operand::MatrixA ? n.k : n.n;
    t.alongRows = n.rowMajor;
    t.rows = n.rowMajor ? rows : columns;
    t.columns = n.rowMajor ? columns : rows;
    t.leading = n.leading;
    a.tile = t;
    place(a, &n);
    out_.accesses.push_back(std::move(a));
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
        info.unroll = n.unroll;
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
        loads(n.condition, n);
        guards_.push_back({n.condition, true, n.uncovered});
        stmt(n.yes);
        guards_.back().holds = false;
        stmt(n.no);
        guards_.pop_back();
        return;
      }
      case StmtKind::Store: {
        const auto& n = *as<StoreNode>(s);
        loads(n.index, n);
        loads(n.value, n);
        access(n.buffer, n.index, true, n);
        if (double flops = flopsOf(n.value); flops > 0) {
          Work w;
          w.flops = flops;
          w.dtype = n.value->dtype.element();
          place(w, &n);
          out_.work.push_back(std::move(w));
        }
        return;
      }
      case StmtKind::Wmma: return wmma(*as<WmmaNode>(s));
      case StmtKind::Barrier: out_.barriers.push_back({loops_, guards_}); return;
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

  std::unordered_map<const ir::BufferNode*, Memory> memory_;
  std::unordered_map<const ir::VarNode*, Memory> byData_;
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

Memory memoryOf(const Kernel& kernel, const ir::BufferNode* buffer) {
  for (const Allocation& a : kernel.allocations)
    if (a.buffer.get() == buffer || a.buffer->data == buffer->data) return a.memory;
  return Memory::Global;
}

const char* nameOf(Memory memory) {
  static const char* kNames[] = {"global", "shared", "shared.dyn", "local", "fragment"};
  return kNames[int(memory)];
}

}  // namespace loom::model
