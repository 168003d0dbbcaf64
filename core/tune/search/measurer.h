#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/document/bench.h"
#include "core/document/kernel.h"

namespace loom::tune {

/// The outcome of compiling a kernel.
struct CompiledKernel {
  std::optional<double> predicted;  ///< µs predicted from the machine code; nothing: not compiled, or no prediction
  std::optional<Error> death;       ///< why it couldn't be compiled
};

/// The outcome of measuring a kernel. Exactly one of both members is set.
struct MeasuredKernel {
  std::optional<gpu::Timing> timing;  ///< microseconds
  std::optional<Error> death;  ///< "WrongResult", "Deadline", "WorkerLost", "LaunchError", or why nothing was run
};

/// The outcome of measuring some kernels.
struct MeasuredBatch {
  std::vector<MeasuredKernel> kernels;  ///< one for each requested kernel, in the order of the request
  double deviceSeconds = 0;             ///< how long devices were used for it, all devices together
};

/// Compiles and measures kernels for a search. One thread calls it, and each call may take minutes.
class Measurer {
 public:
  using Kernels = std::vector<std::shared_ptr<const document::KernelText>>;  ///< none is null

  virtual ~Measurer() = default;
  /// Returns whether `measure` has a device. Without one a search only ranks by predictions.
  virtual bool hasDevice() = 0;
  /// Compiles kernels, and predicts their times from the machine code. Returns one result for each.
  virtual std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) = 0;
  /// Measures kernels and checks their results. With `sideBySide` all of them are measured, those that have a time once
  /// more, in one run on one device, so that their times compare. Fails where nothing at all could be measured.
  virtual Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) = 0;
  /// Returns the time of the vendor's library for the same product; nothing where that isn't known or there is none.
  virtual std::optional<document::VendorLine> vendor() = 0;
};

}  // namespace loom::tune
