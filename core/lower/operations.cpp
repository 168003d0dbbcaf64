#include "core/lower/operations.h"

#include <fmt/format.h>

#include "core/ir/operation.h"
#include "core/ir/visit.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace ir;

namespace {

// Stops at the first operation that kernels don't have. The name of an external function is a text, and no value.
class Operations : public Visitor {
 public:
  std::optional<Message> why;

  void visit(const Expr& e) override {
    if (!e || why) return;
    if (e->kind != ExprKind::StringImm) why = whyNoKernelHas(e);
    if (!why) Visitor::visit(e);
  }
  using Visitor::visit;
};

}  // namespace

Result<void> refuseOperations(const Expr& e, const Block& block) {
  Operations operations;
  operations.visit(e);
  if (!operations.why) return {};
  Message text = *operations.why;
  if (!block) return notAKernel(std::move(text), {}, {}, Forbids::Environment);
  return notAKernel(message("{} (block {})", text, block->name), {block->id}, {}, Forbids::Environment);
}

}  // namespace loom::lower
