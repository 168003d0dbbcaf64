// wgmma: products of which a warpgroup, four warps, holds the sum in its registers, and whose factors tensor cores take
// from shared memory by themselves. PTX ISA, "Asynchronous warpgroup level matrix multiply-accumulate instructions".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "core/device/operations/wgmma_calls.h"
#include "core/device/operations/wgmma_texts.h"
#include "core/device/precision.h"

namespace loom::device {
namespace {

using namespace ir;
using Use = OperandRow::Use;
using Where = OperandRow::Where;

// --- what the rows compute: of a warp its 16 rows of the sum ---

void fill(std::span<const TileView> tiles, std::span<const double> values) {
  std::ranges::fill(tiles[0].all(), values[0]);
}
void copy(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}
// d = a · b + c; c may be d's own tile. `kept`: what the product keeps of a factor.
template <auto kept>
[[gnu::always_inline]] inline void addProduct(std::span<const TileView> tiles) {
  const int rows = tiles[0].rows, columns = tiles[0].columns, depth = tiles[1].columns;
  for (int m = 0; m < rows; ++m) {
    double* d = tiles[0].values + m * columns;
    const double* c = tiles[3].values + m * columns;
    if (c != d) std::copy(c, c + columns, d);
    const double* a = tiles[1].values + m * depth;
    // Four at a time, so that sums are read and written a quarter as often; k is a multiple of 8.
    for (int k = 0; k < depth; k += 4) {
      const double a0 = kept(a[k]), a1 = kept(a[k + 1]), a2 = kept(a[k + 2]), a3 = kept(a[k + 3]);
      const double *b0 = tiles[2].values + k * columns, *b1 = b0 + columns, *b2 = b1 + columns, *b3 = b2 + columns;
      for (int n = 0; n < columns; ++n)
        d[n] = d[n] + a0 * kept(b0[n]) + a1 * kept(b1[n]) + a2 * kept(b2[n]) + a3 * kept(b3[n]);
    }
  }
}
// The same, four numbers at a time where the processor can. Each is rounded as before: products and sums stay apart,
// since AVX2 by itself has no instruction for both.
#if defined(__x86_64__)
template <auto kept>
[[gnu::target("avx2")]] void addProductByFours(std::span<const TileView> tiles) {
  addProduct<kept>(tiles);
}
#endif
template <auto kept>
void multiply(std::span<const TileView> tiles, std::span<const double>) {
#if defined(__x86_64__)
  static const bool fours = __builtin_cpu_supports("avx2");
  if (fours) return addProductByFours<kept>(tiles);
#endif
  addProduct<kept>(tiles);
}

// --- the table of products ---

constexpr DType kHalf = DType::Float(16), kFloat = DType::Float(32), kBrain = DType::BFloat(16),
                kSigned = DType::Int(8), kUnsigned = DType::UInt(8), kInteger = DType::Int(32),
                kE4M3 = {DType::Code::E4M3, 8, 1}, kE5M2 = {DType::Code::E5M2, 8, 1};

// Factors and sums that wgmma has, with k of one product; m is 64, n a multiple of 8 up to 256. PTX ISA,
// wgmma.mma_async.
struct Kind {
  std::array<ProductTypes, 1> types;
  int k;
  std::string_view factors, sum, type;
  char constraint;
  bool scales, transposes;
};
constexpr std::array<Kind, 7> kKinds{{
    {{{{ProductKind::F16F32, kHalf, kFloat, kFloat}}}, 16, "f16", "f32", "float", 'f', true, true},
    {{{{ProductKind::Bf16F32, kBrain, kFloat, kFloat}}}, 16, "bf16", "f32", "float", 'f', true, true},
    {{{{ProductKind::Tf32F32, kFloat, kFloat, kFloat, kTf32Digits}}}, 8, "tf32", "f32", "float", 'f', true, false},
    {{{{ProductKind::F8F32, kE4M3, kFloat, kFloat}}}, 32, "e4m3", "f32", "float", 'f', true, false},
    {{{{ProductKind::F8F32, kE5M2, kFloat, kFloat}}}, 32, "e5m2", "f32", "float", 'f', true, false},
    {{{{ProductKind::S8S32, kSigned, kInteger, kInteger}}}, 32, "s8", "s32", "int", 'r', false, false},
    {{{{ProductKind::S8S32, kUnsigned, kInteger, kInteger}}}, 32, "u8", "s32", "int", 'r', false, false},
}};
constexpr int kM = 64, kMostN = 256, kStepN = 8;
// Of integers n above 32 goes in steps of 16, but for 24. PTX ISA, wgmma.mma_async, ".shape".
bool hasN(const Kind& kind, int n) { return kind.sum != "s32" || n <= 32 || n % 16 == 0; }

constexpr std::array<DType, 2> kSums{kFloat, kInteger};
constexpr std::array<std::string_view, 1> kFillValue{"fill"};
constexpr std::array<std::string_view, 3> kStoreValues{"leading", "slab", "swizzle"};
constexpr std::array<std::string_view, 4> kStoredColumns{"leading", "slab", "swizzle", "first"};
constexpr std::array<std::string_view, 6> kProductValues{"a_leading", "a_slab", "a_swizzle",
                                                         "b_leading", "b_slab", "b_swizzle"};

// What a sum's tile is of any factors: k doesn't say anything of it.
constexpr ProductTile sumTile(int n) { return {kM, n, 16}; }

class Rows {
 public:
  Rows() {
    for (int n = kMostN; n >= kStepN; n -= kStepN) {
      tiles_.push_back(sumTile(n));
      fills(n);
      stores(n, false);
      stores(n, true);
      for (const Kind& kind : kKinds) {
        if (!hasN(kind, n)) continue;
        multiplies(kind, n, false);
        if (kind.transposes) multiplies(kind, n, true);
      }
    }
  }
  const std::vector<OperationRow>& all() const { return rows_; }
  const std::vector<ProductTile>& tiles() const { return tiles_; }

