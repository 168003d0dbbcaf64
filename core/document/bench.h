// The service that compiles kernels and measures their times. It compiles in other processes, looks results up in a
// database and among recorded results (which were measured on other machines and come with the program), and measures
// kernels without a result in a worker process. A state is a program after some schedule steps; its KernelText is the
// CUDA text that it is lowered to, or the reason why it is no kernel.
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
#include "core/gpu/result_database.h"
#include "core/gpu/worker.h"

namespace loom::document {

// The options of a Bench.
struct BenchOptions {
  std::filesystem::path assets;      // the folder whose subfolder `recorded` has the recorded results
  std::string device = "auto";       // "auto" (device 0), "none" (nothing is measured), or the ordinal of a device
  std::string architecture;          // what Bench::architecture returns, "sm_75"; empty: that of the device
  std::string workerCommand;         // command line of the worker process; empty: nothing can be measured
  std::string localWorkerCommand;    // command line of a worker on this machine, for a profiler; empty: there is none
  std::string compilerCommand;       // command line of a compiling process on this machine; empty: nothing is compiled
  std::filesystem::path database;    // file of the results; empty: they are kept in memory only
  std::filesystem::path cubinCache;  // folder of compiled programs; empty: every program is compiled anew
  double deadlineSeconds = 20;       // how long the worker may take without an answer or progress
  bool again = false;                // whether `measure` also measures kernels that have a result from this machine
  gpu::Method method;                // how kernels are measured: numbers of launches, rounds and so on
};

// The time of one kernel, or the reason why it has none. A Bench sets exactly one of `result` and `problem`; both are
// empty in an object made by default.
struct KnownTime {
  std::optional<gpu::StoredResult> result;  // measured or executed here, or recorded elsewhere (gpu::ResultOrigin)
  std::string device;                       // name of the device that `result` is from
  std::optional<Error> problem;             // why there is no result

  // Returns the measurement; null if there is no result, or if the kernel failed, hung or computed something wrong.
  const gpu::Outcome* measured() const {
    return result && result->outcome.status == gpu::Outcome::Status::Measured ? &result->outcome : nullptr;
  }
};

// The time of the vendor's library (cuBLASLt) for a matrix product.
struct VendorLine {
  gpu::VendorOutcome outcome;
  std::string device, date;  // where and when it was measured: "NVIDIA H200", "2026-11-21"
  gpu::ResultOrigin origin = gpu::ResultOrigin::Measured;  // whether it was measured here or recorded elsewhere
};

// The service. Calls may take minutes. Only `cancel` may be called from another thread, and by the functions that are
// given to calls. References that are returned live as long as the object.
class Bench {
 public:
  explicit Bench(BenchOptions options);
  ~Bench();

  // Returns the device that measurements are taken on, or why there is none: "NoDevice" (also if measuring is switched
  // off), "NoWorker", or what the worker reports ("NoDriver", …). The first call starts the worker; later ones return
  // the same. The device is the CPU executor, and results are then executed, not measured, if the worker offers that.
  const Result<gpu::DeviceInfo>& device();
  // Returns where the CUDA tools are on this machine, or why there are none.
  const Result<compile::Toolkit>& toolkit();
  // Returns the compiler and its version that the compiling processes use, or why nothing can be compiled.
  const Result<compile::CompilerInfo>& compiler();
  // Returns the architecture to compile for, such as "sm_80": the first that is known of that of the options, that of
  // the device that measures (by `device`, which may start the worker), that of the device of the recorded results, and
  // "sm_90a". `measure` always compiles for the device that measures.
  std::string architecture();

  // Compiles CUDA text in another process. The number of processes that run at a time is at most the number of cores
  // less one. Errors: "NoNvrtc" or "NoCudaHeaders" (a tool is missing), "NoWorker" (no compiling process),
  // "OldArchitecture" (the architecture lacks operations that the text needs), "CompileError" (with the compiler's
  // log), "Cancelled".
  Result<compile::Binary> compile(const compile::Text& text, const std::string& architecture);
  // Compiles many texts, and returns a result for each. `done` is called with each result and its index as it becomes
  // ready, from another thread but never by two at a time. Each error is one of `compile`.
  std::vector<Result<compile::Binary>> compileAll(const std::vector<compile::Text>& texts,
                                                  const std::string& architecture,
                                                  const compile::CompilerProcesses::Done& done = {});
  // Compiles CUDA text to PTX, and returns that as text. Errors: those of `compile`.
  Result<std::string> ptx(const compile::Text& text, const std::string& architecture);

