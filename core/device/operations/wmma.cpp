// wmma of CUDA's mma.h: tiles of 16 × 16 × 16 that a warp loads, multiplies and stores as a whole. CUDA C++ Programming
// Guide, "Warp matrix functions"; PTX ISA, wmma.load, wmma.mma, wmma.store.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/device/operations/families.h"
#include "core/device/refusal.h"
#include "core/ir/build.h"

namespace loom::device {
namespace {

using namespace ir;
using Use = OperandRow::Use;
using Where = OperandRow::Where;

// --- the rows ---

void fill(std::span<const TileView> tiles, std::span<const double> values) {
  std::ranges::fill(tiles[0].all(), values[0]);
}

// The second operand's tile becomes the first's.
void copy(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}

// d = a · b + c; c may be d's own tile. The extents are constants, for the compiler's sake: this is most of a check's
// time.
void multiply(std::span<const TileView> tiles, std::span<const double>) {
  constexpr ProductTile kTile;
  double* d = tiles[0].values;
  const double *a = tiles[1].values, *b = tiles[2].values, *c = tiles[3].values;
  for (int m = 0; m < kTile.m; ++m) {
    double row[kTile.n];
    for (int n = 0; n < kTile.n; ++n) row[n] = c[m * kTile.n + n];
    for (int k = 0; k < kTile.k; ++k) {
      const double factor = a[m * kTile.k + k];
      for (int n = 0; n < kTile.n; ++n) row[n] += factor * b[k * kTile.n + n];
    }
    for (int n = 0; n < kTile.n; ++n) d[m * kTile.n + n] = row[n];
  }
}

constexpr OperandRow fragment(std::string_view name, Use use, Operand operand) {
  return {name, use, Where::Registers, operand};
}
// CUDA programming guide, load_matrix_sync: the pointer is aligned to 256 bits.
constexpr OperandRow memory(Use use, Operand operand, bool rowMajor) {
  return {"m", use, Where::Memory, operand, 0, rowMajor, 32};
}

template <Operand kOperand>
constexpr std::array<OperandRow, 1> kFilled{fragment("d", Use::Write, kOperand)};
template <Operand kOperand, bool kRowMajor>
constexpr std::array<OperandRow, 2> kLoaded{fragment("d", Use::Write, kOperand),
                                            memory(Use::Read, kOperand, kRowMajor)};
template <bool kRowMajor>
constexpr std::array<OperandRow, 2> kStored{memory(Use::Write, Operand::Accumulator, kRowMajor),
                                            fragment("d", Use::Read, Operand::Accumulator)};
constexpr std::array<OperandRow, 4> kMultiplied{
    fragment("d", Use::Write, Operand::Accumulator), fragment("a", Use::Read, Operand::A),
    fragment("b", Use::Read, Operand::B), fragment("c", Use::Read, Operand::Accumulator)};
constexpr std::array<std::string_view, 1> kFillValue{"fill"}, kLeading{"leading"};

constexpr std::string_view kPreamble = "#include <mma.h>\n\nusing namespace nvcuda;\n";
constexpr OperationRow filling(std::string_view name, std::span<const OperandRow> operands) {
  OperationRow r;
  r.name = name;
  r.pipe = Pipe::Fma;
  r.operands = operands;
  r.values = kFillValue;
  r.text = "wmma::fill_fragment({d}, {fill});";
  r.print = "wmma.fill {d} = {fill}";
  r.preamble = kPreamble;
  r.run = fill;
  r.nanoseconds = 150;
  return r;
}
constexpr OperationRow moving(std::string_view name, std::span<const OperandRow> operands, std::string_view text,
                              std::string_view print) {
  OperationRow r;
  r.name = name;
  r.pipe = Pipe::LoadStore;
  r.operands = operands;
  r.values = kLeading;
  r.text = text;
  r.print = print;
  r.preamble = kPreamble;
  r.run = copy;
  return r;
}
constexpr OperationRow multiplying() {
  OperationRow r;
  r.name = "wmma.mma";
  r.operands = kMultiplied;
  r.multiplies = true;
  r.text = "wmma::mma_sync({d}, {a}, {b}, {c});";
  r.print = "wmma.mma {d} = {a} * {b} + {c}";
  r.preamble = kPreamble;
  r.run = multiply;
  r.nanoseconds = 3500;
  return r;
}

// An operand's order is in its type, an accumulator's in the call.
constexpr std::string_view kLoad = "wmma::load_matrix_sync({d}, {&m}, {leading});";
constexpr std::string_view kPrintRow = "wmma.load {d} = {m}, leading {leading}, row major";
constexpr std::string_view kPrintColumn = "wmma.load {d} = {m}, leading {leading}, column major";
constexpr std::array<OperationRow, 12> kRows{
    filling("wmma.fill.a", kFilled<Operand::A>),
    filling("wmma.fill.b", kFilled<Operand::B>),
    filling("wmma.fill.accumulator", kFilled<Operand::Accumulator>),
    moving("wmma.load.a.row", kLoaded<Operand::A, true>, kLoad, kPrintRow),
    moving("wmma.load.a.column", kLoaded<Operand::A, false>, kLoad, kPrintColumn),
    moving("wmma.load.b.row", kLoaded<Operand::B, true>, kLoad, kPrintRow),
    moving("wmma.load.b.column", kLoaded<Operand::B, false>, kLoad, kPrintColumn),
    moving("wmma.load.accumulator.row", kLoaded<Operand::Accumulator, true>,
           "wmma::load_matrix_sync({d}, {&m}, {leading}, wmma::mem_row_major);", kPrintRow),
    moving("wmma.load.accumulator.column", kLoaded<Operand::Accumulator, false>,
           "wmma::load_matrix_sync({d}, {&m}, {leading}, wmma::mem_col_major);", kPrintColumn),
    moving("wmma.store.row", kStored<true>, "wmma::store_matrix_sync({&m}, {d}, {leading}, wmma::mem_row_major);",
           "wmma.store {m} = {d}, leading {leading}, row major"),
    moving("wmma.store.column", kStored<false>, "wmma::store_matrix_sync({&m}, {d}, {leading}, wmma::mem_col_major);",
           "wmma.store {m} = {d}, leading {leading}, column major"),
    multiplying(),
};

const char* letterOf(Operand o) { return o == Operand::A ? "a" : o == Operand::B ? "b" : "accumulator"; }
const char* scopeOf(Operand o) {
  return o == Operand::A ? "wmma.matrix_a" : o == Operand::B ? "wmma.matrix_b" : "wmma.accumulator";
}
std::string textOf(const ProductTile& t) { return fmt::format("{}×{}×{}", t.m, t.n, t.k); }
Message nameOf(const Block& block) { return block ? message("block {}", block->name) : message("the program"); }
std::vector<Id> idsOf(const Block& block) { return block ? std::vector<Id>{block->id} : std::vector<Id>{}; }

// --- calls of TensorIR ---

// Arguments by position.
class Arguments {
 public:
  Arguments(const CallNode& call, const ReadContext& context) : call_(call), context_(context) {}

