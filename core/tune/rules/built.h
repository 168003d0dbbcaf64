#pragma once

#include <optional>

#include "core/document/kernel.h"
#include "core/schedule/environment.h"
#include "core/tune/rules/construct.h"

namespace loom::tune {

/// A construction with the program that its lines make.
struct Built {
  Construction construction;
  std::string lines;      ///< step lines, one a line
  schedule::State state;  ///< after them
  document::KernelText kernel;
  std::optional<double> microseconds;  ///< predicted from the program; nothing: `unpredicted` says why
  Message unpredicted;
};

/// Applies step lines, one a line. Fails where they can't be read or a step is refused.
Result<schedule::State> stateByLines(const schedule::State& state, const std::string& lines,
                                     const schedule::Environment& environment);

/// The kernel that step lines make of a program.
struct MadeByLines {
  schedule::State state;  ///< after them
  document::KernelText kernel;
};
/// Applies step lines, one a line. Fails where they can't be read, a step is refused, or they make no kernel.
Result<MadeByLines> madeByLines(const schedule::State& state, const std::string& lines,
                                const schedule::Environment& environment);

/// Returns the microseconds of all kernels of a program together, predicted from the program as written. `kernel` has
/// one. Fails as the model's estimate does.
Result<double> predictedTime(const document::KernelText& kernel, const model::Device& device);

/// Constructs a schedule of each sketch and returns them, those predicted faster first, but products of warpgroups
/// before others that are predicted up to a quarter faster, unless most of their tiles lie beyond the product. What a
/// construction has no formula for is as the model wants it (by_model.h). Sketches without a schedule, or whose lines
/// are refused or make no kernel, are left out. Fails with `NoRule` where none is left, with the reason of the first.
Result<std::vector<Built>> buildAll(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                                    const schedule::Environment& environment);

}  // namespace loom::tune
