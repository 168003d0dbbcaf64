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
  std::optional<Error> death;       ///< why the kernel couldn't be compiled; nothing: it could, or wasn't to be
};

/// The outcome of measuring a kernel. Exactly one of the two members is set.
struct MeasuredKernel {
  std::optional<gpu::Timing> timing;  ///< microseconds
  std::optional<Error> death;  ///< "WrongResult", "Deadline", "WorkerLost", "LaunchError", or why nothing was run
};

/// The outcome of measuring some kernels.
struct MeasuredBatch {
  std::vector<MeasuredKernel> kernels;  ///< one for each requested kernel, in the order of the request
  double deviceSeconds = 0;             ///< seconds for which devices were used, all devices together
};

/// Compiles and measures kernels for a search for a fast schedule of one program. One thread makes all calls, in any
/// order, and each may take minutes; how one is ended early is up to the derived class. `progress` is called with what
/// is being done ("3 of 32 compiled"), from any thread; it must not be empty.
class Measurer {
 public:
  using Kernels = std::vector<std::shared_ptr<const document::KernelText>>;  ///< none is null

  virtual ~Measurer() = default;
  /// Returns whether `measure` has a device. Without one a search only ranks by predictions.
  virtual bool hasDevice() = 0;
  /// Compiles kernels, and predicts their times from the machine code. Returns one result for each kernel, in the order
  /// of `kernels`.
  virtual std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) = 0;
  /// Measures kernels and checks their results. Without `sideBySide`, a kernel may get the time that an earlier
  /// measurement stored. With `sideBySide`, all kernels are measured in one run on one device, even those with a stored
  /// time, so that their times can be compared. Fails if nothing at all could be measured, for instance with "NoDevice"
  /// or "NoWorker"; the failure of one kernel is its MeasuredKernel::death instead.
  virtual Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) = 0;
  /// Returns the time of the vendor's library for the program's matrix product; nothing if it isn't known, or the
  /// program is no matrix product.
  virtual std::optional<document::VendorLine> vendor() = 0;
};

}  // namespace loom::tune
