// A program of several products or reductions, one after another: each is scheduled as if it were alone.
#include "core/tune/rules/plan_of_parts.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "core/process/on_all_cores.h"
#include "core/script/line_diff.h"
#include "core/tune/rules/part_lines.h"
#include "core/tune/rules/trials.h"
#include "core/tune/space/descent.h"

namespace loom::tune {

namespace {

using schedule::State;

// What a sketch tells of a part is a quantity of it, "open part h,g: wgmma" or "fixed part z: threads", of as many
// nanoseconds; -1 where they aren't predicted.
constexpr std::string_view kOpen = "open part ", kFixed = "fixed part ", kBy = ": ";
constexpr std::string_view kMmaSync = "mma.sync";  // with which names of sketches begin

std::vector<std::string> separated(std::string_view names) {
  std::vector<std::string> all;
  for (std::size_t comma; (comma = names.find(',')) != std::string_view::npos; names.remove_prefix(comma + 1))
    all.emplace_back(names.substr(0, comma));
  all.emplace_back(names);
  return all;
}

void addPart(Sketch& sketch, const SketchPart& part) {
  const long long nanoseconds = part.microseconds ? std::llround(1e3 * *part.microseconds) : -1;
  sketch.quantities.push_back(
      {fmt::format("{}{}{}{}", part.isOpen ? kOpen : kFixed, fmt::join(part.blocks, ","), kBy, part.sketch),
       std::to_string(nanoseconds)});
}

// `x = sch.cache_read(t, 0, "shared")` copies for all who read the buffer, other parts among them; here for t alone.
std::string forItsConsumer(const std::string& line) {
  static constexpr std::string_view kCall = "sch.cache_read(";
  const std::size_t call = line.find(kCall), end = line.rfind(')');
  if (call == std::string::npos || line.find("consumer_blocks") != std::string::npos) return line;
  const std::size_t block = call + kCall.size();
  return fmt::format("{}, consumer_blocks=[{}])", line.substr(0, end), line.substr(block, line.find(',') - block));
}

// A schedule of a part as lines that leave nothing open.
Result<PartLines> fixed(const Sketch& sketch, const Assignment& values) {
  const auto texts = linesOfFolds(sketch, values);
  if (!texts) return Failure(texts.error());
  PartLines made;
  for (std::size_t f = 0; f < texts->size(); ++f) {
    SketchFold fold = sketch.folds[f];
    fold.first = int(made.lines.size());
    for (const std::string& line : script::splitLines((*texts)[f])) made.lines.push_back({forItsConsumer(line), ""});
    fold.lines = int(made.lines.size()) - fold.first;
    made.folds.push_back(std::move(fold));
  }
  return made;
}

// A part as it is constructed. Some primitives look at what blocks of the whole program certainly write, which another
// part's predicates can hide from them; sums of rows have fewer where a thread takes no vectors, and products where
// fragments don't lie as mma.sync has them in a warp.
struct Part {
  RulePlan plan;
  PartLines fast, plain;
  std::vector<std::string> blocks;
  std::string sketch, plainSketch;                     // names of that which is predicted fastest, and of `plain`
  std::map<std::string, std::optional<double>> times;  // predicted microseconds of each sketch's construction
  bool hasTiles = false;                               // whether `fast` cuts a product into tiles

