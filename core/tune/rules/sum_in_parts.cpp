// R15: a sum that is long for its results is summed in parts by blocks of their own, and these sums by a second kernel.
#include "core/tune/rules/sum_in_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tune/rules/applications.h"
#include "core/tune/rules/prepared_program.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kTile = 128;      // rows and columns of the tiles that are counted
constexpr std::int64_t kLeastSum = 256;  // elements of a part
constexpr std::int64_t kMostParts = 16;
constexpr std::size_t kNumbers = 2;  // of parts that are tried, the largest

// Where among the loops around a block one stands that is cut into so many parts of a sum: the outermost that they
// divide, of those that run along sums alone; -1: there is none.
int loopOfParts(const schedule::State& state, const Contraction& c, std::int64_t parts) {
  const schedule::Tree& tree = state.tree();
  const ir::BlockRealize realize = tree.realize(c.block);
  const std::vector<ir::Id> loops = tree.loopsAbove(c.block);
  for (std::size_t n = 0; n < loops.size(); ++n) {
    const ir::For loop = tree.loop(loops[n]);
    const bool sums =
        std::ranges::any_of(c.sums, [&](int s) { return realize->values[std::size_t(s)].get() == loop->var.get(); });
    if (sums && ir::constantOr(loop->extent, 1) % parts == 0) return int(n);
  }
  return -1;
}

// The lines that cut the loop with this number, of `count` around a block, into parts that a block of their own sums.
std::vector<std::string> linesOfParts(const std::string& block, int loop, int count, std::int64_t parts) {
  std::string all, before;
  for (int n = 0; n < count; ++n) {
    if (n == loop)
      all += "k0, k1, ";
    else
      all += fmt::format("l{}, ", n);
    if (n < loop) before += fmt::format(", l{}", n);
  }
  all.resize(all.size() - 2);
  std::vector<std::string> lines = {fmt::format("b = sch.get_block(\"{}\")", block),
                                    fmt::format("k = sch.get_loops(b)[{}]", loop),
                                    fmt::format("k0, k1 = sch.split(k, [{}, None])", parts), "r = sch.rfactor(k0, 0)",
                                    fmt::format("{} = sch.get_loops(r)", all)};
  if (loop > 0) lines.push_back(fmt::format("sch.reorder(k0{})", before));
  return lines;
}

}  // namespace

void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned) {
  const auto product = lastContraction(state);
  if (!product) return;
  const Contraction& c = *product;
  const std::int64_t tiles = (c.m + kTile - 1) / kTile * ((c.n + kTile - 1) / kTile) * c.b0;
  PlanRow row{c.name, "R15", "sum in parts", false,
              message("{} tiles of {} × {} for {} multiprocessors, sums of {} elements", tiles, kTile, kTile,
                      device.multiprocessors, c.k)};
  std::size_t numbers = 0;
  for (std::int64_t parts = kMostParts; parts >= 2 && numbers < kNumbers; parts /= 2) {
    if (!c.hasParts || 2 * tiles > device.multiprocessors || tiles * parts > 2 * device.multiprocessors) continue;
    if (c.k % parts != 0 || c.k / parts < kLeastSum) continue;
    const int loop = loopOfParts(state, c, parts);
    if (loop < 0) continue;
    const std::vector<std::string> lines =
        linesOfParts(c.name, loop, int(state.tree().loopsAbove(c.block).size()), parts);
    PreparedProgram cut{state, {}, {}, {}};
    if (!cut.apply(row.number.c_str(), row.rule.c_str(), c.name, lines, row.why, environment)) continue;
    auto made = planned(cut.state);
    if (!made) continue;
    cut.writeBefore(*made);
    row.applied = true;
    // Of factors on two sides, warps take a part as well as slices of it do.
    const std::size_t taken = c.uneven || !c.further.empty() ? std::min<std::size_t>(2, made->sketches.size()) : 1;
    for (std::size_t n = 0; n < taken; ++n) {
      Sketch& sketch = made->sketches[n];
      sketch.quantities.push_back({"parts", std::to_string(parts)});
      sketch.name += fmt::format(", k in {} parts", parts);
      plan.sketches.push_back(std::move(sketch));
      plan.rowsOf.push_back(std::move(made->rowsOf[n]));
    }
    ++numbers;
  }
  plan.rows.push_back(std::move(row));
}

}  // namespace loom::tune
