#include "core/tune/rules/warpgroup_builder.h"

#include <algorithm>
#include <cmath>

#include "core/layout/request.h"
#include "core/model/duration_text.h"

namespace loom::tune {

namespace {

constexpr double kDeep = 8;         // slots after which more gained nothing (1024³: 8; at 4096³ 4 are all there is)
constexpr double kStepBytes = 128;  // along k, as wide as a swizzled line
constexpr std::int64_t kShortLine = 16;  // columns of sums in the shortest line that is longer than what threads store
// Of tiles that fit waves alike the wider reads less.
constexpr double kOfNarrow = 12;
constexpr double kFreeColumns = 104;  // tiles this narrow take a time that goes with waves · columns (H100, 4096³)
// Loads that take as long as products hold these up: with 1.04 times their time 4096 × 4096 × 4064 takes 1.16 times as
// long as 4096³ by the same tiles, 5000 × 5008 × 5024 1.09 times; with 1.2 times 2000 × 2000 × 2016 takes 1.3 times as
// long as 2048³; with 0.9 times nothing is seen (H100, H200, measured for this project, 2026-11).
constexpr double kLoadsInTheWay = 1.1;
constexpr double kNoTurns = 1.07;   // of blocks that stay whose rows don't take turns: hopper's ladder at 4096³
constexpr double kRegisters = 232;  // of a thread that multiplies, where sums leave the choice
// Rows of blocks that take turns: of blocks that stay, and of those that all run at once (1024³, orderBlocks).
constexpr double kRasterRows = 8, kRasterRowsAtOnce = 4;
// Of such blocks: bytes of tiles on their way after which more only keep others' first ones waiting, and turns of k
// after which that is forgotten. 1024³ in tiles of 24 KB takes 5.09, 4.99, 5.03, 5.07 and 5.12 µs with 4, 5, 6, 7 and 8
// of them, 1280³ (20 turns) in tiles of 36 KB 8.95, 8.54 and 8.59 with 3, 4 and 5; with 32 turns more are better, 896 ×
// 1152 × 2048 in tiles of 24 KB takes 8.51, 8.17, 8.16 and 8.22 with 5, 6, 7 and 8 (H200, measured for this project,
// 2026-11).
constexpr double kBytesAtOnce = 132e3, kFewTurns = 24;

// Bytes of shared memory by the column of a tile of 128 rows, for one row of 64 elements along k: products of 64 rows
// read their factors, and the copy engine brings both; of that 0.7 counts beside reads (core/model/role_run.h).
double sharedOfColumns(double columns) { return (2 * (64 + columns) + 0.7 * (kLargeTile + columns)) / columns; }

}  // namespace

void WarpgroupBuilder::buildWarpgroupTile() {
  buildTile();
  buildSteps();
  buildRing();
  buildRoles();
  buildGrid();
  buildSwizzle();
}

ProductTile WarpgroupBuilder::likeAllTiles() const {
  return {.k = kStepBytes / bytesOfElement(), .ownM = 64, .stages = kDeep / 2};
}
ProductTile WarpgroupBuilder::tileOf(std::int64_t groups, std::int64_t rows, std::int64_t columns) const {
  ProductTile tile = like_;
  tile.m = 64.0 * double(groups * rows);
  tile.n = tile.ownN = double(columns);
  tile.threads = 128.0 * double(groups);
  return tile;
}

std::int64_t WarpgroupBuilder::rowOfA() const {
  return quantity(quantity("a.turned") > 0 ? "extent.m" : "extent.k") * quantity("element.bits") / 8;
}
std::int64_t WarpgroupBuilder::rowOfB() const {
  return quantity(quantity("b.rows") > 0 ? "extent.n" : "extent.k") * quantity("element.bits") / 8;
}
void WarpgroupBuilder::chooseShared(const ProductFormula& formula) {
  // Rows of blocks take turns later, where that is chosen; not where a cluster is of one row. Then all of B is read for
  // each few rows of A.
  const double bytesOfB = double(quantity("extent.n")) * double(quantity("extent.k")) * bytesOfElement();
  const bool stays = bytesOfB < device_.value(model::Quantity::L2Bytes).value_or(0) / 2;
  const std::vector<std::string> names = {"i.warpgroups", "i.rows", "j.columns", "cluster.j", "cluster.i"};
  choose(names, [&](const std::vector<std::int64_t>& v) {
    ProductTile tile = tileOf(v[0], v[1], v[2]);
    tile.blocksOfA = double(v[3]), tile.blocksOfB = double(v[4]);
    const bool again = !stays && v[3] > 1 && fitOf(std::int64_t(tile.m), v[2]).waves > 1;
    return formula.microseconds(tile) * (again ? kNoTurns : 1) *
           (1 + 0.02 * double(v[1] - 1) + 0.01 * double(v[0] - 1));
  });
}

// Tiles of the last clusters that lie beyond the product may begin a wave of their own: 20.2 instead of 11.3 µs for 768
// × 768 × 3072, 132 tiles of 64 × 72 in clusters of two along j (H100, measured for this project, 2026-11).
void WarpgroupBuilder::fitClusters(const ProductFormula& formula) {
  if (!has("cluster.i")) return;
  const std::int64_t columns = now("cluster.j"), rows = now("cluster.i");
  ProductTile tile = tileOf(now("i.warpgroups"), now("i.rows"), now("j.columns"));
  choose({"cluster.j", "cluster.i"}, [&](const std::vector<std::int64_t>& v) {
    tile.blocksOfA = double(v[0]), tile.blocksOfB = double(v[1]);
    const double waves = std::ceil(formula.tilesOf(tile) / double(quantity("multiprocessors")));
    // Of as many waves what is there already, or else the smallest.
    const bool stays = v[0] == columns && v[1] == rows;
    return waves + (stays ? 0 : 1e-3 * double(v[0] * v[1]));
  });
}

void WarpgroupBuilder::buildTile() {
  const ProductFormula formula(sketch_, device_);
  like_ = likeAllTiles();
  const auto cost = [&](std::int64_t groups, std::int64_t rows, std::int64_t columns) {
    ProductTile tile = tileOf(groups, rows, columns);
    if (has("cluster.i")) tile.blocksOfA = double(now("cluster.j")), tile.blocksOfB = double(now("cluster.i"));
    return formula.microseconds(tile);
  };
  const std::int64_t all = quantity("multiprocessors");
  const double before = cost(now("i.warpgroups"), now("i.rows"), now("j.columns"));
  // Less than a wave of large tiles: each block is alone on its multiprocessor and short, one warpgroup begins soonest.
  const bool small = fitOf(kLargeTile, kLargeTile).tiles < all;
  std::vector<std::string> names = {"i.warpgroups", "i.rows", "j.columns"};
  if (mayShare()) {
    // Loads bind there, and two warpgroups of one wide tile read less: 217 µs with clusters of two where turns take 277
    // (4096 × 4096 × 4024, H100, measured for this project, 2026-11).
    pin({"turns"}, {0});
    chooseShared(formula);
  } else if (!chooseLarge(formula)) {
    pin({"turns"}, {0});
    choose(names, [&](const std::vector<std::int64_t>& v) {
      const bool alone = v[0] == 1 && v[1] == 1;
      if (cropsNarrowly(v[2])) return -1.0;
      return cost(v[0], v[1], v[2]) * (1 + 0.02 * double(v[1] - 1) + 0.01 * double(v[0] - 1)) *
             (small && !alone ? 1.1 : 1);
    });
    fitClusters(formula);
  }
  const WaveFit fit = this->fit();
  const double after = cost(now("i.warpgroups"), now("i.rows"), now("j.columns"));
  say(names,
      message("a block computes {} × {} results; warpgroups that multiply: {}", quantity("tile.m"), quantity("tile.n"),
              multiplying()),
      readsLess(after, before)
          ? message("tiles: {}, waves of {} multiprocessors: {}, waves · columns: {}; {} by the formula instead of {}",
                    fit.tiles, all, fit.waves, fit.columns, model::durationText(after), model::durationText(before))
          : message("tiles: {}, waves of {} multiprocessors: {}, waves · columns: {}; {} by the formula", fit.tiles,
                    all, fit.waves, fit.columns, model::durationText(after)));
  if (now("turns") == 0) return;
  const double results = double(quantity("tile.m") * quantity("tile.n")) * 1e-3;
  say({"turns"}, message("{} warpgroups take tiles in turns", now("turns")),
      message("while one stores a tile, for {}, another multiplies one, for {}",
              model::durationText(results * formula.storing()), model::durationText(results * formula.multiplying())));
}

// Whether tiles reach beyond the result and go out in lines of 8 columns, the shortest. With rows off sectors, where
// loads bind, they gain where waves fit better by them: 1368 × 2184 × 3192 takes 34.7 µs with 184 columns, 37.1 with
// 224. Elsewhere they were as fast as others at best: 31.6 and 31.7 µs with 184 and 192, K = 3200 (H200, measured for
// this project, 2026-11-29).
bool WarpgroupBuilder::cropsNarrowly(std::int64_t columns) const {
  return columns % kShortLine != 0 && quantity("extent.n") % columns != 0;
}

// From two waves of large tiles on: tiles of 128 rows that two warpgroups take in turns, or wider and taller ones of
// all warpgroups, whose loads take less beside their products, but which nothing hides the stores of. What fits waves
// best, and of equals the wider one, which reads less.
bool WarpgroupBuilder::chooseLarge(const ProductFormula& formula) {
  const std::int64_t bytes = quantity("element.bits") / 8;
  const bool byRows = quantity("b.rows") > 0;
  const double stores = 1 + formula.storesOverProducts();
  // Without products on their way turns are slower than none: 266 instead of 213 µs at 4096³ (H200, hopper's ladder).
  if (!has("flight") || fitOf(kLargeTile, kLargeTile).waves < 2) return false;
  // Before tiles are chosen: a cluster's last tiles may lie beyond the product.
  if (has("cluster.i")) pin({"cluster.j", "cluster.i"}, {1, 1});
  return choose({"i.warpgroups", "i.rows", "j.columns", "turns"}, [&](const std::vector<std::int64_t>& v) {
    const ProductTile tile = tileOf(v[0], v[1], v[2]);
    if (tile.m < kLargeTile || cropsNarrowly(v[2])) return -1.0;
    // Narrow lines of B as [k, n] meet banks (product_formula.cpp).
    const std::int64_t line = byRows ? v[2] * bytes : 128;
    const double narrow = line % 128 == 0 ? 1 : line % 64 == 0 ? 1.15 : 1.4;
    const WaveFit fit = fitOf(std::int64_t(tile.m), v[2]);
    if (v[3] > 0 && fit.waves < 2) return -1.0;  // who has one tile has no other to multiply while it is stored
    return double(fit.columns) * tile.m / kLargeTile * (1 + kOfNarrow / double(v[2])) * narrow *
           (v[3] > 0 ? 1 : stores) * std::max(1.0, kLoadsInTheWay * formula.loadsOverProducts(tile)) *
           std::max(1.0, sharedOfColumns(double(v[2])) / sharedOfColumns(kFreeColumns));
  });
}

void WarpgroupBuilder::buildSteps() {
  const double elementBytes = bytesOfElement();
  const std::int64_t before = quantity("trips");
  const double room = double(quantity("shared.limit")), extent = double(quantity("extent.k"));
  choose({"k.inner"}, [&](const std::vector<std::int64_t>& v) {
    const double bytes = double(v[0] * quantity("unit.k")) * elementBytes;
    // All of k on its way at once, in steps twice as long, needs no warps that load.
    const bool atOnce = extent * elementBytes * double(quantity("tile.m") + quantity("tile.n")) <= 0.9 * room;
    // Lines in which rows are swizzled, the widest that they are whole ones of: narrow ones meet banks more often.
    // 600×1000×800 in int8, 5.9 µs by 32 bytes, 3.7 by 128 (H100, measured for this project, 2026-11).
    const double line = double(layout::widestSwizzle(std::int64_t(bytes)));
    return std::abs(std::log2(bytes / (atOnce ? 2 * kStepBytes : kStepBytes))) + std::log2(kStepBytes / line);
  });
  sayElementsAlongK(before);
}

WaveFit WarpgroupBuilder::fitOf(std::int64_t rows, std::int64_t columns) const {
  return waveFit(quantity("extent.m"), quantity("extent.n"), quantity("batch"), rows, columns,
                 quantity("multiprocessors"));
}

double WarpgroupBuilder::stagesAtBest() const {
  const double bytes = double(quantity("tile.k") * (quantity("tile.m") + quantity("tile.n"))) * bytesOfElement();
  // All of k on its way from the start needs no loaders, who alone ask early.
  const double turns = double(quantity("trips"));
  if (!has("loaders") || !atOnce() || turns <= kDeep || turns > kFewTurns) return kDeep;
  return std::clamp(std::round(kBytesAtOnce / bytes), 4.0, kDeep);
}

void WarpgroupBuilder::buildRing() {
  if (!has("stages")) {
    choose({"slots"}, [](const std::vector<std::int64_t>& v) { return kDeep - double(v[0]); });
    return buildStaging();
  }
  const std::int64_t one = quantity("shared");
  const double deep = stagesAtBest();
  // A slot for sums goes before a stage, and stages before more slots; not one whose lines are as short as those that
  // threads store, where tiles leave the choice. Where they don't, blocks of one tile have all columns at once in the
  // ring's bytes, which costs no stage, others a slot of several: they go on meanwhile. 1368 × 2184 × 3192 in tiles of
  // 128 × 184 takes 34.2 µs by slots of 8 columns and 33.4 by one of 184, 1640 × 4216 × 2696 in tiles of 128 × 216,
  // two for each multiprocessor, 72.4 by slots of 8, 70.1 by one of 216, 66.8 by two of 24 and 66.0 by one of 72 (H200,
  // measured for this project, 2026-11-29 and 30).
  const bool narrow = has("turns") && now("j.columns") % kShortLine != 0;
  choose({"slab", "over"}, [&](const std::vector<std::int64_t>& v) {
    if (v[0] == 0) return 3.0;
    if (!narrow) return v[0] % kShortLine == 0 ? 0.0 : 1.0;
    if (v[0] < kShortLine) return 2.0;
    if (v[1] > 0) return atOnce() ? 1.0 : 1.8;
    return 1.5 - 0.002 * double(v[0]);
  });
  choose({"stages", "slots"}, [&](const std::vector<std::int64_t>& v) {
    const double staging = v[1] == 0 ? kDeep : 0.4 / double(v[1]);
    return std::abs(double(v[0]) - deep) + (double(v[0]) > deep ? 0.5 : 0) + staging;
  });
  say({"stages"}, message("{} tiles along k are on their way or used", now("stages")),
      message("{} of {} bytes of shared memory, {} with one tile", quantity("shared"), quantity("shared.limit"), one));
  buildStaging();
  if (!has("flight")) return;
  // Two warpgroups of one tile after another hide each other's waits.
  const bool alone = now("i.warpgroups") == 1 || atOnce();
  if (!pin({"flight"}, {alone ? 1 : 0})) return;
  const std::int64_t clocks = quantity("tile.k") / quantity("unit.k") * now("i.rows") * now("j.columns") / 2;
  if (alone)
    say({"flight"}, message("the next products begin while the last ones are on their way"),
        message("a group takes {} clocks of the tensor cores, which one warpgroup alone would wait for", clocks));
}

void WarpgroupBuilder::buildStaging() {
  if (now("slots") == 0) return;
  if (!has("evict"))
    return say({"slots"}, message("sums go through a slot of {} columns to threads, which take them on", now("slab")),
               message("each warp computes whole lines of the 16 rows that it has, and waits for no other"));
  if (has("over") && now("over") > 0) {
    say({"slots", "slab", "over"}, message("sums go to the copy engine through the bytes of the ring of tiles"),
        message("it writes whole lines of {} bytes, and slots of {} columns would be short", 4 * now("slab"), 8));
  } else {
    say({"slots"}, message("sums go through {} slots of {} columns to the copy engine", now("slots"), now("slab")),
        message("it writes whole lines of {} bytes while threads go on", 4 * now("slab")));
  }
  // Also where loads bind in one wave: 1368 × 2184 × 3192 takes 34.4 instead of 35.2 µs, and what 200 trials find for
  // 1432 × 2216 × 2968 and 3016 × 1704 × 1848 does it; 1000³ and 5000³ are as fast either way (H200, measured for this
  // project, 2026-11-29).
  if ((now("turns") > 0 || mayShare()) && pin({"evict"}, {1}))
    say({"evict"}, message("the L2 cache gives up results first"),
        message("nobody reads them here, and operands are read again by {} × {} tiles", now("i.blocks"),
                now("j.blocks")));
}

void WarpgroupBuilder::buildRoles() {
  if (!has("loaders")) return;
  const std::int64_t later = quantity("trips") - now("stages");  // tiles that find no slot at the start
  if (pin({"loaders"}, {later > 0 ? 1 : 0}) && now("loaders") == 1)
    say({"loaders"}, message("warps of their own load; warpgroups that multiply: {}", multiplying()),
        message("{} of {} tiles along k are loaded while others are multiplied", later, quantity("trips")));
  const std::int64_t sums = now("i.rows") * now("j.columns") / 2;
  const std::int64_t most = valuesOf("registers").back(), alike = 65536 / (128 * (multiplying() + now("loaders")));
  if (most > 0 && now("loaders") == 1 && choose({"registers"}, [](const std::vector<std::int64_t>& v) {
        return v[0] == 0 ? -1.0 : std::abs(double(v[0]) - kRegisters);
      })) {
    say({"registers"},
        message("{} registers for each thread that multiplies, {} for each that loads", now("registers"),
                quantity("registers.loading")),
        message("sums alone take {} of a thread's; alike, each would have {}", sums, alike));
    return;
  }
  if (most > 0) pin({"registers"}, {0});
}

void WarpgroupBuilder::buildGrid() {
  std::vector<std::string> names;
  if (has("persistent") && pin({"persistent"}, {1})) names.push_back("persistent");
  const bool loads = has("loaders") && now("loaders") == 1;
  const std::int64_t columns = has("cluster.i") ? now("cluster.j") : 1;
  const std::int64_t together = has("cluster.i") ? columns * now("cluster.i") : 1;
  const bool clusters = together > 1;
  if (loads && !clusters && (!has("persistent") || now("persistent") == 0) && pin({"early"}, {1}))
    say({"early"}, message("the first tiles are asked for before all else"),
        message("a block has one tile, and its first load takes longest"));
  const double rows = columns > 1 ? 1 : atOnce() ? kRasterRowsAtOnce : kRasterRows;
  if (has("raster") &&
      choose({"raster"}, [&](const std::vector<std::int64_t>& v) { return std::abs(double(v[0]) - rows); }) &&
      now("raster") > 1)
    names.push_back("raster");
  if (clusters)
    say({"cluster.j", "cluster.i"},
        message("{} × {} blocks run together and bring each other parts of the tiles that they share", now("cluster.i"),
                columns),
        message("rows of {} bytes are no multiple of {}: L2 gives them half as fast",
                layout::isOnSectors(rowOfA()) ? rowOfB() : rowOfA(), layout::kSectorBytes));
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