  // What there is to say of it in a sketch of the whole program, where it is scheduled by its own sketch `by`.
  SketchPart described(const std::string& by, bool isOpen) const {
    const auto time = times.find(by);
    return {blocks, by, time == times.end() ? std::nullopt : time->second, isOpen};
  }
};

std::vector<std::string> namesOfBlocks(const State& part) {
  std::vector<std::string> names;
  for (const ir::Id block : part.tree().childBlocks(part.tree().root(0)))
    names.push_back(part.tree().block(block)->name);
  return names;
}

// Whether a decision is how many elements a thread takes at once, and may take them one by one.
bool isPlainAt1(const Decision& decision) {
  return decision.leftToModel && decision.name.ends_with("vector") && valueIndexOf(decision, 1) >= 0;
}

Result<Part> constructed(const State& part, const model::Device& device, const schedule::Environment& environment,
                         const std::function<Result<RulePlan>(const State&)>& planned,
                         const std::shared_ptr<KernelTimes>& kernels) {
  auto plan = planned(part);
  if (!plan) return Failure(plan.error());
  plan->times = kernels;
  const auto built = buildAll(*plan, part, device, environment);
  if (!built) return Failure(built.error());
  const Construction& best = built->front().construction;
  const Sketch& sketch = plan->sketches[std::size_t(best.sketch)];
  auto fast = fixed(sketch, best.assignment);
  if (!fast) return Failure(fast.error());
  fast->rows = plan->rowsOf[std::size_t(best.sketch)];
  fast->nanoseconds = 1e3 * built->front().microseconds.value_or(0);
  const auto isPlainer = [&](const Built& one) {
    return !plan->sketches[std::size_t(one.construction.sketch)].name.starts_with(kMmaSync);
  };
  const auto found = std::ranges::find_if(*built, isPlainer);
  const Built& other = found == built->end() ? built->front() : *found;
  const Sketch& plainSketch = plan->sketches[std::size_t(other.construction.sketch)];
  Assignment values = other.construction.assignment;
  for (std::size_t d = 0; d < values.size(); ++d)
    if (isPlainAt1(plainSketch.space.decisions[d])) values[d] = 1;
  auto plain = fixed(plainSketch, values);
  if (!plain) return Failure(plain.error());
  plain->rows = plan->rowsOf[std::size_t(other.construction.sketch)];
  plain->nanoseconds = 1e3 * other.microseconds.value_or(0);
  std::map<std::string, std::optional<double>> times;
  for (const Built& one : *built) {
    Sketch& of = plan->sketches[std::size_t(one.construction.sketch)];
    times[of.name] = one.microseconds;
    of.constructed = std::make_shared<const Construction>(one.construction);
  }
  const std::string name = sketch.name, plainName = plainSketch.name;
  const bool hasTiles = std::ranges::find(sketch.quantities, "tile.m", &Quantity::name) != sketch.quantities.end();
  return Part{std::move(*plan), std::move(*fast), std::move(*plain), namesOfBlocks(part), name,
              plainName,        std::move(times), hasTiles};
}

// How the parts' lines go together: in which order, and how all but the open one are scheduled. Backwards, no part has
// yet hidden, by the predicates of its stores, what its readers' primitives look at; those with tiles first, none has
// yet read by quotients of a loop what primitives of a product look at. The open part's last, all of its schedules
// begin with the same lines, which are then applied once. In stages (part_lines.h), all parts ask what is written
// before any of them hides it, at the price of variables that are called otherwise.
struct Composition {
  enum class Order : std::uint8_t { OpenLast, Backwards, TilesFirst, Forwards } order = Order::OpenLast;
  enum class Way : std::uint8_t { Fast, InStages, Plain } way = Way::Fast;
};
constexpr Composition kCompositions[] = {
    {Composition::Order::OpenLast, Composition::Way::Fast},
    {Composition::Order::Backwards, Composition::Way::Fast},
    {Composition::Order::TilesFirst, Composition::Way::Fast},
    {Composition::Order::Forwards, Composition::Way::Fast},
    {Composition::Order::OpenLast, Composition::Way::InStages},
    {Composition::Order::Backwards, Composition::Way::Plain},
    {Composition::Order::TilesFirst, Composition::Way::Plain},
    {Composition::Order::Forwards, Composition::Way::Plain},
};

class Composer {
 public:
  Composer(Trials& trials, const std::vector<Part>& parts, std::size_t open)
      : trials_(trials), parts_(parts), open_(open) {}

