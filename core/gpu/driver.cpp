#include "core/gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/gpu/cuda_library.h"

namespace loom::gpu {

std::string DeviceInfo::architecture() const { return fmt::format("sm_{}{}{}", major, minor, major >= 9 ? "a" : ""); }

Driver::Driver() : library_(std::make_unique<Library>()) {}

Driver::~Driver() {
  Library& l = *library_;
  if (l.stream) l.streamDestroy(l.stream);
  if (l.context) l.contextRelease(l.device);
  if (l.nvml) l.nvmlShutdown();
}

Result<void> Driver::check(int status, const char* what) const {
  if (status == 0) return {};
  const char* name = nullptr;
  library_->errorName(status, &name);
  const char* code = status == 2                                      ? "OutOfMemory"
                     : (status >= 700 && status < 720) || status == 1 ? "LaunchError"
                                                                      : "DeviceError";
  return fail(code, message("{}: {} ({})", what, name ? name : "unknown error", status), Forbids::Environment);
}

Result<std::unique_ptr<Driver>> Driver::load() {
  std::unique_ptr<Driver> driver(new Driver());
  Library& l = *driver->library_;
  if (auto bound = l.bindAll(); !bound) return Failure(bound.error());
  if (int status = l.init(0); status != 0) {
    return fail(status == 100 ? "NoDevice" : "NoDriver", message("the CUDA driver can't start (error {})", status),
                Forbids::Environment);
  }
  int count = 0, version = 0;
  l.deviceCount(&count);
  l.driverVersion(&version);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    int device = 0;
    if (l.deviceGet(&device, ordinal) != 0) continue;
    DeviceInfo info;
    info.ordinal = ordinal;
    char name[256] = {};
    l.deviceName(name, sizeof name, device);
    info.name = name;
    auto attribute = [&](int which) {
      int value = 0;
      l.deviceAttribute(&value, which, device);
      return value;
    };
    info.major = attribute(kComputeCapabilityMajor);
    info.minor = attribute(kComputeCapabilityMinor);
    info.multiprocessors = attribute(kMultiprocessorCount);
    info.sharedPerBlock = attribute(kSharedPerBlockOptIn);
    info.sharedPerMultiprocessor = attribute(kSharedPerMultiprocessor);
    info.l2Bytes = attribute(kL2Bytes);
    info.clockKhz = attribute(kClockKhz);
    info.memoryClockKhz = attribute(kMemoryClockKhz);
    info.threadsPerBlock = attribute(kThreadsPerBlock);
    info.threadsPerMultiprocessor = attribute(kThreadsPerMultiprocessor);
    info.blocksPerMultiprocessor = attribute(kBlocksPerMultiprocessor);
    info.registersPerBlock = attribute(kRegistersPerBlock);
    info.registersPerMultiprocessor = attribute(kRegistersPerMultiprocessor);
    info.sharedReserve = attribute(kSharedReserve);
    info.memoryBusBits = attribute(kMemoryBusBits);
    std::size_t bytes = 0;
    l.deviceMemory(&bytes, device);
    info.memoryBytes = std::int64_t(bytes);
    info.driver = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    driver->devices_.push_back(std::move(info));
  }
  if (driver->devices_.empty())
    return fail("NoDevice", message("the CUDA driver reports no device"), Forbids::Environment);
  return driver;
}

Result<void> Driver::open(int ordinal) {
  Library& l = *library_;
  if (ordinal < 0 || ordinal >= int(devices_.size())) {
    return fail("NoDevice", message("there is no device {}: {} found", ordinal, devices_.size()), Forbids::Environment);
  }
  if (auto s = check(l.deviceGet(&l.device, ordinal), "cuDeviceGet"); !s) return s;
  if (auto s = check(l.contextRetain(&l.context, l.device), "cuDevicePrimaryCtxRetain"); !s) return s;
  if (auto s = check(l.contextSet(l.context), "cuCtxSetCurrent"); !s) return s;
  if (auto s = check(l.streamCreate(&l.stream, 1), "cuStreamCreate"); !s) return s;
  l.bindNvml();
  return {};
}

