// wmma of CUDA's mma.h: tiles that a warp loads, multiplies and stores as a whole. CUDA C++ Programming Guide, "Warp
// matrix functions"; PTX ISA, wmma.load, wmma.mma, wmma.store.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "core/device/operations/families.h"
#include "core/device/precision.h"
#include "core/ir/packed.h"
#include "core/layout/fragment_scope.h"

namespace loom::device {
namespace {

using namespace ir;
using Use = OperandRow::Use;
using Where = OperandRow::Where;

// --- what the rows compute ---

void fill(std::span<const TileView> tiles, std::span<const double> values) {
  std::ranges::fill(tiles[0].all(), values[0]);
}

// The second operand's tile becomes the first's.
void copy(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}

// The same of float32 that the load makes tf32 of.
void copyAsTf32(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::transform(tiles[1].all(), tiles[0].values, tf32Nearest);
}

// d = a · b + c; c may be d's own tile. The extents are constants, for the compiler's sake: this is most of a check's
// time. `kept`: what the product keeps of a factor.
template <int kM, int kN, int kK, auto kept = allOf>
void multiply(std::span<const TileView> tiles, std::span<const double>) {
  double* d = tiles[0].values;
  const double *a = tiles[1].values, *b = tiles[2].values, *c = tiles[3].values;
  for (int m = 0; m < kM; ++m) {
    double row[kN];
    for (int n = 0; n < kN; ++n) row[n] = c[m * kN + n];
    for (int k = 0; k < kK; ++k) {
      const double factor = kept(a[m * kK + k]);
      for (int n = 0; n < kN; ++n) row[n] += factor * kept(b[k * kN + n]);
    }
    for (int n = 0; n < kN; ++n) d[m * kN + n] = row[n];
  }
}

// d = c + the number of k in which a[m, k] and b[k, n] differ, whichever values stand for a set bit.
template <int kM, int kN, int kK>
void countDifferences(std::span<const TileView> tiles, std::span<const double>) {
  double* d = tiles[0].values;
  const double *a = tiles[1].values, *b = tiles[2].values, *c = tiles[3].values;
  for (int m = 0; m < kM; ++m) {
    for (int n = 0; n < kN; ++n) {
      int differ = 0;
      for (int k = 0; k < kK; ++k) differ += a[m * kK + k] != b[k * kN + n];
      d[m * kN + n] = c[m * kN + n] + differ;
    }
  }
}

// --- the table of tiles ---

constexpr DType kHalf = DType::Float(16), kFloat = DType::Float(32), kBrain = DType::BFloat(16),
                kSigned = DType::Int(8), kUnsigned = DType::UInt(8), kInteger = DType::Int(32), kNibble = DType::Int(4),
                kUnsignedNibble = DType::UInt(4), kBit = DType::UInt(1), kSignedBit = DType::Int(1);

// PTX ISA, wmma.mma: f16 · f16 → f16 or f32, bf16 · bf16 → f32, 8-bit integers → s32.
constexpr std::array<ProductTypes, 7> kProducts{{
    {ProductKind::F16F16, kHalf, kHalf, kHalf},
    {ProductKind::F16F16, kHalf, kFloat, kHalf},
    {ProductKind::F16F32, kHalf, kHalf, kFloat},
    {ProductKind::F16F32, kHalf, kFloat, kFloat},
    {ProductKind::Bf16F32, kBrain, kFloat, kFloat},
    {ProductKind::S8S32, kSigned, kInteger, kInteger},
    {ProductKind::S8S32, kUnsigned, kInteger, kInteger},
}};
constexpr std::array<DType, 4> kFactors{kHalf, kBrain, kSigned, kUnsigned};
constexpr std::array<DType, 3> kSums{kHalf, kFloat, kInteger};
constexpr std::array<ProductTypes, 1> kTf32Products{{{ProductKind::Tf32F32, kFloat, kFloat, kFloat, kTf32Digits}}};
constexpr std::array<DType, 1> kTf32Elements{kFloat};
// Of 4 bits and of one, sums are s32 alone. A product of bits is their "and", of which the sum is a count; of int1,
// whose values are 0 and -1, it is the same.
constexpr std::array<ProductTypes, 2> kNibbleProducts{
    {{ProductKind::S4S32, kNibble, kInteger, kInteger}, {ProductKind::S4S32, kUnsignedNibble, kInteger, kInteger}}};
constexpr std::array<ProductTypes, 2> kBitProducts{
    {{ProductKind::B1S32, kBit, kInteger, kInteger}, {ProductKind::B1S32, kSignedBit, kInteger, kInteger}}};
constexpr std::array<DType, 2> kNibbles{kNibble, kUnsignedNibble}, kBits{kBit, kSignedBit};
constexpr std::array<DType, 1> kIntegerSums{kInteger};

// A tile with the elements that it comes in.
struct Tile {
  ProductTile shape;
  std::span<const ProductTypes> products;
  std::span<const DType> factors, sums;
  decltype(OperationRow::run) multiply;
  int since;  // as OperationRow::since
  bool isTf32() const { return products.front().kind == ProductKind::Tf32F32; }
  // Elements share bytes.
  bool isPacked() const { return ir::isPacked(factors.front()); }
  bool isOfBits() const { return products.front().kind == ProductKind::B1S32; }
};
// PTX ISA, wmma.mma, "Target ISA notes": compute capability 7.0, integers 7.2, those of 4 bits and single bits 7.5, the
// "and" of bits, bf16 and tf32 8.0.
constexpr std::array<Tile, 6> kTiles{{
    {{16, 16, 16}, kProducts, kFactors, kSums, multiply<16, 16, 16>, 70},
    {{32, 8, 16}, kProducts, kFactors, kSums, multiply<32, 8, 16>, 70},
    {{8, 32, 16}, kProducts, kFactors, kSums, multiply<8, 32, 16>, 70},
    {{16, 16, 8}, kTf32Products, kTf32Elements, kTf32Elements, multiply<16, 16, 8, tf32Of>, 80},
    {{8, 8, 32}, kNibbleProducts, kNibbles, kIntegerSums, multiply<8, 8, 32>, 75},
    {{8, 8, 128}, kBitProducts, kBits, kIntegerSums, multiply<8, 8, 128>, 75},
}};
constexpr std::array<ProductTile, 6> kShapes{kTiles[0].shape, kTiles[1].shape, kTiles[2].shape,
                                             kTiles[3].shape, kTiles[4].shape, kTiles[5].shape};

constexpr std::array<ElementSince, 4> kLater{{{kSigned, 72}, {kUnsigned, 72}, {kInteger, 72}, {kBrain, 80}}};

constexpr std::array<std::string_view, 1> kFillValue{"fill"}, kLeading{"leading"};
constexpr std::string_view kPreamble = "#include <mma.h>\n\nusing namespace nvcuda;\n";
// CUDA C++ Programming Guide, "Alternate Floating Point": the result is undefined unless each element of the fragment
// is converted after it is loaded.
constexpr std::string_view kTf32Preamble =
    "#include <mma.h>\n\nusing namespace nvcuda;\n\n"
    "// Loads a factor of float32 and rounds its elements to tf32.\n"
    "template <typename Fragment>\n"
    "__device__ __forceinline__ void load_as_tf32(Fragment& d, const float* from, unsigned leading) {\n"
    "  wmma::load_matrix_sync(d, from, leading);\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < d.num_elements; ++i) d.x[i] = wmma::__float_to_tf32(d.x[i]);\n"
    "}\n";

// --- the rows ---

// The rows of all tiles, and what they refer to.
class Rows {
 public:
  Rows() {
    for (const Tile& tile : kTiles) add(tile);
  }
  const std::vector<OperationRow>& all() const { return rows_; }