 private:
  static layout::Layout held(Operand, DType) { return layout::wgmmaAccumulator(kStepN, 32); }
  static OperandRow sum(std::string_view name, Use use, std::span<const DType> elements) {
    OperandRow r;
    r.name = name;
    r.use = use;
    r.dtypes = elements;
    r.held = held;
    return r;
  }
  // PTX ISA, "Strides" and "Matrix descriptor" of wgmma: lines of 32, 64 or 128 bytes whose pieces change places. A
  // factor begins at 16 bytes.
  static OperandRow factor(std::string_view name, Operand operand, bool byRows, int values) {
    OperandRow r;
    r.name = name;
    r.operand = operand;
    r.where = Where::Shared;
    r.rowMajor = byRows;
    r.alignment = 16;
    r.stride = 16;
    r.leading = values;
    r.slab = values + 1;
    r.swizzle = values + 2;
    return r;
  }
  OperationRow& row(std::string name, const ProductTile& tile, std::vector<OperandRow> operands) {
    OperationRow& r = rows_.emplace_back();
    r.name = texts_.emplace_back(std::move(name));
    r.group = Group::Warpgroup;
    r.tile = tile;
    r.operands = operands_.emplace_back(std::move(operands));
    r.since = 90;
    r.only = true;
    return r;
  }
  void fills(int n) {
    OperationRow& r = row(fmt::format("wgmma.fill.n{}", n), sumTile(n), {sum("d", Use::Write, kSums)});
    r.call = "ptx_wgmma_fill";
    r.values = kFillValue;
    r.text = "wgmma_fill({d}, {fill});";
    r.print = "wgmma.fill {d} = {fill}";
    r.preamble = wgmmaFillText();
    r.run = fill;
    r.nanoseconds = 150;
  }
  // `columns`: of a sum that is wider, n columns of it.
  void stores(int n, bool columns) {
    OperandRow memory = sum("m", Use::Write, kSums), held = sum("d", Use::Read, kSums);
    memory.where = Where::Memory;
    memory.held = nullptr;
    memory.alignment = 8;
    memory.stride = 8;
    memory.leading = 0;
    memory.slab = 1;
    memory.swizzle = 2;
    if (columns) held.first = 3;
    OperationRow& r = row(fmt::format("wgmma.store{}.n{}", columns ? ".columns" : "", n), sumTile(n),
                          {std::move(memory), std::move(held)});
    r.call = "ptx_wgmma_store";
    r.values = columns ? std::span<const std::string_view>(kStoredColumns) : kStoreValues;
    r.text = columns ? std::string_view(texts_.emplace_back(
                           fmt::format("wgmma_store_columns<{{swizzle}}, {}>({{m, element}}, {{leading}}, {{slab}}, "
                                       "{{d}}, {{first}});",
                                       n)))
                     : "wgmma_store<{swizzle}>({m, element}, {leading}, {slab}, {d});";
    r.print = columns ? "wgmma.store {m} = {d} from column {first} on, leading {leading}"
                      : "wgmma.store {m} = {d}, leading {leading}";
    r.preamble = columns ? wgmmaStoreColumnsText() : wgmmaStoreText();
    r.run = copy;
    r.nanoseconds = 20.0 * n;
  }
  // `turnsA`: the first factor lies by columns, [k, m].
  void multiplies(const Kind& kind, int n, bool turnsA) {
    const WgmmaText text{{kM, n, kind.k}, kind.factors, kind.sum,        kind.type,
                         kind.constraint, kind.scales,  kind.transposes, turnsA};
    const std::string_view function = texts_.emplace_back(wgmmaProductText(text));
    multiplies(kind, text, false, function);
    if (kind.transposes) multiplies(kind, text, true, function);
  }
  // `rowsOfB`: the second factor lies by rows, [k, n].
  void multiplies(const Kind& kind, const WgmmaText& text, bool rowsOfB, std::string_view function) {
    const ProductTile& tile = text.tile;
    const int n = tile.n;
    const bool turnsA = text.turnsA;
    OperationRow& r =
        row(fmt::format("wgmma.m{}n{}k{}.{}_{}{}{}", kM, n, kind.k, kind.sum, kind.factors, turnsA ? ".column" : "",
                        !kind.transposes ? ""
                        : rowsOfB        ? ".row"
                                         : ".column"),
            tile,
            {sum("d", Use::Write, {}), factor("a", Operand::A, !turnsA, 0), factor("b", Operand::B, rowsOfB, 3),
             sum("c", Use::Read, {})});
    r.call = "ptx_wgmma_mma_async";
    r.agent = Agent::TensorCore;
    r.completes = Token::Products;
    r.values = kProductValues;
    r.products = kind.types;
    const std::string order = !kind.transposes ? "" : rowsOfB ? "<1>" : "<0>";
    r.text =
        texts_.emplace_back(fmt::format("{}{}({{d}}, wgmma_descriptor<{{a_swizzle}}>({{a, element}}, {{a_slab}}), "
                                        "wgmma_descriptor<{{b_swizzle}}>({{b, element}}, {{b_slab}}));",
                                        wgmmaFunction(text), order));
    r.print = texts_.emplace_back(
        fmt::format("wgmma.m{}n{}k{}.{}_{} {{d}} = {{a}} * {{b}} + {{c}}", kM, n, kind.k, kind.sum, kind.factors));
    r.preamble = function;
    r.run = kind.types.front().digits == kTf32Digits ? multiply<tf32Of> : multiply<allOf>;
    r.nanoseconds = 20.0 * n * kind.k;
  }

