// What a function must be to become kernels, and the buffers that its kernels get from the host.
#include <fmt/format.h>

#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/packed.h"
#include "core/ir/undeclared.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"
#include "core/lower/lowering.h"

namespace loom::lower {
namespace {

using namespace ir;

// Some steps of TVM's leave variables whose loops are gone (schedule::warnings).
Result<void> refuseUndeclared(const Function& function) {
  const auto undeclared = undeclaredVariables(function);
  if (undeclared.empty()) return {};
  const Undeclared& first = undeclared.front();
  std::string names;
  for (const Undeclared& u : undeclared)
    if (u.block == first.block) names += (names.empty() ? "" : ", ") + u.var->name;
  return notAKernel(
      message("{} uses {}, which no loop around it declares",
              first.blockName.empty() ? message("the program") : message("block {}", first.blockName), names),
      first.block ? std::vector<Id>{first.block} : std::vector<Id>{},
      message("undo the step that left it so: the history names it"));
}

// Text of kernels and the executor index scalars; vectors come of vectorized loops alone.
Result<void> refuseTypes(const Buffer& buffer) {
  const DType type = buffer->dtype;
  if (!type.isScalar()) {
    return notAKernel(
        message("the elements of {} are vectors ({}); kernels here take buffers of scalars", buffer->name, type.str()),
        {buffer->id}, {}, Forbids::Environment);
  }
  // Smaller ones share a byte, of which packBytes knows.
  const bool whole = ir::isPacked(type) || type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
  if (type.isFloat() || type.isBool() || (type.isIntegral() && whole)) return {};
  return notAKernel(
      message("the elements of {} are of type {}, which kernels here don't have", buffer->name, type.str()),
      {buffer->id}, {}, Forbids::Environment);
}

// A number among the parameters, which the launch passes.
Result<void> refuseScalar(const VarNode& v) {
  const DType type = v.dtype;
  if (type.isHandle()) {
    return notAKernel(message("the parameter {} points to something that the function doesn't name: "
                              "T.match_buffer says what",
                              v.name),
                      {}, {}, Forbids::Environment);
  }
  const bool whole = type.isIntegral() && (type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64);
  const bool real = type.code == DType::Code::Float && type.bits >= 16;
  if (type.isScalar() && (whole || real || type.isBool() || type == DType::BFloat(16))) return {};
  return notAKernel(message("the parameter {} is of type {}, which kernels here don't take", v.name, type.str()), {},
                    {}, Forbids::Environment);
}
// A parameter whose places follow from the function's symbols.
Result<void> symbolic(Lowering& l, const Buffer& b) {
  Expr last = cast(DType::Int(64), b->elemOffset);
  bool known = isOver(last, l.symbols);
  for (std::size_t d = 0; d < b->shape.size(); ++d) {
    known = known && isOver(b->shape[d], l.symbols) && (b->strides.empty() || isOver(b->strides[d], l.symbols));
    if (!b->strides.empty())
      last = last + (cast(DType::Int(64), b->shape[d]) - 1) * cast(DType::Int(64), b->strides[d]);
  }
  if (!known) {
    return notAKernel(message("the shape of {} isn't constant, so that its size is unknown", b->name), {b->id}, {},
                      Forbids::Environment);
  }
  Expr elements = b->strides.empty() ? last + cast(DType::Int(64), elementsOf(b->shape)) : last + 1;
  l.globals.emplace_back(b, flatBuffer(b, elements));
  return {};
}

Result<void> takeParameters(Lowering& l) {
  for (const Parameter& p : l.function->params) {
    if (!p.buffer) {
      if (auto done = refuseScalar(*p.var); !done) return done;
      continue;
    }
    if (auto done = refuseTypes(p.buffer); !done) return done;
    if (hasSymbolicPlaces(*p.buffer)) {
      if (auto done = symbolic(l, p.buffer); !done) return done;
      continue;
    }
    for (const Expr& extent : p.buffer->shape) {
      if (!asInt(extent)) {
        return notAKernel(message("the shape of {} isn't constant, so that its size is unknown", p.buffer->name),
                          {p.buffer->id}, {}, Forbids::Environment);
      }
    }
    const auto layout = elementLayout(*p.buffer);
    if (!layout) {
      return notAKernel(
          message("the strides of {} or its offset aren't constant, so that its places are unknown", p.buffer->name),
          {p.buffer->id}, {}, Forbids::Environment);
    }
    if (layout->lowest() < 0) {
      return notAKernel(
          message("an element of {} lies {} elements before its pointer", p.buffer->name, -layout->lowest()),
          {p.buffer->id});
    }
    l.globals.emplace_back(p.buffer, flatBuffer(p.buffer, layout->footprint()));
  }
  return {};
}

Result<void> checkAllocations(const Function& function) {
  Result<void> done;
  forEachStmt(function->body, [&](const Stmt& s) {
    if (s->kind != StmtKind::BlockRealize) return done.has_value();
    for (const Buffer& b : asRealize(s)->block->allocs)
      if (done) done = refuseTypes(b);
    return done.has_value();
  });
  return done;
}

}  // namespace

bool hasSymbolicPlaces(const BufferNode& b) {
  auto symbolic = [](const std::vector<Expr>& all) {
    return std::any_of(all.begin(), all.end(), [](const Expr& e) { return !asInt(e); });
  };
  return symbolic(b.shape) || symbolic(b.strides) || (b.elemOffset && !asInt(b.elemOffset));
}

Lowering::Lowering(Function f, const Limits& l, For u)
    : function(std::move(f)), limits(l), use(u), symbols(symbolsOf(*function)) {
  program.name = function->name;
  program.params = function->params;
  program.symbols = symbols;
  program.remarks = remarksOnAnnotations(function->body);
}

Result<void> takeProgram(Lowering& lowering) {
  if (auto done = refuseUndeclared(lowering.function); !done) return done;
  if (auto done = takeParameters(lowering); !done) return done;
  return checkAllocations(lowering.function);
}

}  // namespace loom::lower
