#include "core/device/declared.h"

#include <optional>
#include <unordered_set>
#include <utility>

#include "core/device/effects.h"
#include "core/device/refusal.h"
#include "core/ir/visit.h"

namespace loom::device {
namespace {

class Declarations {
 public:
  explicit Declarations(const Kernel& kernel) {
    for (int axis = 0; axis < 3; ++axis) {
      vars_.insert(kernel.threadIdx[axis].get());
      vars_.insert(kernel.blockIdx[axis].get());
    }
    for (const Kernel::Scalar& s : kernel.scalars) vars_.insert(s.var.get());
    for (const Buffer& b : kernel.params) buffers_.insert(b.get());
    for (const Allocation& a : kernel.allocations) buffers_.insert(a.buffer.get());
  }
  std::optional<Error> error;

  void walk(const Stmt& s) {
    if (!s || error) return;
    for (const Expr& e : expressionsOf(s)) use(e);
    forEachAccess(s, [&](const BufferAccess& a) { use(a.buffer); });
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) walk(child);
        return;
      case StmtKind::Loop: {
        const ir::VarNode* var = as<LoopNode>(s)->var.get();
        const bool added = vars_.insert(var).second;
        walk(as<LoopNode>(s)->body);
        if (added) vars_.erase(var);
        return;
      }
      case StmtKind::If:
        walk(as<IfNode>(s)->yes);
        walk(as<IfNode>(s)->no);
        return;
      case StmtKind::Block: {
        const auto* outer = std::exchange(block_, as<BlockNode>(s));
        walk(as<BlockNode>(s)->body);
        block_ = outer;
        return;
      }
      case StmtKind::Store:
      case StmtKind::Operation:
      case StmtKind::Sync: return;
    }
  }

 private:
  void use(const Expr& e) {
    ir::forEachExpr(e, [&](const Expr& x) {
      if (auto* let = x && x->kind == ir::ExprKind::Let ? ir::as<ir::LetNode>(x) : nullptr)
        vars_.insert(let->var.get());
      if (auto* v = ir::asVar(x); v && !v->dtype.isHandle() && !vars_.count(v)) {
        refuse(message("{} uses {}, which no loop around it declares", user(), v->name), {});
      }
    });
  }
  void use(const Buffer& b) {
    if (b && !buffers_.count(b.get()))
      refuse(message("{} uses the buffer {}, which isn't the kernel's", user(), b->name), b->id);
  }
  // What uses it.
  Message user() const { return block_ ? message("block {}", block_->name) : message("the program"); }
  void refuse(Message what, Id also) {
    if (error) return;
    std::vector<Id> subjects;
    if (block_) subjects.push_back(block_->block);
    if (also) subjects.push_back(also);
    error = notAKernel(std::move(what), subjects).value();
  }

  std::unordered_set<const ir::VarNode*> vars_;
  std::unordered_set<const ir::BufferNode*> buffers_;
  const BlockNode* block_ = nullptr;
};

}  // namespace

Result<void> checkDeclared(const Kernel& kernel) {
  Declarations declarations(kernel);
  declarations.walk(kernel.body);
  if (declarations.error) return Failure(*declarations.error);
  return {};
}

}  // namespace loom::device
