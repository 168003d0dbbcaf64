#include "core/tune/rules/by_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "core/process/on_all_cores.h"

namespace loom::tune {

namespace {

constexpr int kMostTried = 32;  // predictions of a construction, each of which takes milliseconds
// Combinations of open decisions, all of which are predicted: step by step no way leads from 256 threads for each of
// two rows to 32 threads for each of eight, as what lies between is slower. Of 6144 × 3072 in float16 that took 8.6 and
// 5.9 µs (H200, measured for this project, 2026-12-01).
constexpr std::size_t kFewCombinations = 64;
// Of a multiprocessor's threads, blocks of so many leave only two that can go on while one ends. The model doesn't see
// it: sums of rows took 1.15 times as long as predicted with more than 512 threads, against those with fewer (the
// median of 43 schedules of 7 programs, H100, measured for this project, 2026-11).
constexpr std::int64_t kManyThreads = 512;
constexpr double kOfManyThreads = 1.15;

class Settling {
 public:
  Settling(const Sketch& sketch, Trials& trials, Built& built, std::string_view kept = "")
      : sketch_(sketch), trials_(trials), built_(built), kept_(kept) {}

  void run() {
    const Assignment first = built_.construction.assignment;
    if (const auto time = trials_.predicted(built_.kernel)) built_.microseconds = time->withLatency;
    const double before = *built_.microseconds;
    // With more rows fewer threads may be better than before.
    for (bool any = true; any;) {
      any = false;
      for (std::size_t d = 0; d < sketch_.space.decisions.size(); ++d)
        if (isOpen(sketch_.space.decisions[d])) any |= moves(d, 1) || moves(d, -1);
      any = any || exchanges();
    }
    tell(first, before, [](const std::string& changes) {
      return message("{}: no formula weighs this, so the model was asked", changes);
    });
  }

  // Takes the best of all combinations of the open decisions' values, if they are few.
  void takeBestOfFew() {
    const Assignment first = built_.construction.assignment;
    const std::vector<Assignment> all = combinations();
    if (all.empty()) return;
    if (const auto time = trials_.predicted(built_.kernel)) built_.microseconds = time->withLatency;
    const double before = *built_.microseconds;
    std::vector<std::optional<Tried>> made(all.size());
    process::onAllCores(all.size(), [&](std::size_t n) { made[n] = tried(all[n]); });
    std::optional<Tried>* best = nullptr;
    for (std::optional<Tried>& one : made)
      if (one && (best == nullptr || one->weighed() < (*best)->weighed())) best = &one;
    if (best != nullptr) takeIfBetter(std::move(*best));
    tell(first, before, [&](const std::string& changes) {
      return message("{}: of all {} combinations of such values the model predicts the least time", changes,
                     std::ranges::count_if(made, [](const auto& one) { return one.has_value(); }));
    });
  }

 private:
  // Adds a step that says which values are others than in `first`, and why; none if all are the same.
  void tell(const Assignment& first, double before, const std::function<Message(const std::string&)>& words) {
    ConstructionStep step;
    std::string changes;
    for (std::size_t d = 0; d < first.size(); ++d) {
      if (built_.construction.assignment[d] == first[d]) continue;
      step.decisions.push_back(sketch_.space.decisions[d].name);
      step.values.push_back(built_.construction.assignment[d]);
      changes += fmt::format("{}{} = {}", changes.empty() ? "" : ", ", step.decisions.back(), step.values.back());
    }
    if (step.decisions.empty()) return;
    step.words = words(changes);
    step.reason = predictedWords(*built_.microseconds, before);
    built_.construction.steps.push_back(std::move(step));
  }

  bool isOpen(const Decision& d) const { return d.leftToModel && (kept_.empty() || !d.name.ends_with(kept_)); }

  // Takes the decision's next values in one direction while these are better; false: not even the first was.
  bool moves(std::size_t d, int by) {
    const Decision& decision = sketch_.space.decisions[d];
    bool any = false;
    for (int v = valueIndexOf(decision, built_.construction.assignment[d]) + by;
         v >= 0 && v < int(decision.values.size()); v += by) {
      Assignment next = built_.construction.assignment;
      next[d] = decision.values[std::size_t(v)];
      if (!take(std::move(next))) break;
      any = true;
    }
    return any;
  }

  // What narrower vectors cost the model sees less of: a stencil with 2 elements of 256 threads took 3.55 µs, with 1 of
  // 512 it took 4.27; sums of rows took 11 to 59 % less at four sizes, and 12 % more at a fifth (H200, measured for
  // this project, 2026-11). Such values change only by themselves.
  static bool isVector(const Decision& d) { return d.name.ends_with("vector"); }

  // Takes the next value of one decision and the one before of another, if that is better: more rows with fewer threads
  // each are as many threads, where either alone changes how many are at work.
  bool exchanges() {
    const std::vector<Decision>& all = sketch_.space.decisions;
    for (std::size_t up = 0; up < all.size(); ++up)
      for (std::size_t down = 0; down < all.size(); ++down) {
        if (up == down || !isOpen(all[up]) || !isOpen(all[down]) || isVector(all[down])) continue;
        Assignment next = built_.construction.assignment;
        const int above = valueIndexOf(all[up], next[up]) + 1, below = valueIndexOf(all[down], next[down]) - 1;
        if (above >= int(all[up].values.size()) || below < 0) continue;
        next[up] = all[up].values[std::size_t(above)];
        next[down] = all[down].values[std::size_t(below)];
        if (take(std::move(next))) return true;
      }
    return false;
  }

