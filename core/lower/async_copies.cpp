#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/packed.h"
#include "core/ir/visit.h"
#include "core/layout/request.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;

// Copies of 16 bytes pass L1 by, which is faster where the two that make a sector of 32 bytes land in one sector of
// shared memory. Where padding has rows begin in the midst of a sector, each is written in two parts, and going through
// L1 is faster: on an H100, f16, 1024 × 1024 × 1024, 15.1 → 12.7 µs with two slots of 64 × 64 tiles padded by 16 bytes,
// 12.8 → 9.4 with four of 128 × 64; of swizzled rows, 8.0 → 9.4 the other way. On an H200, rows padded by 16 or 48
// bytes gained 1.03 to 1.44 times (12 kernels), rows padded by 32 lost: 149 → 178, 102 → 109 and 91 → 94 µs at 2048.
// Rows shorter than a line of L1 in several slots lost, too: 0.97 times as fast in the mean of 17 kernels and 0.96 in
// that of four on CUDA cores, where 109 others gained 1.28 times (H200, f16, s8 and f32).
bool partsSectors(const Allocation& to) {
  std::int64_t pitch = 0;  // of a row, in bytes; 0: there is one row
  const std::vector<std::int64_t> strides = to.strides(), extents = to.extents();
  for (std::size_t d = 0; d < strides.size() && d < extents.size(); ++d) {
    const std::int64_t bytes = ir::bytesOf(to.buffer->dtype, strides[d]);
    if (extents[d] > 1 && strides[d] > 1 && (pitch == 0 || bytes < pitch)) pitch = bytes;
  }
  if (pitch == 0 || pitch % layout::kSectorBytes == 0 || layout::kSectorBytes % pitch == 0) return false;
  const std::int64_t slots = std::reduce(to.versions.begin(), to.versions.end(), std::int64_t{1}, std::multiplies<>());
  return slots == 1 || ir::bytesOf(to.buffer->dtype, extents.back()) >= layout::kLineBytes;
}

// Loads in an expression only where a condition holds, and 0 instead elsewhere.
class GuardedLoads : public ir::Mutator {
 public:
  explicit GuardedLoads(Expr condition) : condition_(std::move(condition)) {}

 protected:
  Expr rewriteLoad(const Expr& e) override { return ir::ifThenElse(condition_, e, ir::constant(e->dtype, 0)); }

 private:
  const Expr condition_;
};

class Copies {
 public:
  explicit Copies(const Kernel& kernel) {
    for (const Allocation& a : kernel.allocations)
      if (partsSectors(a)) parted_.insert(a.buffer.get());
    const BufferUses uses = usesOf(kernel.body);
    written_.insert(uses.written.begin(), uses.written.end());
  }

  std::vector<Remark> remarks;
  bool any = false;

  Stmt run(const Stmt& s) {
    if (s->kind == StmtKind::Block) {
      const BlockNode* outer = std::exchange(block_, as<BlockNode>(s));
      Stmt made = mapChildren(s, [&](const Stmt& c) { return run(c); });
      block_ = outer;
      return made;
    }
    if (s->kind == StmtKind::Loop) {
      const bool outer = std::exchange(unrolled_, as<LoopNode>(s)->unrolled());
      Stmt made = mapChildren(s, [&](const Stmt& c) { return run(c); });
      unrolled_ = outer;
      return made;
    }
    if (s->kind != StmtKind::Store) return mapChildren(s, [&](const Stmt& c) { return run(c); });
    const auto& n = *as<StoreNode>(s);
    if (n.asynchronous) {
      if (Stmt copy = asCopy(n)) {
        any = true;
        return copy;
      }
    }
    if (Stmt load = unrolled_ ? asGuardedLoad(n) : nullptr) return load;
    return n.asynchronous ? edit<StoreNode>(s, [](StoreNode& m) { m.asynchronous = false; }) : s;
  }