  Result<BufferPlace> fragment(std::size_t data, std::size_t index) const {
    auto* v = data < call_.args.size() ? asVar(call_.args[data]) : nullptr;
    if (!v) return bad(data, message("a buffer's data"));
    auto buffer = context_.buffer(v);
    if (!buffer) return Failure(buffer.error());
    auto at = expression(index);
    if (!at) return Failure(at.error());
    return BufferPlace{*buffer, {*at}, 1, true};
  }
  Result<Expr> expression(std::size_t i) const {
    if (i >= call_.args.size()) return bad(i, message("an expression"));
    return context_.expression(call_.args[i]);
  }
  Result<int> size(std::size_t i) const {
    auto* v = i < call_.args.size() ? asInt(call_.args[i]) : nullptr;
    if (!v) return bad(i, message("a constant"));
    return int(v->value);
  }
  Result<bool> rowMajor(std::size_t i) const {
    if (i < call_.args.size() && call_.args[i]->kind == ExprKind::StringImm) {
      const std::string& text = as<StringImmNode>(call_.args[i])->value;
      if (text == "row_major") return true;
      if (text == "col_major") return false;
    }
    return bad(i, message("\"row_major\" or \"col_major\""));
  }
  // tvm_access_ptr(type, data, offset, extent, mode)
  Result<BufferPlace> pointer(std::size_t i) const {
    auto* p = i < call_.args.size() ? asCall(call_.args[i]) : nullptr;
    if (!p || p->op != "tvm_access_ptr" || p->args.size() < 3 || !asVar(p->args[1]))
      return bad(i, verbatim("T.tvm_access_ptr(…)"));
    auto buffer = context_.buffer(asVar(p->args[1]));
    if (!buffer) return Failure(buffer.error());
    auto offset = context_.expression(p->args[2]);
    if (!offset) return Failure(offset.error());
    return BufferPlace{*buffer, {*offset}, 1, true};
  }

