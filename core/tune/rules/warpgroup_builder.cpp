#include "core/tune/rules/warpgroup_builder.h"

#include <cmath>

#include "core/tune/rules/product_formula.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kTileRows = 128;  // of a large tile
constexpr double kDeep = 8;         // slots after which more gained nothing (1024³: 8; at 4096³ 4 are all there is)
constexpr double kStepBytes = 128;  // along k, as wide as a swizzled line
constexpr double kRasterRows = 8;   // of blocks that take turns

}  // namespace

void WarpgroupBuilder::buildWarpgroupTile() {
  buildTile();
  buildSteps();
  buildRing();
  buildRoles();
  buildGrid();
  buildSwizzle();
}

void WarpgroupBuilder::buildTile() {
  const ProductFormula formula(sketch_, device_);
  const double step = kStepBytes / double(quantity("element.bytes"));
  const auto cost = [&](std::int64_t groups, std::int64_t rows, std::int64_t columns) {
    return formula.microseconds(
        {64.0 * double(groups * rows), double(columns), step, 64, double(columns), 128.0 * double(groups), kDeep / 2});
  };
  const std::int64_t m = quantity("extent.m"), n = quantity("extent.n"), batch = quantity("batch"),
                     all = quantity("multiprocessors");
  const double before = cost(now("i.warpgroups"), now("i.rows"), now("j.columns"));
  // Less than a wave of large tiles: each block is alone on its multiprocessor and short, one warpgroup begins soonest.
  const bool small = waveFit(m, n, batch, kTileRows, kTileRows, all).tiles < all;
  const std::vector<std::string> names = {"i.warpgroups", "i.rows", "j.columns"};
  choose(names, [&](const std::vector<std::int64_t>& v) {
    const bool alone = v[0] == 1 && v[1] == 1;
    return cost(v[0], v[1], v[2]) * (1 + 0.02 * double(v[1] - 1) + 0.01 * double(v[0] - 1)) *
           (small && !alone ? 1.1 : 1);
  });
  const WaveFit fit = waveFit(m, n, batch, quantity("tile.m"), quantity("tile.n"), all);
  say(names,
      message("a block computes {} × {} results; warpgroups that multiply: {}", quantity("tile.m"), quantity("tile.n"),
              now("i.warpgroups")),
      message(
          "tiles: {}, waves of {} multiprocessors: {}, waves · columns: {}; {:.1f} µs by the formula instead of {:.1f}",
          fit.tiles, all, fit.waves, fit.columns, cost(now("i.warpgroups"), now("i.rows"), now("j.columns")), before));
}

void WarpgroupBuilder::buildSteps() {
  const double elementBytes = double(quantity("element.bytes"));
  const std::int64_t before = quantity("trips");
  const double room = double(quantity("shared.limit")), extent = double(quantity("extent.k"));
  choose({"k.inner"}, [&](const std::vector<std::int64_t>& v) {
    const double bytes = double(v[0] * quantity("unit.k")) * elementBytes;
    // All of k on its way at once, in steps twice as long, needs no warps that load.
    const bool atOnce = extent * elementBytes * double(quantity("tile.m") + quantity("tile.n")) <= 0.9 * room;
    return std::abs(std::log2(bytes / (atOnce ? 2 * kStepBytes : kStepBytes)));
  });
  say({"k.inner"}, message("{} elements along k at a time", quantity("tile.k")),
      message("{} trips of the loop over k instead of {}; a row is {} bytes", quantity("trips"), before,
              std::int64_t(double(quantity("tile.k")) * elementBytes)));
}