 private:
  Stmt asCopy(const StoreNode& n) {
    const ir::CallNode* padded = zeroPadded(n.value);
    const ir::LoadNode* from = ir::asLoad(padded ? padded->args[1] : n.value);
    if (!from || memoryOf(from->buffer->scope) != Memory::Global || from->buffer->dtype != n.to.buffer->dtype) {
      remark(
          message("the copy to {} isn't started ahead: GPUs copy past registers what lies in global memory, as it is",
                  n.to.buffer->name));
      return nullptr;
    }
    const std::int64_t bytes = ir::bytesOf(n.to.buffer->dtype, n.to.lanes);
    const bool throughL1 = bytes == 16 && parted_.contains(n.to.buffer.get());
    const OperationRow* row =
        findOperation(fmt::format("cp.async.{}{}{}", padded ? "zeros." : "", throughL1 ? "through_l1." : "", bytes));
    if (!row) {
      remark(message(
          "the copy to {} isn't started ahead: it is of {} bytes at once, and GPUs copy 4, 8 or 16 past registers",
          n.to.buffer->name, bytes));
      return nullptr;
    }
    return made(row, n, *from, padded);
  }

  // An element that may lie outside of a matrix which nobody writes, one of several whose loads can be under way
  // together.
  Stmt asGuardedLoad(const StoreNode& n) const {
    const ir::CallNode* padded = zeroPadded(n.value);
    const std::optional<Memory> to = memoryOf(n.to.buffer->scope);
    if (!padded || n.to.lanes > 1 || !to || !isShared(*to)) return nullptr;
    const ir::LoadNode& from = *ir::asLoad(padded->args[1]);
    if (memoryOf(from.buffer->scope) != Memory::Global || from.buffer->dtype != n.to.buffer->dtype ||
        ir::isPacked(from.buffer->dtype) || written_.contains(from.buffer.get()))
      return nullptr;
    const OperationRow* row = findOperation(fmt::format("ld.zeros.{}", from.buffer->dtype.bytes()));
    return row ? made(row, n, from, padded) : nullptr;
  }

  static Stmt made(const OperationRow* row, const StoreNode& n, const ir::LoadNode& from, const ir::CallNode* padded) {
    auto copy = std::make_shared<OperationNode>();
    static_cast<StmtNode&>(*copy).origin = n.origin;
    copy->uncovered = n.uncovered;
    copy->row = row;
    copy->places = {n.to, {from.buffer, from.indices, n.to.lanes, false}};
    if (padded) {
      copy->values = {padded->args[0]};
      // Nothing is read from an address outside, but the address is computed: where it is itself read, of rows that
      // are gathered, it has none outside.
      for (Expr& index : copy->places[1].at) index = GuardedLoads(padded->args[0]).rewrite(index);
    }
    return copy;
  }
  void remark(Message text) {
    addRemark(remarks, {std::move(text), block_ ? std::vector<Id>{block_->block} : std::vector<Id>{}});
  }

  std::set<const ir::BufferNode*> parted_;  // of which a line of global memory lands in two
  std::set<const ir::BufferNode*> written_;
  const BlockNode* block_ = nullptr;
  bool unrolled_ = false;  // the innermost loop is
};

// Nothing is on its way: nobody need wait.
Stmt withoutWaits(const Stmt& s) {
  if (s->kind == StmtKind::Sync && as<SyncNode>(s)->token == Token::AsyncCopies) return nullptr;
  return mapChildren(s, withoutWaits);
}

}  // namespace

const ir::CallNode* zeroPadded(const Expr& value) {
  const ir::CallNode* call = ir::asCall(value);
  if (!call || call->op != "if_then_else" || call->args.size() != 3 || !ir::asLoad(call->args[1])) return nullptr;
  Expr other = call->args[2];
  if (other->kind == ir::ExprKind::Broadcast) other = ir::as<ir::BroadcastNode>(other)->value;
  const bool zero =
      ir::isConst(other, 0) || (other->kind == ir::ExprKind::FloatImm && ir::as<ir::FloatImmNode>(other)->value == 0);
  return zero ? call : nullptr;
}

std::vector<Remark> startCopies(Kernel& kernel) {
  Copies copies(kernel);
  kernel.body = copies.run(kernel.body);
  if (!copies.any) kernel.body = withoutWaits(kernel.body);
  return std::move(copies.remarks);
}

}  // namespace loom::lower