  // The sketch with the lines of the other parts around its own; where these don't go together, without its vectors.
  std::optional<std::pair<Sketch, std::vector<PlanRow>>> composed(std::size_t index) const {
    RulePlan own;
    own.sketches = {parts_[open_].plan.sketches[index]};
    auto made = composed(own, index);
    if (made) return made;
    for (Decision& decision : own.sketches.front().space.decisions)
      if (isPlainAt1(decision)) decision.values = {1};
    own.sketches.front().constructed = nullptr;
    return composed(own, index);
  }

 private:
  // The only sketch of `own`, which is that with the number `index` of the open part, with the other parts' lines as
  // the schedule that is constructed of it replays and most of some others do; nothing: that schedule doesn't.
  std::optional<std::pair<Sketch, std::vector<PlanRow>>> composed(const RulePlan& own, std::size_t index) const {
    Sketch sketch = own.sketches.front();
    const auto made =
        sketch.constructed ? Result<Construction>(*sketch.constructed) : construct(own, 0, trials_.device());
    if (!made) return std::nullopt;
    copyForConsumersAlone(sketch);
    const std::vector<Assignment> others = schedulesOf(sketch);
    const PartLines opened{sketch.lines, sketch.folds, parts_[open_].plan.rowsOf[index], 0};
    std::optional<std::size_t> most;
    Composition best;
    PartLines all;
    std::set<std::string> tried;  // several are the same where there are few parts, or each has tiles
    for (const Composition c : kCompositions) {
      PartLines whole = wholeOf(opened, c);
      if (!tried.insert(textOf(whole)).second) continue;
      sketch.lines = whole.lines, sketch.folds = whole.folds;
      if (!replays(sketch, made->assignment)) continue;
      // Those that are left have slower schedules of the other parts: where no other way works, a few are enough.
      const bool isLastFast = !most && c.way == Composition::Way::InStages;
      const std::size_t enough = isLastFast ? std::min(kEnough, others.size()) : others.size();
      std::size_t works = 0;
      for (std::size_t n = 0; n < others.size() && (n != enough || works < enough); ++n)
        works += replays(sketch, others[n]) ? 1 : 0;
      if (works > most) most = works, best = c, all = std::move(whole);
      if (works >= enough) break;
    }
    if (!most) return std::nullopt;
    sketch.lines = std::move(all.lines), sketch.folds = std::move(all.folds);
    const bool isPlain = best.way == Composition::Way::Plain;
    for (std::size_t n = 0; n < parts_.size(); ++n)
      addPart(sketch, parts_[n].described(n == open_ ? sketch.name
                                          : isPlain  ? parts_[n].plainSketch
                                                     : parts_[n].sketch,
                                          n == open_));
    sketch.quantities.push_back({"others.ns", std::to_string(std::llround(all.nanoseconds))});
    return std::pair(std::move(sketch), std::move(all.rows));
  }

  static constexpr int kTried = 4;           // schedules of a sketch
  static constexpr std::size_t kEnough = 2;  // of these, where nothing else is to be chosen

  static std::vector<Assignment> schedulesOf(const Sketch& sketch) {
    std::vector<Assignment> all;
    Descent descent(sketch.space, Pins(sketch.space));
    Random random(1);
    for (int n = 0; n < kTried; ++n)
      if (auto drawn = descent.draw(random); drawn && *drawn) all.push_back(std::move(**drawn));
    return all;
  }

  static std::string textOf(const PartLines& all) {
    std::string text;
    for (const SketchLine& line : all.lines) text += line.text + "\n";
    return text;
  }

