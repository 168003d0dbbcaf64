#pragma once

#include <optional>

#include "core/document/kernel.h"
#include "core/schedule/environment.h"
#include "core/tune/rules/construct.h"

namespace loom::tune {

/// A constructed schedule with the state, kernel and predicted time that its lines lead to.
struct Built {
  Construction construction;
  std::string lines;      ///< step lines, one a line
  schedule::State state;  ///< the state that `lines` lead to
  document::KernelText kernel;
  std::optional<double> microseconds;  ///< time predicted from the program; nothing: `unpredicted` says why
  Message unpredicted;                 ///< empty if a time is predicted
};

/// Applies step lines, one a line. Fails where they can't be read or a step is refused.
Result<schedule::State> stateByLines(const schedule::State& state, const std::string& lines,
                                     const schedule::Environment& environment);

/// The kernel that step lines make of a program.
struct MadeByLines {
  schedule::State state;  ///< the state that the lines lead to
  document::KernelText kernel;
};
/// Applies step lines, one a line. Fails where they can't be read, a step is refused, or they make no kernel.
Result<MadeByLines> madeByLines(const schedule::State& state, const std::string& lines,
                                const schedule::Environment& environment);

/// Returns the time, in µs, of all kernels of a program together, predicted from the program as written.
/// `kernel.program` must be set. Fails as the model's estimate does.
Result<double> predictedTime(const document::KernelText& kernel, const model::Device& device);

/// Constructs a schedule of each sketch and returns them, those predicted faster first, except that products by
/// warpgroups come before others that are predicted up to a quarter faster, unless most of their tiles lie beyond the
/// product. Decisions without a formula get the values for which the model predicts the least time (by_model.h).
/// Sketches without a schedule, or whose lines are refused or make no kernel, are left out. Fails with `NoRule` if none
/// is left, with the reason of the first.
Result<std::vector<Built>> buildAll(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                                    const schedule::Environment& environment);

}  // namespace loom::tune
