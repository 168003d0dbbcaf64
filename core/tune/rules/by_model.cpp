#include "core/tune/rules/by_model.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/model/duration_text.h"
#include "core/model/model.h"

namespace loom::tune {

namespace {

constexpr int kMostTried = 32;  // predictions of a construction, each of which takes milliseconds
// Of a multiprocessor's threads, blocks of so many leave only two that can go on while one ends. The model doesn't see
// it: sums of rows took 1.15 times as long as predicted with more than 512 threads, against those with fewer (the
// median of 43 schedules of 7 programs, H100, measured for this project, 2026-11).
constexpr std::int64_t kManyThreads = 512;
constexpr double kOfManyThreads = 1.15;

// What a thread waits for, one load after another, in microseconds: the model of a program as written has no latency.
// Compilers write four trips of a loop out and ask for their loads together. At the least, as if nothing else took time:
// sums of columns of 4099 × 1027 with 65 blocks, 257 trips each, took 24.8 µs on an H200 where the model had 4.7
// (2026-11-29), and 6.3 with sums in eight parts.
double waitedFor(const model::KernelModel& k, const model::Device& device) {
  constexpr double kTogether = 4;
  double trips = 0;
  for (const model::Access& a : k.accesses.accesses) {
    if (a.write || a.memory != device::Memory::Global || device::isBeside(a.agent)) continue;
    double own = 1;
    for (const int loop : a.loops)
      if (!k.accesses.loops[std::size_t(loop)].unroll) own *= double(k.accesses.loops[std::size_t(loop)].extent);
    trips = std::max(trips, own);
  }
  const double megahertz = device.value(model::Quantity::ClockMhz).value_or(0);
  if (megahertz <= 0 || trips <= kTogether) return 0;
  const model::CalibratedConstants constants;
  return trips / kTogether * constants.missLatency / megahertz + constants.launchMicroseconds;
}

// Predicted times of schedules of one program. Most of their kernels are alike.
class Predictions {
 public:
  explicit Predictions(const model::Device& device) : device_(device) {}

  std::optional<double> of(const document::KernelText& kernel) {
    double sum = 0;
    for (const device::Kernel& k : kernel.program->kernels) {
      device::Program alone = *kernel.program;
      alone.kernels = {k};
      const auto [known, isNew] = known_.try_emplace(device::print(alone));
      if (isNew)
        if (const model::KernelModel made = model::modelOf(k, device_); made.estimate)
          known->second = std::max(made.estimate->microseconds, waitedFor(made, device_));
      if (!known->second) return std::nullopt;
      sum += *known->second;
    }
    return sum;
  }

 private:
  const model::Device& device_;
  std::map<std::string, std::optional<double>> known_;  // by the printed kernel; nothing: it can't be predicted
};

class Settling {
 public:
  Settling(const Sketch& sketch, const schedule::State& state, const model::Device& device,
           const schedule::Environment& environment, Built& built, std::string_view kept = "")
      : sketch_(sketch), state_(state), environment_(environment), built_(built), kept_(kept), predictions_(device) {}

  void run() {
    const Assignment first = built_.construction.assignment;
    built_.microseconds = predictions_.of(built_.kernel);
    const double before = *built_.microseconds;
    // With more rows fewer threads may be better than before.
    for (bool any = true; any;) {
      any = false;
      for (std::size_t d = 0; d < sketch_.space.decisions.size(); ++d)
        if (isOpen(sketch_.space.decisions[d])) any |= moves(d, 1) || moves(d, -1);
    }
    ConstructionStep step;
    for (std::size_t d = 0; d < first.size(); ++d) {
      if (built_.construction.assignment[d] == first[d]) continue;
      step.decisions.push_back(sketch_.space.decisions[d].name);
      step.values.push_back(built_.construction.assignment[d]);
    }
    if (step.decisions.empty()) return;
    step.words =
        message("{} is {}: no formula weighs it, so the model was asked", step.decisions.front(), step.values.front());
    step.reason =
        message("predicted {} instead of {}", model::durationText(*built_.microseconds), model::durationText(before));
    built_.construction.steps.push_back(std::move(step));
  }

