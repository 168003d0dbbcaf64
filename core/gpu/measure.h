// The benchmark method (design §6): correctness before time; random inputs; CUDA graphs of many launches; the vendor's
// algorithms in the same rounds, in random order; median with spread; warm and cold L2; clocks and temperature beside
// every figure.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/gpu/driver.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

struct Method {
  int rounds = 21;                  // samples of each candidate
  double sampleMilliseconds = 2.0;  // length of one sample's graph, in which the candidate is launched many times
  double slowMilliseconds = 1000;   // from here on: one launch, no warm-up, no graph
  double coldBytes = 256.0 * 1024 * 1024;  // written before a cold sample
  int coldSamples = 7;
  int vendorAlgorithms = 16;  // at most; 0: the vendor is not asked
  std::uint64_t seed = 1;     // of inputs and of the order in rounds
  // Short text that names all of the above: part of a result's key.
  std::string name() const;
};

// A compiled state.
struct Candidate {
  std::string label;
  std::vector<char> cubin;
  std::vector<codegen::KernelLaunch> launches;
  std::vector<codegen::GlobalBuffer> buffers;  // the function's parameters, in order, then the candidate's temporaries
  std::string script;   // TVMScript of the state: what the CPU device runs instead of the cubin; else empty
  ir::Numbers numbers;  // of the script's symbols
};

struct Job {
  std::optional<Matmul> matmul;        // known to the vendor and to the reference
  std::optional<Candidate> reference;  // kernel "reference" of workload.h, for the matmul
  std::vector<Candidate> candidates;
  Method method;
};

// Microseconds of one execution of the whole candidate (all its launches).
struct Timing {
  double median = 0, low = 0, high = 0;  // low and high: the quartiles
  int samples = 0, launchesPerSample = 0;
  std::vector<double> all;  // every sample, by round: two candidates of one report pair up
  double cold = 0;          // median with a cold L2; 0 when not measured
  Clocks clocks;            // after the last sample
};

struct Outcome {
  // Deadline and Lost: what became of the worker process while it ran this.
  enum class Status { Measured, Wrong, Failed, Deadline, Lost };
  Status status = Status::Failed;
  std::string label;
  Message message;    // why not measured
  double error = -1;  // max |d| / (|A|·|B|); -1: not compared
  double tolerance = 0;
  Timing timing;
  int registers = 0, localBytes = 0, blocksPerMultiprocessor = 0;  // of the first kernel
};

struct VendorOutcome {
  bool available = false;
  Message message;      // why not
  std::string version;  // cuBLASLt's
  int algorithms = 0;   // measured
  int best = 0;         // which of them
  double error = -1;
  Timing timing;  // of the best
};

struct Report {
  DeviceInfo device;
  std::vector<Outcome> outcomes;  // one per candidate
  VendorOutcome vendor;
};

// What happens while measuring, so that a deadline knows what hangs: "check LABEL", "round 3 of 21"…
using Progress = std::function<void(const Message&)>;

// Measures all candidates in one run. `driver` is open; `vendorLibrary` is cuBLASLt's path or "".
Result<Report> measure(Driver& driver, const Job& job, const std::string& vendorLibrary, const Progress& progress);

const char* statusName(Outcome::Status status);

}  // namespace loom::gpu
