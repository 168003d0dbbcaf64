// mma.sync and ldmatrix: products of what the lanes of a warp hold in registers of their own, and the loads that bring
// it there from shared memory. PTX ISA, "Warp-level matrix instructions": mma, ldmatrix.
#include <algorithm>
#include <array>

#include "core/device/operations/families.h"
#include "core/device/operations/mma_calls.h"
#include "core/device/operations/mma_texts.h"
#include "core/device/precision.h"

namespace loom::device {
namespace {

using namespace ir;
namespace texts = mma_texts;
using Use = OperandRow::Use;
using Where = OperandRow::Where;

// --- what the rows compute ---

// d = a · b + c. The extents are constants, for the compiler's sake. `kept`: what the product keeps of a factor.
template <ProductTile kTile, auto kept = allOf>
void multiply(std::span<const TileView> tiles, std::span<const double>) {
  double* d = tiles[0].values;
  const double *a = tiles[1].values, *b = tiles[2].values, *c = tiles[3].values;
  constexpr int kN = kTile.n, kK = kTile.k;
  for (int m = 0; m < kTile.m; ++m) {
    double row[kN];
    for (int n = 0; n < kN; ++n) row[n] = c[m * kN + n];
    for (int k = 0; k < kK; ++k)
      for (int n = 0; n < kN; ++n) row[n] += kept(a[m * kK + k]) * kept(b[k * kN + n]);
    for (int n = 0; n < kN; ++n) d[m * kN + n] = row[n];
  }
}

// Lane l gets, in register r, the elements of row l / 4 of matrix r that begin at 16-bit column l % 4 · 2. The lane
// 8 · r + i gave row i of the matrix.
void loadMatrices(std::span<const TileView> tiles, std::span<const double>) {
  const int columns = tiles[0].columns, part = columns / 4;
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < 4; ++r)
      for (int i = 0; i < part; ++i)
        tiles[0].values[lane * columns + r * part + i] =
            tiles[1].values[(r * 8 + lane / 4) * columns + lane % 4 * part + i];
}
// The matrices transposed: rows l % 4 · 2 and the next, column l / 4.
void loadTransposed(std::span<const TileView> tiles, std::span<const double>) {
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < 4; ++r)
      for (int i = 0; i < 2; ++i)
        tiles[0].values[lane * 8 + r * 2 + i] = tiles[1].values[(r * 8 + lane % 4 * 2 + i) * 8 + lane / 4];
}

// --- operands ---

template <ProductTile kTile>
layout::Layout heldBy(Operand operand, DType element) {
  return layout::mmaFragment(operand, kTile.k, element.bits, kTile.m);
}

// What each lane holds of a tile of elements of so many bits: its share, in registers of its own.
template <ProductTile kTile>
constexpr OperandRow held(std::string_view name, Use use, Operand operand, int bits) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.operand = operand;
  r.bytes = kTile.elements(operand) / 32 * bits / 8;
  r.held = heldBy<kTile>;
  return r;
}
// Of a product: the bits of a factor's element and of the sum's.
template <ProductTile kTile, int kFactor, int kSum>
constexpr std::array<OperandRow, 4> kMultiplied{
    held<kTile>("d", Use::Write, Operand::Accumulator, kSum), held<kTile>("a", Use::Read, Operand::A, kFactor),
    held<kTile>("b", Use::Read, Operand::B, kFactor), held<kTile>("c", Use::Read, Operand::Accumulator, kSum)};

constexpr OperandRow loaded(std::span<const DType> elements) {
  OperandRow r;
  r.name = "d";
  r.use = Use::Write;
  r.bytes = 16;
  r.dtypes = elements;
  return r;
}
// PTX ISA, ldmatrix: rows of 16 bytes, aligned to 16.
constexpr OperandRow row(bool transposed) {
  OperandRow r;
  r.name = "m";
  r.where = Where::Shared;
  r.bytes = r.alignment = 16;
  r.rowMajor = !transposed;
  return r;
}
constexpr std::array<DType, 2> kHalves{DType::Float(16), DType::BFloat(16)};
constexpr std::array<OperandRow, 2> kLoaded{loaded({}), row(false)}, kLoadedTransposed{loaded(kHalves), row(true)};

