// CUDA's driver interface, loaded at run time. Only the worker process uses it: a kernel that faults spoils its
// process.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/tensor_map.h"
#include "core/ir/result.h"

namespace loom::gpu {

using Address = std::uint64_t;  // of device memory

// A GPU of this machine, as its driver describes it.
struct DeviceInfo {
  int ordinal = 0;
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::int64_t memoryBytes = 0;
  std::int64_t sharedPerBlock = 0;  // with opt-in, bytes
  std::int64_t sharedPerMultiprocessor = 0;
  std::int64_t l2Bytes = 0;
  int clockKhz = 0, memoryClockKhz = 0;
  // Limits, 0 where they aren't known: records of before 2026-11-23 haven't got them.
  int threadsPerBlock = 0, threadsPerMultiprocessor = 0, blocksPerMultiprocessor = 0;
  int registersPerBlock = 0, registersPerMultiprocessor = 0;
  int sharedReserve = 0;  // bytes of each block that the system keeps; none before 8.0
  int memoryBusBits = 0;
  std::string driver;  // "13.0", the driver's CUDA version
  bool cpu = false;    // no GPU but the executor (cpu_device.h); only ordinal, name and driver are set
  // Returns the architecture to compile for, such as "sm_90a"; the features with an "a" exist from 9.0 on.
  std::string architecture() const;
};

// Clocks, temperature and power of a device at one moment.
struct Clocks {
  int smMhz = 0, memoryMhz = 0, temperatureC = 0, powerW = 0;  // 0 where the device doesn't tell
};

// The map of a matrix (CUtensorMap), which the driver makes and kernels take by value. What it says is the driver's
// own.
struct alignas(64) TensorMap {
  std::array<std::uint64_t, 16> words{};
};

// The CUDA driver's interface, loaded at run time.
class Driver {
 public:
  // Loads the driver. Errors: "NoDriver" (no libcuda.so.1, or it can't start), "NoDevice" (a driver without a device).
  static Result<std::unique_ptr<Driver>> load();
  ~Driver();

  const std::vector<DeviceInfo>& devices() const { return devices_; }
  // Makes a context on the device; everything below needs one. Error "NoDevice".
  Result<void> open(int ordinal);

  // Allocates memory of the device. Errors of this and of the functions below: "OutOfMemory", "LaunchError",
  // "DeviceError", with the driver's own name for what happened.
  Result<Address> allocate(std::int64_t bytes);
  void release(Address address);
  Result<void> upload(Address to, const void* from, std::int64_t bytes);
  Result<void> download(void* to, Address from, std::int64_t bytes);
  Result<void> fill(Address at, std::uint8_t value, std::int64_t bytes);  // in stream order
  Result<void> synchronize();

  using Module = void*;
  using Function = void*;
  Result<Module> loadModule(const std::vector<char>& cubin);
  void unloadModule(Module module);
  Result<Function> function(Module module, const std::string& name);

  struct Launch {
    Function function = nullptr;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::int64_t sharedBytes = 0;  // dynamic
    std::vector<Address> arguments;
    std::vector<TensorMap> maps = {};  // passed by value, after `arguments`
  };
  Result<void> launch(const Launch& launch);  // in stream order

  // Returns the map of the matrix in a buffer at this address. Errors also: "NoDriver" where the driver is older than
  // 12.0, which can't make maps.
  Result<TensorMap> encode(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer,
                           Address at) const;

  struct FunctionInfo {
    int registers = 0, localBytes = 0, staticShared = 0, blocksPerMultiprocessor = 0;  // at the launch's shape
  };
  Result<FunctionInfo> inspect(const Launch& launch);

  // Everything put in stream order while `record` runs, as a graph that can be launched as one.
  class Graph;
  template <class Record>
  Result<std::shared_ptr<Graph>> capture(Record record) {
    if (auto begun = beginCapture(); !begun) return Failure(begun.error());
    Result<void> recorded = record();
    auto graph = endCapture();
    if (!recorded) return Failure(recorded.error());
    return graph;
  }
  Result<void> launch(const Graph& graph);

  // Milliseconds on the device between two points in stream order.
  using Event = void*;
  Result<Event> mark();
  Result<double> between(Event start, Event end);  // waits for `end`; both events are released

  Clocks clocks() const;  // through NVML where it is installed
  void* stream() const;   // the CUstream everything runs on

 private:
  struct Library;
  Driver();
  Result<void> beginCapture();
  Result<std::shared_ptr<Graph>> endCapture();
  Result<void> check(int status, const char* what) const;
  Result<void> allowShared(const Launch& launch);

  std::unique_ptr<Library> library_;
  std::vector<DeviceInfo> devices_;
};

}  // namespace loom::gpu
