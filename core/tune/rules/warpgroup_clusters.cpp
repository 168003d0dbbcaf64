// R18: clusters of blocks that bring each other the tiles which they share.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/layout/box_row.h"
#include "core/lower/clusters.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kTwo = 2, kFour = 4;

// Whether rows of A or of B are no whole sectors of the L2 cache, which gives these half as fast.
bool readsSlowly(const Contraction& c) {
  const auto isSlow = [&](std::int64_t elements) { return !layout::isOnSectors(elements * c.a.dtype.bytes()); };
  return isSlow(c.a.reductionIsLast ? c.k : c.m) || isSlow(c.b.reductionIsLast ? c.k : c.n);
}

}  // namespace

void decideClusters(const RuleInput& input, SketchDraft& d) {
  if (input.device.multiprocessors % kTwo != 0) return;
  // Where rows are whole sectors clusters of four gain nothing (ladders at 1024³ to 8192³), and fewer blocks run.
  const bool slow = readsSlowly(*d.product);
  d.decide(7, "cluster.j", message("blocks of a cluster along j, which bring each other parts of a tile of A"),
           slow ? std::vector<std::int64_t>{1, kTwo, kFour} : std::vector<std::int64_t>{1, kTwo});
  d.decide(7, "cluster.i", message("blocks of a cluster along i, which bring each other parts of a tile of B"),
           {1, kTwo});
}

std::vector<std::int64_t> wholeClusters(const std::vector<std::int64_t>& tiles,
                                        const std::vector<std::int64_t>& sizes) {
  std::set<std::int64_t> all;
  for (const std::int64_t n : tiles)
    for (const std::int64_t size : sizes) all.insert((n + size - 1) / size * size);
  return {all.begin(), all.end()};
}

void limitClusters(SketchDraft& d, const DeviceLimits& device) {
  if (!d.has("cluster.i")) return;
  const bool byRows = !d.product->b.reductionIsLast;
  // The grid has rows and columns of its own then: blocks of it neither stay nor belong to a batch.
  const bool square = readsSlowly(*d.product) && d.product->batch.empty();
  const auto all = [&](const char* name) { return d.valuesOf(name); };
  const std::vector<std::int64_t> stay = d.has("persistent") ? all("persistent") : std::vector<std::int64_t>{0};
  std::vector<std::vector<std::int64_t>> columns, rows, tiles, fours;
  for (const std::int64_t c : all("cluster.j"))
    for (const std::int64_t raster : all("raster"))
      for (const std::int64_t blocks : all("j.blocks"))
        if (c == 1 || (raster == 1 && blocks % c == 0)) columns.push_back({c, raster, blocks});
  for (const std::int64_t r : all("cluster.i"))
    for (const std::int64_t raster : all("raster"))
      for (const std::int64_t blocks : all("i.blocks"))
        for (const std::int64_t stays : stay) {
          const bool fits = raster > 1 ? raster % r == 0 : square && stays == 0;
          if (r > 1 && (!fits || blocks % r != 0)) continue;
          rows.push_back(d.has("persistent") ? std::vector{r, raster, blocks, stays} : std::vector{r, raster, blocks});
        }
  // Parts of a tile are whole groups of rows in which lines are swizzled: of B as [n, k] these are columns of a
  // product.
  for (const std::int64_t r : all("cluster.i"))
    for (const std::int64_t n : all("j.columns"))
      if (r == 1 || byRows || n % (r * lower::kRowsTogether) == 0) tiles.push_back({r, n});
  // A tile of A as [k, m] has rows of its own along k.
  if (d.warpgroups->turnsA) {
    std::vector<std::vector<std::int64_t>> turned;
    for (const std::int64_t c : all("cluster.j"))
      for (const std::int64_t steps : all("k.inner"))
        if (c == 1 || steps * d.warpgroups->k % (c * lower::kRowsTogether) == 0) turned.push_back({c, steps});
    d.table("parts of turned tiles",
            message("neighbours share a tile whose rows go in {} parts of whole groups of {}", kTwo,
                    lower::kRowsTogether),
            Forbids::Hardware, {"cluster.j", "k.inner"}, turned);
  }
  d.table("cluster of columns", message("neighbours along j share a tile of A: clusters go into a row of blocks"),
          Forbids::Program, {"cluster.j", "raster", "j.blocks"}, columns);
  std::vector<std::string> names{"cluster.i", "raster", "i.blocks"};
  if (d.has("persistent")) names.push_back("persistent");
  d.table("cluster of rows",
          message("neighbours along i share a tile of B: rows of blocks take turns, or the grid has rows of its own"),
          Forbids::Program, names, rows);
  d.table("parts of tiles",
          message("neighbours share a tile whose rows go in {} parts of whole groups of {}", kTwo,
                  lower::kRowsTogether),
          Forbids::Hardware, {"cluster.i", "j.columns"}, tiles);
  if (all("cluster.j").back() < kFour && !square) return;
  for (const std::int64_t c : all("cluster.j"))
    for (const std::int64_t r : all("cluster.i"))
      for (const std::int64_t i : all("i.blocks"))
        for (const std::int64_t j : all("j.blocks"))
          if (c * r < kFour || (c * r == kFour && d.product->b0 * i * j <= device.blocksInFours)) fours.push_back({c, r, i, j});
  d.table("clusters of four",
          message("clusters of four run at once: {} of their blocks do, one a multiprocessor", device.blocksInFours),
          Forbids::Hardware, {"cluster.j", "cluster.i", "i.blocks", "j.blocks"}, fours);
}

void giveClustersRoles(SketchDraft& d) {
  if (!d.has("cluster.i")) return;
  d.atMost("cluster of loaders", message("blocks of a cluster hand slots to each other's warps that load"),
           Forbids::Program, fmt::format("cluster.j + cluster.i - {}*loaders", kFour), 2);
  d.atMost("cluster not early", message("no block of a cluster asks before the others' barriers are made"),
           Forbids::Hardware, fmt::format("cluster.j + cluster.i + {}*early", kFour), 2 + kFour);
}

void writeClusters(SketchDraft& d) {
  if (!d.has("cluster.i")) return;
  const char *alongX = "(cluster.i - 1)*(raster - 1)", *alongY = "(cluster.i - 1)*(1//raster)";
  d.line("sch.annotate(t, \"tileloom.cluster_x\", ?cluster.j)", "cluster.j - 1");
  d.line("sch.annotate(t, \"tileloom.cluster_x\", ?cluster.i)", alongX);
  d.line("sch.annotate(t, \"tileloom.cluster_y\", ?cluster.i)", alongY);
  d.line("sch.annotate(ys, \"tileloom.multicast\", \"x\")", alongX);
  d.line("sch.annotate(ys, \"tileloom.multicast\", \"y\")", alongY);
  d.line("sch.annotate(xs, \"tileloom.multicast\", \"x\")", "cluster.j - 1");
}

}  // namespace loom::tune