  // The lines of all parts, with those of the open one as they are given.
  PartLines wholeOf(const PartLines& opened, Composition c) const {
    std::vector<std::size_t> order(parts_.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (c.order != Composition::Order::Forwards) std::ranges::reverse(order);
    if (c.order == Composition::Order::TilesFirst)
      std::stable_partition(order.begin(), order.end(), [&](std::size_t n) { return parts_[n].hasTiles; });
    if (c.order == Composition::Order::OpenLast)
      std::stable_partition(order.begin(), order.end(), [&](std::size_t n) { return n != open_; });
    std::array<PartLines, kLineStages> stages;
    for (const std::size_t n : order) {
      if (c.way == Composition::Way::InStages) {
        PartLines part = n == open_ ? opened : parts_[n].fast;
        if (n != open_) part.lines = withOtherVariables(part.lines, fmt::format("_{}", n + 1));
        const auto more = inStages(part);
        for (std::size_t stage = 0; stage < kLineStages; ++stage) stages[stage].append(more[stage]);
      } else {
        stages.front().append(n == open_                         ? opened
                              : c.way == Composition::Way::Plain ? parts_[n].plain
                                                                 : parts_[n].fast);
      }
    }
    PartLines all;
    for (const PartLines& stage : stages) all.append(stage);
    return all;
  }

  bool replays(const Sketch& sketch, const Assignment& values) const {
    const auto lines = linesOf(sketch, values);
    return lines && trials_.stateBy(*lines).has_value();
  }

  Trials& trials_;
  const std::vector<Part>& parts_;
  std::size_t open_;
};

}  // namespace

std::vector<SketchPart> partsOf(const Sketch& sketch) {
  std::vector<SketchPart> parts;
  for (const Quantity& quantity : sketch.quantities) {
    std::string_view name = quantity.name;
    const bool isOpen = name.starts_with(kOpen);
    if (!isOpen && !name.starts_with(kFixed)) continue;
    name.remove_prefix((isOpen ? kOpen : kFixed).size());
    const std::size_t by = name.find(kBy);
    SketchPart part{separated(name.substr(0, by)), std::string(name.substr(by + kBy.size())), std::nullopt, isOpen};
    long long nanoseconds = -1;
    std::from_chars(quantity.formula.data(), quantity.formula.data() + quantity.formula.size(), nanoseconds);
    if (nanoseconds >= 0) part.microseconds = 1e-3 * double(nanoseconds);
    parts.push_back(std::move(part));
  }
  return parts;
}

Result<RulePlan> planOfParts(const State& state, const std::vector<State>& programs, const model::Device& device,
                             const schedule::Environment& environment,
                             const std::function<Result<RulePlan>(const State&)>& planned) {
  const auto times = std::make_shared<KernelTimes>();
  std::vector<std::optional<Result<Part>>> made(programs.size());
  process::onAllCores(made.size(),
                      [&](std::size_t n) { made[n] = constructed(programs[n], device, environment, planned, times); });
  std::vector<Part> parts;
  for (std::optional<Result<Part>>& part : made) {
    if (!*part) return Failure(part->error());
    parts.push_back(std::move(**part));
  }
  const auto longest = std::ranges::max_element(parts, {}, [](const Part& p) { return p.fast.nanoseconds; });
  const auto open = std::size_t(longest - parts.begin());
  Trials trials(state, device, environment, times);
  const Composer composer(trials, parts, open);
  std::vector<std::optional<std::pair<Sketch, std::vector<PlanRow>>>> composed(longest->plan.sketches.size());
  process::onAllCores(composed.size(), [&](std::size_t n) { composed[n] = composer.composed(n); });
  RulePlan plan = longest->plan;
  plan.sketches.clear(), plan.rowsOf.clear();
  for (auto& one : composed) {
    if (!one) continue;
    plan.sketches.push_back(std::move(one->first));
    plan.rowsOf.push_back(std::move(one->second));
  }
  if (plan.sketches.empty())
    return fail("NoRule", message("the schedules of the program's {} parts don't go together", parts.size()),
                Forbids::Program);
  plan.rows = plan.rowsOf.front();
  return plan;
}

void copyForConsumersAlone(Sketch& sketch) {
  for (SketchLine& line : sketch.lines) line.text = forItsConsumer(line.text);
}

}  // namespace loom::tune
