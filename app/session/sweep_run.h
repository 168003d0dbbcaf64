#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/compilations.h"
#include "app/session/results.h"
#include "core/tune/size_sweep.h"

namespace loom::session {

/// The user's settings for a sweep over sizes, as they were typed.
struct SweepChoice {
  /// Sizes of the matrix product, separated by blanks or commas: "512" for a cube, "2048x512x1024" for M, N and K,
  /// "512..8192" for a range in which each size is twice the one before (gpu::readSizes).
  std::string sizes = "512..8192";
  std::string dtypes;       ///< types of operands and sum, "float16/float32"; empty: the program's own
  std::vector<int> states;  ///< indices of states; empty: the current one and the one compared with
  friend bool operator==(const SweepChoice&, const SweepChoice&) = default;
};

/// A sweep over sizes: the steps of chosen states (programs after some steps of a schedule) are applied to the matrix
/// product at other sizes. The kernels that this gives are predicted as written, predicted again from their machine
/// code if there is a compiler, and measured if the request says so and there is a device. `result` has each result as
/// soon as it is known. Only the UI thread may call the functions.
class SweepRun {
 public:
  /// The object keeps references to all arguments, which must outlive it. Its jobs use the object itself: before it is
  /// destroyed, Jobs::end must be called, as Session does.
  SweepRun(Jobs& jobs, Tools& tools, ModelDevice& device, Compilations& compilations, const Results& results,
           const Documents& documents)
      : jobs_(jobs),
        tools_(tools),
        device_(device),
        compilations_(compilations),
        results_(results),
        documents_(documents) {}

  /// Starts a sweep over the states and sizes of `request` in the background, and ends and replaces the one before.
  /// Nothing happens without an open target, before the device is known, or if the request has no states or no sizes.
  void start(tune::SweepRequest request);
  /// Returns the results of the last sweep; while it runs (Sweep::running), Session::poll adds to them. Null before the
  /// first one and since `reset`. The pointer is valid until `start` or `reset` is called.
  const tune::Sweep* result() const { return sweep_ ? &*sweep_ : nullptr; }
  /// Ends the sweep and keeps its results so far.
  void end();
  /// Returns the user's settings, of which the panel makes a request.
  const SweepChoice& choice() const { return choice_; }
  /// Changes the user's settings.
  void choose(SweepChoice choice) { choice_ = std::move(choice); }
  /// Ends the sweep and drops its results, because another target was opened, an earlier step was edited, or another
  /// device was chosen.
  void reset();
  /// Clears the chosen states, because another target is open.
  void forgetStates() { choice_.states.clear(); }

 private:
  void finish(std::uint64_t target, std::uint64_t order, std::function<void(tune::Sweep&)> take);
  void compile(std::size_t size);
  void measure(std::size_t size);
  void model(std::size_t size, const std::vector<std::shared_ptr<const document::KernelText>>& kernels,
             const std::vector<Result<compile::Binary>>& binaries, std::uint64_t target, std::uint64_t order,
             const std::string& device);

  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Compilations& compilations_;
  const Results& results_;
  const Documents& documents_;
  std::optional<tune::Sweep> sweep_;
  SweepChoice choice_;
  std::atomic<std::uint64_t> order_ = 0;  ///< number of the latest sweep; jobs of an earlier one are out of date
};

}  // namespace loom::session
