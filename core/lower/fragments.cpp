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
  // Of an operand that is stored transposed, which this block alone doesn't tell, the second is meant.
  std::string intrinsic, transposed;
  if (update) {
    intrinsic = "wmma_sync_16x16x16_f16f16" + (b.scope == "wmma.accumulator" ? half : std::string("f32"));
    transposed = intrinsic + "_trans";
  } else if (writes && fromMemory) {
    std::string operand = b.scope == "wmma.matrix_a" ? "wmma_load_16x16x16_f16_a" : "wmma_load_16x16x16_f16_b";
    intrinsic = operand + "_shared";
    transposed = operand + "_trans_shared";
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
          : fmt::format("sch.tensorize(the 16×16 loops of {}, \"{}\"{})", block ? block->name : "the block", intrinsic,
                        transposed.empty() ? "" : fmt::format(" / \"{}\"", transposed)));
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

std::string nameOf(const Block& block) { return block ? "block " + block->name : "the program"; }
const char* nameOf(Operand o) {
  return o == Operand::MatrixA ? "wmma.matrix_a" : o == Operand::MatrixB ? "wmma.matrix_b" : "wmma.accumulator";
}

// One call's fragments and memory against what the hardware has and what other calls say.
class Rules {
 public:
  explicit Rules(const WmmaContext& context) : context_(context) {}

  // m × n × k as the call gives it.
  Result<void> tile(const Buffer& fragment, const dev::WmmaNode& n) const {
    std::array<int, 3> size{n.m, n.n, n.k};
    auto text = [](const std::array<int, 3>& s) { return fmt::format("{}×{}×{}", s[0], s[1], s[2]); };
    FragmentType& type = (*context_.types)[fragment.get()];
    if (type.tile && *type.tile != size) {
      return refuse(fmt::format("{} is a fragment of tile {} in {} and of tile {} in {}", fragment->name,
                                text(*type.tile), nameOf(type.user), text(size), nameOf(context_.block)),
                    fragment, type.user, "sch.tensorize both blocks with intrinsics of one tile", Forbids::Program);
    }
    if (size != std::array<int, 3>{16, 16, 16}) {
      return refuse(fmt::format("{} takes tiles of {}; kernels here have 16×16×16", nameOf(context_.block), text(size)),
                    fragment, {}, "sch.tensorize with an intrinsic of 16×16×16", Forbids::Environment);
    }
    type.tile = size;
    if (!type.user) type.user = context_.block;
    return {};
  }

  // An operand's layout is part of its C++ type; an accumulator has none.
  Result<void> layout(const Buffer& fragment, bool rowMajor) const {
    auto* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    if (shape->operand == Operand::Accumulator) return {};
    auto text = [](bool row) { return row ? "row-major" : "column-major"; };
    FragmentType& type = (*context_.types)[fragment.get()];
    if (type.rowMajor && *type.rowMajor != rowMajor) {
      return refuse(fmt::format("{} is loaded {} in {} and {} in {}: a fragment has one layout", fragment->name,
                                text(*type.rowMajor), nameOf(type.loader), text(rowMajor), nameOf(context_.block)),
                    fragment, type.loader, "sch.tensorize both loads with the same intrinsic", Forbids::Hardware);
    }
    type.rowMajor = rowMajor;
    if (!type.loader) type.loader = context_.block;
    shape->rowMajor = rowMajor;
    return {};
  }

  // `fragment` where the operation wants `wanted`.
  Result<void> operand(const Buffer& fragment, Operand wanted, const char* role) const {
    auto* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    if (shape->operand == wanted) return {};
    return refuse(fmt::format("{} takes {} as {}, but that is in {} and this in {}", nameOf(context_.block),
                              fragment->name, role, nameOf(wanted), nameOf(shape->operand)),
                  fragment, {}, fmt::format("sch.cache_read or cache_write with the scope \"{}\"", nameOf(wanted)),
                  Forbids::Hardware);
  }

  // PTX ISA, wmma.mma: f16 · f16 → f16 or f32, 8-bit integers → s32.
  Result<void> product(const dev::WmmaNode& n) const {
    DType a = n.a.fragment->dtype, b = n.b.fragment->dtype, c = n.c.fragment->dtype, d = n.d.fragment->dtype;
    bool half = a == DType::Float(16) && b == a;
    bool bytes = a.isIntegral() && a.bits == 8 && b == a;
    auto isSum = [&](DType t) {
      return half ? t == DType::Float(16) || t == DType::Float(32) : bytes && t == DType::Int(32);
    };
    if (isSum(c) && isSum(d)) return {};
    return refuse(fmt::format("{} multiplies {} by {} and adds to {}, which tensor cores don't do in one step",
                              nameOf(context_.block), a.str(), b.str(), c.str()),
                  n.d.fragment, {}, "", Forbids::Hardware);
  }

