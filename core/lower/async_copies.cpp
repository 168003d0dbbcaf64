#include <fmt/format.h>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;

class Copies {
 public:
  std::vector<Remark> remarks;
  bool any = false;

  Stmt run(const Stmt& s) {
    if (s->kind == StmtKind::Block) {
      const BlockNode* outer = std::exchange(block_, as<BlockNode>(s));
      Stmt made = mapChildren(s, [&](const Stmt& c) { return run(c); });
      block_ = outer;
      return made;
    }
    if (s->kind != StmtKind::Store || !as<StoreNode>(s)->asynchronous)
      return mapChildren(s, [&](const Stmt& c) { return run(c); });
    const auto& n = *as<StoreNode>(s);
    if (Stmt copy = asCopy(n)) {
      any = true;
      return copy;
    }
    return edit<StoreNode>(s, [](StoreNode& m) { m.asynchronous = false; });
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
    const int bytes = n.to.lanes * n.to.buffer->dtype.bytes();
    const OperationRow* row = findOperation(fmt::format("cp.async.{}{}", padded ? "zeros." : "", bytes));
    if (!row) {
      remark(message(
          "the copy to {} isn't started ahead: it is of {} bytes at once, and GPUs copy 4, 8 or 16 past registers",
          n.to.buffer->name, bytes));
      return nullptr;
    }
    auto copy = std::make_shared<OperationNode>();
    static_cast<StmtNode&>(*copy).origin = n.origin;
    copy->uncovered = n.uncovered;
    copy->row = row;
    copy->places = {n.to, {from->buffer, from->indices, n.to.lanes, false}};
    if (padded) copy->values = {padded->args[0]};
    return copy;
  }
  void remark(Message text) {
    addRemark(remarks, {std::move(text), block_ ? std::vector<Id>{block_->block} : std::vector<Id>{}});
  }

  const BlockNode* block_ = nullptr;
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
  Copies copies;
  kernel.body = copies.run(kernel.body);
  if (!copies.any) kernel.body = withoutWaits(kernel.body);
  return std::move(copies.remarks);
}

}  // namespace loom::lower
