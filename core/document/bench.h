// States → times: compiles what isn't compiled, asks the stores for what is known, and measures the rest in the worker.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compile/compiler_processes.h"
#include "core/document/devices.h"
#include "core/document/kernel.h"
#include "core/gpu/prober.h"
#include "core/gpu/results.h"
#include "core/gpu/worker.h"

namespace loom::document {

struct BenchOptions {
  std::filesystem::path assets;      // for assets/recorded
  std::string device = "auto";       // "auto", "none" or an ordinal
  std::string architecture;          // "sm_75": what Bench::architecture gives; empty: the device's
  std::string workerCommand;         // what measures; empty: no worker can be started
  std::string localWorkerCommand;    // a worker on this machine, for a profiler to run; empty: the worker is elsewhere
  std::string compilerCommand;       // what compiles, always on this machine; empty: nothing is compiled
  std::filesystem::path database;    // empty: results live in memory only
  std::filesystem::path cubinCache;  // empty: compile every time
  double deadlineSeconds = 20;
  bool again = false;  // measure also what is known
  gpu::Method method;
};

// What is known of one kernel.
struct KnownTime {
  std::optional<gpu::StoredResult> result;  // measured here, or recorded elsewhere
  std::string device;                       // that the result is from
  std::optional<Error> problem;             // why there is no result

  // What was measured; null where nothing was, or the kernel failed.
  const gpu::Outcome* measured() const {
    return result && result->outcome.status == gpu::Outcome::Status::Measured ? &result->outcome : nullptr;
  }
};

struct VendorLine {
  gpu::VendorOutcome outcome;
  std::string device, date;
  gpu::ResultOrigin origin = gpu::ResultOrigin::Measured;
};

// Not thread-safe but for `cancel`; the window gives it a thread of its own.
class Bench {
 public:
  explicit Bench(BenchOptions options);
  ~Bench();

  // The device that measurements are taken on, or why there is none ("NoDriver", "NoDevice", "NoWorker").
  const Result<gpu::DeviceInfo>& device();
  // Where the CUDA tools are, or why there are none.
  const Result<compile::Toolkit>& toolkit();
  // What the compiling processes have, or why there is none.
  const Result<compile::CompilerInfo>& compiler();
  // The options', else "sm_90a" of the device, else of the one whose results are recorded, else "sm_90a". What is
  // measured is compiled for the device that measures, whatever this says.
  std::string architecture();

  // In other processes; at most cores − 1 at a time (design §6).
  Result<compile::Binary> compile(const std::string& source, const std::string& architecture);
  // The same for many; `done` is given each result as it comes with its index, one at a time, from
  // another thread.
  std::vector<Result<compile::Binary>> compileAll(const std::vector<std::string>& sources,
                                                  const std::string& architecture,
                                                  const compile::CompilerProcesses::Done& done = {});
  Result<std::string> ptx(const std::string& source, const std::string& architecture);

  // Known results only; nothing is compiled or run. `matmul` names the workload of the vendor's line.
  KnownTime known(const KernelText& kernel);
  std::optional<VendorLine> knownVendor(const gpu::Matmul& matmul);

  struct Request {
    std::string label;
    const KernelText* kernel = nullptr;
  };
  // Measures all that isn't known in one run, on the same data, with the vendor in the same rounds, and stores the
  // results. One entry per request. Error when there is no device or worker, or nothing came of it.
  Result<std::vector<KnownTime>> measure(const std::vector<Request>& requests, const std::optional<gpu::Matmul>& matmul,
                                         const gpu::Progress& progress = {});
  // Whether `measure` measures also what is known, from the next call on.
  void setAgain(bool again) { options_.again = again; }
  // What is known of devices: the assets', what is kept beside the database, and the device here.
  DeviceSources deviceSources();
  // Has small kernels show what the device reaches and where wmma keeps its elements; a few seconds. Errors: why there
  // is no GPU or compiler, and gpu::probeDevice's.
  Result<model::ProbeResults> probe(const std::function<void(const gpu::Shown&)>& shown = {});
  // From any thread: ends the compilations and the measurement that are under way. They give "Cancelled".
  void cancel();

  const std::vector<gpu::Recording>& recordings();
  // What should be known of the stores: a database that can't be written or was damaged, recordings that were passed
  // over, and why.
  const std::vector<Message>& remarks();
  // Today, as results carry it. The only use of a clock here.
  static std::string today();

 private:
  struct Parts;
  std::stop_token begin();  // of something that `cancel` ends
  Result<gpu::DeviceInfo> findDevice();
  void store(const gpu::StoredResult& result);
  void storeVendor(const gpu::Matmul& matmul, const gpu::VendorOutcome& vendor, const std::string& date);

  BenchOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::document