  std::vector<OperationRow> rows_;
  std::vector<ProductTile> tiles_;
  std::deque<std::vector<OperandRow>> operands_;
  std::deque<std::string> texts_;
};

// --- sums in registers ---

std::string declare(const FragmentShape& f, DType, const std::string& type, const std::string& name,
                    std::int64_t count) {
  return fmt::format("{} {}[{}][{}];", type, name, count, f.tile.n / 2);
}

Message remedy(const BufferNode& b, const Block& block) {
  bool writes = false, update = false;
  if (block) {
    for (const BufferRegion& r : block->writes) writes |= r.buffer->name == b.name;
    update = block->reads.size() >= 2;
  }
  const Message loopsOf = block ? verbatim(block->name) : message("the block");
  return message("sch.tensorize(the 64×n loops of {}, \"{}\")", loopsOf,
                 update   ? "wgmma_m64n128k16_f16f16f32"
                 : writes ? "wgmma_fill_64x128_f32"
                          : "wgmma_store_64x128_f32_global");
}

}  // namespace

const OperationFamily& wgmmaFamily();
const OperationFamily& wgmmaFamily() {
  static const Rows rows;
  static const FragmentFamily fragments{"wgmma", rows.tiles(), declare, remedy};
  static const OperationFamily family{&fragments, rows.all(), readWgmmaCall, wgmmaCallInOrder, wgmmaCallLoadsByColumns};
  return family;
}

}  // namespace loom::device
