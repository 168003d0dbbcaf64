#include "core/lower/fragments.h"

#include <fmt/format.h>

#include "core/ir/build.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace ir;
namespace dev = loom::device;
using Operand = dev::FragmentShape::Operand;

std::optional<dev::Memory> memoryOf(const std::string& scope) {
  if (scope == "shared") return dev::Memory::Shared;
  if (scope == "shared.dyn") return dev::Memory::SharedDynamic;
  if (scope == "local") return dev::Memory::Local;
  if (scope == "global") return dev::Memory::Global;
  if (scope.starts_with("wmma.")) return dev::Memory::Fragment;
  return std::nullopt;
}

bool isFragment(const BufferNode& b) { return b.scope.starts_with("wmma."); }

bool isWarpOperation(const std::string& op) {
  return op == "tvm_fill_fragment" || op == "tvm_load_matrix_sync" || op == "tvm_mma_sync" ||
         op == "tvm_store_matrix_sync";
}

std::int64_t fragmentElements(const dev::FragmentShape& s) {
  switch (s.operand) {
    case Operand::MatrixA: return std::int64_t{s.m} * s.k;
    case Operand::MatrixB: return std::int64_t{s.k} * s.n;
    case Operand::Accumulator: break;
  }
  return std::int64_t{s.m} * s.n;
}

std::vector<std::int64_t> flatStrides(const BufferNode& b, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t step = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = b.strides.empty() ? step : constantOr(b.strides[d], step);
    step = strides[d] * extents[d];
  }
  return strides;
}

Result<dev::FragmentShape> fragmentShape(const BufferNode& b, const std::vector<std::int64_t>& extents) {
  dev::FragmentShape shape;
  if (b.scope == "wmma.matrix_a") {
    shape.operand = Operand::MatrixA;
  } else if (b.scope == "wmma.matrix_b") {
    shape.operand = Operand::MatrixB;
  } else if (b.scope != "wmma.accumulator") {
    return notAKernel(fmt::format("\"{}\" is no wmma operand", b.scope), {b.id});
  }
  for (std::size_t d = extents.size() < 2 ? 0 : extents.size() - 2; d < extents.size(); ++d) {
    if (extents[d] % 16 != 0) {
      return notAKernel(fmt::format("{} is {} elements wide along dimension {}; wmma fragments come in tiles of 16",
                                    b.name, extents[d], d),
                        {b.id}, "", Forbids::Hardware);
    }
  }
  return shape;
}

tl::unexpected<Error> fragmentByElements(const BufferNode& b, const Block& block) {
  bool reads = false, writes = false, fromMemory = false, update = false;
  if (block) {
    for (const BufferRegion& r : block->reads) {
      reads |= r.buffer->name == b.name;
      fromMemory |= !isFragment(*r.buffer);
    }
    for (const BufferRegion& r : block->writes) writes |= r.buffer->name == b.name;
    update = block->reads.size() >= 2;
  }
  std::string half = b.dtype == DType::Float(16) ? "f16" : "f32";
  std::string intrinsic;
  if (update) {
    intrinsic = "wmma_sync_16x16x16_f16f16" + (b.scope == "wmma.accumulator" ? half : std::string("f32"));
  } else if (writes && fromMemory) {
    intrinsic = b.scope == "wmma.matrix_a" ? "wmma_load_16x16x16_f16_a_shared" : "wmma_load_16x16x16_f16_b_shared";
  } else if (writes) {
    intrinsic = "wmma_fill_16x16x16_" + half;
  } else if (reads) {
    intrinsic = "wmma_store_16x16x16_" + half + "_global";
  }
  std::string where = block ? fmt::format("block {}", block->name) : "the program";
  return notAKernel(
      fmt::format("{} is spread over the registers of a warp ({}), but {} {} it element by element: only a "
                  "tensor intrinsic knows which lane holds what",
                  b.name, b.scope, where, writes ? "writes" : "reads"),
      block ? std::vector<Id>{block->id, b.id} : std::vector<Id>{b.id},
      intrinsic.empty()
          ? ""
          : fmt::format("sch.tensorize(the 16×16 loops of {}, \"{}\")", block ? block->name : "the block", intrinsic));
}

namespace {

// What wmma calls have in common: arguments by position.
class Arguments {
 public:
  Arguments(const CallNode& call, const WmmaContext& context) : call_(call), context_(context) {}

