// Memory of a warp becomes memory of its lanes: registers.
#include <optional>
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"
#include "core/lower/instance.h"
#include "core/lower/launch.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;
using layout::Operand;

constexpr std::int64_t kLanes = 32;

Expr div(const Expr& e, std::int64_t by) { return floordiv(e, intImm(by, e->dtype)); }
Expr mod(const Expr& e, std::int64_t by) { return floormod(e, intImm(by, e->dtype)); }

// A buffer that a warp's lanes hold together, and the array of each lane that stands for it.
struct Held {
  Buffer whole, own;
  std::optional<Operand> matrix;  // of the scopes m16n8k8.…, whose buffers are matrices; none: [..., lane, register]
  std::int64_t rows = 0, last = 0;  // of a matrix: rows of one, columns; else registers of a lane
};

std::optional<Held> heldBy(const Buffer& b) {
  const auto* scope = layout::findFragmentScope(b->scope);
  const bool matrix = scope && scope->family() == "m16n8k8";
  const std::size_t n = b->shape.size();
  if ((!matrix && b->scope != "warp") || n < 2 || !b->strides.empty()) return std::nullopt;
  std::int64_t elements = 1;
  for (const Expr& extent : b->shape) {
    if (!asInt(extent)) return std::nullopt;
    elements *= asInt(extent)->value;
  }
  Held h{b, nullptr, {}, asInt(b->shape[n - 2])->value, asInt(b->shape[n - 1])->value};
  if (matrix) {
    h.matrix = scope->operand;
    // Whole loads of 32 × 8 and 8 × 32, and whole sums of 16 × 8.
    const int down = *h.matrix == Operand::A ? 32 : *h.matrix == Operand::B ? 8 : 16;
    if (h.rows % down != 0 || h.last % (*h.matrix == Operand::B ? 32 : 8) != 0) return std::nullopt;
  } else if (h.rows != kLanes) {
    return std::nullopt;
  }
  h.own = edit(*b, [&](BufferNode& own) {
    own.scope = "local";
    own.shape = {intImm(elements / kLanes, b->shape[0]->dtype)};
    own.elemOffset = intImm(0, b->shape[0]->dtype);
  });
  return h;
}