// --- the rows ---

constexpr OperationRow loading(std::string_view name, std::span<const OperandRow> operands, std::string_view text,
                               std::string_view print, std::string_view preamble, decltype(OperationRow::run) run) {
  OperationRow r;
  r.name = name;
  r.call = "ptx_ldmatrix";
  r.operands = operands;
  r.text = text;
  r.print = print;
  r.preamble = preamble;
  r.since = 75;
  r.run = run;
  r.nanoseconds = 900;
  return r;
}

struct Product {
  ProductTile tile;
  std::span<const OperandRow> operands;
  std::array<ProductTypes, 1> types;
  int since;
};
constexpr OperationRow multiplying(std::string_view name, const Product& product, std::string_view text,
                                   std::string_view print, std::string_view preamble, decltype(OperationRow::run) run) {
  OperationRow r;
  r.name = name;
  r.call = "ptx_mma";
  r.tile = product.tile;
  r.operands = product.operands;
  r.products = product.types;
  r.text = text;
  r.print = print;
  r.preamble = preamble;
  r.since = product.since;
  r.run = run;
  r.nanoseconds = 120.0 * product.tile.k;
  return r;
}

constexpr DType kHalf = DType::Float(16), kBrain = DType::BFloat(16), kFloat = DType::Float(32),
                kSigned = DType::Int(8), kUnsigned = DType::UInt(8), kInteger = DType::Int(32),
                kE4M3 = {DType::Code::E4M3, 8, 1}, kE5M2 = {DType::Code::E5M2, 8, 1};
constexpr ProductTile kK8{16, 8, 8}, kK16{16, 8, 16}, kK32{16, 8, 32}, kM8K16{8, 8, 16};

// PTX ISA, mma, "Target ISA notes". Named by their result and factors.
constexpr Product kF32F16K16{kK16, kMultiplied<kK16, 16, 32>, {{{ProductKind::F16F32, kHalf, kFloat, kFloat}}}, 80};
constexpr Product kF16F16K16{kK16, kMultiplied<kK16, 16, 16>, {{{ProductKind::F16F16, kHalf, kHalf, kHalf}}}, 80};
constexpr Product kF32Bf16K16{kK16, kMultiplied<kK16, 16, 32>, {{{ProductKind::Bf16F32, kBrain, kFloat, kFloat}}}, 80};
constexpr Product kF32F16K8{kK8, kMultiplied<kK8, 16, 32>, {{{ProductKind::F16F32, kHalf, kFloat, kFloat}}}, 75};
constexpr Product kF16F16K8{kK8, kMultiplied<kK8, 16, 16>, {{{ProductKind::F16F16, kHalf, kHalf, kHalf}}}, 75};
constexpr Product kF32Tf32K8{
    kK8, kMultiplied<kK8, 32, 32>, {{{ProductKind::Tf32F32, kFloat, kFloat, kFloat, kTf32Digits}}}, 80};
constexpr Product kS32S8K32{kK32, kMultiplied<kK32, 8, 32>, {{{ProductKind::S8S32, kSigned, kInteger, kInteger}}}, 80};
constexpr Product kS32U8K32{
    kK32, kMultiplied<kK32, 8, 32>, {{{ProductKind::S8S32, kUnsigned, kInteger, kInteger}}}, 80};