  Result<Buffer> memory(std::size_t i) const {
    auto* v = i < call_.args.size() ? asVar(call_.args[i]) : nullptr;
    if (!v) return bad(i, "a buffer's data");
    return context_.buffer(v);
  }
  Result<Expr> expression(std::size_t i) const {
    if (i >= call_.args.size()) return bad(i, "an expression");
    return context_.expression(call_.args[i]);
  }
  Result<dev::WmmaNode::Tile> tile(std::size_t data, std::size_t index) const {
    auto buffer = memory(data);
    if (!buffer) return Failure(buffer.error());
    auto at = expression(index);
    if (!at) return Failure(at.error());
    return dev::WmmaNode::Tile{*buffer, *at};
  }
  Result<int> size(std::size_t i) const {
    auto* v = i < call_.args.size() ? asInt(call_.args[i]) : nullptr;
    if (!v) return bad(i, "a constant");
    return int(v->value);
  }
  Result<bool> rowMajor(std::size_t i) const {
    if (i < call_.args.size() && call_.args[i]->kind == ExprKind::StringImm) {
      const std::string& text = as<StringImmNode>(call_.args[i])->value;
      if (text == "row_major") return true;
      if (text == "col_major") return false;
    }
    return bad(i, "\"row_major\" or \"col_major\"");
  }
  // tvm_access_ptr(type, data, offset, extent, mode)
  Result<void> pointer(std::size_t i, dev::WmmaNode& n) const {
    auto* p = i < call_.args.size() ? asCall(call_.args[i]) : nullptr;
    if (!p || p->op != "tvm_access_ptr" || p->args.size() < 3 || !asVar(p->args[1]))
      return bad(i, "T.tvm_access_ptr(…)");
    auto buffer = context_.buffer(asVar(p->args[1]));
    if (!buffer) return Failure(buffer.error());
    auto offset = context_.expression(p->args[2]);
    if (!offset) return Failure(offset.error());
    n.memory = *buffer;
    n.offset = *offset;
    return {};
  }

 private:
  Failure bad(std::size_t i, const char* wanted) const {
    return notAKernel(fmt::format("T.{}: argument {} should be {}", call_.op, i + 1, wanted),
                      context_.block ? std::vector<Id>{context_.block->id} : std::vector<Id>{}, "", Forbids::Program);
  }
  const CallNode& call_;
  const WmmaContext& context_;
};

// A fragment's layout is part of its C++ type, so that all loads into it must agree.
Result<void> learnLayout(const Buffer& fragment, bool rowMajor, const WmmaContext& context) {
  for (dev::Allocation& a : *context.allocations) {
    if (a.buffer != fragment || !a.fragment) continue;
    a.fragment->rowMajor = rowMajor;
    return {};
  }
  return notAKernel(fmt::format("{} isn't a wmma fragment", fragment->name), {fragment->id});
}

}  // namespace

#define LOOM_TAKE(target, expression)         \
  if (auto value = (expression)) {            \
    target = std::move(*value);               \
  } else {                                    \
    return Failure(std::move(value).error()); \
  }

Result<dev::WmmaNode> convertWmma(const CallNode& call, const WmmaContext& context) {
  dev::WmmaNode n;
  Arguments args(call, context);
  if (call.op == "tvm_mma_sync") {
    n.op = dev::WmmaNode::Op::Mma;
    LOOM_TAKE(n.d, args.tile(0, 1));
    LOOM_TAKE(n.a, args.tile(2, 3));
    LOOM_TAKE(n.b, args.tile(4, 5));
    LOOM_TAKE(n.c, args.tile(6, 7));
    return n;
  }
  if (!isWarpOperation(call.op)) {
    return notAKernel(fmt::format("T.{} isn't an operation that kernels here can hold", call.op),
                      context.block ? std::vector<Id>{context.block->id} : std::vector<Id>{}, "", Forbids::Environment);
  }
  LOOM_TAKE(n.d, args.tile(0, 4));
  LOOM_TAKE(n.m, args.size(1));
  LOOM_TAKE(n.n, args.size(2));
  LOOM_TAKE(n.k, args.size(3));
  if (call.op == "tvm_fill_fragment") {
    n.op = dev::WmmaNode::Op::Fill;
    LOOM_TAKE(n.fill, args.expression(5));
    return n;
  }
  n.op = call.op == "tvm_load_matrix_sync" ? dev::WmmaNode::Op::Load : dev::WmmaNode::Op::Store;
  if (auto done = args.pointer(5, n); !done) return Failure(done.error());
  LOOM_TAKE(n.leading, args.expression(6));
  LOOM_TAKE(n.rowMajor, args.rowMajor(7));
  if (n.op == dev::WmmaNode::Op::Load) {
    if (auto done = learnLayout(n.d.fragment, n.rowMajor, context); !done) return Failure(done.error());
  }
  return n;
}

#undef LOOM_TAKE

}  // namespace loom::lower
