// R6, R7, R9, R4, R3 for products by warpgroups: where operands and sums lie, the grid, and the intrinsics.
#include <fmt/format.h>

#include <algorithm>

#include "core/layout/box_row.h"
#include "core/lower/execution_group.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kSlots[] = {1, 2, 4};
constexpr std::int64_t kShortSlab = 8, kWidestSlab = 120;  // columns of sums
constexpr std::int64_t kBytesOfSum = 4;

// A decision that another one settles: the widest lines that a row is whole ones of. Narrower lines meet banks more
// often (64 bytes: 5 to 25 % slower, 32 bytes: 30 to 50 %, measured on an H100 with B as [k, n]).
void decideSwizzle(SketchDraft& d, const std::string& name, const Message& words, const std::string& by,
                   std::int64_t bytesEach) {
  std::vector<std::int64_t> values;
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::int64_t v : d.valuesOf(by)) {
    const std::int64_t span = layout::widestSwizzle(v * bytesEach);
    values.push_back(span);
    rows.push_back({v, span});
  }
  d.decide(6, name, words, values);
  d.table(name, message("rows in shared memory are swizzled in the widest lines that they are whole ones of"),
          Forbids::Hardware, {by, name}, rows);
}

// How sums of a tile lie in a slot: so many columns, in lines swizzled in so many bytes (0: lines as they are), in the
// bytes of the ring of tiles or in bytes of the slot's own.
struct Slab {
  std::int64_t columns = 0, swizzle = 0, over = 0;
};

// Slabs that a tile with so many columns divides into. Whole lines of the widest swizzle first, which threads that take
// sums on read, too. Where these are short, lines of an odd number of 8 columns do without a swizzle, since no four
// rows of them meet in a bank; or all columns at once, for which only the ring of tiles has the bytes.
std::vector<Slab> slabsOf(std::int64_t columns, bool taken) {
  const std::int64_t line = layout::widestSwizzle(kBytesOfSum * columns), swizzled = line / kBytesOfSum;
  std::vector<Slab> all{{swizzled, line, 0}};
  if (taken || line == layout::kLineBytes) return all;
  for (std::int64_t plain = 3 * kShortSlab; plain <= std::min(columns, kWidestSlab); plain += 2 * kShortSlab)
    if (columns % plain == 0) all.push_back({plain, 0, 0});
  if (swizzled == kShortSlab && columns > swizzled) all.push_back({columns, 0, 1});
  return all;
}

// Sums staged in shared memory, from which the copy engine stores them: slabs of 64 rows go in turns through slots.
// Decisions `slots`, 0 where threads store what they hold, and how these look, one of `slabsOf`.
void decideStaging(SketchDraft& d) {
  const bool taken = !d.consumers.empty();  // what threads store is computed of what lies in the slot
  std::vector<std::int64_t> slots, slabs, swizzles, overs;
  std::vector<std::vector<std::int64_t>> rows;
  const auto offer = [&](std::int64_t count, std::int64_t columns, const Slab& slab) {
    slots.push_back(count), slabs.push_back(slab.columns), swizzles.push_back(slab.swizzle), overs.push_back(slab.over);
    rows.push_back({count, columns, slab.columns, slab.swizzle, slab.over});
  };
  for (const std::int64_t columns : d.valuesOf("j.columns")) {
    if (!taken && !d.reindexesResult) offer(0, columns, {});
    for (const Slab& slab : slabsOf(columns, taken))
      for (const std::int64_t count : kSlots)
        if (count <= (taken || slab.over > 0 ? 1 : columns / slab.columns)) offer(count, columns, slab);
  }
  std::ranges::sort(rows);
  d.decide(5, "slots",
           taken ? message("slots through which a warpgroup's sums go to the threads that take them on")
                 : message("slots through which a warpgroup's sums go to the copy engine; 0: threads store them"),
           slots);
  d.decide(6, "slab", message("columns of sums in a slot"), slabs);
  d.decide(6, "c.swizzle", message("bytes of a swizzled line of sums; 0: lines as they are"), swizzles);
  const Message lies = message("whether slots of sums lie in the bytes of the ring of tiles");
  if (std::ranges::count(overs, 1) > 0) {
    d.decideWhether(6, "over", lies);
  } else {
    d.decide(6, "over", lies, {0});
  }
  d.table(
      "slabs",
      message("a slot holds {} columns, or {}, or an odd number of 8 without a swizzle, and there are no more slots "
              "than parts of the sums",
              32, "16, 8"),
      Forbids::Program, {"slots", "j.columns", "slab", "c.swizzle", "over"}, rows);
  if (taken) return;
  const Contraction& c = *d.product;
  const Message cropped = message("tiles that reach beyond the result go through shared memory: the copy engine crops");
  // Blocks of a cluster reach beyond it together.
  const auto clusters = [&](const char* name) { return d.has(name) ? d.valuesOf(name) : std::vector<std::int64_t>{1}; };
  std::vector<std::vector<std::int64_t>> byRows, byColumns;
  const auto add = [&](std::vector<std::vector<std::int64_t>>& to, std::vector<std::int64_t> values, std::int64_t size,
                       std::int64_t tile, const char* name) {
    for (const std::int64_t cluster : clusters(name)) {
      if (values.back() == 0 && size % (tile * cluster) != 0) continue;
      to.push_back(values);
      if (d.has(name)) to.back().push_back(cluster);
    }
  };
  for (const std::int64_t s : d.valuesOf("slots")) {
    for (const std::int64_t columns : d.valuesOf("j.columns")) add(byColumns, {columns, s}, c.n, columns, "cluster.j");
    for (const std::int64_t groups : d.valuesOf("i.warpgroups"))
      for (const std::int64_t each : d.valuesOf("i.rows"))
        add(byRows, {groups, each, s}, c.m, WarpgroupUnit::kRows * groups * each, "cluster.i");
  }
  const auto named = [&](std::vector<std::string> names, const char* cluster) {
    if (d.has(cluster)) names.emplace_back(cluster);
    return names;
  };
  d.decideWhether(7, "evict", message("whether what is stored is the first that the L2 cache gives up"));
  d.atMost("evict", message("only the copy engine says what the L2 cache gives up"), Forbids::Program, "evict - slots",
           0);
  d.table("cropped columns", cropped, Forbids::Hardware, named({"j.columns", "slots"}, "cluster.j"), byColumns);
  d.table("cropped rows", cropped, Forbids::Hardware, named({"i.warpgroups", "i.rows", "slots"}, "cluster.i"), byRows);
}

