#include "core/tune/warpgroup_steps.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/model/product_rate.h"
#include "core/tune/rebuilt_step.h"
#include "core/tune/rules/construct.h"
#include "core/tune/rules/product_formula.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/descent.h"
#include "core/tune/space/membership.h"

namespace loom::tune {

namespace {

using enum PipelineMove;
using WantedValues = std::map<std::string, std::int64_t>;

constexpr std::size_t kOtherTiles = 4;  // other tiles that are tried, the best by the formula
constexpr std::int64_t kColumnsOfTurns = 128;

// Which move a decision is; those that follow from others are none.
constexpr std::pair<const char*, PipelineMove> kMoveOf[] = {
    {"stages", Ring},       {"flight", InFlight},       {"loaders", Loaders}, {"i.warpgroups", Tile},
    {"i.rows", Tile},       {"j.columns", Tile},        {"k.inner", Tile},    {"registers", Registers},
    {"raster", Raster},     {"persistent", Persistent}, {"slots", Staged},    {"evict", Staged},
    {"turns", Turns},       {"early", Early},           {"cluster", Cluster}, {"cluster.i", Cluster},
    {"cluster.j", Cluster}, {"c.vector", Staged}};

class WarpgroupSteps {
 public:
  WarpgroupSteps(const document::History& history, int node, const schedule::Environment& environment,
                 const model::Device& device, const std::atomic<bool>& stop)
      : history_(history), node_(node), environment_(environment), device_(device), stop_(stop) {}

  std::vector<CandidateStep> all() {
    if (!findBase()) return {};
    const auto constructed = construct(plan_, sketchIndex_, device_);
    const auto read = decisionsOf(sketch(), history_.node(base_).state, history_.node(node_).state);
    const auto now = read.empty() ? std::nullopt : nearest(read, {});
    if (now && membershipOf(space(), read).isMember.value_or(false)) {
      next(*now, constructed ? &constructed->assignment : nullptr);
      if (constructed) tryOut(constructed->assignment, movesBetween(*now, constructed->assignment));
    } else if (constructed) {
      tryOut(constructed->assignment, {Warpgroups});
      WantedValues simple;  // the same tile, one buffer, and nothing beside
      for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::int64_t>>{
               {"stages", 1}, {"flight", 0}, {"loaders", 0}, {"registers", 0}, {"persistent", 0}})
        if (decisionNamed(space(), name) >= 0) simple[name] = value;
      if (const auto one = nearest(simple, constructed->assignment)) tryOut(*one, {Warpgroups});
    }
    return std::move(made_);
  }

 private:
  const Sketch& sketch() const { return plan_.sketches[std::size_t(sketchIndex_)]; }
  const Space& space() const { return sketch().space; }

  // The first program on the path of which R18 makes something.
  bool findBase() {
    for (const int at : history_.path(node_)) {
      auto plan = sketchOf(history_.node(at).state, device_, *environment_.intrinsics);
      if (!plan) continue;
      for (std::size_t n = 0; n < plan->sketches.size(); ++n) {
        if (decisionNamed(plan->sketches[n].space, "i.warpgroups") < 0) continue;
        plan_ = std::move(*plan);
        sketchIndex_ = int(n);
        base_ = at;
        return true;
      }
    }
    return false;
  }

  // A schedule with these values, and of the others as many as go with them; nothing: these exclude each other.
  std::optional<Assignment> nearest(const WantedValues& wanted, const Assignment& others) const {
    CountLimits limits;
    limits.seconds = 0.05;
    Pins pins(space());
    for (const auto& [name, value] : wanted) {
      const int d = decisionNamed(space(), name);
      if (d < 0 || valueIndexOf(space().decisions[std::size_t(d)], value) < 0) return std::nullopt;
      pins.limitTo(d, {value});
    }
    auto best = Descent(space(), pins).first(limits);
    if (!best || !*best) return std::nullopt;
    for (std::size_t d = 0; d < others.size(); ++d) {
      if (pins.isPinned(int(d))) continue;
      Pins more = pins;
      more.limitTo(int(d), {others[d]});
      auto found = Descent(space(), more).first(limits);
      if (!found || !*found) continue;
      best = std::move(found);
      pins = std::move(more);
    }
    return **best;
  }

  std::vector<PipelineMove> movesBetween(const Assignment& a, const Assignment& b) const {
    std::set<PipelineMove> moves;
    for (const auto& [name, move] : kMoveOf) {
      const int d = decisionNamed(space(), name);
      if (d >= 0 && a[std::size_t(d)] != b[std::size_t(d)]) moves.insert(move);
    }
    return {moves.begin(), moves.end()};
  }

