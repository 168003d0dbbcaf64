#include "core/tune/rules/built.h"

#include <algorithm>
#include <limits>

#include "core/model/duration_text.h"
#include "core/model/model.h"
#include "core/process/on_all_cores.h"
#include "core/schedule/replay.h"
#include "core/tune/rules/by_model.h"

namespace loom::tune {

Result<schedule::State> stateByLines(const schedule::State& state, const std::string& lines,
                                     const schedule::Environment& environment) {
  const auto calls = script::parseSchedule(lines, "");
  if (!calls) return Failure(calls.error());
  schedule::ReplayEnd replayed = schedule::replayToEnd(state, *calls, environment);
  if (replayed.refusal) return Failure(*replayed.refusal);
  return replayed.last;
}

Result<MadeByLines> kernelAt(schedule::State state) {
  document::KernelText kernel = document::makeKernel(state);
  if (kernel.problem) return Failure(*kernel.problem);
  return MadeByLines{std::move(state), std::move(kernel)};
}

Result<MadeByLines> madeByLines(const schedule::State& state, const std::string& lines,
                                const schedule::Environment& environment) {
  auto after = stateByLines(state, lines, environment);
  return after ? kernelAt(std::move(*after)) : Failure(after.error());
}

Result<double> predictedTime(const document::KernelText& kernel, const model::Device& device) {
  double sum = 0;
  for (const device::Kernel& k : kernel.program->kernels) {
    const auto made = model::estimateOf(model::accessesOf(k), device);
    if (!made) return Failure(made.error());
    sum += made->microseconds;
  }
  return sum;
}

Message predictedWords(double microseconds, double before) {
  const std::string now = model::durationText(microseconds), was = model::durationText(before);
  return microseconds < before && now != was ? message("predicted {} instead of {}", now, was)
                                             : message("predicted {}", now);
}

namespace {

// Of the time that is predicted for products of warpgroups, whose rows in global memory are no whole sectors, some take
// no more: 1400³ 12.4 of 21.2 µs, and 14.3 of 18.6 (H200, measured for this project, 2026-11). Warps alone multiply
// half as fast, so that among schedules of about one predicted time warpgroups are tried first.
constexpr double kWarpgroups = 0.8;
// A box of the copy engine that lies half or more beyond its matrix takes long: of 64 rows of tiles of 64 × 32, 4096
// along k, 16, 24, 32, 48 and 64 took 20.2, 19.4, 18.2, 11.9 and 9.4 µs (H100, measured for this project, 2026-11).
// Where few boxes of many do, nobody waits for them: 1000³ takes as long as 1024³.
constexpr double kBeyond = 1.7;

// What else is read along k, weights of each step say, is read anew for each sum where slices of k are summed by warps
// of their own, which the model of the program doesn't see: 1000 × 1200 × 300 with weights took 115 and 174 µs so, 63
// and 45 without slices, all predicted alike (H200, measured for this project, 2026-11-28).
constexpr double kWeightedSlices = 2;
// A second kernel that adds up what blocks have summed for parts of k: in float32, 512 × 512 × 4096 by parts took 0.85
// of the predicted time, 1024 × 512 × 2048 without 0.72 (H200, measured for this project, 2026-11-28).
constexpr double kInParts = 1.15;

// What is predicted to take more times the best sketch's time is left as its construction has it: asking the model
// again and again takes as long as the kernels are large, and would not bring it before the others.
constexpr double kNearBest = 4;
// Of what is predicted to take about as long as the best sketch other tiles are tried; and as the best of those without
// a sum in parts, since more blocks of few results fill multiprocessors as parts do.
constexpr double kAlike = 1.1;
// Blocks, of the multiprocessors, with which a third of these idles: where fewer do, more blocks won a twentieth at
// most.
constexpr double kFew = 2.0 / 3;

// How much longer than a time that is predicted of a schedule the time is likely to be, against other sketches.
double biasOf(const Sketch& sketch, const Assignment& assignment) {
  const auto value = [&](const char* name) { return double(quantityOf(sketch, name, assignment).value_or(0)); };
  if (value("weighted.slices") > 0) return kWeightedSlices;
  if (value("wgmma") == 0) return value("parts") > 1 ? kInParts : 1;
  const auto beyond = [&](const char* tile, const char* extent) {
    return value(tile) > value(extent) ? 1 - value(extent) / value(tile) : 0;
  };
  return kWarpgroups * (1 + kBeyond * std::max(beyond("tile.m", "extent.m"), beyond("tile.n", "extent.n")));
}

// Why these lines make no kernel, which says so.
Failure noKernel(Error error, const std::string& lines) {
  const bool isRefused = error.code != "NotAKernel";
  error.message = isRefused ? schedule::refusalWords(error, lines)
                            : message("the schedule constructed of it makes no kernel: {}", error.message);
  return Failure(std::move(error));
}

Result<Built> built(const RulePlan& plan, Construction construction, Trials& trials) {
  auto lines = linesOf(plan.sketches[std::size_t(construction.sketch)], construction.assignment);
  if (!lines) return Failure(lines.error());
  auto made = trials.made(*lines);
  if (!made) return noKernel(made.error(), *lines);
  Built all{std::move(construction), std::move(*lines), std::move(made->state), std::move(made->kernel), {}, {}};
  if (const auto time = trials.predicted(all.kernel)) {
    all.microseconds = time->microseconds;
  } else {
    all.unpredicted = time.error().message;
  }
  return all;
}

Result<Built> buildOne(const RulePlan& plan, int sketch, Trials& trials, const Pins* pins = nullptr) {
  auto construction = construct(plan, sketch, trials.device(), pins);
  if (!construction) return Failure(construction.error());
  return built(plan, std::move(*construction), trials);
}

// What rules have constructed already, nothing of which is left to improve.
std::optional<Built> builtBefore(const RulePlan& plan, int sketch, Trials& trials) {
  const std::shared_ptr<const Construction>& before = plan.sketches[std::size_t(sketch)].constructed;
  if (!before) return std::nullopt;
  Construction construction = *before;
  construction.sketch = sketch;
  auto made = built(plan, std::move(construction), trials);
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

// Has a product that leaves many multiprocessors without a block be built with twice the blocks along an axis, and if
// that is faster along both, and keeps what the model predicts to be fastest: the formula doesn't know what few threads
// copy one by one. Min-plus of 512 × 512 × 301 with 64 blocks of two warps took 64.7 µs, with 256 of one warp 18.7
// (H200, measured for this project, 2026-11).
void tryMoreBlocks(const RulePlan& plan, Trials& trials, Built& built) {
  const Sketch& sketch = plan.sketches[std::size_t(built.construction.sketch)];
  const int alongI = decisionNamed(sketch.space, "i.blocks"), alongJ = decisionNamed(sketch.space, "j.blocks");
  const double multiprocessors = trials.device().value(model::Quantity::Multiprocessors).value_or(1);
  if (alongI < 0 || alongJ < 0 || decisionNamed(sketch.space, "i.warpgroups") >= 0) return;
  const auto blocksOf = [&](const Assignment& a) { return a[std::size_t(alongI)] * a[std::size_t(alongJ)]; };
  const Assignment first = built.construction.assignment;
  const std::int64_t batch = quantityOf(sketch, "batch", first).value_or(1);
  if (double(blocksOf(first) * batch) > kFew * multiprocessors) return;
  const auto twice = [&](Pins& pins, int decision) {
    std::vector<std::int64_t> values = sketch.space.decisions[std::size_t(decision)].values;
    std::erase_if(values, [&](std::int64_t v) { return v < 2 * first[std::size_t(decision)]; });
    pins.limitTo(decision, values);
  };
  const double before = *built.microseconds;
  const auto take = [&](const std::vector<std::vector<int>>& axes) {
    std::vector<std::optional<Result<Built>>> others(axes.size());
    process::onAllCores(axes.size(), [&](std::size_t n) {
      Pins pins(sketch.space);
      for (int axis : axes[n]) twice(pins, axis);
      others[n] = buildOne(plan, built.construction.sketch, trials, &pins);
    });
    for (std::optional<Result<Built>>& made : others) {
      Result<Built>& other = *made;
      if (!other || !other->microseconds || *other->microseconds > kBetter * *built.microseconds) continue;
      const Assignment& now = other->construction.assignment;
      other->construction.steps.push_back({{"i.blocks", "j.blocks"},
                                           {now[std::size_t(alongI)], now[std::size_t(alongJ)]},
                                           message("{} blocks instead of {}: more multiprocessors have one",
                                                   blocksOf(now) * batch, blocksOf(first) * batch),
                                           predictedWords(*other->microseconds, before)});
      built = std::move(*other);
    }
  };
  take({{alongI}, {alongJ}});
  if (*built.microseconds < before) take({{alongI, alongJ}});
}

// Of a thread: more take long to predict, and leave few threads.
constexpr std::int64_t kMostTriedResults = 32;

// Has neighbouring results of a block be built in other shapes, as many by other numbers along the two axes, then with
// each number along one of them and along the other, and keeps what the model predicts to be fastest: with other
// numbers other vectors fit, so that going from one to the next as long as it pays isn't enough.
class NeighbourTrials {
 public:
  NeighbourTrials(const RulePlan& plan, Trials& trials, Built& built)
      : plan_(plan), trials_(trials), built_(built), sketch_(plan.sketches[std::size_t(built.construction.sketch)]) {}

  void run() {
    constexpr std::string_view kAlongX = "x.results", kAlongY = "y.results";
    const std::vector<Decision>& decisions = sketch_.space.decisions;
    for (std::size_t x = 0; x < decisions.size(); ++x) {
      if (!decisions[x].name.ends_with(kAlongX)) continue;
      const std::string prefix = decisions[x].name.substr(0, decisions[x].name.size() - kAlongX.size());
      const int y = decisionNamed(sketch_.space, prefix + std::string(kAlongY));
      const auto shapes = [&](auto&& isTried) {
        std::vector<Pins> all;
        for (std::int64_t alongX : decisions[x].values)
          for (std::int64_t alongY : y < 0 ? std::vector<std::int64_t>{1} : decisions[std::size_t(y)].values)
            if (alongX * alongY <= kMostTriedResults && isTried(alongX, alongY))
              all.push_back(pinned(x, alongX, y, alongY));
        take(all, int(x), y);
      };
      const auto now = [&](int d) { return d < 0 ? 1 : built_.construction.assignment[std::size_t(d)]; };
      shapes([&](std::int64_t a, std::int64_t b) { return a != now(int(x)) && a * b == now(int(x)) * now(y); });
      shapes([&](std::int64_t a, std::int64_t b) { return a != now(int(x)) && b == now(y); });
      shapes([&](std::int64_t a, std::int64_t b) { return a == now(int(x)) && b != now(y); });
    }
  }

 private:
  // These results of a thread along both axes; those of other blocks stay.
  Pins pinned(std::size_t x, std::int64_t alongX, int y, std::int64_t alongY) const {
    Pins pins(sketch_.space);
    for (std::size_t d = 0; d < sketch_.space.decisions.size(); ++d)
      if (sketch_.space.decisions[d].name.ends_with(".results"))
        pins.limitTo(int(d), {d == x ? alongX : int(d) == y ? alongY : built_.construction.assignment[d]});
    return pins;
  }

  void take(const std::vector<Pins>& all, int x, int y) {
    std::vector<std::optional<Result<Built>>> made(all.size());
    process::onAllCores(
        all.size(), [&](std::size_t n) { made[n] = buildOne(plan_, built_.construction.sketch, trials_, &all[n]); });
    const double before = *built_.microseconds;
    const std::vector<ConstructionStep> steps = built_.construction.steps;
    for (std::optional<Result<Built>>& other : made) {
      if (!*other || !(*other)->microseconds || *(*other)->microseconds > kBetter * *built_.microseconds) continue;
      const Assignment& now = (*other)->construction.assignment;
      ConstructionStep step{{sketch_.space.decisions[std::size_t(x)].name}, {now[std::size_t(x)]}, {}, {}};
      if (y >= 0)
        step.decisions.push_back(sketch_.space.decisions[std::size_t(y)].name),
            step.values.push_back(now[std::size_t(y)]);
      step.words =
          message("{} × {} neighbouring results", step.values.size() > 1 ? step.values.back() : 1, step.values.front());
      step.reason = predictedWords(*(*other)->microseconds, before);
      (*other)->construction.steps = steps;
      (*other)->construction.steps.push_back(std::move(step));
      built_ = std::move(**other);
    }
  }

  const RulePlan& plan_;
  Trials& trials_;
  Built& built_;
  const Sketch& sketch_;
};

}  // namespace

Result<std::vector<Built>> buildAll(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                                    const schedule::Environment& environment, std::vector<NotBuilt>* notBuilt) {
  Trials trials(state, device, environment, plan.times);
  // Nearly all of the time goes into predicting, of each by itself.
  std::vector<std::optional<Result<Built>>> made(plan.sketches.size());
  std::vector<char> isImproved(made.size());
  process::onAllCores(made.size(), [&](std::size_t n) {
    auto before = builtBefore(plan, int(n), trials);
    isImproved[n] = before.has_value();
    made[n] = before ? std::move(*before) : buildOne(plan, int(n), trials);
  });
  std::vector<Built> all;
  std::optional<Message> first;
  for (std::size_t n = 0; n < made.size(); ++n) {
    Result<Built>& one = *made[n];
    if (one) {
      all.push_back(std::move(*one));
      continue;
    }
    if (!first) first = one.error().message;
    if (notBuilt != nullptr) notBuilt->push_back({int(n), one.error().message});
  }
  if (all.empty()) {
    return fail("NoRule", message("no sketch becomes a kernel: {}", first ? *first : message("there is none")),
                Forbids::Program);
  }
  const auto expected = [&](const Built& b) {
    return b.microseconds.value_or(std::numeric_limits<double>::infinity()) *
           biasOf(plan.sketches[std::size_t(b.construction.sketch)], b.construction.assignment);
  };
  const auto isInParts = [&](const Built& b) {
    return quantityOf(plan.sketches[std::size_t(b.construction.sketch)], "parts", b.construction.assignment)
               .value_or(0) > 1;
  };
  const double best = expected(*std::ranges::min_element(all, {}, expected));
  double bestOfWhole = std::numeric_limits<double>::infinity();
  for (const Built& b : all)
    if (!isInParts(b)) bestOfWhole = std::min(bestOfWhole, expected(b));
  process::onAllCores(all.size(), [&](std::size_t n) {
    if (isImproved[std::size_t(all[n].construction.sketch)]) return;
    if (!all[n].microseconds || expected(all[n]) > kNearBest * best) return;
    if (expected(all[n]) <= kAlike * (isInParts(all[n]) ? best : bestOfWhole)) tryMoreBlocks(plan, trials, all[n]);
    NeighbourTrials(plan, trials, all[n]).run();
    decideByModel(plan, trials, all[n]);
  });
  Built& fastest = *std::ranges::min_element(all, {}, expected);
  if (!isImproved[std::size_t(fastest.construction.sketch)] && fastest.microseconds)
    decideAmongFew(plan, trials, fastest);
  std::ranges::stable_sort(all, {}, expected);
  return all;
}

}  // namespace loom::tune
