// The entry points of libcuda and NVML that Driver calls. Constants are those of the CUDA driver API reference.
#pragma once
#include <dlfcn.h>

#include "core/gpu/driver.h"

namespace loom::gpu {

// Values of CUdevice_attribute.
inline constexpr int kClockKhz = 13, kMultiprocessorCount = 16, kMemoryClockKhz = 36, kL2Bytes = 38;
inline constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76;
inline constexpr int kSharedPerMultiprocessor = 81, kSharedPerBlockOptIn = 97;
inline constexpr int kThreadsPerBlock = 1, kRegistersPerBlock = 12, kMemoryBusBits = 37, kThreadsPerMultiprocessor = 39;
inline constexpr int kRegistersPerMultiprocessor = 82, kBlocksPerMultiprocessor = 106, kSharedReserve = 111;
// Values of CUfunction_attribute.
inline constexpr int kFunctionShared = 1, kFunctionLocal = 3, kFunctionRegisters = 4, kMaxDynamicShared = 8;

// The functions of the driver and of NVML, loaded at run time, with the context that is in use. Each function pointer
// has the signature of the function whose name `bindAll` or `bindNvml` passes for it, and may only be called after that
// function has succeeded; handles of CUDA are void*. Driver's destructor releases the stream, the context and NVML; the
// libraries stay loaded.
struct Driver::Library {
  void* handle = nullptr;      // libcuda.so.1; null until `bindAll`, but not if that fails later
  void* nvml = nullptr;        // libnvidia-ml.so.1; null without NVML, or if it can't be started
  void* nvmlDevice = nullptr;  // nvmlDevice_t; null if NVML doesn't know the device
  int device = 0;              // CUdevice
  void* context = nullptr;     // CUcontext; null until a device is opened
  void* stream = nullptr;      // CUstream on which everything runs

  int (*init)(unsigned);
  int (*driverVersion)(int*);
  int (*errorName)(int, const char**);
  int (*deviceCount)(int*);
  int (*deviceGet)(int*, int);
  int (*deviceName)(char*, int, int);
  int (*deviceAttribute)(int*, int, int);
  int (*deviceMemory)(std::size_t*, int);
  int (*deviceBus)(char*, int, int);
  int (*contextRetain)(void**, int);
  int (*contextRelease)(int);
  int (*contextSet)(void*);
  int (*streamCreate)(void**, unsigned);
  int (*streamDestroy)(void*);
  int (*streamWait)(void*);
  int (*memAlloc)(Address*, std::size_t);
  int (*memFree)(Address);
  int (*copyIn)(Address, const void*, std::size_t);
  int (*copyOut)(void*, Address, std::size_t);
  int (*memset)(Address, unsigned char, std::size_t, void*);
  int (*moduleLoad)(void**, const void*);
  int (*moduleUnload)(void*);
  int (*moduleFunction)(void**, void*, const char*);
  int (*functionGet)(int*, int, void*);
  int (*functionSet)(void*, int, int);
  int (*occupancy)(int*, void*, int, std::size_t);
  int (*launchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                      void**);
  // cuTensorMapEncodeTiled; null in drivers older than 12.0. The C signature has a pointer where this one has the
  // matrix' address, which is passed in the same way.
  int (*encodeTensorMap)(void*, int, unsigned, Address, const std::uint64_t*, const std::uint64_t*,
                         const std::uint32_t*, const std::uint32_t*, int, int, int, int) = nullptr;
  int (*eventCreate)(void**, unsigned);
  int (*eventDestroy)(void*);
  int (*eventRecord)(void*, void*);
  int (*eventWait)(void*);
  int (*eventElapsed)(float*, void*, void*);
  int (*captureBegin)(void*, int);
  int (*captureEnd)(void*, void**);
  int (*graphInstantiate)(void**, void*, unsigned long long);
  int (*graphLaunch)(void*, void*);
  int (*graphExecDestroy)(void*);
  int (*graphDestroy)(void*);

  int (*nvmlInit)();
  int (*nvmlShutdown)();
  int (*nvmlHandle)(const char*, void**);
  int (*nvmlClock)(void*, int, unsigned*);
  int (*nvmlTemperature)(void*, int, unsigned*);
  int (*nvmlPower)(void*, unsigned*);

  // Sets `f` to the function `name` of a loaded library. If the library lacks it, sets `f` to null and returns false.
  template <class F>
  bool bind(void* library, F& f, const char* name) {
    f = reinterpret_cast<F>(dlsym(library, name));
    return f != nullptr;
  }

