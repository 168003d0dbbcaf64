// wmma of CUDA's mma.h: tiles of 16 × 16 × 16 that a warp loads, multiplies and stores as a whole. CUDA C++ Programming
// Guide, "Warp matrix functions"; PTX ISA, wmma.load, wmma.mma, wmma.store.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/device/operations/families.h"
#include "core/layout/fragment_scope.h"

namespace loom::device {
namespace {

using namespace ir;
using Use = OperandRow::Use;
using Where = OperandRow::Where;

constexpr ProductTile kTile{16, 16, 16};

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

// PTX leaves open which register holds which element.
constexpr OperandRow fragment(std::string_view name, Use use, Operand operand) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.operand = operand;
  return r;
}
// CUDA programming guide, load_matrix_sync and store_matrix_sync: the pointer is aligned to 256 bits, and rows lie
// multiples of 16 bytes apart.
constexpr OperandRow memory(Use use, Operand operand, bool rowMajor) {
  OperandRow r;
  r.name = "m";
  r.use = use;
  r.where = Where::Memory;
  r.operand = operand;
  r.leading = 0;
  r.rowMajor = rowMajor;
  r.alignment = 32;
  r.stride = 16;
  return r;
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

// PTX ISA, wmma.mma: f16 · f16 → f16 or f32, 8-bit integers → s32.
constexpr DType kHalf = DType::Float(16), kFloat = DType::Float(32), kSigned = DType::Int(8),
                kUnsigned = DType::UInt(8), kInteger = DType::Int(32);
constexpr std::array<ProductTypes, 6> kProducts{{
    {ProductKind::F16F16, kHalf, kHalf, kHalf},
    {ProductKind::F16F16, kHalf, kFloat, kHalf},
    {ProductKind::F16F32, kHalf, kHalf, kFloat},
    {ProductKind::F16F32, kHalf, kFloat, kFloat},
    {ProductKind::S8S32, kSigned, kInteger, kInteger},
    {ProductKind::S8S32, kUnsigned, kInteger, kInteger},
}};

// PTX ISA, wmma.mma, "Target ISA notes": compute capability 7.0, integers 7.2.
constexpr int kSince = 70;
constexpr std::array<ElementSince, 3> kLater{{{kSigned, 72}, {kUnsigned, 72}, {kInteger, 72}}};

constexpr OperationRow filling(std::string_view name, std::span<const OperandRow> operands) {
  OperationRow r;
  r.name = name;
  r.call = "tvm_fill_fragment";
  r.tile = kTile;
  r.operands = operands;
  r.values = kFillValue;
  r.text = "wmma::fill_fragment({d}, {fill});";
  r.print = "wmma.fill {d} = {fill}";
  r.preamble = kPreamble;
  r.since = kSince;
  r.later = kLater;
  r.run = fill;
  r.nanoseconds = 150;
  return r;
}
constexpr OperationRow moving(std::string_view name, std::span<const OperandRow> operands, std::string_view text,
                              std::string_view print) {
  OperationRow r;
  r.name = name;
  r.call = operands[0].where == Where::Memory ? "tvm_store_matrix_sync" : "tvm_load_matrix_sync";
  r.tile = kTile;
  r.operands = operands;
  r.values = kLeading;
  r.text = text;
  r.print = print;
  r.preamble = kPreamble;
  r.since = kSince;
  r.later = kLater;
  r.run = copy;
  return r;
}
constexpr OperationRow multiplying() {
  OperationRow r;
  r.name = "wmma.mma";
  r.call = "tvm_mma_sync";
  r.tile = kTile;
  r.operands = kMultiplied;
  r.products = kProducts;
  r.text = "wmma::mma_sync({d}, {a}, {b}, {c});";
  r.print = "wmma.mma {d} = {a} * {b} + {c}";
  r.preamble = kPreamble;
  r.since = kSince;
  r.later = kLater;
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

// --- fragments ---

std::string declare(const FragmentShape& f, const std::string& type, const std::string& name, std::int64_t count) {
  const char* operand = f.operand == Operand::A ? "matrix_a" : f.operand == Operand::B ? "matrix_b" : "accumulator";
  const char* order = f.operand == Operand::Accumulator ? "" : f.rowMajor ? ", wmma::row_major" : ", wmma::col_major";
  return fmt::format("wmma::fragment<wmma::{}, {}, {}, {}, {}{}> {}[{}];", operand, f.tile.m, f.tile.n, f.tile.k, type,
                     order, name, count);
}

// The intrinsics that load, multiply, fill or store as the block does.
Message remedy(const BufferNode& b, const Block& block) {
  bool reads = false, writes = false, fromMemory = false, update = false;
  if (block) {
    for (const BufferRegion& r : block->reads) {
      reads |= r.buffer->name == b.name;
      fromMemory |= !layout::isFragmentScope(r.buffer->scope);
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
  if (intrinsic.empty()) return {};
  return transposed.empty()
             ? message("sch.tensorize(the 16×16 loops of {}, \"{}\")", loopsOf, intrinsic)
             : message("sch.tensorize(the 16×16 loops of {}, \"{}\" / \"{}\")", loopsOf, intrinsic, transposed);
}

constexpr FragmentFamily kFragments{"wmma", kTile, declare, remedy};

}  // namespace

extern const OperationFamily kWmma;
const OperationFamily kWmma{&kFragments, kRows};

}  // namespace loom::device