Result<Address> Driver::allocate(std::int64_t bytes) {
  Address at = 0;
  if (auto s = check(library_->memAlloc(&at, std::size_t(std::max<std::int64_t>(bytes, 1))), "cuMemAlloc"); !s) {
    return Failure(s.error());
  }
  return at;
}
void Driver::release(Address address) { library_->memFree(address); }

Result<void> Driver::upload(Address to, const void* from, std::int64_t bytes) {
  if (auto s = check(library_->copyIn(to, from, std::size_t(bytes)), "cuMemcpyHtoD"); !s) return s;
  // What is copied from pageable memory may still be on its way, in the default stream, for which ours doesn't wait.
  return check(library_->streamWait(nullptr), "cuMemcpyHtoD");
}
Result<void> Driver::download(void* to, Address from, std::int64_t bytes) {
  if (auto s = synchronize(); !s) return s;
  return check(library_->copyOut(to, from, std::size_t(bytes)), "cuMemcpyDtoH");
}
Result<void> Driver::fill(Address at, std::uint8_t value, std::int64_t bytes) {
  return check(library_->memset(at, value, std::size_t(bytes), library_->stream), "cuMemsetD8Async");
}
Result<void> Driver::synchronize() { return check(library_->streamWait(library_->stream), "kernel"); }

Result<Driver::Module> Driver::loadModule(const std::vector<char>& cubin) {
  Module module = nullptr;
  if (auto s = check(library_->moduleLoad(&module, cubin.data()), "cuModuleLoadData"); !s) return Failure(s.error());
  return module;
}
void Driver::unloadModule(Module module) { library_->moduleUnload(module); }

Result<Driver::Function> Driver::function(Module module, const std::string& name) {
  Function f = nullptr;
  if (auto s = check(library_->moduleFunction(&f, module, name.c_str()), "cuModuleGetFunction"); !s)
    return Failure(s.error());
  return f;
}

// Without being asked for more, a block may have 48 KiB, static and dynamic together.
Result<void> Driver::allowShared(const Launch& n) {
  Library& l = *library_;
  int statics = 0;
  if (n.sharedBytes == 0) return {};
  if (auto s = check(l.functionGet(&statics, kFunctionShared, n.function), "cuFuncGetAttribute"); !s) return s;
  if (n.sharedBytes + statics <= 48 * 1024) return {};
  return check(l.functionSet(n.function, kMaxDynamicShared, int(n.sharedBytes)), "shared memory");
}

Result<TensorMap> Driver::encode(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer,
                                 Address at) const {
  if (!library_->encodeTensorMap)
    return fail("NoDriver",
                message("the CUDA driver is too old for kernels that use the copy engine: 12.0 or newer is needed"),
                Forbids::Environment);
  const auto call = tensorMapCall(map, buffer);
  if (!call) return Failure(call.error());
  constexpr int kNoInterleave = 0, kZerosOutside = 0;
  TensorMap made;
  const int status = library_->encodeTensorMap(made.words.data(), call->element.value, unsigned(call->extents.size()),
                                               at + Address(call->start), call->extents.data(), call->strides.data(),
                                               call->box.data(), call->steps.data(), kNoInterleave, call->swizzle.value,
                                               call->promotion.value, kZerosOutside);
  if (auto s = check(status, "cuTensorMapEncodeTiled"); !s) return Failure(s.error());
  return made;
}

