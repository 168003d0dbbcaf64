// The description of a GPU: figures, each with its source, as its file in assets/devices has them. A figure may be
// missing.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::model {

// The figures that describe a device. `nameOf` has their names in device files. A name that ends with Mhz, GbPerS,
// Tflops or Tops says the unit: MHz, GB/s, TFLOP/s, 10^12 integer operations per second; Bytes are bytes, as are those
// of shared memory whose comment says so, and the other figures are numbers. A multiply-add counts as two operations. A
// peak or bandwidth is the vendor's, of dense matrices (without structured sparsity), unless its name ends with
// Measured or its source says that it was measured. Comments name the member of cudaDeviceProp with the same meaning,
// where there is one.
enum class Quantity : std::uint8_t {
  Multiprocessors,             // multiProcessorCount
  ClockMhz,                    // clock rate of the multiprocessors for which the stated peaks hold
  ThreadsPerMultiprocessor,    // maxThreadsPerMultiProcessor
  BlocksPerMultiprocessor,     // maxBlocksPerMultiProcessor
  ThreadsPerBlock,             // maxThreadsPerBlock
  RegistersPerMultiprocessor,  // regsPerMultiprocessor; registers of 32 bits
  RegistersPerBlock,           // regsPerBlock
  RegistersPerThread,          // the most that a thread can have
  RegisterUnit,                // registers are given to a warp in multiples of this
  SubPartitions,               // of a multiprocessor, each with its share of the registers and a warp scheduler
  SharedPerMultiprocessor,     // bytes, sharedMemPerMultiprocessor
  SharedPerBlock,              // bytes, sharedMemPerBlockOptin: with opting in, without SharedReserve
  SharedUnit,                  // bytes; shared memory is given to a block in multiples of this
  SharedReserve,               // bytes that the driver reserves in each block, reservedSharedMemPerBlock
  SharedBytesPerClock,         // of one multiprocessor
  SharedGbPerSMeasured,        // of all multiprocessors together
  Fp32FlopPerClock,            // of a multiprocessor
  MemoryBytes,                 // global memory as the vendor states it; totalGlobalMem is somewhat less
  MemoryGbPerS,
  MemoryGbPerSMeasured,
  L2Bytes,  // l2CacheSize
  L2GbPerS,
  Fp32Tflops,
  Fp32TflopsMeasured,
  MmaF16F32Tflops,  // warp-level, wmma and mma.sync; the names have the type of the factors and of the sums
  MmaF16F16Tflops,
  MmaBf16F32Tflops,
  MmaTf32Tflops,
  MmaS8Tops,
  MmaS4Tops,          // integers of 4 bits, with a sign or without
  MmaB1Tops,          // single bits
  WgmmaF16F32Tflops,  // warpgroup-level
  WgmmaF16F16Tflops,
  WgmmaBf16F32Tflops,
  WgmmaTf32Tflops,
  WgmmaS8Tops,
  TensorClockMhz,  // clock rate that the power limit leaves while tensor cores are busy with data that L2 can't hold
};
// Returns the name of a quantity as the files have it, such as "multiprocessors".
const char* nameOf(Quantity quantity);
// Returns the quantity with that name; nothing if there is none.
std::optional<Quantity> quantityOf(const std::string& name);

// A figure with the source that it is taken from.
struct Figure {
  double value = 0;
  std::string source;
};

// The graphics processing clusters (GPCs) of a device: all blocks of a cluster run within one GPC. Multiprocessors that
// belong to no whole GPC count as small GPCs of their own. Chips of the same product differ in the GPCs that have fewer
// multiprocessors.
struct Gpcs {
  std::vector<int> multiprocessors;  // number of multiprocessors of each GPC; empty: not known
  std::string source;
};

// A GPU, as its file in assets/devices describes it.
struct Device {
  std::string id;            // the file's name, "h200"
  std::string name;          // as the driver says it, "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  std::map<Quantity, Figure> figures;
  Gpcs gpcs;

  // Returns the architecture that programs for the device are compiled for, such as "sm_75" or "sm_90a", as
  // gpu::DeviceInfo has it for a GPU of this machine.
  std::string architecture() const;
  // Returns a figure; null if it is missing.
  const Figure* find(Quantity quantity) const;
  // Returns the value of a figure; nothing if it is missing.
  std::optional<double> value(Quantity quantity) const;
  // Returns the value of a figure. Error "UnknownFigure" names the device and the quantity.
  Result<double> need(Quantity quantity) const;
};

// Parses a device file. `origin` is its name in messages. Errors "DeviceFileError": no JSON, unknown keys, no id, name
// or compute_capability, figures that aren't positive numbers (shared_reserve may be zero) or have no source, GPCs that
// don't add up to the multiprocessors.
Result<Device> parseDevice(const std::string& text, const std::string& origin);
// Reads all devices of assets/devices, in the order of their ids; none if there is no such folder. A figure measured in
// assets/probed is added to the device of that name if it lacks the figure, and replaces a smaller one
// (applyProbeResults, probed.h). Error "DeviceFileError" if a file of either folder isn't valid, or a device's id isn't
// the name of its file.
Result<std::vector<Device>> loadDevices(const std::filesystem::path& assets);
// A JSON file of the assets: its name without the ending, its name in messages ("assets/devices/h200.json"), and its
// text.
struct FigureFile {
  std::string stem, origin, text;
};
// Returns the JSON files of a folder of the assets, in the order of their names; none if there is no such folder. A
// file that can't be read has an empty text.
std::vector<FigureFile> figureFiles(const std::filesystem::path& assets, const std::string& folder);
// Returns the error "DeviceFileError" that says what is wrong with the file `origin`.
Failure deviceFileError(const std::string& origin, const Message& what);
// Returns the device with that id or name. Error "NoSuchDevice" lists the devices that there are.
Result<Device> findDevice(const std::vector<Device>& devices, const std::string& wanted);

}  // namespace loom::model
