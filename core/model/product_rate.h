// The rates at which tensor cores compute products, by the kind of product (the types of factors and sums).
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
  Quantity peak;                    // the figure that is the peak of the products' instructions (mma.sync or wgmma)
  const char* name;                 // the instructions with their types, for people: "mma.sync f16→f32"
  std::optional<Quantity> instead;  // the peak of another kind that is no faster, for devices without `peak`
  Quantity atMost;                  // the peak of wgmma, an upper bound for the same tensor cores; for wgmma `peak`
  bool isOfOther = false;           // whether wgmma has no such products: `peak` and `name` are then of another kind
};
// Returns the figures for products of single warps (mma.sync and wmma).
ProductRate rateOfProducts(device::ProductKind kind);
// Returns the device's figure for ProductRate::peak, or without that for `instead`, in TFLOP/s or TOP/s; nothing if the
// device has neither.
std::optional<double> peakOf(const ProductRate& rate, const Device& device);
// Returns the kind of product that the device's tensor cores execute for `kind`. For sm_90 and later, which have no
// instruction for integers of 4 bits, NVRTC 13.0 converts these to 8 bits (seen in its machine code: IMMA.16832.S8
// after conversions by CUDA cores, whose time isn't included). Every other kind is executed as it is.
device::ProductKind executedAs(device::ProductKind kind, const Device& device);
// Returns the kind of product that is assumed if only the number of bits of a factor is known: integers for 1, 4 and 8
// bits, float16 for 16, tf32 for more.
device::ProductKind kindOfFactors(int bits);
// Returns the peak of products of single warps (mma.sync) whose factors have `bits` bits, in TFLOP/s or TOP/s: of
// integers of 1, 4 or 8 bits, or of float16 for more bits. If the device has no figure for 1 or 4 bits, the result is
// that for 8. Nothing if the figure isn't known.
std::optional<double> warpPeak(const Device& device, int bits);
// Returns the figures for products of warpgroups (wgmma), whose factors tensor cores read from shared memory.
ProductRate rateOfWarpgroups(device::ProductKind kind);
// Returns the FLOP that the tensor cores of a multiprocessor do per clock in products of warpgroups; for 4-bit integers
// and single bits, which wgmma lacks, those of 8-bit integers. For example, m64nNk16 of f16 takes N / 2 clocks.
double flopPerClock(device::ProductKind kind);
// Returns the clocks for which one machine instruction of a warpgroup ("HGMMA.64x128x16.F32": 64) keeps all four of a
// multiprocessor's tensor cores busy, at the rate of `flopPerClock` and if shared memory brings the factors in time.
// Returns 0 for other instructions, and for single bits, of which no rate is known.
double warpgroupClocks(const sass::Instruction& instruction);
// Returns whether the kernel has products of warpgroups (wgmma).
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
