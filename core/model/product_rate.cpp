#include "core/model/product_rate.h"

#include <algorithm>

#include "core/sass/warpgroup_product.h"

namespace loom::model {

ProductRate rateOfProducts(device::ProductKind kind) {
  using enum Quantity;
  switch (kind) {
    case device::ProductKind::F16F32: break;
    case device::ProductKind::Bf16F32: return {MmaBf16F32Tflops, "mma.sync bf16→f32", {}, WgmmaBf16F32Tflops};
    case device::ProductKind::Tf32F32: return {MmaTf32Tflops, "mma.sync tf32→f32", {}, WgmmaTf32Tflops};
    case device::ProductKind::F16F16: return {MmaF16F16Tflops, "mma.sync f16→f16", MmaF16F32Tflops, WgmmaF16F16Tflops};
    // Compilers for Hopper turn factors of 8-bit floats into f16 first.
    case device::ProductKind::F8F32: return {MmaF16F32Tflops, "mma.sync f16→f32", {}, WgmmaF16F32Tflops};
    // Turing and Ampere multiply 4 bits at twice the rate of 8, and single bits at eight times. Hopper, too, has an
    // instruction for single bits (BMMA), of which nobody states a rate: until `tileloom probe` has measured it, that
    // of 8 bits stands in.
    case device::ProductKind::S4S32: return {MmaS4Tops, "mma.sync s4→s32", MmaS8Tops, WgmmaS8Tops};
    case device::ProductKind::B1S32: return {MmaB1Tops, "mma.sync b1→s32", MmaS8Tops, WgmmaS8Tops};
    case device::ProductKind::S8S32: return {MmaS8Tops, "mma.sync s8→s32", {}, WgmmaS8Tops};
  }
  return {MmaF16F32Tflops, "mma.sync f16→f32", {}, WgmmaF16F32Tflops};
}

device::ProductKind executedAs(device::ProductKind kind, const Device& device) {
  return kind == device::ProductKind::S4S32 && device.major >= 9 ? device::ProductKind::S8S32 : kind;
}

std::optional<double> peakOf(const ProductRate& rate, const Device& device) {
  const auto own = device.value(rate.peak);
  return !own && rate.instead ? device.value(*rate.instead) : own;
}

std::optional<double> warpPeak(const Device& device, int bits) {
  using enum device::ProductKind;
  const auto kind = bits == 1 ? B1S32 : bits == 4 ? S4S32 : bits <= 8 ? S8S32 : F16F32;
  return peakOf(rateOfProducts(executedAs(kind, device)), device);
}

ProductRate rateOfWarpgroups(device::ProductKind kind) {
  const Quantity peak = rateOfProducts(kind).atMost;
  const auto rate = [&](const char* name) { return ProductRate{peak, name, {}, peak}; };
  switch (kind) {
    case device::ProductKind::Bf16F32: return rate("wgmma bf16→f32");
    case device::ProductKind::Tf32F32: return rate("wgmma tf32→f32");
    case device::ProductKind::F8F32: return rate("wgmma f8→f32");
    case device::ProductKind::S8S32: return rate("wgmma s8→s32");
    default: return rate("wgmma f16→f32");
  }
}

// CUDA C++ Programming Guide, arithmetic throughput of compute capability 9.0; it is what 989 TFLOP/s at 1830 MHz on
// 132 multiprocessors come to.
double flopPerClock(device::ProductKind kind) {
  switch (kind) {
    case device::ProductKind::Tf32F32: return 2048;
    case device::ProductKind::F8F32:
    case device::ProductKind::S8S32: return 8192;
    default: return 4096;
  }
}

double warpgroupClocks(const sass::Instruction& instruction) {
  const auto product = sass::warpgroupProductOf(instruction);
  if (!product || product->factorBits == 1) return 0;
  const auto kind = product->factorBits == 32  ? device::ProductKind::Tf32F32
                    : product->factorBits == 8 ? device::ProductKind::S8S32
                                               : device::ProductKind::F16F32;
  constexpr int kWarps = 4;
  return kWarps * product->flops() / flopPerClock(kind);
}

bool hasWarpgroups(const Device& device) { return device.major == 9 && device.minor == 0; }

bool hasWarpgroupProducts(const KernelAccesses& kernel) {
  return std::ranges::any_of(
      kernel.work, [](const Work& w) { return w.product && w.product->row->agent == device::Agent::TensorCore; });
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