// Blocks that take sums on are computed of what lies in a slot, and stored by threads: each warp takes the 16 rows that
// its own lanes have written.
void bindTakers(SketchDraft& d) {
  d.decide(7, "c.vector", message("neighbours of the result that a thread stores at once"),
           copiedAtOnce(d.product->accumulator, d.product->resultAligned));
  d.line(fmt::format("ow, op = sch.split(op, [{}, None])", lower::kWarpsOfWarpgroup));
  if (d.warpgroups->swaps) d.line("sch.reorder(ow, oq, op)");  // neighbours of the result are rows of sums
  d.line(d.warpgroups->swaps ? "of = sch.fuse(oq, op)" : "of = sch.fuse(op, oq)");
  d.line(fmt::format("of, ol, ov = sch.split(of, [None, {}, ?c.vector])", lower::kWarpLanes));
  d.line("sch.reorder(of, ow, ol, ov)");
  d.line("ot = sch.fuse(ow, ol)");
  d.line("sch.bind(ot, \"threadIdx.x\")");
  d.line("sch.vectorize(ov)");
  d.line("sch.unroll(of)");
}

// Whether two warpgroups of a block that stays take tiles in turns, one storing while the other multiplies.
void decideTurns(SketchDraft& d, const DeviceLimits& device) {
  const auto has = [&](const char* name, std::int64_t value) {
    return std::ranges::find(d.valuesOf(name), value) != d.valuesOf(name).end();
  };
  const std::int64_t most = d.product->b0 * d.valuesOf("i.blocks").back() * d.valuesOf("j.blocks").back();
  const bool may =
      has("i.warpgroups", 1) && has("i.rows", 2) && most > device.multiprocessors && d.valuesOf("k.outer").back() > 1;
  std::vector<std::int64_t> turns{0};
  if (may) turns.push_back(2);
  d.decide(5, "turns", message("warpgroups that take tiles in turns; 0: all multiply one together"), turns);
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::int64_t t : turns)
    for (const std::int64_t groups : d.valuesOf("i.warpgroups"))
      for (const std::int64_t each : d.valuesOf("i.rows"))
        if (t == 0 || (groups == 1 && each == 2)) rows.push_back({t, groups, each});
  d.table("turns", message("warpgroups that take turns each multiply a tile of {} rows", 2 * WarpgroupUnit::kRows),
          Forbids::Program, {"turns", "i.warpgroups", "i.rows"}, rows);
  // Slots go on from one tile to the next, and between two of a warpgroup is another one's.
  std::vector<std::vector<std::int64_t>> whole;
  for (const std::int64_t t : turns)
    for (const std::int64_t each : d.valuesOf("i.rows"))
      for (const std::int64_t columns : d.valuesOf("j.columns"))
        for (const std::int64_t slots : d.valuesOf("slots"))
          for (const std::int64_t slab : d.valuesOf("slab"))
            if (t == 0 || slots < 2 || (slab > 0 && each * columns / slab % slots == 0))
              whole.push_back({t, each, columns, slots, slab});
  d.table("turns of slots",
          message("slots of tiles that are taken in turns go round a whole number of times in a tile"),
          Forbids::Program, {"turns", "i.rows", "j.columns", "slots", "slab"}, whole);
}