class Registers : public Mutator {
 public:
  Registers(const Stmt& s, const std::vector<Symbol>& symbols) {
    bindSymbols(analyzer_, symbols);
    forEachStmt(s, [&](const Stmt& inner) {
      if (auto* r = asRealize(inner)) {
        for (const Buffer& b : r->block->allocs) add(b);
      }
      return true;
    });
  }
  std::optional<Error> error;
  std::vector<device::Remark> remarks;
  bool none() const { return held_.empty() && !error; }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    if (Stmt parts = lane_ ? nullptr : overLanes(s)) return rewrite(parts);
    const auto& n = *asFor(s);
    analyzer_.bind(n.var, Range{n.min, n.extent}, true);
    const bool lanes = n.forKind == ForKind::ThreadBinding && isThreadIdx(n.thread) && axisOf(n.thread) == 0;
    const Expr outer = lane_;
    if (lanes) lane_ = isConst(n.extent, kLanes) ? Expr(n.var) : mod(n.var, kLanes);
    Stmt inner = Mutator::rewriteFor(s);
    lane_ = outer;
    return inner;
  }
  Block rewriteBlock(const Block& b) override {
    const Block outer = block_;
    if (!b->name.empty()) block_ = b;
    Block inner = Mutator::rewriteBlock(b);
    block_ = outer;
    return edit(*inner, [&](BlockNode& n) {
      for (Buffer& a : n.allocs)
        if (const Held* h = find(a)) a = h->own;
    });
  }
  // What a block declares to touch stays as it is said.
  Expr rewriteLoad(const Expr& e) override {
    const auto& l = *as<LoadNode>(e);
    const Held* h = find(l.buffer);
    return h ? load(h->own, {element(*h, l.indices)}) : Mutator::rewriteLoad(e);
  }
  Stmt rewriteStore(const Stmt& s) override {
    const auto& n = *as<StoreNode>(s);
    const Held* h = find(n.buffer);
    return h ? store(h->own, rewrite(n.value), {element(*h, n.indices)}) : Mutator::rewriteStore(s);
  }
  // Calls that take a buffer's data take the number of the first element behind it.
  Expr rewriteCall(const Expr& e) override {
    const auto& c = *asCall(e);
    std::vector<Expr> args = c.args;
    bool changed = false;
    for (std::size_t i = 0; i + 1 < args.size(); ++i) {
      const auto* data = asVar(args[i]);
      const auto found = data ? byData_.find(data) : byData_.end();
      if (found == byData_.end()) continue;
      args[i + 1] = first(held_.at(found->second), args[i + 1], c);
      changed = true;
    }
    return changed ? call(c.dtype, c.op, std::move(args)) : Mutator::rewriteCall(e);
  }

 private:
  void add(const Buffer& b) {
    const auto* scope = layout::findFragmentScope(b->scope);
    if (b->scope != "warp" && !(scope && scope->family() == "m16n8k8")) return;
    if (auto h = heldBy(b)) {
      byData_[b->data.get()] = b.get();
      held_.emplace(b.get(), std::move(*h));
    } else if (b->scope == "warp") {
      refuse(message("{} is spread over the registers of a warp, as {} × registers of a lane in its last two "
                     "dimensions; it has other ones",
                     b->name, kLanes),
             b, message("sch.transform_layout of {} with the map of the intrinsic that fills it", b->name));
    } else {
      refuse(
          message("{} isn't whole tiles of {}: A is loaded by 32 × 8, B by 8 × 32, sums are 16 × 8", b->name, b->scope),
          b, {});
    }
  }
  const Held* find(const Buffer& b) const {
    const auto found = held_.find(b.get());
    return found == held_.end() ? nullptr : &found->second;
  }
  void refuse(Message why, const Buffer& b, Message remedy) {
    std::vector<Id> subjects;
    if (block_) subjects.push_back(block_->id);
    subjects.push_back(b->id);
    if (!error) error = notAKernel(std::move(why), std::move(subjects), std::move(remedy), Forbids::Hardware).value();
  }

  // Loops over the rows and columns of sums that no loop over lanes is around, as TVM describes their store: each lane
  // takes its own elements, pairs of a row. Null for other loops.
  Stmt overLanes(const Stmt& s) const {
    const auto& rows = *asFor(s);
    const auto* columns = asFor(rows.body);
    const auto *down = asInt(rows.extent), *across = columns ? asInt(columns->extent) : nullptr;
    if (!down || !across || rows.forKind != ForKind::Serial || columns->forKind != ForKind::Serial ||
        down->value % 8 != 0 || across->value % 8 != 0)
      return nullptr;
    const bool sums = std::ranges::any_of(loadsIn(columns->body), [&](const LoadNode* l) {
      const Held* h = find(l->buffer);
      return h && h->matrix == Operand::Accumulator;
    });
    if (!sums) return nullptr;
    const DType t = rows.var->dtype;
    const Var lane = makeVar("tx", t), eight = makeVar(rows.var->name, t), pairs = makeVar(columns->var->name, t),
              side = makeVar("side", t);
    Stmt body = substitute(columns->body,
                           VarMap{{rows.var.get(), rows.min + Expr(eight) * 8 + div(lane, 4)},
                                  {columns->var.get(), columns->min + (across->value > 8 ? Expr(pairs) * 8 : zero(t)) +
                                                           mod(lane, 4) * 2 + Expr(side)}});
    auto loop = [](const ForNode& as, const Var& var, std::int64_t extent, Stmt inner, ForKind kind = ForKind::Serial) {
      return edit(as, [&](ForNode& n) {
        n.var = var;
        n.min = intImm(0, var->dtype);
        n.extent = intImm(extent, var->dtype);
        n.forKind = kind;
        n.thread = kind == ForKind::ThreadBinding ? "threadIdx.x" : "";
        n.body = std::move(inner);
      });
    };
    body = loop(*columns, side, 2, std::move(body), ForKind::Vectorized);
    if (across->value > 8) body = loop(*columns, pairs, across->value / 8, std::move(body));
    body = loop(rows, eight, down->value / 8, std::move(body));
    return loop(rows, lane, kLanes, std::move(body), ForKind::ThreadBinding);
  }

  // The element of the lane's array that is the buffer's at these indices.
  Expr element(const Held& h, const std::vector<Expr>& indices) {
    std::vector<Expr> at;
    for (const Expr& index : indices) at.push_back(rewrite(index));
    const std::size_t n = at.size();
    Expr outer = intImm(0, at[0]->dtype);
    for (std::size_t d = 0; d + 2 < n; ++d) outer = outer * h.whole->shape[d] + at[d];
    Expr lane, own;
    if (!h.matrix) {
      lane = at[n - 2];
      own = outer * h.last + at[n - 1];
    } else {
      // TVM 0.22, index_map_m16n8k8.matrixC. What loads fill is nobody's to index.
      const Expr row = outer * h.rows + at[n - 2], &column = at[n - 1];
      lane = mod(row, 8) * 4 + div(mod(column, 8), 2);
      own = (div(row, 16) * (h.last / 8) + div(column, 8)) * 4 + div(mod(row, 16), 8) * 2 + mod(column, 2);
    }
    const bool mine = lane_ && (!h.matrix || *h.matrix == Operand::Accumulator) && analyzer_.canProveEqual(lane, lane_);
    if (!mine) {
      refuse(block_ ? message("block {} uses an element of {} that another lane may hold: its registers are each "
                              "lane's own",
                              block_->name, h.whole->name)
                    : message("the program uses an element of {} that another lane may hold: its registers are each "
                              "lane's own",
                              h.whole->name),
             h.whole, message("sch.tensorize of the block with an intrinsic of ldmatrix, mma, fill or store"));
    }
    return analyzer_.simplify(own);
  }

  // Of a call's operand: the element of the lane's array where it begins.
  Expr first(const Held& h, const Expr& offset, const CallNode& c) {
    // Of matrices TVM's intrinsics count what a lane holds, but pairs of sums, which its own code takes for single
    // ones.
    if (h.matrix) {
      const bool pairs = *h.matrix == Operand::Accumulator;
      if (pairs && constantOr(h.own->shape[0], 0) > 4) {
        device::addRemark(remarks,
                          {message("TVM 0.22 counts the sums of m16n8k8 in pairs and takes the number for one of "
                                   "elements, so that tiles of {} overlap in its kernel; here they don't",
                                   h.whole->name),
                           block_ ? std::vector<Id>{block_->id} : std::vector<Id>{}});
      }
      return analyzer_.simplify(pairs ? offset * 2 : offset);
    }
    const std::int64_t row = kLanes * h.last;
    const Expr lane = mod(div(offset, h.last), kLanes);
    if (!lane_ || !analyzer_.canProveEqual(lane, lane_)) {
      refuse(message("T.{} takes registers of {} that another lane may hold", c.op, h.whole->name), h.whole, {});
    }
    return analyzer_.simplify(div(offset, row) * h.last + mod(offset, h.last));
  }

  std::unordered_map<const BufferNode*, Held> held_;
  std::unordered_map<const VarNode*, const BufferNode*> byData_;
  arith::Analyzer analyzer_;
  Expr lane_;  // the number of the lane that executes the current statement; null outside of loops over lanes
  Block block_;
};

}  // namespace

Result<Stmt> warpRegisters(const Stmt& s, const std::vector<Symbol>& symbols, std::vector<device::Remark>& remarks) {
  Registers registers(s, symbols);
  if (registers.none()) return s;
  Stmt result = registers.rewrite(s);
  if (registers.error) return Failure(*registers.error);
  for (device::Remark& r : registers.remarks) device::addRemark(remarks, std::move(r));
  return result;
}

}  // namespace loom::lower
