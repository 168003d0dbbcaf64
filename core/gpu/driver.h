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

using Address = std::uint64_t;  // an address in device memory

// A GPU of this machine, as its driver describes it.
struct DeviceInfo {
  int ordinal = 0;           // the driver's number of the device, from 0
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::int64_t memoryBytes = 0;
  std::int64_t sharedPerBlock = 0;           // bytes, the most that a kernel can opt in to
  std::int64_t sharedPerMultiprocessor = 0;  // bytes
  std::int64_t l2Bytes = 0;
  int clockKhz = 0, memoryClockKhz = 0;
  // Limits; 0 where they aren't known, as in recordings of before 2026-11-23.
  int threadsPerBlock = 0, threadsPerMultiprocessor = 0, blocksPerMultiprocessor = 0;
  int registersPerBlock = 0, registersPerMultiprocessor = 0;
  int sharedReserve = 0;  // bytes of each block's shared memory that the system keeps; 0 before compute capability 8.0
  int memoryBusBits = 0;
  std::string driver;  // "13.0", the driver's CUDA version
  bool cpu = false;    // the device is no GPU but the executor (cpu_device.h); of the other members, only name is set
  // Returns the architecture to compile for, such as "sm_90a"; the features with an "a" exist from 9.0 on. Not for the
  // CPU.
  std::string architecture() const;
};

// Clocks, temperature and power of a device at one moment.
struct Clocks {
  int smMhz = 0, memoryMhz = 0, temperatureC = 0, powerW = 0;  // 0 where the device doesn't tell
};

// The tensor map of a matrix (CUtensorMap), which the driver makes and kernels take by value. Its content is opaque.
struct alignas(64) TensorMap {
  std::array<std::uint64_t, 16> words{};
};

// The CUDA driver's interface, loaded at run time.
class Driver {
 public:
  // Loads the driver. Errors: "NoDriver" (no libcuda.so.1, or it can't start), "NoDevice" (a driver without a device).
  static Result<std::unique_ptr<Driver>> load();
  // Destroys the stream and gives up the context; frees no memory and no module by itself.
  ~Driver();

  const std::vector<DeviceInfo>& devices() const { return devices_; }
  // Makes a context on the device with this ordinal, current on the calling thread, and a stream, on which kernels run.
  // To be called once, before all functions below, which are called on the same thread. Error "NoDevice" if there is no
  // such device; else those of `allocate`.
  Result<void> open(int ordinal);

  // Allocates memory of the device, at least one byte. Errors of this and of the functions below: "OutOfMemory",
  // "LaunchError", "DeviceError", with the driver's own name for what happened.
  Result<Address> allocate(std::int64_t bytes);
  void release(Address address);  // frees memory that `allocate` gave
  // Copies from the host outside the stream, without waiting for what is in it; that must not use the memory at `to`.
  // `from` has been read when the function returns.
  Result<void> upload(Address to, const void* from, std::int64_t bytes);
  // Waits for all that is in the stream, then copies to the host; `to` is filled when the function returns.
  Result<void> download(void* to, Address from, std::int64_t bytes);
  Result<void> fill(Address at, std::uint8_t value, std::int64_t bytes);  // is put in the stream and not waited for
  Result<void> synchronize();                                             // waits for all that is in the stream

  using Module = void*;    // a CUmodule
  using Function = void*;  // a CUfunction, valid until its module is unloaded
  Result<Module> loadModule(const std::vector<char>& cubin);
  void unloadModule(Module module);
  Result<Function> function(Module module, const std::string& name);

  // One launch of a kernel: `grid` in blocks and `block` in threads, along x, y, z.
  struct Launch {
    Function function = nullptr;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::int64_t sharedBytes = 0;      // dynamic shared memory of each block; `launch` opts in to more than 48 KiB
    std::vector<Address> arguments;    // the kernel's first arguments: addresses, or scalars in the lowest bytes
    std::vector<TensorMap> maps = {};  // the arguments after these, passed by value
  };
  Result<void> launch(const Launch& launch);  // puts the launch in the stream and doesn't wait for it

  // Returns the tensor map of the matrix in a buffer whose memory begins at the address `at`. Further error: "NoDriver"
  // where the driver is older than 12.0 and can't make maps.
  Result<TensorMap> encode(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer,
                           Address at) const;

  // What the driver says of a kernel: registers and bytes of local memory per thread, bytes of static shared memory per
  // block, and how many blocks with the launch's shape run on a multiprocessor at once.
  struct FunctionInfo {
    int registers = 0, localBytes = 0, staticShared = 0, blocksPerMultiprocessor = 0;
  };
  Result<FunctionInfo> inspect(const Launch& launch);

  // A CUDA graph.
  class Graph;
  // Returns all that record() puts in the stream as a graph, which isn't executed until it is launched. record()
  // must only put work there: it must not wait, allocate or copy. The driver must outlive the graph. Errors also those
  // of `record`.
  template <class Record>
  Result<std::shared_ptr<Graph>> capture(Record record) {
    if (auto begun = beginCapture(); !begun) return Failure(begun.error());
    Result<void> recorded = record();
    auto graph = endCapture();
    if (!recorded) return Failure(recorded.error());
    return graph;
  }
  Result<void> launch(const Graph& graph);  // puts the graph in the stream and doesn't wait for it

  // An event in the stream, which the driver must outlive. `mark` puts one there; `between` waits for `end` and returns
  // the milliseconds on the device from one event to the other.
  using Event = std::shared_ptr<void>;
  Result<Event> mark();
  Result<double> between(const Event& start, const Event& end);

  Clocks clocks() const;  // the device's present clocks, by NVML; all 0 without NVML
  void* stream() const;   // the CUstream on which everything runs

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
