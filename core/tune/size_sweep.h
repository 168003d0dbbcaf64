#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/bench.h"
#include "core/document/resized.h"
#include "core/gpu/resize.h"
#include "core/model/rate.h"

namespace loom::tune {

/// A condition that a state has at some size: not all of a block's runs do work.
struct Guard {
  std::string block;
  std::optional<double> share;  ///< of its loops' runs in which the condition holds; none: not known
};

/// A chosen state at one size.
struct SweptState {
  int node = 0;
  int number = 0;  ///< of its last step
  std::optional<document::HistoryOnOtherFunction::Refusal> refusal;
  int refusedNumber = 0;                               ///< of the step that is refused
  std::shared_ptr<const document::KernelText> kernel;  ///< null with a refusal; has a problem where it is no kernel
  std::vector<Guard> guards;

  /// Of the model, over all kernels.
  struct Prediction {
    double microseconds = 0;
    bool asCompiled = false;  ///< from machine code; else from the program
    Message how;
  };
  std::optional<Prediction> predicted;
  Message unpredicted;  ///< why not
  double flops = 0;     ///< that the kernels do; 0: not known. More than the product's: it pads, or repeats
  struct Peak {
    std::string name;
    model::Rate rate;  ///< TFLOP/s
  };
  std::optional<Peak> peak;  ///< of the units that it uses
  int registers = -1, spillBytes = -1;
  std::optional<Error> compileProblem;
  document::KnownTime timed;

  /// The device's own time; null where it wasn't measured, was wrong, or ran on the CPU, whose time says nothing.
  const gpu::Outcome* measured() const;
  bool executed() const;  ///< by the CPU executor
};

/// All chosen states at one size.
struct SweptSize {
  gpu::Matmul product;
  std::optional<Error> problem;  ///< why there are no states
  std::vector<SweptState> states;
  std::optional<document::VendorLine> vendor;
  bool derived = false;  ///< `states` are there
  int jobs = 0;          ///< under way

  double tflops(double microseconds) const { return product.flops() / microseconds * 1e-6; }
  gpu::ProductSize size() const { return {product.m, product.n, product.k, product.input, product.output}; }
};

struct SweepRequest {
  std::vector<int> nodes;
  std::vector<gpu::ProductSize> sizes;  ///< types too
  bool measure = true;                  ///< where there is a device; else known times only
};

struct Sweep {
  SweepRequest request;
  std::vector<SweptSize> sizes;  ///< in the order asked for
  std::string device;            ///< that the model answers for
  bool running = false, cancelled = false;
};

/// Replays the steps of the states at a size. A pure function; some ms a state.
SweptSize sweptSize(const document::History& history, const std::vector<int>& nodes, const gpu::ProductSize& size,
                    const schedule::Environment& environment);
/// Asks the model; once more with what it was compiled to. `binary` and `sass` may be null.
void predict(SweptState& state, const Result<model::Device>& device, const compile::Binary* binary = nullptr,
             const Result<std::string>* sass = nullptr);
/// Whether the CPU executor is asked to check so large a product.
bool checkedOnCpu(const gpu::Matmul& product);

/// What stands beside a state's numbers.
struct SweptNote {
  enum class Kind { kRefused, kNoKernel, kNotCompiled, kWrong, kTooSlow, kFailed, kGuards, kExtra, kUnpredicted };
  Kind kind = Kind::kGuards;
  Message what;       ///< the message, the blocks, or how much
  std::string block;  ///< of a guard
};
std::vector<SweptNote> notesOf(const SweptSize& size, const SweptState& state);

}  // namespace loom::tune
