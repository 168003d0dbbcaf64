#include "core/model/product_rate.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/device/operations/families.h"
#include "core/sass/warpgroup_product.h"

namespace loom::model {
namespace {

using device::ProductKind;

// What is known of a kind of product.
struct KindRow {
  ProductKind kind;
  ProductRate ofWarps;
  // Of wgmma: its peak, the path's name, and FLOP that a multiprocessor's tensor cores do in a clock. CUDA C++
  // Programming Guide, arithmetic throughput of compute capability 9.0; 4096 is what 989 TFLOP/s at 1830 MHz on 132
  // multiprocessors come to.
  ProductRate ofWarpgroups;
  double flopPerClock;
};

constexpr ProductRate warps(Quantity peak, const char* name, Quantity atMost, std::optional<Quantity> instead = {}) {
  return {peak, name, instead, atMost};
}
constexpr ProductRate warpgroups(Quantity peak, const char* name) { return {peak, name, {}, peak}; }
constexpr ProductRate kBytesOfWarpgroups{Quantity::WgmmaS8Tops, "wgmma s8→s32", {}, Quantity::WgmmaS8Tops, true};

// In the order of the enumerators.
constexpr std::array kKinds{
    KindRow{ProductKind::Tf32F32, warps(Quantity::MmaTf32Tflops, "mma.sync tf32→f32", Quantity::WgmmaTf32Tflops),
            warpgroups(Quantity::WgmmaTf32Tflops, "wgmma tf32→f32"), 2048},
    KindRow{ProductKind::Bf16F32, warps(Quantity::MmaBf16F32Tflops, "mma.sync bf16→f32", Quantity::WgmmaBf16F32Tflops),
            warpgroups(Quantity::WgmmaBf16F32Tflops, "wgmma bf16→f32"), 4096},
    KindRow{ProductKind::F16F32, warps(Quantity::MmaF16F32Tflops, "mma.sync f16→f32", Quantity::WgmmaF16F32Tflops),
            warpgroups(Quantity::WgmmaF16F32Tflops, "wgmma f16→f32"), 4096},
    KindRow{
        ProductKind::F16F16,
        warps(Quantity::MmaF16F16Tflops, "mma.sync f16→f16", Quantity::WgmmaF16F16Tflops, Quantity::MmaF16F32Tflops),
        warpgroups(Quantity::WgmmaF16F16Tflops, "wgmma f16→f16"), 4096},
    // Compilers for Hopper turn a warp's factors of 8-bit floats into f16 first. Warpgroups multiply them at the rate
    // of 8-bit integers: the architecture's whitepaper states one number for both.
    KindRow{ProductKind::F8F32, warps(Quantity::MmaF16F32Tflops, "mma.sync f16→f32", Quantity::WgmmaF16F32Tflops),
            warpgroups(Quantity::WgmmaS8Tops, "wgmma f8→f32"), 8192},
    KindRow{ProductKind::S8S32, warps(Quantity::MmaS8Tops, "mma.sync s8→s32", Quantity::WgmmaS8Tops),
            warpgroups(Quantity::WgmmaS8Tops, "wgmma s8→s32"), 8192},
    // Turing and Ampere multiply 4 bits at twice the rate of 8, and single bits at eight times. Hopper, too, has an
    // instruction for single bits (BMMA), of which nobody states a rate: until `tileloom probe` has measured it, that
    // of 8 bits stands in. Warpgroups have no such products.
    KindRow{ProductKind::S4S32,
            warps(Quantity::MmaS4Tops, "mma.sync s4→s32", Quantity::WgmmaS8Tops, Quantity::MmaS8Tops),
            kBytesOfWarpgroups, 8192},
    KindRow{ProductKind::B1S32,
            warps(Quantity::MmaB1Tops, "mma.sync b1→s32", Quantity::WgmmaS8Tops, Quantity::MmaS8Tops),
            kBytesOfWarpgroups, 8192},
};
constexpr const KindRow& rowOf(ProductKind kind) { return kKinds.at(std::size_t(kind)); }
static_assert(kKinds.size() == device::kProductKinds, "each kind of product has a row");
static_assert(
    [] {
      for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (kKinds[i].kind != ProductKind(i)) return false;
      return true;
    }(),
    "the rows are in the order of the enumerators");

}  // namespace

ProductRate rateOfProducts(ProductKind kind) { return rowOf(kind).ofWarps; }

ProductRate rateOfWarpgroups(ProductKind kind) { return rowOf(kind).ofWarpgroups; }

double flopPerClock(ProductKind kind) { return rowOf(kind).flopPerClock; }

ProductKind kindOfFactors(int bits) {
  return bits == 1    ? ProductKind::B1S32
         : bits == 4  ? ProductKind::S4S32
         : bits <= 8  ? ProductKind::S8S32
         : bits <= 16 ? ProductKind::F16F32
                      : ProductKind::Tf32F32;
}

ProductKind executedAs(ProductKind kind, const Device& device) {
  return kind == ProductKind::S4S32 && device.major >= 9 ? ProductKind::S8S32 : kind;
}

std::optional<double> peakOf(const ProductRate& rate, const Device& device) {
  const auto own = device.value(rate.peak);
  return !own && rate.instead ? device.value(*rate.instead) : own;
}

std::optional<double> warpPeak(const Device& device, int bits) {
  return peakOf(rateOfProducts(executedAs(kindOfFactors(std::min(bits, 16)), device)), device);
}

double warpgroupClocks(const sass::Instruction& instruction) {
  const auto product = sass::warpgroupProductOf(instruction);
  if (!product || product->factorBits == 1) return 0;
  constexpr int kWarps = 4;
  return kWarps * product->flops() / flopPerClock(kindOfFactors(product->factorBits));
}

bool hasWarpgroups(const Device& device) { return device.major == 9 && device.minor == 0; }

bool hasWarpgroupProducts(const KernelAccesses& kernel) {
  return std::ranges::any_of(
      kernel.work, [](const Work& w) { return w.product && w.product->row->agent == device::Agent::TensorCore; });
}

std::vector<ProductKind> productKindsOf(ir::DType factors, ir::DType sum, int digits) {
  std::set<ProductKind> kinds;
  for (const device::OperationFamily* family : device::operationFamilies())
    for (const device::OperationRow& row : family->rows)
      for (const device::ProductTypes& types : row.products)
        if (types.factors == factors && types.result == sum && types.digits == digits) kinds.insert(types.kind);
  return {kinds.begin(), kinds.end()};
}

std::vector<device::ProductKind> productKinds(const KernelAccesses& kernel) {
  std::vector<device::ProductKind> kinds;
  for (const Work& w : kernel.work) {
    const device::ProductTypes* types = w.product ? device::productOf(*w.product) : nullptr;
    if (types && std::ranges::find(kinds, types->kind) == kinds.end()) kinds.push_back(types->kind);
  }
  return kinds;
}

}  // namespace loom::model
