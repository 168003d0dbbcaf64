// Helpers of the families of operations (families.h) for reading calls of TensorIR, such as T.ptx_mma(…), as operations
// of the hardware.
#pragma once
#include "core/device/operation.h"
#include "core/device/refusal.h"
#include "core/ir/build.h"

namespace loom::device {

// Assigns the value of a Result to `target`, a declared variable; if it is an error, makes the enclosing function
// return that error. Not for the body of an `if` without braces, and `value` must not be a name in the arguments.
#define LOOM_TAKE(target, expression)         \
  if (auto value = (expression)) {            \
    target = std::move(*value);               \
  } else {                                    \
    return Failure(std::move(value).error()); \
  }

// Returns how messages name the block that a call stands in; "the program" for null, a call outside of all blocks.
inline Message nameOf(const ir::Block& block) {
  return block ? message("block {}", block->name) : message("the program");
}

// The arguments of a call by their positions, which count from 0 (in messages from 1). Each function gives the error
// "NotAKernel" if the call has no argument there, or one of another kind, and errors of `context` as they are. The
// object refers to the call and to `context`, what is known of the kernel around the call; both must outlive it.
class Arguments {
 public:
  Arguments(const ir::CallNode& call, const ReadContext& context) : call_(call), context_(context) {}

  // Returns the place that two arguments say: argument `data` is a buffer's data variable, argument `index` the number
  // of an element or of a fragment in that buffer.
  Result<BufferPlace> fragment(std::size_t data, std::size_t index) const {
    auto* v = data < call_.args.size() ? ir::asVar(call_.args[data]) : nullptr;
    if (!v) return bad(data, message("a buffer's data"));
    auto buffer = context_.buffer(v);
    if (!buffer) return Failure(buffer.error());
    auto at = expression(index);
    if (!at) return Failure(at.error());
    return BufferPlace{*buffer, {*at}, 1, true};
  }
  // Returns an argument as an expression, checked and simplified.
  Result<Expr> expression(std::size_t i) const {
    if (i >= call_.args.size()) return bad(i, message("an expression"));
    return context_.expression(call_.args[i]);
  }
  // Returns an argument that must be an integer constant of 32 bits.
  Result<int> size(std::size_t i) const {
    auto* v = i < call_.args.size() ? ir::asInt(call_.args[i]) : nullptr;
    if (!v) return bad(i, message("a constant"));
    if (!std::in_range<int>(v->value)) return bad(i, message("a constant of 32 bits"));
    return int(v->value);
  }
  // Returns whether an argument is "row_major"; it must be that or "col_major".
  Result<bool> rowMajor(std::size_t i) const {
    if (i < call_.args.size() && call_.args[i]->kind == ir::ExprKind::StringImm) {
      const std::string& text = ir::as<ir::StringImmNode>(call_.args[i])->value;
      if (text == "row_major") return true;
      if (text == "col_major") return false;
    }
    return bad(i, message("\"row_major\" or \"col_major\""));
  }
  // Returns an argument that must be a string.
  Result<std::string> text(std::size_t i) const {
    if (i < call_.args.size() && call_.args[i]->kind == ir::ExprKind::StringImm)
      return ir::as<ir::StringImmNode>(call_.args[i])->value;
    return bad(i, message("a string"));
  }
  // Returns the place that an argument points to. It must be a call tvm_access_ptr(type, data, offset, extent, mode),
  // which means element `offset` of the buffer with this data variable.
  Result<BufferPlace> pointer(std::size_t i) const {
    auto* p = i < call_.args.size() ? ir::asCall(call_.args[i]) : nullptr;
    if (!p || p->op != "tvm_access_ptr" || p->args.size() < 3 || !ir::asVar(p->args[1]))
      return bad(i, verbatim("T.tvm_access_ptr(…)"));
    auto buffer = context_.buffer(ir::asVar(p->args[1]));
    if (!buffer) return Failure(buffer.error());
    auto offset = context_.expression(p->args[2]);
    if (!offset) return Failure(offset.error());
    return BufferPlace{*buffer, {*offset}, 1, true};
  }

 private:
  Failure bad(std::size_t i, const Message& wanted) const {
    return notAKernel(message("T.{}: argument {} should be {}", call_.op, i + 1, wanted), subjects(), {},
                      Forbids::Program);
  }
  std::vector<ir::Id> subjects() const {
    return context_.block ? std::vector<ir::Id>{context_.block->id} : std::vector<ir::Id>{};
  }
  const ir::CallNode& call_;
  const ReadContext& context_;
};

}  // namespace loom::device