  // A schedule with its time, in µs, that comparisons go by.
  struct Tried {
    Assignment assignment;
    std::string lines;
    MadeByLines made;
    double microseconds = 0;
    double weighed() const { return microseconds * weightOf(made.kernel); }
  };

  // Of a schedule of the space. Nothing if it makes no kernel, or has no predicted time.
  std::optional<Tried> tried(const Assignment& next) const {
    auto lines = linesOf(sketch_, next);
    if (!lines) return {};
    auto made = trials_.made(*lines);
    if (!made) return {};
    const auto predicted = trials_.predicted(made->kernel);
    if (!predicted) return {};
    return Tried{next, std::move(*lines), std::move(*made), predicted->withLatency};
  }

  bool take(const Assignment& next) {
    if (tried_ == kMostTried || brokenBy(sketch_.space, next) != nullptr) return false;
    ++tried_;
    return takeIfBetter(tried(next));
  }

  bool takeIfBetter(std::optional<Tried> next) {
    if (!next || next->weighed() > kBetter * *built_.microseconds * weightOf(built_.kernel)) return false;
    built_.construction.assignment = std::move(next->assignment);
    built_.lines = std::move(next->lines);
    built_.state = std::move(next->made.state);
    built_.kernel = std::move(next->made.kernel);
    built_.microseconds = next->microseconds;
    return true;
  }

  // Whether a decision of this name, which may stand behind a block's prefix, is open.
  bool isOpen(std::string_view name) const {
    return std::ranges::any_of(sketch_.space.decisions, [&](const Decision& d) {
      return isOpen(d) && std::string_view(d.name).substr(d.name.rfind('.') + 1) == name;
    });
  }

  // All schedules of the space with other values of the open decisions and the others as they are. Empty if there are
  // many, or if threads don't share the sums of rows.
  std::vector<Assignment> combinations() const {
    if (!isOpen("threads") || !isOpen("rows")) return {};
    std::vector<Assignment> all{built_.construction.assignment};
    for (std::size_t d = 0; d < sketch_.space.decisions.size(); ++d) {
      const Decision& decision = sketch_.space.decisions[d];
      if (!isOpen(decision) || isVector(decision)) continue;
      if (all.size() * decision.values.size() > kFewCombinations) return {};
      std::vector<Assignment> more;
      for (const Assignment& one : all)
        for (const std::int64_t value : decision.values) more.push_back(one), more.back()[d] = value;
      all = std::move(more);
    }
    std::erase_if(all, [&](const Assignment& one) { return brokenBy(sketch_.space, one) != nullptr; });
    return all;
  }

  static double weightOf(const document::KernelText& kernel) {
    const auto isWide = [](const device::Kernel& k) { return k.threads() > kManyThreads; };
    return std::ranges::any_of(kernel.program->kernels, isWide) ? kOfManyThreads : 1;
  }

  const Sketch& sketch_;
  Trials& trials_;
  Built& built_;
  std::string_view kept_;  // how the names of decisions end that stay as they are; "": none
  int tried_ = 0;
};

// The same with sums that are not cut into parts; nothing: none is, or there is no such schedule.
std::optional<Built> inOnePart(const Sketch& sketch, Trials& trials, const Built& built) {
  Construction construction = built.construction;
  for (std::size_t d = 0; d < sketch.space.decisions.size(); ++d)
    if (sketch.space.decisions[d].name.ends_with(kSumParts)) construction.assignment[d] = 1;
  if (construction.assignment == built.construction.assignment) return std::nullopt;
  auto lines = linesOf(sketch, construction.assignment);
  if (!lines) return std::nullopt;
  auto made = trials.made(*lines);
  if (!made) return std::nullopt;
  const auto time = trials.predicted(made->kernel);
  if (!time) return std::nullopt;
  return Built{std::move(construction), std::move(*lines),  std::move(made->state),
               std::move(made->kernel), time->microseconds, {}};
}

}  // namespace

void decideByModel(const RulePlan& plan, Trials& trials, Built& built) {
  const Sketch& sketch = plan.sketches[std::size_t(built.construction.sketch)];
  if (std::ranges::none_of(sketch.space.decisions, &Decision::leftToModel)) return;
  // A second kernel costs at once what parts of a sum save by many steps: from one part on the way is another one.
  std::optional<Built> whole = inOnePart(sketch, trials, built);
  Settling(sketch, trials, built).run();
  if (whole) {
    Settling(sketch, trials, *whole, kSumParts).run();
    if (*whole->microseconds < kBetter * *built.microseconds) built = std::move(*whole);
  }
  // Beside other sketches it stands with what the model predicts of all of them.
  if (const auto predicted = trials.predicted(built.kernel)) built.microseconds = predicted->microseconds;
}

void decideAmongFew(const RulePlan& plan, Trials& trials, Built& built) {
  Settling(plan.sketches[std::size_t(built.construction.sketch)], trials, built).takeBestOfFew();
  if (const auto predicted = trials.predicted(built.kernel)) built.microseconds = predicted->microseconds;
}

}  // namespace loom::tune
