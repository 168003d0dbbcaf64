#include "core/gpu/describe.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::gpu {
namespace {

using model::Quantity;

constexpr const char* kGuide = "CUDA C++ Programming Guide, technical specifications per compute capability";
constexpr const char* kOccupancy = "cuda_occupancy.h of CUDA 13.0";

// What is the same for all devices of a compute capability.
struct Generation {
  int from, to;    // compute capability · 10
  int fp32Cores;   // of a multiprocessor
  int sharedUnit;  // bytes
};
constexpr Generation kGenerations[] = {
    {70, 75, 64, 256}, {80, 80, 64, 128}, {86, 89, 128, 128}, {90, 90, 128, 128}, {100, 121, 128, 128},
};

}  // namespace

Result<model::Device> describe(const DeviceInfo& info) {
  const int capability = info.major * 10 + info.minor;
  const auto* generation = std::find_if(std::begin(kGenerations), std::end(kGenerations), [&](const Generation& g) {
    return capability >= g.from && capability <= g.to;
  });
  auto unknown = [&](const Message& why) {
    return fail("NoSuchDevice",
                message("{} (compute capability {}.{}) can't be described: {}", info.name, info.major, info.minor, why),
                Forbids::Environment);
  };
  if (info.cpu) return unknown(message("it is no GPU"));
  if (generation == std::end(kGenerations)) return unknown(message("nothing is known of its generation"));
  const int needed[] = {info.multiprocessors,          info.clockKhz,          info.threadsPerBlock,
                        info.threadsPerMultiprocessor, info.registersPerBlock, info.registersPerMultiprocessor,
                        info.blocksPerMultiprocessor};
  if (std::any_of(std::begin(needed), std::end(needed), [](int n) { return n <= 0; }) || info.sharedPerBlock <= 0 ||
      info.sharedPerMultiprocessor <= 0)
    return unknown(message("its driver doesn't tell its limits"));

  model::Device d;
  d.id = "here";
  d.name = info.name;
  d.major = info.major;
  d.minor = info.minor;
  const std::string properties = fmt::format("CUDA device properties of this {}, driver {}", info.name, info.driver);
  auto told = [&](Quantity q, double value) { d.figures[q] = {value, properties}; };
  const double clock = info.clockKhz / 1e6;  // GHz
  told(Quantity::Multiprocessors, info.multiprocessors);
  told(Quantity::ClockMhz, info.clockKhz / 1000);
  told(Quantity::ThreadsPerMultiprocessor, info.threadsPerMultiprocessor);
  told(Quantity::BlocksPerMultiprocessor, info.blocksPerMultiprocessor);
  told(Quantity::ThreadsPerBlock, info.threadsPerBlock);
  told(Quantity::RegistersPerMultiprocessor, info.registersPerMultiprocessor);
  told(Quantity::RegistersPerBlock, info.registersPerBlock);
  told(Quantity::SharedPerMultiprocessor, double(info.sharedPerMultiprocessor));
  told(Quantity::SharedPerBlock, double(info.sharedPerBlock));
  told(Quantity::SharedReserve, info.sharedReserve);
  if (info.memoryBytes > 0) told(Quantity::MemoryBytes, double(info.memoryBytes));
  if (info.l2Bytes > 0) told(Quantity::L2Bytes, double(info.l2Bytes));
  d.figures[Quantity::RegistersPerThread] = {255, kGuide};
  d.figures[Quantity::RegisterUnit] = {256, fmt::format("{}, per warp", kOccupancy)};
  d.figures[Quantity::SubPartitions] = {4, kOccupancy};
  d.figures[Quantity::SharedUnit] = {double(generation->sharedUnit), kOccupancy};
  const double flops = 2 * generation->fp32Cores;
  d.figures[Quantity::Fp32FlopPerClock] = {flops,
                                           fmt::format("{}: arithmetic throughput, 2 per fused multiply-add", kGuide)};
  // Turing's banks don't reach what they are wide.
  if (capability >= 80)
    d.figures[Quantity::SharedBytesPerClock] = {128, fmt::format("{}: 32 banks of 4 bytes a clock", kGuide)};
  d.figures[Quantity::Fp32Tflops] = {flops * clock * info.multiprocessors / 1000,
                                     fmt::format("{:g} FLOP a clock × {} multiprocessors × {:g} GHz; {}", flops,
                                                 info.multiprocessors, clock, properties)};
  if (info.memoryClockKhz > 0 && info.memoryBusBits > 0)
    d.figures[Quantity::MemoryGbPerS] = {
        2.0 * info.memoryClockKhz * info.memoryBusBits / 8 / 1e6,
        fmt::format("{} bits × 2 a clock of {:g} GHz; {}", info.memoryBusBits, info.memoryClockKhz / 1e6, properties)};
  return d;
}

}  // namespace loom::gpu
