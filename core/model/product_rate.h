// The rates at which tensor cores multiply, by the kind of product: the one place where a kind becomes a figure of a
// device. A new kind has a row in the table of product_rate.cpp, which else doesn't compile.
#pragma once
#include <optional>
#include <vector>

#include "core/device/operation.h"
#include "core/model/access.h"
#include "core/model/device.h"
#include "core/sass/kernel.h"

namespace loom::model {

// The figures of a device that bound products of one kind on tensor cores.
struct ProductRate {
  Quantity peak;                    // of mma.sync and wmma
  const char* name;                 // of that path, for people: "mma.sync f16→f32"
  std::optional<Quantity> instead;  // the peak of a kind that is no faster, for devices without a figure of their own
  Quantity atMost;                  // of wgmma, which the same units can't exceed
  bool isOfOther = false;  // whether the path has no such products, and this is the rate of another kind of its
};
ProductRate rateOfProducts(device::ProductKind kind);
// Returns the device's figure for a rate, or the one that stands in, in TFLOP/s or TOP/s; nothing where it has neither.
std::optional<double> peakOf(const ProductRate& rate, const Device& device);
// Returns the kind of product that the device's tensor cores are given for another: NVRTC 13.0 makes bytes of integers
// of 4 bits for sm_90 and later, which have no instruction for these (seen in its machine code: IMMA.16832.S8 behind
// conversions by CUDA cores, which are extra). Every other kind is executed as it is.
device::ProductKind executedAs(device::ProductKind kind, const Device& device);
// Returns the kind of products of factors of so many bits, where no more is known of them than that: of 8 those of
// integers, of 16 those of float16, of more those of tf32.
device::ProductKind kindOfFactors(int bits);
// Returns the peak of warps' products of factors of so many bits, in TFLOP/s or TOP/s: of single bits, of 4, of 8, or
// of float16 for more. Where the device has no figure for less than 8 bits, that of 8. Nothing where that is missing.
std::optional<double> warpPeak(const Device& device, int bits);
// Returns the same for products whose factors tensor cores read from shared memory by themselves: the peak and the name
// are wgmma's.
ProductRate rateOfWarpgroups(device::ProductKind kind);
// Returns the FLOP that the tensor cores of a multiprocessor do in a clock of a warpgroup's products. For example,
// m64nNk16 of f16 takes N / 2 clocks.
double flopPerClock(device::ProductKind kind);
// Returns the clocks for which a machine instruction of a warpgroup ("HGMMA.64x128x16.F32": 64) keeps all four of a
// multiprocessor's tensor cores busy, at that rate and if shared memory brings the factors in time. Returns 0 for other
// instructions, and for single bits, of which no rate is known.
double warpgroupClocks(const sass::Instruction& instruction);
// Returns whether the kernel has such products.
bool hasWarpgroupProducts(const KernelAccesses& kernel);
// Returns whether the device's warpgroups multiply (wgmma): compute capability 9.0 alone.
bool hasWarpgroups(const Device& device);

// Returns the kinds of product of tensor cores whose factors and sums have these types and that keep so many binary
// digits of each factor (device::ProductTypes::digits; 0: all that the type has), in the order of the enumerators;
// empty if no operation multiplies so. For example, float32 is multiplied as tf32 where 10 digits are kept, else never.
std::vector<device::ProductKind> productKindsOf(ir::DType factors, ir::DType sum, int digits = 0);

// Returns the kinds of the kernel's products on tensor cores, each once, in program order; empty if it has none.
std::vector<device::ProductKind> productKinds(const KernelAccesses& kernel);

}  // namespace loom::model