Result<void> Driver::launch(const Launch& n) {
  Library& l = *library_;
  if (auto s = allowShared(n); !s) return s;
  std::vector<Address> values = n.arguments;
  std::vector<TensorMap> maps = n.maps;
  std::vector<void*> pointers;
  for (Address& a : values) pointers.push_back(&a);
  for (TensorMap& m : maps) pointers.push_back(&m);
  return check(l.launchKernel(n.function, unsigned(n.grid[0]), unsigned(n.grid[1]), unsigned(n.grid[2]),
                              unsigned(n.block[0]), unsigned(n.block[1]), unsigned(n.block[2]), unsigned(n.sharedBytes),
                              l.stream, pointers.data(), nullptr),
               "cuLaunchKernel");
}

Result<Driver::FunctionInfo> Driver::inspect(const Launch& n) {
  Library& l = *library_;
  FunctionInfo info;
  l.functionGet(&info.staticShared, kFunctionShared, n.function);
  l.functionGet(&info.localBytes, kFunctionLocal, n.function);
  l.functionGet(&info.registers, kFunctionRegisters, n.function);
  if (auto s = allowShared(n); !s) return Failure(s.error());
  int threads = int(n.block[0] * n.block[1] * n.block[2]);
  if (auto s = check(l.occupancy(&info.blocksPerMultiprocessor, n.function, threads, std::size_t(n.sharedBytes)),
                     "cuOccupancyMaxActiveBlocksPerMultiprocessor");
      !s) {
    return Failure(s.error());
  }
  return info;
}

class Driver::Graph {
 public:
  Graph(const Library& library, void* graph, void* executable)
      : library_(library), graph_(graph), executable_(executable) {}
  ~Graph() {
    library_.graphExecDestroy(executable_);
    library_.graphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  void* executable() const { return executable_; }

 private:
  const Library& library_;
  void* graph_;
  void* executable_;
};

Result<void> Driver::beginCapture() {
  return check(library_->captureBegin(library_->stream, 1), "cuStreamBeginCapture");
}

Result<std::shared_ptr<Driver::Graph>> Driver::endCapture() {
  void* graph = nullptr;
  if (auto s = check(library_->captureEnd(library_->stream, &graph), "cuStreamEndCapture"); !s)
    return Failure(s.error());
  void* executable = nullptr;
  if (auto s = check(library_->graphInstantiate(&executable, graph, 0), "cuGraphInstantiate"); !s) {
    library_->graphDestroy(graph);
    return Failure(s.error());
  }
  return std::make_shared<Graph>(*library_, graph, executable);
}

Result<void> Driver::launch(const Graph& graph) {
  return check(library_->graphLaunch(graph.executable(), library_->stream), "cuGraphLaunch");
}

Result<Driver::Event> Driver::mark() {
  void* made = nullptr;
  if (auto s = check(library_->eventCreate(&made, 0), "cuEventCreate"); !s) return Failure(s.error());
  Event event(made, [destroy = library_->eventDestroy](void* e) { destroy(e); });
  if (auto s = check(library_->eventRecord(made, library_->stream), "cuEventRecord"); !s) return Failure(s.error());
  return event;
}

Result<double> Driver::between(const Event& start, const Event& end) {
  float milliseconds = 0;
  if (auto waited = check(library_->eventWait(end.get()), "kernel"); !waited) return Failure(waited.error());
  auto read = check(library_->eventElapsed(&milliseconds, start.get(), end.get()), "cuEventElapsedTime");
  if (!read) return Failure(read.error());
  return double(milliseconds);
}

Clocks Driver::clocks() const {
  Clocks c;
  const Library& l = *library_;
  if (!l.nvmlDevice) return c;
  unsigned value = 0;
  if (l.nvmlClock(l.nvmlDevice, 1, &value) == 0) c.smMhz = int(value);
  if (l.nvmlClock(l.nvmlDevice, 2, &value) == 0) c.memoryMhz = int(value);
  if (l.nvmlTemperature(l.nvmlDevice, 0, &value) == 0) c.temperatureC = int(value);
  if (l.nvmlPower(l.nvmlDevice, &value) == 0) c.powerW = int(value / 1000);
  return c;
}

void* Driver::stream() const { return library_->stream; }

}  // namespace loom::gpu
