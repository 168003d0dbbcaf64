#pragma once

#include <optional>

#include "core/document/kernel.h"
#include "core/schedule/environment.h"
#include "core/tune/rules/construct.h"

namespace loom::tune {

/// A schedule that was constructed from a sketch (a schedule with open decisions, which rules write), with the state,
/// kernel and predicted time that its lines lead to. A state is a program after some scheduling steps; a step line is a
/// call of a scheduling primitive.
struct Built {
  Construction construction;  ///< which sketch it is of, the values of its decisions, and why each was chosen
  std::string lines;          ///< step lines, one a line
  schedule::State state;      ///< the state that `lines` lead to
  document::KernelText kernel;
  /// The time of all kernels together, in µs, predicted from the program. Nothing: `unpredicted` says why.
  std::optional<double> microseconds;
  Message unpredicted;  ///< empty if a time is predicted
};

/// Applies step lines, one a line. Fails where they can't be read or a step is refused.
Result<schedule::State> stateByLines(const schedule::State& state, const std::string& lines,
                                     const schedule::Environment& environment);

/// The kernel that step lines make of a program.
struct MadeByLines {
  schedule::State state;  ///< the state that the lines lead to
  document::KernelText kernel;
};
/// Returns the kernel that lowering makes of `state`, to which step lines have led. Fails if the state is no kernel.
Result<MadeByLines> kernelAt(schedule::State state);
/// Applies step lines, one a line. Fails where they can't be read, a step is refused, or they make no kernel.
Result<MadeByLines> madeByLines(const schedule::State& state, const std::string& lines,
                                const schedule::Environment& environment);

/// Returns the time, in µs, of all kernels of a program together, predicted from the program as written.
/// `kernel.program` must be set. Fails with the model's error if the time of one kernel can't be predicted, for
/// instance `TooLarge` if no block fits on a multiprocessor.
Result<double> predictedTime(const document::KernelText& kernel, const model::Device& device);

/// Returns the words for a time, in µs, that is predicted instead of a longer one: "predicted 1.07 µs instead of 1.24
/// µs". Where both read alike, or the second isn't longer, only the first is said.
Message predictedWords(double microseconds, double before);

/// A sketch of which no schedule was constructed that makes a kernel.
struct NotBuilt {
  int sketch = 0;  ///< index in RulePlan::sketches
  /// Why there is none: the sketch has no schedule, one of the lines of the schedule that was constructed is refused,
  /// or they make no kernel.
  Message why;
};

/// Constructs a schedule of each sketch and returns them, ordered by predicted time times a factor for kinds of
/// schedules that the model misjudges: 0.8 for products by warpgroups, and a larger factor if their tiles reach far
/// beyond the product; 1.15 for others that cut k into parts, whose results a second kernel combines; 2 for schedules
/// whose warps sum slices of k by themselves although a weight for each k is read, too. Built::microseconds doesn't
/// contain the factor. Schedules without a predicted time come last. Schedules within four times the best one are
/// improved: decisions that are left to the model move to values for which the model predicts less time (by_model.h),
/// and some other block and thread tiles are tried; of the fastest one few combinations of such values are all
/// tried (decideAmongFew). Sketches without a schedule, or whose lines are refused or make no
/// kernel, are left out and, unless `notBuilt` is null, appended to it. Fails with `NoRule` if no schedule is left,
/// with the reason of the first sketch.
Result<std::vector<Built>> buildAll(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                                    const schedule::Environment& environment,
                                    std::vector<NotBuilt>* notBuilt = nullptr);

}  // namespace loom::tune