  // Loads the driver and sets its functions. Error "NoDriver" if there is no driver, or if it is older than 11.4.
  Result<void> bindAll() {
    handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return fail("NoDriver", message("no CUDA driver on this machine (libcuda.so.1 isn't found)"),
                  Forbids::Environment);
    void* h = handle;
    bool all = bind(h, init, "cuInit") && bind(h, driverVersion, "cuDriverGetVersion") &&
               bind(h, errorName, "cuGetErrorName") && bind(h, deviceCount, "cuDeviceGetCount") &&
               bind(h, deviceGet, "cuDeviceGet") && bind(h, deviceName, "cuDeviceGetName") &&
               bind(h, deviceAttribute, "cuDeviceGetAttribute") && bind(h, deviceMemory, "cuDeviceTotalMem_v2") &&
               bind(h, deviceBus, "cuDeviceGetPCIBusId") && bind(h, contextRetain, "cuDevicePrimaryCtxRetain") &&
               bind(h, contextRelease, "cuDevicePrimaryCtxRelease_v2") && bind(h, contextSet, "cuCtxSetCurrent") &&
               bind(h, streamCreate, "cuStreamCreate") && bind(h, streamDestroy, "cuStreamDestroy_v2") &&
               bind(h, streamWait, "cuStreamSynchronize") && bind(h, memAlloc, "cuMemAlloc_v2") &&
               bind(h, memFree, "cuMemFree_v2") && bind(h, copyIn, "cuMemcpyHtoD_v2") &&
               bind(h, copyOut, "cuMemcpyDtoH_v2") && bind(h, memset, "cuMemsetD8Async") &&
               bind(h, moduleLoad, "cuModuleLoadData") && bind(h, moduleUnload, "cuModuleUnload") &&
               bind(h, moduleFunction, "cuModuleGetFunction") && bind(h, functionGet, "cuFuncGetAttribute") &&
               bind(h, functionSet, "cuFuncSetAttribute") &&
               bind(h, occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor") &&
               bind(h, launchKernel, "cuLaunchKernel") && bind(h, eventCreate, "cuEventCreate") &&
               bind(h, eventDestroy, "cuEventDestroy_v2") && bind(h, eventRecord, "cuEventRecord") &&
               bind(h, eventWait, "cuEventSynchronize") && bind(h, eventElapsed, "cuEventElapsedTime") &&
               bind(h, captureBegin, "cuStreamBeginCapture_v2") && bind(h, captureEnd, "cuStreamEndCapture") &&
               bind(h, graphInstantiate, "cuGraphInstantiateWithFlags") && bind(h, graphLaunch, "cuGraphLaunch") &&
               bind(h, graphExecDestroy, "cuGraphExecDestroy") && bind(h, graphDestroy, "cuGraphDestroy");
    bind(h, encodeTensorMap, "cuTensorMapEncodeTiled");
    if (!all)
      return fail("NoDriver", message("the CUDA driver is too old: 11.4 or newer is needed"), Forbids::Environment);
    return {};
  }

  // Loads NVML, sets its functions, and finds `device` in it, by its place on the PCI bus: NVML counts devices that
  // CUDA_VISIBLE_DEVICES hides, too. `bindAll` must have succeeded, and `device` be set (deviceGet). Where NVML is
  // missing or lacks the device, `nvmlDevice` stays null, and clocks, temperature and power are unknown.
  void bindNvml() {
    nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml) return;
    bool all =
        bind(nvml, nvmlInit, "nvmlInit_v2") && bind(nvml, nvmlShutdown, "nvmlShutdown") &&
        bind(nvml, nvmlHandle, "nvmlDeviceGetHandleByPciBusId_v2") && bind(nvml, nvmlClock, "nvmlDeviceGetClockInfo") &&
        bind(nvml, nvmlTemperature, "nvmlDeviceGetTemperature") && bind(nvml, nvmlPower, "nvmlDeviceGetPowerUsage");
    if (!all || nvmlInit() != 0) {
      nvml = nullptr;
      return;
    }
    char bus[16] = {};  // "0000:1b:00.0"
    if (deviceBus(bus, sizeof bus, device) != 0 || nvmlHandle(bus, &nvmlDevice) != 0) nvmlDevice = nullptr;
  }
};

}  // namespace loom::gpu