constexpr Product kF32E4M3K32{kK32, kMultiplied<kK32, 8, 32>, {{{ProductKind::F8F32, kE4M3, kFloat, kFloat}}}, 89};
constexpr Product kF32E5M2K32{kK32, kMultiplied<kK32, 8, 32>, {{{ProductKind::F8F32, kE5M2, kFloat, kFloat}}}, 89};
constexpr Product kS32S8M8K16{
    kM8K16, kMultiplied<kM8K16, 8, 32>, {{{ProductKind::S8S32, kSigned, kInteger, kInteger}}}, 75};

constexpr std::array<OperationRow, 13> kRows{
    loading("ldmatrix.x4", kLoaded, "ldmatrix_x4({&d}, {m, element});", "ldmatrix.x4 {d} = {m}", texts::kLdmatrix,
            loadMatrices),
    loading("ldmatrix.x4.trans", kLoadedTransposed, "ldmatrix_x4_trans({&d}, {m, element});",
            "ldmatrix.x4.trans {d} = {m}", texts::kLdmatrixTransposed, loadTransposed),
    multiplying("mma.m16n8k16.f32_f16", kF32F16K16, "mma_m16n8k16_f32_f16({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k16.f32_f16 {d} = {a} * {b} + {c}", texts::kF32F16K16, multiply<kK16>),
    multiplying("mma.m16n8k16.f16_f16", kF16F16K16, "mma_m16n8k16_f16_f16({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k16.f16_f16 {d} = {a} * {b} + {c}", texts::kF16F16K16, multiply<kK16>),
    multiplying("mma.m16n8k16.f32_bf16", kF32Bf16K16, "mma_m16n8k16_f32_bf16({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k16.f32_bf16 {d} = {a} * {b} + {c}", texts::kF32Bf16K16, multiply<kK16>),
    multiplying("mma.m16n8k8.f32_f16", kF32F16K8, "mma_m16n8k8_f32_f16({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k8.f32_f16 {d} = {a} * {b} + {c}", texts::kF32F16K8, multiply<kK8>),
    multiplying("mma.m16n8k8.f16_f16", kF16F16K8, "mma_m16n8k8_f16_f16({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k8.f16_f16 {d} = {a} * {b} + {c}", texts::kF16F16K8, multiply<kK8>),
    multiplying("mma.m16n8k8.f32_tf32", kF32Tf32K8, "mma_m16n8k8_f32_tf32({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k8.f32_tf32 {d} = {a} * {b} + {c}", texts::kF32Tf32K8, multiply<kK8, tf32Of>),
    multiplying("mma.m16n8k32.s32_s8", kS32S8K32, "mma_m16n8k32_s32_s8({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k32.s32_s8 {d} = {a} * {b} + {c}", texts::kS32S8K32, multiply<kK32>),
    multiplying("mma.m16n8k32.s32_u8", kS32U8K32, "mma_m16n8k32_s32_u8({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k32.s32_u8 {d} = {a} * {b} + {c}", texts::kS32U8K32, multiply<kK32>),
    multiplying("mma.m16n8k32.f32_e4m3", kF32E4M3K32, "mma_m16n8k32_f32_e4m3({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k32.f32_e4m3 {d} = {a} * {b} + {c}", texts::kF32E4M3K32, multiply<kK32>),
    multiplying("mma.m16n8k32.f32_e5m2", kF32E5M2K32, "mma_m16n8k32_f32_e5m2({&d}, {&a}, {&b}, {&c});",
                "mma.m16n8k32.f32_e5m2 {d} = {a} * {b} + {c}", texts::kF32E5M2K32, multiply<kK32>),
    multiplying("mma.m8n8k16.s32_s8", kS32S8M8K16, "mma_m8n8k16_s32_s8({&d}, {&a}, {&b}, {&c});",
                "mma.m8n8k16.s32_s8 {d} = {a} * {b} + {c}", texts::kS32S8M8K16, multiply<kM8K16>),
};

}  // namespace

extern const OperationFamily kMma;
const OperationFamily kMma{nullptr, kRows, readMmaCall, mmaCallInOrder, mmaCallLoadsByColumns};

}  // namespace loom::device