 private:
  Failure bad(std::size_t i, const Message& wanted) const {
    return notAKernel(message("T.{}: argument {} should be {}", call_.op, i + 1, wanted), idsOf(context_.block), {},
                      Forbids::Program);
  }
  const CallNode& call_;
  const ReadContext& context_;
};

// One call's fragments and memory against what the hardware has and what other calls say.
class Rules {
 public:
  explicit Rules(const ReadContext& context) : context_(context) {}

  Result<void> tile(const Buffer& fragment, const ProductTile& size) const {
    FragmentUse& use = (*context_.uses)[fragment.get()];
    if (use.tile && *use.tile != size) {
      return refuse(message("{} is a fragment of tile {} in {} and of tile {} in {}", fragment->name, textOf(*use.tile),
                            nameOf(use.user), textOf(size), nameOf(context_.block)),
                    fragment, use.user, message("sch.tensorize both blocks with intrinsics of one tile"),
                    Forbids::Program);
    }
    if (size != ProductTile{16, 16, 16}) {
      return refuse(message("{} takes tiles of {}; kernels here have 16×16×16", nameOf(context_.block), textOf(size)),
                    fragment, {}, message("sch.tensorize with an intrinsic of 16×16×16"), Forbids::Environment);
    }
    use.tile = size;
    if (!use.user) use.user = context_.block;
    return {};
  }

  // An operand's order is part of its C++ type; an accumulator has none.
  Result<void> order(const Buffer& fragment, bool rowMajor) const {
    FragmentShape* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    if (shape->operand == Operand::Accumulator) return {};
    auto text = [](bool row) { return row ? "row-major" : "column-major"; };
    FragmentUse& use = (*context_.uses)[fragment.get()];
    if (use.rowMajor && *use.rowMajor != rowMajor) {
      return refuse(message("{} is loaded {} in {} and {} in {}: a fragment has one layout", fragment->name,
                            text(*use.rowMajor), nameOf(use.loader), text(rowMajor), nameOf(context_.block)),
                    fragment, use.loader, message("sch.tensorize both loads with the same intrinsic"),
                    Forbids::Hardware);
    }
    use.rowMajor = rowMajor;
    if (!use.loader) use.loader = context_.block;
    shape->rowMajor = rowMajor;
    return {};
  }

  // `fragment` where the operation wants `wanted`.
  Result<void> operand(const Buffer& fragment, Operand wanted, const Message& role) const {
    const FragmentShape* shape = shapeOf(fragment);
    if (!shape) return notAFragment(fragment);
    if (shape->operand == wanted) return {};
    return refuse(message("{} takes {} as {}, but that is in {} and this in {}", nameOf(context_.block), fragment->name,
                          role, scopeOf(wanted), scopeOf(shape->operand)),
                  fragment, {}, message("sch.cache_read or cache_write with the scope \"{}\"", scopeOf(wanted)),
                  Forbids::Hardware);
  }

  // PTX ISA, wmma.mma: f16 · f16 → f16 or f32, 8-bit integers → s32.
  Result<void> product(const OperationNode& n) const {
    auto dtype = [&](const char* operand) { return placeOf(n, operand)->buffer->dtype; };
    const DType a = dtype("a"), b = dtype("b"), c = dtype("c"), d = dtype("d");
    const bool half = a == DType::Float(16) && b == a;
    const bool bytes = a.isIntegral() && a.bits == 8 && b == a;
    auto isSum = [&](DType t) {
      return half ? t == DType::Float(16) || t == DType::Float(32) : bytes && t == DType::Int(32);
    };
    if (isSum(c) && isSum(d)) return {};
    return refuse(message("{} multiplies {} by {} and adds to {}, which tensor cores don't do in one step",
                          nameOf(context_.block), a.str(), b.str(), c.str()),
                  placeOf(n, "d")->buffer, {}, {}, Forbids::Hardware);
  }

