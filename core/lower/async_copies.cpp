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
    const ir::LoadNode* from = ir::asLoad(n.value);
    if (!from || memoryOf(from->buffer->scope) != Memory::Global || from->buffer->dtype != n.to.buffer->dtype) {
      remark(
          message("the copy to {} isn't started ahead: GPUs copy past registers what lies in global memory, as it is",
                  n.to.buffer->name));
      return nullptr;
    }
    const int bytes = n.to.lanes * n.to.buffer->dtype.bytes();
    const OperationRow* row = findOperation(fmt::format("cp.async.{}", bytes));
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

std::vector<Remark> startCopies(Kernel& kernel) {
  Copies copies;
  kernel.body = copies.run(kernel.body);
  if (!copies.any) kernel.body = withoutWaits(kernel.body);
  return std::move(copies.remarks);
}

}  // namespace loom::lower