void WarpgroupBuilder::buildRing() {
  if (!has("stages")) {
    choose({"slots"}, [](const std::vector<std::int64_t>& v) { return kDeep - double(v[0]); });
    return buildStaging();
  }
  const std::int64_t one = quantity("shared");
  // A slot for sums goes before a stage, and stages before more slots.
  choose({"stages", "slots"}, [&](const std::vector<std::int64_t>& v) {
    return std::abs(double(v[0]) - kDeep) + (double(v[0]) > kDeep ? 0.5 : 0) + (v[1] == 0 ? kDeep : 0.4 / double(v[1]));
  });
  say({"stages"}, message("{} tiles along k are on their way or used", now("stages")),
      message("{} of {} bytes of shared memory, {} with one tile", quantity("shared"), quantity("shared.limit"), one));
  buildStaging();
  if (!has("flight")) return;
  const bool alone = now("i.warpgroups") == 1;
  if (!pin({"flight"}, {alone ? 1 : 0})) return;
  const std::int64_t clocks = quantity("tile.k") / quantity("unit.k") * now("i.rows") * now("j.columns") / 2;
  if (alone)
    say({"flight"}, message("the next products begin while the last ones are on their way"),
        message("a group takes {} clocks of the tensor cores, which one warpgroup alone would wait for", clocks));
}

void WarpgroupBuilder::buildStaging() {
  if (now("slots") == 0) return;
  say({"slots"}, message("sums go through {} slots of {} columns to the copy engine", now("slots"), now("slab")),
      message("it writes whole lines of {} bytes while threads go on", 4 * now("slab")));
}

void WarpgroupBuilder::buildRoles() {
  if (!has("loaders")) return;
  const std::int64_t later = quantity("trips") - now("stages");  // tiles that find no slot at the start
  if (pin({"loaders"}, {later > 0 ? 1 : 0}) && now("loaders") == 1)
    say({"loaders"}, message("warps of their own load; warpgroups that multiply: {}", now("i.warpgroups")),
        message("{} of {} tiles along k are loaded while others are multiplied", later, quantity("trips")));
  const std::int64_t sums = now("i.rows") * now("j.columns") / 2;
  const std::int64_t most = valuesOf("registers").back(),
                     alike = 65536 / (128 * (now("i.warpgroups") + now("loaders")));
  for (auto value = valuesOf("registers").rbegin(); value != valuesOf("registers").rend(); ++value) {
    if (*value == 0 || now("loaders") == 0 || !pin({"registers"}, {*value})) continue;
    say({"registers"},
        message("{} registers for each thread that multiplies, {} for each that loads", *value,
                32 + 8 * (3 - now("i.warpgroups"))),
        message("sums alone take {} of a thread's; alike, each would have {}", sums, alike));
    return;
  }
  if (most > 0) pin({"registers"}, {0});
}

void WarpgroupBuilder::buildGrid() {
  std::vector<std::string> names;
  if (has("persistent") && pin({"persistent"}, {1})) names.push_back("persistent");
  if (has("loaders") && now("loaders") == 1 && (!has("persistent") || now("persistent") == 0) && pin({"early"}, {1}))
    say({"early"}, message("the first tiles are asked for before all else"),
        message("a block has one tile, and its first load takes longest"));
  if (has("raster") &&
      choose({"raster"}, [](const std::vector<std::int64_t>& v) { return std::abs(double(v[0]) - kRasterRows); }))
    names.push_back("raster");
  if (names.empty()) return;
  const std::int64_t all = quantity("multiprocessors"), tiles = quantity("blocks");
  const bool stays = names.front() == "persistent", ordered = names.back() == "raster";
  const Message order = message("rows of {} tiles take turns", ordered ? now("raster") : 1);
  say(names,
      stays && ordered ? message("{} blocks stay; {}", all, order)
      : stays          ? message("{} blocks stay", all)
                       : order,
      message("{} tiles, up to {} for a multiprocessor; neighbours read the same rows and columns", tiles,
              (tiles + all - 1) / all));
}

void WarpgroupBuilder::buildSwizzle() {
  say({"a.swizzle", "b.swizzle"},
      message("tiles lie in swizzled lines of {} and {} bytes", now("a.swizzle"), now("b.swizzle")),
      message("8 rows reach all banks in 1 turn instead of {}", 8));
}

}  // namespace loom::tune
