// R15: a sum that is long for its results is summed in parts by blocks of their own, and these sums by a second kernel.
#include "core/tune/rules/sum_in_parts.h"

#include <fmt/format.h>

#include "core/schedule/replay.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kTile = 128;      // rows and columns of the tiles that are counted
constexpr std::int64_t kLeastSum = 256;  // elements of a part
constexpr std::int64_t kMostParts = 16;
constexpr std::size_t kNumbers = 2;  // of parts that are tried, the largest

// The last product of a program.
std::optional<Contraction> lastProduct(const schedule::State& state) {
  std::optional<Contraction> last;
  for (const schedule::Tree::Node& node : state.tree().nodes())
    if (node.isBlock && node.parent != schedule::Tree::kNone)
      if (auto found = contractionOf(state, node.id).contraction) last = std::move(found);
  return last;
}

}  // namespace

void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned) {
  const auto product = lastProduct(state);
  if (!product) return;
  const Contraction& c = *product;
  const std::int64_t tiles = (c.m + kTile - 1) / kTile * ((c.n + kTile - 1) / kTile) * c.b0;
  PlanRow row{c.name, "R15", "sum in parts", false,
              message("{} tiles of {} × {} for {} multiprocessors, sums of {} elements", tiles, kTile, kTile,
                      device.multiprocessors, c.k)};
  std::size_t numbers = 0;
  for (std::int64_t parts = kMostParts; parts >= 2 && numbers < kNumbers; parts /= 2) {
    if (!c.direct() || !c.further.empty() || 2 * tiles > device.multiprocessors ||
        tiles * parts > 2 * device.multiprocessors)
      continue;
    if (c.k % parts != 0 || c.k / parts < kLeastSum) continue;
    const char* batch = c.batch.empty() ? "" : "bb, ";
    const std::vector<std::string> lines = {
        fmt::format("b = sch.get_block(\"{}\")", c.name),        "k = sch.get_loops(b)[-1]",
        fmt::format("k0, k1 = sch.split(k, [{}, None])", parts), "r = sch.rfactor(k0, 0)",
        fmt::format("{}i, j, k0, k1 = sch.get_loops(r)", batch), fmt::format("sch.reorder(k0, {}i, j, k1)", batch)};
    const auto calls = script::parseSchedule(fmt::format("{}\n", fmt::join(lines, "\n")), "");
    if (!calls) continue;
    const schedule::ReplayEnd replayed = schedule::replayToEnd(state, *calls, environment);
    if (replayed.refusal) continue;
    auto made = planned(replayed.last);
    if (!made) continue;
    Sketch sketch = std::move(made->sketches.front());
    for (SketchFold& fold : sketch.folds) fold.first += int(lines.size());
    sketch.folds.insert(sketch.folds.begin(), {row.rule, c.name, 0, int(lines.size())});
    for (std::size_t n = lines.size(); n-- > 0;) sketch.lines.insert(sketch.lines.begin(), {lines[n], ""});
    sketch.quantities.push_back({"parts", std::to_string(parts)});
    sketch.name += fmt::format(", k in {} parts", parts);
    plan.sketches.push_back(std::move(sketch));
    row.applied = true;
    plan.rowsOf.push_back({row});
    plan.rowsOf.back().insert(plan.rowsOf.back().end(), made->rowsOf.front().begin(), made->rowsOf.front().end());
    ++numbers;
  }
  plan.rows.push_back(std::move(row));
}

}  // namespace loom::tune