  // CUDA programming guide, load_matrix_sync and store_matrix_sync: rows lie multiples of 16 bytes apart.
  Result<void> rows(const Buffer& memory, const Expr& leading) const {
    auto* elements = asInt(leading);
    const int bytes = memory->dtype.bytes();
    if (!elements || elements->value * bytes % 16 == 0) return {};
    Message remedy;
    if (memory->scope.starts_with("shared")) {
      remedy = message("sch.storage_align of {} with a factor and an offset that are multiples of {}", memory->name,
                       16 / bytes);
    }
    return refuse(message("{} takes rows of {} that lie {} elements apart; for tensor cores it must be a multiple "
                          "of {} (16 bytes)",
                          nameOf(context_.block), memory->name, elements->value, 16 / bytes),
                  memory, {}, remedy, Forbids::Hardware);
  }

  Operand operandOf(const Buffer& fragment) const {
    const FragmentShape* shape = shapeOf(fragment);
    return shape ? shape->operand : Operand::Accumulator;
  }

 private:
  FragmentShape* shapeOf(const Buffer& fragment) const {
    for (Allocation& a : *context_.allocations) {
      if (a.buffer == fragment && a.fragment) return &*a.fragment;
    }
    return nullptr;
  }
  Result<void> notAFragment(const Buffer& b) const {
    return refuse(message("{} isn't a wmma fragment", b->name), b, {}, {}, Forbids::Program);
  }
  Failure refuse(Message message, const Buffer& buffer, const Block& other, Message remedy, Forbids forbids) const {
    std::vector<Id> subjects;
    if (context_.block) subjects.push_back(context_.block->id);
    if (other) subjects.push_back(other->id);
    subjects.push_back(buffer->id);
    return notAKernel(std::move(message), std::move(subjects), std::move(remedy), forbids);
  }