 private:
  void add(const Tile& tile) {
    using enum Operand;
    if (!tile.isPacked()) {
      fills(tile, "a", A);
      fills(tile, "b", B);
    }
    fills(tile, "accumulator", Accumulator);
    for (const bool byRows : {true, false}) {
      // mma.h has a by rows and b by columns alone of elements that share bytes: these lie along k.
      if (!tile.isPacked() || byRows) loads(tile, "a", A, byRows);
      if (!tile.isPacked() || !byRows) loads(tile, "b", B, byRows);
      loads(tile, "accumulator", Accumulator, byRows);
      stores(tile, byRows);
    }
    multiplies(tile);
    if (tile.isOfBits()) differences(tile);
  }

  // PTX leaves open which register holds which element.
  static OperandRow fragment(const Tile& tile, std::string_view name, Use use, Operand operand) {
    OperandRow r;
    r.name = name;
    r.use = use;
    r.operand = operand;
    r.dtypes = operand == Operand::Accumulator ? tile.sums : tile.factors;
    return r;
  }
  // CUDA programming guide, load_matrix_sync and store_matrix_sync: the pointer is aligned to 256 bits, and rows lie
  // multiples of 16 bytes apart.
  static OperandRow memory(const Tile& tile, Use use, Operand operand, bool byRows) {
    OperandRow r = fragment(tile, "m", use, operand);
    r.where = Where::Memory;
    r.leading = 0;
    r.rowMajor = byRows;
    r.alignment = 32;
    r.stride = 16;
    return r;
  }