// An expression that is 1 where one that is never negative isn't 0, and 0 where it is.
std::string isAny(const std::string& expression) { return fmt::format("(({0}) + 65535)//65536", expression); }

}  // namespace

RuleOutcome copyByEngine(const RuleInput& input, const SketchDraft& draft) {
  SketchDraft d = draft;
  d.begin("multi-level SPM", d.product->name);
  const int ofA = d.product->a.read;
  for (const auto& [v, index] : {std::pair("xs", ofA), std::pair("ys", 1 - ofA)}) {
    d.line(fmt::format("{} = sch.cache_read(t, {}, \"shared.dyn\")", v, index));
    d.line(fmt::format("sch.compute_at({}, k0)", v));
    d.line(fmt::format("sch.annotate({}, \"tileloom.copy\", \"tma\")", v));
  }
  for (const auto& [operand, pads] :
       {std::pair(&d.product->a, &d.warpgroups->padsA), std::pair(&d.product->b, &d.warpgroups->padsB)})
    if (*pads != "0 + 0") d.line(fmt::format("sch.compute_inline(sch.get_block(\"{}_pad\"))", operand->buffer), *pads);
  for (const std::string& block : d.inlinedA) d.line(fmt::format("sch.compute_inline({})", block));
  for (const std::string& block : d.inlinedB) d.line(fmt::format("sch.compute_inline({})", block));
  // After the copies: what is read of a block of sums that is cropped is told to be written as long as it is no block
  // of blocks.
  d.line("p, q = sch.get_loops(c)[-2:]");
  d.line("p, ct = sch.split(p, [None, 64])");
  d.line("cb = sch.blockize(ct)");
  d.line("sch.annotate(cb, \"tileloom.swizzle\", ?c.swizzle)", "c.swizzle");
  if (d.consumers.empty()) d.line("sch.annotate(cb, \"tileloom.slots\", ?slots)", "slots");
  d.line("sch.annotate(cb, \"tileloom.over_ring\", 1)", "over");
  d.end();
  const std::string bytes = std::to_string(d.product->a.dtype.bytes());
  d.bytesCopied = {fmt::format("{}*{}*{}", bytes, d.tileM, d.tileK), fmt::format("{}*{}*{}", bytes, d.tileN, d.tileK)};
  return appliesWith(std::move(d), message("one thread asks the copy engine for a box of each operand; a block has {} "
                                           "bytes of shared memory",
                                           input.device.sharedBytes));
}

RuleOutcome holdInWarpgroups(const RuleInput& input, const SketchDraft& draft) {
  SketchDraft d = draft;
  const bool taken = !d.consumers.empty();
  decideStaging(d);
  decideTurns(d, input.device);
  d.begin("multi-scope SPM", d.product->name);
  const std::string crops = isAny(d.warpgroups->padsResult);
  d.line(fmt::format("o = sch.get_block(\"{}_pad\")", d.product->result), crops);
  d.line("sch.set_scope(t, 0, \"shared.dyn\")", crops);
  d.line("o = sch.cache_write(t, 0, \"shared.dyn\")", fmt::format("slots*(1 - {})", crops));
  d.line("c = sch.cache_write(t, 0, \"local.wgmma\")");
  if (d.reindexesResult) d.line("sch.reverse_compute_inline(zr)");
  for (const std::string& block : d.consumers) d.line(fmt::format("sch.reverse_compute_inline({})", block));
  d.line("sch.reverse_compute_at(c, i1)");
  d.line("sch.reverse_compute_at(o, i1)", "slots");
  d.line("op, oq = sch.get_loops(o)[-2:]", "slots");
  d.line("og, op = sch.split(op, [None, 64])", "slots");
  d.line("ob, oq = sch.split(oq, [None, ?slab])", "slots");
  d.line("sch.reorder(og, ob, op, oq)", "slots");
  d.line("sch.compute_at(c, ob)", "slots");
  // Before operands are copied: all warpgroups of a block read the same tile of B.
  d.line("sch.bind(i1, \"threadIdx.y\")", "2 - turns");
  if (taken) {
    bindTakers(d);
  } else {
    d.line("sch.annotate(o, \"tileloom.copy\", \"tma\")", "slots");
    d.line("sch.annotate(o, \"tileloom.evict\", \"first\")", "evict");
  }
  d.end();
  return appliesWith(std::move(d),
                     taken ? message("a warpgroup holds 64 rows of a sum; tensor cores read both factors from shared "
                                     "memory, through which sums go to the threads that take them on")
                           : message("a warpgroup holds 64 rows of a sum; tensor cores read both factors from "
                                     "shared memory, through which the copy engine stores sums"));
}

