// States → times: compiles what isn't compiled, asks the stores for what is known, and measures the rest in the worker.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compile/compile.h"
#include "core/document/kernel.h"
#include "core/gpu/results.h"
#include "core/gpu/worker.h"

namespace loom::document {

struct BenchOptions {
  std::filesystem::path assets;      // for assets/recorded
  std::string device = "auto";       // "auto", "none" or an ordinal
  std::string workerCommand;         // empty: no worker can be started
  std::filesystem::path database;    // empty: results live in memory only
  std::filesystem::path cubinCache;  // empty: compile every time
  double deadlineSeconds = 20;
  bool again = false;  // measure also what is known
  gpu::Method method;
};

// What is known of one kernel.
struct Timed {
  std::optional<gpu::StoredResult> result;  // measured here, or recorded elsewhere
  std::string device;                       // that the result is from
  std::optional<Error> problem;             // why there is no result
};

struct VendorLine {
  gpu::VendorOutcome outcome;
  std::string device, date;
  gpu::ResultOrigin origin = gpu::ResultOrigin::Measured;
};

// Not thread-safe; the window gives it a thread of its own.
class Bench {
 public:
  explicit Bench(BenchOptions options);
  ~Bench();

  // The device that measurements are taken on, or why there is none ("NoDriver", "NoDevice", "NoWorker").
  const Result<gpu::DeviceInfo>& device();
  // The toolkit and compiler, or why there is none.
  const Result<compile::Toolkit>& toolkit();
  const Result<std::shared_ptr<const compile::Compiler>>& compiler();
  // "sm_90a" of the device, else of the one whose results are recorded, else "sm_90".
  std::string architecture();

  Result<compile::Binary> compile(const std::string& source, const std::string& architecture);

  // Known results only; nothing is compiled or run. `matmul` names the workload of the vendor's line.
  Timed known(const KernelText& kernel);
  std::optional<VendorLine> knownVendor(const gpu::Matmul& matmul);

  struct Request {
    std::string label;
    const KernelText* kernel = nullptr;
  };
  // Measures all that isn't known in one run, on the same data, with the vendor in the same rounds, and stores the
  // results. One entry per request. Error when there is no device or worker.
  Result<std::vector<Timed>> measure(const std::vector<Request>& requests, const std::optional<gpu::Matmul>& matmul,
                                     const gpu::Progress& progress = {});
  // Whether `measure` measures also what is known, from the next call on.
  void setAgain(bool again) { options_.again = again; }
  void cancel();

  const std::vector<gpu::Recording>& recordings();
  // Today, as results carry it. The only use of a clock here.
  static std::string today();

 private:
  struct Parts;
  BenchOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::document