  void next(const Assignment& now, const Assignment* constructed) {
    const auto valueOf = [&](const char* name) {
      const int d = decisionNamed(space(), name);
      return d < 0 ? std::int64_t{0} : now[std::size_t(d)];
    };
    const auto change = [&](const WantedValues& wanted) {
      if (const auto other = nearest(wanted, now); other && *other != now) tryOut(*other, movesBetween(now, *other));
    };
    for (const char* name : {"stages", "flight", "loaders", "registers", "persistent", "raster", "k.inner", "slots",
                             "evict", "early", "cluster", "cluster.i", "cluster.j", "c.vector"}) {
      const int d = decisionNamed(space(), name);
      if (d < 0) continue;
      const std::vector<std::int64_t>& values = space().decisions[std::size_t(d)].values;
      const int at = valueIndexOf(space().decisions[std::size_t(d)], now[std::size_t(d)]);
      if (at > 0) change({{name, values[std::size_t(at) - 1]}});
      if (at + 1 < int(values.size())) change({{name, values[std::size_t(at) + 1]}});
      // As deep a ring as there is room for.
      for (int deep = int(values.size()) - 1; std::string_view(name) == "stages" && deep > at + 1; --deep) {
        if (!nearest(WantedValues{{name, values[std::size_t(deep)]},
                                  {"i.warpgroups", valueOf("i.warpgroups")},
                                  {"i.rows", valueOf("i.rows")},
                                  {"j.columns", valueOf("j.columns")},
                                  {"k.inner", valueOf("k.inner")}},
                     {}))
          continue;
        change({{name, values[std::size_t(deep)]}});
        break;
      }
    }
    tiles(now, change);
    turns(constructed, change);
  }

  // Warpgroups that take turns wait for products in nobody's stead: one group stays on its way. Their tiles are those
  // of the construction where it has turns, else 128 columns.
  void turns(const Assignment* constructed, const std::function<void(const WantedValues&)>& change) const {
    if (decisionNamed(space(), "turns") < 0) return;
    WantedValues wanted{{"turns", 2}};
    if (decisionNamed(space(), "flight") >= 0) wanted["flight"] = 1;
    const auto of = [&](const char* name) { return (*constructed)[std::size_t(decisionNamed(space(), name))]; };
    const bool has = constructed != nullptr && of("turns") > 0;
    wanted["j.columns"] = has ? of("j.columns") : kColumnsOfTurns;
    change(wanted);
  }

  void tiles(const Assignment& now, const std::function<void(const WantedValues&)>& change) const {
    const ProductFormula formula(sketch(), device_);
    struct Ranked {
      double microseconds = 0;
      WantedValues values;
    };
    std::vector<Ranked> ranked;
    const auto quantity = [&](const char* name) { return double(quantityOf(sketch(), name, now).value_or(1)); };
    const auto valuesOf = [&](const char* name) -> const std::vector<std::int64_t>& {
      return space().decisions[std::size_t(decisionNamed(space(), name))].values;
    };
    for (const std::int64_t groups : valuesOf("i.warpgroups"))
      for (const std::int64_t columns : valuesOf("j.columns")) {
        const WantedValues values{{"i.warpgroups", groups}, {"i.rows", 1}, {"j.columns", columns}};
        if (now[std::size_t(decisionNamed(space(), "i.warpgroups"))] == groups &&
            now[std::size_t(decisionNamed(space(), "j.columns"))] == columns)
          continue;
        ranked.push_back({formula.microseconds({64.0 * double(groups), double(columns), quantity("tile.k"), 64,
                                                double(columns), 128.0 * double(groups), quantity("stages")}),
                          values});
      }
    std::ranges::stable_sort(ranked, {}, &Ranked::microseconds);
    if (ranked.size() > kOtherTiles) ranked.resize(kOtherTiles);
    for (const Ranked& one : ranked) change(one.values);
  }

  void tryOut(const Assignment& assignment, std::vector<PipelineMove> moves) {
    if (stop_ || moves.empty()) return;
    auto step = rebuiltStep(history_, node_, base_, sketch(), assignment, std::move(moves),
                            {"split", "blockize", "cache_read", "cache_write", "tensorize", "annotate"}, environment_);
    if (step) made_.push_back(std::move(*step));
  }

  const document::History& history_;
  const int node_;
  const schedule::Environment& environment_;
  const model::Device& device_;
  const std::atomic<bool>& stop_;
  RulePlan plan_;
  int base_ = 0, sketchIndex_ = 0;
  std::vector<CandidateStep> made_;
};

}  // namespace

std::vector<CandidateStep> warpgroupSteps(const document::History& history, int node,
                                          const schedule::Environment& environment, const model::Device& device,
                                          const std::atomic<bool>& stop) {
  if (!model::hasWarpgroups(device) || environment.intrinsics == nullptr) return {};
  return WarpgroupSteps(history, node, environment, device, stop).all();
}

}  // namespace loom::tune