  OperationRow& row(const Tile& tile, std::string_view name, std::vector<OperandRow> operands) {
    const ProductTile& t = tile.shape;
    // The square tile was there before the others.
    names_.push_back(t == kShapes[0] ? fmt::format("wmma.{}", name)
                                     : fmt::format("wmma.{}x{}x{}.{}", t.m, t.n, t.k, name));
    OperationRow& r = rows_.emplace_back();
    r.name = names_.back();
    r.tile = t;
    r.operands = operands_.emplace_back(std::move(operands));
    r.preamble = tile.isTf32() ? kTf32Preamble : kPreamble;
    r.since = tile.since;
    if (!tile.isTf32() && !tile.isPacked()) r.later = kLater;
    return r;
  }
  void fills(const Tile& tile, std::string_view name, Operand operand) {
    OperationRow& r = row(tile, fmt::format("fill.{}", name), {fragment(tile, "d", Use::Write, operand)});
    r.call = "tvm_fill_fragment";
    r.values = kFillValue;
    r.text = "wmma::fill_fragment({d}, {fill});";
    r.print = "wmma.fill {d} = {fill}";
    r.run = fill;
    r.nanoseconds = 150;
  }
  // An operand's order is in its type, an accumulator's in the call.
  void loads(const Tile& tile, std::string_view name, Operand operand, bool byRows) {
    OperationRow& r = row(tile, fmt::format("load.{}.{}", name, byRows ? "row" : "column"),
                          {fragment(tile, "d", Use::Write, operand), memory(tile, Use::Read, operand, byRows)});
    r.call = "tvm_load_matrix_sync";
    r.values = kLeading;
    r.text = operand != Operand::Accumulator ? "wmma::load_matrix_sync({d}, {&m}, {leading});"
             : byRows                        ? "wmma::load_matrix_sync({d}, {&m}, {leading}, wmma::mem_row_major);"
                                             : "wmma::load_matrix_sync({d}, {&m}, {leading}, wmma::mem_col_major);";
    r.print = byRows ? "wmma.load {d} = {m}, leading {leading}, row major"
                     : "wmma.load {d} = {m}, leading {leading}, column major";
    r.run = copy;
    if (operand == Operand::Accumulator || !tile.isTf32()) return;
    r.text = "load_as_tf32({d}, {&m}, {leading});";
    r.run = copyAsTf32;
  }
  void stores(const Tile& tile, bool byRows) {
    OperationRow& r = row(
        tile, byRows ? "store.row" : "store.column",
        {memory(tile, Use::Write, Operand::Accumulator, byRows), fragment(tile, "d", Use::Read, Operand::Accumulator)});
    r.call = "tvm_store_matrix_sync";
    r.values = kLeading;
    r.text = byRows ? "wmma::store_matrix_sync({&m}, {d}, {leading}, wmma::mem_row_major);"
                    : "wmma::store_matrix_sync({&m}, {d}, {leading}, wmma::mem_col_major);";
    r.print = byRows ? "wmma.store {m} = {d}, leading {leading}, row major"
                     : "wmma.store {m} = {d}, leading {leading}, column major";
    r.run = copy;
  }
  // What is made of two factors and a sum: text and meaning are still to be said.
  OperationRow& product(const Tile& tile, std::string_view name, std::string_view call) {
    OperationRow& r =
        row(tile, name,
            {fragment(tile, "d", Use::Write, Operand::Accumulator), fragment(tile, "a", Use::Read, Operand::A),
             fragment(tile, "b", Use::Read, Operand::B), fragment(tile, "c", Use::Read, Operand::Accumulator)});
    r.call = call;
    r.products = tile.products;
    r.nanoseconds = 3500.0 * tile.shape.m * tile.shape.n * tile.shape.k / (16 * 16 * 16);
    return r;
  }
  void multiplies(const Tile& tile) {
    OperationRow& r = product(tile, "mma", "tvm_mma_sync");
    r.text = "wmma::mma_sync({d}, {a}, {b}, {c});";
    r.print = "wmma.mma {d} = {a} * {b} + {c}";
    r.run = tile.multiply;
    if (!tile.isOfBits()) return;
    r.text = "wmma::bmma_sync({d}, {a}, {b}, {c}, wmma::experimental::bmmaBitOpAND);";
    r.print = "wmma.mma {d} = popcount({a} and {b}) + {c}";
    r.since = 80;
  }
  // TVM's tvm_bmma_sync: the bits in which factors differ, counted.
  void differences(const Tile& tile) {
    OperationRow& r = product(tile, "xor", "tvm_bmma_sync");
    r.text = "wmma::bmma_sync({d}, {a}, {b}, {c}, wmma::experimental::bmmaBitOpXOR);";
    r.print = "wmma.mma {d} = popcount({a} xor {b}) + {c}";
    r.run = countDifferences<8, 8, 128>;
  }

