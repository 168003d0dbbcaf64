#include "core/tune/rules/built.h"

#include <algorithm>
#include <limits>

#include "core/model/model.h"
#include "core/schedule/replay.h"

namespace loom::tune {

namespace {

void predict(Built& built, const model::Device& device) {
  double sum = 0;
  for (const device::Kernel& kernel : built.kernel.program->kernels) {
    const model::KernelModel made = model::modelOf(kernel, device);
    if (!made.estimate) {
      built.unpredicted = made.estimate.error().message;
      return;
    }
    sum += made.estimate->microseconds;
  }
  built.microseconds = sum;
}

Result<Built> buildOne(const RulePlan& plan, int sketch, const schedule::State& state, const model::Device& device,
                       const schedule::Environment& environment) {
  auto construction = construct(plan, sketch, device);
  if (!construction) return Failure(construction.error());
  auto lines = linesOf(plan.sketches[std::size_t(sketch)], construction->assignment);
  if (!lines) return Failure(lines.error());
  const auto calls = script::parseSchedule(*lines, "");
  if (!calls) return Failure(calls.error());
  schedule::Replay replayed = schedule::replay(state, *calls, environment);
  if (replayed.refusal) return Failure(*replayed.refusal);
  Built built{std::move(*construction), std::move(*lines), replayed.last, document::makeKernel(replayed.last), {}, {}};
  if (built.kernel.problem) return Failure(*built.kernel.problem);
  predict(built, device);
  return built;
}

}  // namespace

Result<std::vector<Built>> buildAll(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                                    const schedule::Environment& environment) {
  std::vector<Built> all;
  std::optional<Error> first;
  for (std::size_t n = 0; n < plan.sketches.size(); ++n) {
    auto built = buildOne(plan, int(n), state, device, environment);
    if (built) {
      all.push_back(std::move(*built));
    } else if (!first) {
      first = built.error();
    }
  }
  if (all.empty()) {
    return fail("NoRule", message("no sketch becomes a kernel: {}", first ? first->message : message("there is none")),
                Forbids::Program);
  }
  std::ranges::stable_sort(
      all, {}, [](const Built& b) { return b.microseconds.value_or(std::numeric_limits<double>::infinity()); });
  return all;
}

}  // namespace loom::tune
