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

/// What a sweep over sizes is asked with, as typed.
struct SweepChoice {
  std::string sizes = "512..8192";  ///< as gpu::readSizes takes them
  std::string dtypes;               ///< "float16/float32", input and output; empty: the program's own
  std::vector<int> states;          ///< nodes; empty: the current one and the one that it is compared with
  friend bool operator==(const SweepChoice&, const SweepChoice&) = default;
};

/// The same steps at other sizes, size by size: replayed and modelled, compiled, modelled again, measured. What is
/// finished shows at once; the UI thread decides what comes next.
class SweepRun {
 public:
  SweepRun(Jobs& jobs, Tools& tools, ModelDevice& device, Compilations& compilations, const Results& results,
           const Documents& documents)
      : jobs_(jobs),
        tools_(tools),
        device_(device),
        compilations_(compilations),
        results_(results),
        documents_(documents) {}

  /// Replays, compiles, predicts and, where there is a device, measures the states at each size, in the background.
  /// Ends the sweep before. Nothing happens before the device is known, and without states or sizes.
  void start(tune::SweepRequest request);
  /// Returns what is there of the last sweep, also while it runs. Null before the first, and once the target or its
  /// past change.
  const tune::Sweep* result() const { return sweep_ ? &*sweep_ : nullptr; }
  /// Gives up what hasn't finished; what is there stays.
  void end();
  const SweepChoice& choice() const { return choice_; }
  void choose(SweepChoice choice) { choice_ = std::move(choice); }
  /// Forgets the sweep.
  void reset();
  /// Forgets which states were chosen, since another target is open.
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
  std::atomic<std::uint64_t> order_ = 0;  ///< of the latest; jobs that find another one are out of date
};

}  // namespace loom::session