  std::vector<OperationRow> rows_;
  std::deque<std::vector<OperandRow>> operands_;
  std::deque<std::string> names_;
};

// --- fragments ---

std::string declare(const FragmentShape& f, DType element, const std::string& type, const std::string& name,
                    std::int64_t count) {
  const bool isTf32 = element == kFloat && f.operand != Operand::Accumulator;
  const char* operand = f.operand == Operand::A ? "matrix_a" : f.operand == Operand::B ? "matrix_b" : "accumulator";
  const char* order = f.operand == Operand::Accumulator ? "" : f.rowMajor ? ", wmma::row_major" : ", wmma::col_major";
  // mma.h calls elements that have no type of their own so.
  const std::string called = isTf32                   ? "wmma::precision::tf32"
                             : !ir::isPacked(element) ? type
                             : element.bits == 1      ? "wmma::experimental::precision::b1"
                             : element.isUInt()       ? "wmma::experimental::precision::u4"
                                                      : "wmma::experimental::precision::s4";
  return fmt::format("wmma::fragment<wmma::{}, {}, {}, {}, {}{}> {}[{}];", operand, f.tile.m, f.tile.n, f.tile.k,
                     called, order, name, count);
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

constexpr FragmentFamily kFragments{"wmma", kShapes, declare, remedy};

}  // namespace

const OperationFamily& wmmaFamily();
const OperationFamily& wmmaFamily() {
  static const Rows rows;
  static const OperationFamily family{&kFragments, rows.all()};
  return family;
}

}  // namespace loom::device