 private:
  bool isOpen(const Decision& d) const { return d.leftToModel && (kept_.empty() || !d.name.ends_with(kept_)); }

  // Takes the decision's next values in one direction while these are better; false: not even the first was.
  bool moves(std::size_t d, int by) {
    const Decision& decision = sketch_.space.decisions[d];
    bool any = false;
    for (int v = valueIndexOf(decision, built_.construction.assignment[d]) + by;
         v >= 0 && v < int(decision.values.size()); v += by) {
      if (!take(d, decision.values[std::size_t(v)])) break;
      any = true;
    }
    return any;
  }

  bool take(std::size_t d, std::int64_t value) {
    Assignment next = built_.construction.assignment;
    next[d] = value;
    if (tried_ == kMostTried ||
        !std::ranges::all_of(sketch_.space.constraints, [&](const Constraint& c) { return holds(c, next); }))
      return false;
    ++tried_;
    auto lines = linesOf(sketch_, next);
    if (!lines) return false;
    auto made = madeByLines(state_, *lines, environment_);
    if (!made) return false;
    const auto time = predictions_.of(made->kernel);
    if (!time || *time * weightOf(made->kernel) > kBetter * *built_.microseconds * weightOf(built_.kernel))
      return false;
    built_.construction.assignment = std::move(next);
    built_.lines = std::move(*lines);
    built_.state = std::move(made->state);
    built_.kernel = std::move(made->kernel);
    built_.microseconds = time;
    return true;
  }

  static double weightOf(const document::KernelText& kernel) {
    const auto isWide = [](const device::Kernel& k) { return k.threads() > kManyThreads; };
    return std::ranges::any_of(kernel.program->kernels, isWide) ? kOfManyThreads : 1;
  }

  const Sketch& sketch_;
  const schedule::State& state_;
  const schedule::Environment& environment_;
  Built& built_;
  std::string_view kept_;  // how the names of decisions end that stay as they are; "": none
  Predictions predictions_;
  int tried_ = 0;
};

// The same with sums that are not cut into parts; nothing: none is, or there is no such schedule.
std::optional<Built> inOnePart(const Sketch& sketch, const schedule::State& state,
                               const schedule::Environment& environment, const model::Device& device,
                               const Built& built) {
  Construction construction = built.construction;
  for (std::size_t d = 0; d < sketch.space.decisions.size(); ++d)
    if (sketch.space.decisions[d].name.ends_with(kSumParts)) construction.assignment[d] = 1;
  if (construction.assignment == built.construction.assignment) return std::nullopt;
  auto lines = linesOf(sketch, construction.assignment);
  if (!lines) return std::nullopt;
  auto made = madeByLines(state, *lines, environment);
  if (!made) return std::nullopt;
  const auto time = predictedTime(made->kernel, device);
  if (!time) return std::nullopt;
  return Built{std::move(construction), std::move(*lines), std::move(made->state), std::move(made->kernel), *time, {}};
}

}  // namespace

void decideByModel(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                   const schedule::Environment& environment, Built& built) {
  const Sketch& sketch = plan.sketches[std::size_t(built.construction.sketch)];
  if (std::ranges::none_of(sketch.space.decisions, &Decision::leftToModel)) return;
  // A second kernel costs at once what parts of a sum save by many steps: from one part on the way is another one.
  std::optional<Built> whole = inOnePart(sketch, state, environment, device, built);
  Settling(sketch, state, device, environment, built).run();
  if (whole) {
    Settling(sketch, state, device, environment, *whole, kSumParts).run();
    if (*whole->microseconds < kBetter * *built.microseconds) built = std::move(*whole);
  }
  // Beside other sketches it stands with what the model predicts of all of them.
  if (const auto predicted = predictedTime(built.kernel, device)) built.microseconds = *predicted;
}

}  // namespace loom::tune