  const ReadContext& context_;
};

#define LOOM_TAKE(target, expression)         \
  if (auto value = (expression)) {            \
    target = std::move(*value);               \
  } else {                                    \
    return Failure(std::move(value).error()); \
  }
#define LOOM_MUST(expression) \
  if (auto value = (expression); !value) return Failure(std::move(value).error())

Result<OperationNode> readProduct(const Arguments& args, const Rules& rules) {
  OperationNode n;
  n.row = findOperation("wmma.mma");
  n.places.resize(4);
  for (std::size_t i = 0; i < 4; ++i) LOOM_TAKE(n.places[i], args.fragment(2 * i, 2 * i + 1));
  static const Message kRoles[] = {message("result"), message("first factor"), message("second factor"),
                                   message("summand")};
  for (std::size_t i = 0; i < 4; ++i)
    LOOM_MUST(rules.operand(n.places[i].buffer, n.row->operands[i].operand, kRoles[i]));
  LOOM_MUST(rules.product(n));
  return n;
}

Result<OperationNode> readMove(const Arguments& args, const Rules& rules, BufferPlace fragment, bool load) {
  OperationNode n;
  BufferPlace memory;
  Expr leading;
  bool rowMajor = true;
  LOOM_TAKE(memory, args.pointer(5));
  LOOM_TAKE(leading, args.expression(6));
  LOOM_TAKE(rowMajor, args.rowMajor(7));
  LOOM_MUST(rules.rows(memory.buffer, leading));
  const char* order = rowMajor ? "row" : "column";
  if (load) {
    LOOM_MUST(rules.order(fragment.buffer, rowMajor));
    n.row = findOperation(fmt::format("wmma.load.{}.{}", letterOf(rules.operandOf(fragment.buffer)), order));
    n.places = {std::move(fragment), std::move(memory)};
  } else {
    LOOM_MUST(rules.operand(fragment.buffer, Operand::Accumulator, message("what is stored")));
    n.row = findOperation(fmt::format("wmma.store.{}", order));
    n.places = {std::move(memory), std::move(fragment)};
  }
  n.values = {std::move(leading)};
  return n;
}

Result<OperationNode> read(const CallNode& call, const ReadContext& context) {
  const Arguments args(call, context);
  const Rules rules(context);
  if (call.op == "tvm_mma_sync") return readProduct(args, rules);
  BufferPlace fragment;
  ProductTile tile;
  LOOM_TAKE(fragment, args.fragment(0, 4));
  LOOM_TAKE(tile.m, args.size(1));
  LOOM_TAKE(tile.n, args.size(2));
  LOOM_TAKE(tile.k, args.size(3));
  LOOM_MUST(rules.tile(fragment.buffer, tile));
  if (call.op != "tvm_fill_fragment")
    return readMove(args, rules, std::move(fragment), call.op == "tvm_load_matrix_sync");
  OperationNode n;
  n.row = findOperation(fmt::format("wmma.fill.{}", letterOf(rules.operandOf(fragment.buffer))));
  n.places = {std::move(fragment)};
  n.values.resize(1);
  LOOM_TAKE(n.values[0], args.expression(5));
  return n;
}

#undef LOOM_TAKE
#undef LOOM_MUST

// --- fragments ---

std::optional<Operand> operandNamed(std::string_view name) {
  for (Operand o : {Operand::A, Operand::B, Operand::Accumulator})
    if (std::string_view(scopeOf(o)).substr(std::string_view("wmma.").size()) == name) return o;
  return std::nullopt;
}

std::string declare(const FragmentShape& f, const std::string& type, const std::string& name, std::int64_t count) {
  const char* operand = f.operand == Operand::A ? "matrix_a" : f.operand == Operand::B ? "matrix_b" : "accumulator";
  const char* order = f.operand == Operand::Accumulator ? "" : f.rowMajor ? ", wmma::row_major" : ", wmma::col_major";
  return fmt::format("wmma::fragment<wmma::{}, {}, {}, {}, {}{}> {}[{}];", operand, f.tile.m, f.tile.n, f.tile.k, type,
                     order, name, count);
}

Result<FragmentShape> shapeOf(const BufferNode& b, const std::vector<std::int64_t>& extents) {
  const auto operand = operandOf(b.scope);
  if (!operand) return notAKernel(message("\"{}\" is no wmma operand", b.scope), {b.id});
  for (std::size_t d = extents.size() < 2 ? 0 : extents.size() - 2; d < extents.size(); ++d) {
    if (extents[d] % 16 != 0) {
      return notAKernel(message("{} is {} elements wide along dimension {}; wmma fragments come in tiles of 16", b.name,
                                extents[d], d),
                        {b.id}, {}, Forbids::Hardware);
    }
  }
  return FragmentShape{*operand, {}, true};
}

Failure refuseElements(const BufferNode& b, const Block& block) {
  bool reads = false, writes = false, fromMemory = false, update = false;
  if (block) {
    for (const BufferRegion& r : block->reads) {
      reads |= r.buffer->name == b.name;
      fromMemory |= !isFragmentScope(r.buffer->scope);
    }
    for (const BufferRegion& r : block->writes) writes |= r.buffer->name == b.name;
    update = block->reads.size() >= 2;
  }
  const std::string half = b.dtype == DType::Float(16) ? "f16" : "f32";
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
  const Message loopsOf = block ? verbatim(block->name) : message("the block");
  return notAKernel(
      writes ? message("{} is spread over the registers of a warp ({}), but {} writes it element by element: only a "
                       "tensor intrinsic knows which lane holds what",
                       b.name, b.scope, nameOf(block))
             : message("{} is spread over the registers of a warp ({}), but {} reads it element by element: only a "
                       "tensor intrinsic knows which lane holds what",
                       b.name, b.scope, nameOf(block)),
      block ? std::vector<Id>{block->id, b.id} : std::vector<Id>{b.id},
      intrinsic.empty() ? Message()
      : transposed.empty()
          ? message("sch.tensorize(the 16×16 loops of {}, \"{}\")", loopsOf, intrinsic)
          : message("sch.tensorize(the 16×16 loops of {}, \"{}\" / \"{}\")", loopsOf, intrinsic, transposed));
}

constexpr std::array<std::string_view, 4> kCalls{"tvm_fill_fragment", "tvm_load_matrix_sync", "tvm_mma_sync",
                                                 "tvm_store_matrix_sync"};
constexpr FragmentFamily kFragments{
    "wmma.", operandNamed, declare, shapeOf, refuseElements};

}  // namespace

const OperationFamily kWmma{kCalls, read, wmmaInOrder, wmmaLoadsByColumns, &kFragments, kRows};

}  // namespace loom::device
