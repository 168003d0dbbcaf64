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

/// A block (a computation of the program) that is executed under a condition at some size, because the tiles don't
/// divide the size.
struct Guard {
  std::string block;
  std::optional<double> share;  ///< share of the block's iterations for which the condition is true, 0 to 1; nothing:
                                ///< not known
};

/// The result of a size sweep for one state at one size. A state is a program after some scheduling steps; a history is
/// the tree of states made from one program. A size sweep applies the steps of chosen states to the same matrix product
/// at other sizes. `sweptSize` sets the members up to `guards`, `predict` those from `predicted` to `spillBytes`. The
/// caller compiles the kernels, then sets `compileProblem` or calls `predict` again; it measures them, and sets
/// `timed`. A background job that compiles may use a SweptState of its own, of which the caller has set `kernel` only;
/// `takeCompiled` then takes over what it has found.
struct SweptState {
  int node = 0;                                                      ///< index of the state in the history
  int number = 0;                                                    ///< number of the state's last step in the history
  std::optional<document::HistoryOnOtherFunction::Refusal> refusal;  ///< the first step that is refused at this size
  int refusedNumber = 0;                                             ///< with `refusal`: number of the refused step
  /// The kernels of the state at this size; null with a `refusal`. If the state is no kernel, KernelText::problem says
  /// why.
  std::shared_ptr<const document::KernelText> kernel;
  std::vector<Guard> guards;  ///< blocks whose condition isn't always true

  /// The predicted time of all kernels of the state together.
  struct Prediction {
    double microseconds = 0;
    /// Whether all kernels were predicted from their machine code; else at least one from the program as written.
    bool asCompiled = false;
    Message how;  ///< how the prediction was made, for a person
  };
  std::optional<Prediction> predicted;
  Message unpredicted;  ///< why nothing is predicted; empty otherwise
  double flops = 0;     ///< FLOP that the kernels execute, more than the product's if they pad or repeat; 0: not known
  struct Peak {
    std::string name;  ///< what the rate is of, for a person
    model::Rate rate;  ///< TFLOP/s
  };
  std::optional<Peak> peak;             ///< peak rate of the units that the kernel computes with; nothing: not known
  int registers = -1, spillBytes = -1;  ///< registers of a thread (the most of all kernels), and bytes that a thread
                                        ///< spills, stored and loaded, in all kernels; -1: not compiled
  std::optional<Error> compileProblem;  ///< why the kernel couldn't be compiled; nothing: it could, or wasn't yet
  document::KnownTime timed;            ///< the measured, stored or recorded result, or why there is none

  /// Takes over what compiling the same state has brought: `compileProblem`, or the registers, the spills and the
  /// prediction from the machine code; if there is none from it, an earlier prediction from the program stays. Does
  /// nothing if `compiled` has neither a kernel nor a `compileProblem`.
  void takeCompiled(const SweptState& compiled);
  /// Returns the outcome of a measurement of the state on a GPU, taken now, stored or recorded elsewhere, a part of
  /// `timed`. Null if there is none, if the kernel failed, exceeded the time limit or computed something wrong, or if
  /// the CPU executor ran it.
  const gpu::Outcome* measured() const;
  /// Returns whether the CPU executor ran the state, so that its result is checked but its time means nothing.
  bool executed() const;
};

/// All chosen states at one size.
struct SweptSize {
  gpu::Matmul product;
  std::optional<Error> problem;  ///< why the size can't be evaluated, so that there are no states; nothing: it can
  std::vector<SweptState> states;
  /// The time of the vendor's library, set by the caller that runs the sweep; nothing: not known.
  std::optional<document::VendorLine> vendor;
  int jobs = 0;  ///< background jobs for this size that wait or run, counted by the caller that runs the sweep

  /// Returns the rate, in TFLOP/s, of computing the product in `microseconds`.
  double tflops(double microseconds) const { return product.flops() / microseconds * 1e-6; }
  gpu::ProductSize size() const { return {product.m, product.n, product.k, product.input, product.output}; }
};

/// A request to evaluate states at several sizes.
struct SweepRequest {
  std::vector<int> nodes;               ///< indices of the states in the history
  std::vector<gpu::ProductSize> sizes;  ///< each with its element types
  bool measure = true;                  ///< whether to measure if there is a device; otherwise stored times are used
};

/// The results of a sweep so far, while it runs or at its end.
struct Sweep {
  SweepRequest request;
  std::vector<SweptSize> sizes;  ///< in the order of SweepRequest::sizes
  std::string device;            ///< name of the device that the predictions are for
  bool running = false, cancelled = false;
};

/// Applies the steps of states `nodes` to the product at another size, and lowers the results. If the program isn't one
/// matrix product, or can't have this size, SweptSize::problem says why; if a step of a state is refused at this size,
/// SweptState::refusal does. A pure function that takes some milliseconds for each state.
SweptSize sweptSize(const document::History& history, const std::vector<int>& nodes, const gpu::ProductSize& size,
                    const schedule::Environment& environment);
/// Sets the prediction of a state, its FLOP, peak rate and registers. Does nothing if the state has no kernel. If
/// `device` is an error, sets only `unpredicted`, to its message, even with a `binary`. To be called again once the
/// state is compiled, with its `binary` and its disassembly `sass`; both are null before.
void predict(SweptState& state, const Result<model::Device>& device, const compile::Binary* binary = nullptr,
             const Result<std::string>* sass = nullptr);
/// Returns whether the product is small enough for the CPU executor to check: at most 2 · 256³ FLOP.
bool checkedOnCpu(const gpu::Matmul& product);

/// A note beside the figures of a state: why a figure is missing, or what qualifies it.
struct SweptNote {
  enum class Kind {
    kRefused,      ///< a step is refused
    kNoKernel,     ///< the state is no kernel
    kNotCompiled,  ///< the kernel couldn't be compiled
    kWrong,        ///< the kernel's result is wrong
    kTooSlow,      ///< the kernel exceeded the time limit
    kFailed,       ///< the kernel failed to run
    kGuards,       ///< a block is guarded by a condition
    kExtra,        ///< the kernel executes more FLOP than the product
    kUnpredicted   ///< no time is predicted
  };
  Kind kind = Kind::kGuards;
  /// The error's message; kGuards: Guard::share in percent, empty if not known; kExtra: FLOP as a multiple of the
  /// product's.
  Message what;
  std::string block;  ///< kGuards: name of the guarded block; else empty
};
/// Returns the notes of a state, in the order of their kinds; empty if there is nothing to note. A state of which a
/// step is refused, or that is no kernel, has that note only.
std::vector<SweptNote> notesOf(const SweptSize& size, const SweptState& state);

}  // namespace loom::tune
