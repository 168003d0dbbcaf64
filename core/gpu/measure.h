// The benchmark method, which runs in the worker process (worker.h). A kernel's result is compared with a reference, if
// there is one, before it is timed; inputs are random; a sample is a CUDA graph of many launches; kernels and the
// vendor's algorithms are timed in the same rounds, in random order; a time is a median with its quartiles, for a warm
// and for a cold L2, with the clocks and the temperature beside it. Kernels that take longer than
// Method::slowMilliseconds are timed by one launch, before the rounds.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/gpu/driver.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// The method of a measurement.
struct Method {
  int rounds = 21;                         // samples of each candidate; 3 if one execution takes over 20 ms
  double sampleMilliseconds = 2.0;         // length of a sample, in which the candidate is launched many times
  double slowMilliseconds = 1000;          // a candidate that takes longer is launched once, without warm-up and graph
  double coldBytes = 256.0 * 1024 * 1024;  // bytes written before a cold sample, so that L2 holds nothing else
  int coldSamples = 7;                     // cold samples of each candidate; none if an execution takes over 100 ms
  int vendorAlgorithms = 16;               // the most algorithms of the vendor's library to time; 0: it isn't timed
  std::uint64_t seed = 1;                  // of the inputs and of the order in the rounds
  // Returns a short text that is part of a result's key (ResultKey::method).
  std::string name() const;
};

// A program to be measured: compiled for a GPU, or as a text for the CPU device.
struct Candidate {
  std::string label;                            // names it in progress messages and in its Outcome
  std::vector<char> cubin;                      // empty for the CPU device
  std::vector<codegen::KernelLaunch> launches;  // one execution is all of these, in order
  std::vector<codegen::GlobalBuffer> buffers;   // the function's parameters, in order, then the candidate's temporaries
  std::string script;                           // for the CPU device: the state as TVMScript; else empty
  ir::Numbers numbers;                          // values of the script's symbols
};

// What the worker is to measure in one run. The CPU device compares a product with its definition (cpu_device.h) and
// needs no `reference`.
struct Job {
  std::optional<Matmul> matmul;        // the product that all candidates compute; nothing: they are judged by `naive`
  std::optional<Candidate> reference;  // the kernel "reference" (workload.h) that computes the product on a GPU; of it
                                       // only `cubin` is used. Nothing: a GPU's products aren't compared
  // The same function in kernels that are right beyond doubt; only used without `matmul`. They run once, and what they
  // write to parameters is compared with what candidates write there. A GPU compares nothing if these kernels both read
  // and write one parameter; the CPU device leaves out such parameters. Nothing: results aren't compared.
  std::optional<Candidate> naive;
  // All of one function: their buffers begin with the same parameters, whose inputs are made once.
  std::vector<Candidate> candidates;
  Method method;
};

// Times of one execution of a candidate, that is, of all its launches. In microseconds.
struct Timing {
  double median = 0, low = 0, high = 0;    // low and high are the quartiles
  int samples = 0, launchesPerSample = 0;  // a sample is the mean of `launchesPerSample` executions
  std::vector<double> all;                 // the samples in the order of the rounds, to pair those of two candidates
  double cold = 0;                         // median with a cold L2; 0: not measured
  Clocks clocks;                           // after the last sample of the run, a cold one among them
};

// The outcome of one candidate.
struct Outcome {
  // Measured: timed, and correct as far as it was compared (`error`). Wrong: the result differs from the reference.
  // Failed: it could not be run. The worker's client sets the other two: Deadline: it ran longer than the worker may
  // take. Lost: the worker process ended while it ran.
  enum class Status { Measured, Wrong, Failed, Deadline, Lost };
  Status status = Status::Failed;
  std::string label;
  Message message;  // why it was not measured; else empty
  // The largest error of an element; -1: not compared. For a product: its difference from the expected value, divided
  // by the sum of the absolute products that it is the sum of. With Job::naive: its difference, divided by the sum of
  // its expected absolute value and the root mean square of its buffer's expected elements.
  double error = -1;
  double tolerance = 0;  // the largest `error` that counts as correct; 0 where nothing was compared
  Timing timing;
  int registers = 0, localBytes = 0,
      blocksPerMultiprocessor = 0;  // of the first kernel; the first two per thread, the last one resident at a time
};

// The outcome of the vendor's library for the same product.
struct VendorOutcome {
  bool available = false;
  Message message;      // why it is not available; else empty
  std::string version;  // of cuBLASLt, and behind a comma its mode if that is less exact than the operands' types allow
  int algorithms = 0;   // how many of its algorithms were timed
  int best = 0;         // index of the fastest of them
  double error = -1;    // as Outcome::error, the largest of all algorithms
  Timing timing;        // of the fastest algorithm

  // Returns the fastest algorithm as an outcome, labelled "cuBLASLt", as results are stored. Only if it is available;
  // algorithms whose result was found wrong aren't counted or timed.
  Outcome outcome() const {
    Outcome line;
    line.status = Outcome::Status::Measured;
    line.label = "cuBLASLt";
    line.message = verbatim(version);
    line.timing = timing;
    line.error = error;
    return line;
  }
};

// What one run of the worker measured.
struct Report {
  DeviceInfo device;
  std::vector<Outcome> outcomes;  // one for each candidate, in their order
  VendorOutcome vendor;
};

struct KeptReference;  // kept_reference.h

// Called with what is being done: "check LABEL", "round 3 of 21". Each call also restarts the worker's deadline. May be
// empty.
using Progress = std::function<void(const Message&)>;

// Measures all candidates in one run, and compares them with the reference first, if the job has one. `driver` must
// have opened a device; `vendorLibrary` is the path of cuBLASLt, or empty for the loader's own search. Sets
// Report::outcomes and Report::vendor; the caller sets the device. A job without candidates gives an empty report. A
// candidate that fails has the status Failed and is no error; errors are those of Driver for the inputs and the
// reference, and "ProtocolError" if `job.naive` has fewer buffers than the candidates. With `kept`, inputs and expected
// results are taken from there if it is of the same function, else made and left there, up to 1 GiB; each candidate's
// result is compared all the same, that of each of the vendor's algorithms only the first time. Null: nothing is kept.
Result<Report> measure(Driver& driver, const Job& job, const std::string& vendorLibrary, const Progress& progress,
                       KeptReference* kept = nullptr);

// Returns the name of a status in files and protocols: "measured", "wrong", ….
const char* statusName(Outcome::Status status);

}  // namespace loom::gpu