  // CUDA programming guide, load_matrix_sync and store_matrix_sync: rows lie multiples of 16 bytes apart.
  Result<void> rows(const dev::WmmaNode& n) const {
    auto* leading = asInt(n.leading);
    const int bytes = n.memory->dtype.bytes();
    if (!leading || leading->value * bytes % 16 == 0) return {};
    std::string remedy;
    if (n.memory->scope.starts_with("shared")) {
      remedy = fmt::format("sch.storage_align of {} with a factor and an offset that are multiples of {}",
                           n.memory->name, 16 / bytes);
    }
    return refuse(fmt::format("{} takes rows of {} that lie {} elements apart; for tensor cores it must be a multiple "
                              "of {} (16 bytes)",
                              nameOf(context_.block), n.memory->name, leading->value, 16 / bytes),
                  n.memory, {}, remedy, Forbids::Hardware);
  }

 private:
  dev::FragmentShape* shapeOf(const Buffer& fragment) const {
    for (dev::Allocation& a : *context_.allocations) {
      if (a.buffer == fragment && a.fragment) return &*a.fragment;
    }
    return nullptr;
  }
  Result<void> notAFragment(const Buffer& b) const {
    return refuse(fmt::format("{} isn't a wmma fragment", b->name), b, {}, "", Forbids::Program);
  }
  Failure refuse(std::string message, const Buffer& buffer, const Block& other, std::string remedy,
                 Forbids forbids) const {
    std::vector<Id> subjects;
    if (context_.block) subjects.push_back(context_.block->id);
    if (other) subjects.push_back(other->id);
    subjects.push_back(buffer->id);
    return notAKernel(std::move(message), std::move(subjects), std::move(remedy), forbids);
  }

  const WmmaContext& context_;
};

}  // namespace

#define LOOM_TAKE(target, expression)         \
  if (auto value = (expression)) {            \
    target = std::move(*value);               \
  } else {                                    \
    return Failure(std::move(value).error()); \
  }
#define LOOM_MUST(expression) \
  if (auto value = (expression); !value) return Failure(std::move(value).error())

Result<dev::WmmaNode> convertWmma(const CallNode& call, const WmmaContext& context) {
  dev::WmmaNode n;
  Arguments args(call, context);
  Rules rules(context);
  if (call.op == "tvm_mma_sync") {
    n.op = dev::WmmaNode::Op::Mma;
    LOOM_TAKE(n.d, args.tile(0, 1));
    LOOM_TAKE(n.a, args.tile(2, 3));
    LOOM_TAKE(n.b, args.tile(4, 5));
    LOOM_TAKE(n.c, args.tile(6, 7));
    LOOM_MUST(rules.operand(n.d.fragment, Operand::Accumulator, "result"));
    LOOM_MUST(rules.operand(n.a.fragment, Operand::MatrixA, "first factor"));
    LOOM_MUST(rules.operand(n.b.fragment, Operand::MatrixB, "second factor"));
    LOOM_MUST(rules.operand(n.c.fragment, Operand::Accumulator, "summand"));
    LOOM_MUST(rules.product(n));
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
  LOOM_MUST(rules.tile(n.d.fragment, n));
  if (call.op == "tvm_fill_fragment") {
    n.op = dev::WmmaNode::Op::Fill;
    LOOM_TAKE(n.fill, args.expression(5));
    return n;
  }
  n.op = call.op == "tvm_load_matrix_sync" ? dev::WmmaNode::Op::Load : dev::WmmaNode::Op::Store;
  LOOM_MUST(args.pointer(5, n));
  LOOM_TAKE(n.leading, args.expression(6));
  LOOM_TAKE(n.rowMajor, args.rowMajor(7));
  LOOM_MUST(rules.rows(n));
  if (n.op == dev::WmmaNode::Op::Load) {
    LOOM_MUST(rules.layout(n.d.fragment, n.rowMajor));
  } else {
    LOOM_MUST(rules.operand(n.d.fragment, Operand::Accumulator, "what is stored"));
  }
  return n;
}

#undef LOOM_TAKE
#undef LOOM_MUST

}  // namespace loom::lower