  // Looks up the stored or recorded result of a kernel, without compiling or running it or starting the worker. If an
  // earlier call of `device`, or of a function that needs the device, has found it, only results of that device count,
  // otherwise those of any device. KnownTime::problem is "NotMeasured" if there is no result, or says why the state is
  // no kernel.
  KnownTime known(const KernelText& kernel);
  // Looks up the stored or recorded time of the vendor's library for a product, of the same devices as `known`; nothing
  // if there is none, or if the device that measures is the CPU executor.
  std::optional<VendorLine> knownVendor(const gpu::Matmul& matmul);

  struct Request {
    std::string label;                   // names the kernel in progress messages
    const KernelText* kernel = nullptr;  // never null
  };
  // Measures all kernels that have no result from this machine (a recorded one doesn't count, a failure such as "hung"
  // does, the loss of the worker doesn't), in one run, on the same data and in the same rounds as the vendor's library.
  // Kernels that keep fewer digits of their factors (codegen::Source::factorDigits) have a run of their own, beside the
  // vendor's product that also keeps so few (gpu::multipliedAs). Returns one entry for each request; the entry of a
  // state that is no kernel or can't be compiled has a problem and no result. `matmul` is the product that the kernels
  // compute; nothing if they compute something else, for which the vendor's library has no time. A kernel's result is
  // checked against the product, or without `matmul` against the result of the reference kernel `naive`; with neither,
  // or if the reference can't be compiled, results aren't checked. `progress`, unless empty, is called with a sentence
  // at each stage, while compiling from other threads, but never by two at once. The results of a run are stored when
  // it ends, and stay if a later run fails. Errors: those of `device`; "Cancelled"; and if no kernel of a run has an
  // outcome, "WorkerLost", "Timeout" or "ProtocolError" (the worker ended, gave no answer in time, or a wrong one), or
  // what the worker reports.
  Result<std::vector<KnownTime>> measure(const std::vector<Request>& requests, const std::optional<gpu::Matmul>& matmul,
                                         const gpu::Progress& progress = {}, const KernelText* naive = nullptr);
  // Sets BenchOptions::again for the following calls of `measure`.
  void setAgain(bool again) { options_.again = again; }
  // Returns where descriptions of devices come from: the assets, the folder of the database, and the device that
  // measures.
  DeviceSources deviceSources();
  // Runs small kernels that measure the device's rates and find out where wmma fragments keep their elements. Takes
  // some seconds. `shown`, unless empty, is called with the result of each probe as soon as it is there. Errors: those
  // of `device` and `compiler`, "NoDevice" for the CPU executor, "Cancelled", and those of the compilation or of the
  // worker of the first probe that fails; what was measured before it is lost.
  Result<model::ProbeResults> probe(const std::function<void(const gpu::Shown&)>& shown = {});
  // Ends the compilations and the measurement that are under way, which then return "Cancelled". Calls that begin later
  // aren't ended. Any thread may call this.
  void cancel();

  // Returns the recorded results that come with the program.
  const std::vector<gpu::Recording>& recordings();
  // Returns sentences on what is wrong with the stores: a database that is damaged or can't be written, recordings that
  // were skipped. Later calls may add to the list.
  const std::vector<Message>& remarks();
  // Returns the day in UTC, "2026-11-21", as results carry it.
  static std::string today();

 private:
  struct Parts;
  std::stop_token begin();  // starts an operation that `cancel` can end
  // Measures, in one run, the requests whose indices are in `slot`, as `measure` does, and sets their entries of
  // `timed`.
  Result<void> measureTogether(const std::vector<Request>& requests, std::vector<std::size_t> slot,
                               const std::optional<gpu::Matmul>& matmul, const gpu::Progress& progress,
                               const KernelText* naive, std::stop_token stop, std::vector<KnownTime>& timed);
  Result<gpu::DeviceInfo> findDevice();
  void store(const gpu::StoredResult& result);
  void storeVendor(const gpu::Matmul& matmul, const gpu::VendorOutcome& vendor, const std::string& date);

  BenchOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::document