RuleOutcome swizzleTiles(const RuleInput&, const SketchDraft& draft) {
  SketchDraft d = draft;
  const WarpgroupUnit& u = *d.warpgroups;
  const std::int64_t bytes = d.product->a.dtype.bytes();
  if (u.turnsA)
    decideSwizzle(d, "a.swizzle", message("bytes of a swizzled line of A"), "i.warpgroups",
                  WarpgroupUnit::kRows * bytes);
  else
    decideSwizzle(d, "a.swizzle", message("bytes of a swizzled line of A"), "k.inner", u.k * bytes);
  if (u.columnsFirst)
    decideSwizzle(d, "b.swizzle", message("bytes of a swizzled line of B"), "k.inner", u.k * bytes);
  else
    decideSwizzle(d, "b.swizzle", message("bytes of a swizzled line of B"), "j.columns", bytes);
  d.begin("bank layout", d.product->name);
  d.line("sch.annotate(xs, \"tileloom.swizzle\", ?a.swizzle)");
  d.line("sch.annotate(ys, \"tileloom.swizzle\", ?b.swizzle)");
  d.end();
  return appliesWith(std::move(d),
                     message("tensor cores of a warpgroup take lines of {} to {} bytes, swizzled", 32, 128));
}

RuleOutcome bindGrid(const RuleInput& input, const SketchDraft& draft) {
  SketchDraft d = draft;
  const Contraction& c = *d.product;
  const std::string batch = c.batch.empty() ? "" : "bb, ";
  const std::int64_t all = input.device.multiprocessors;
  const std::int64_t most = c.b0 * d.valuesOf("i.blocks").back() * d.valuesOf("j.blocks").back();
  if (most > all) {
    d.decideWhether(7, "persistent", message("whether blocks stay and take one tile after another"));
    d.atMost("persistent", message("blocks that stay are {}, one a multiprocessor, and tiles are more", all),
             Forbids::Program, fmt::format("{}*persistent - {}*i.blocks*j.blocks", all + 1, c.b0), 0);
  }
  limitClusters(d, input.device);
  d.begin("multi-level tiling", c.name);
  const bool square = d.has("cluster.i");
  if (d.has("raster")) d.line(fmt::format("g = sch.fuse({}i0, j0, ir)", batch), "raster - 1");
  d.line(fmt::format("g = sch.fuse({}i0, j0)", batch), !d.has("raster") ? ""
                                                       : square         ? "(1//raster)*(1//cluster.i)"
                                                                        : "1//raster");
  if (d.has("persistent")) {
    d.line(fmt::format("turn, g = sch.split(g, [None, {}])", all), "persistent");
    d.line("sch.reorder(g, turn)", "persistent");
  }
  // Clusters of rows and columns need both in the grid.
  d.line("sch.bind(g, \"blockIdx.x\")", square ? "raster - 1 + 1//cluster.i" : "");
  if (square) {
    d.line("sch.bind(j0, \"blockIdx.x\")", "(1//raster)*(cluster.i - 1)");
    d.line("sch.bind(i0, \"blockIdx.y\")", "(1//raster)*(cluster.i - 1)");
  }
  d.end();
  return appliesWith(std::move(d),
                     message("{} to {} tiles for {} multiprocessors",
                             c.b0 * d.valuesOf("i.blocks").front() * d.valuesOf("j.blocks").front(), most, all));
}

RuleOutcome placeWarpgroups(const RuleInput&, const SketchDraft& draft) {
  SketchDraft d = draft;
  const WarpgroupUnit& u = *d.warpgroups;
  d.begin("tensorize", d.product->name);
  d.line("z = sch.decompose_reduction(t, k0)");
  d.line("zb, = sch.get_child_blocks(z)");
  d.line(fmt::format("sch.tensorize(sch.get_loops(zb)[-2], \"{}\")", u.fill));
  d.line(fmt::format("sch.tensorize(ii, \"{}\")", u.multiply));
  d.line(fmt::format("sch.tensorize(ct, \"{}\")", u.store), "1 - (slots + 3)//4");
  d.line(fmt::format("sch.tensorize(ct, \"{}\")", u.storeShared), "slots");
  d.end();
  return appliesWith(std::move(d), message("fill, product and store become instructions of a warpgroup"));
}

}  // namespace loom::tune
