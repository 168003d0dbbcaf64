// R18: whether warpgroups of Hopper can multiply as a block does, and the tiles that they take.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/device/precision.h"
#include "core/tune/rules/applications.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

namespace {

constexpr int kHopper = 90;                 // wgmma is of compute capability 9.0 alone: sm_90a
constexpr std::int64_t kLine = 16;          // bytes that rows of a matrix in global memory are multiples of
constexpr std::int64_t kProductBytes = 32;  // along k of one product
constexpr std::int64_t kMostColumns = 256;  // of one product
constexpr std::int64_t kMostBox = 256;      // rows of a box of the copy engine
constexpr std::int64_t kMostGroups = 3;     // warpgroups that multiply: with one that loads, 512 threads
constexpr std::int64_t kMostRows = 2;       // of 64, of a warpgroup
constexpr std::int64_t kMostTileK = 8;      // products along k in a tile: 256 bytes
constexpr std::int64_t kTileBytes = 128;    // along k: of axes that these and large tiles divide all tiles do

struct Types {
  ir::DType factor, sum;
  const char* product;  // of the intrinsic's name
  const char* result;
  bool inBothOrders;         // whether A may lie as [k, m], and B as [k, n]
  bool isLessExact = false;  // whether the product keeps fewer digits than the factors have
};
constexpr Types kTypes[] = {
    {ir::DType::Float(16), ir::DType::Float(32), "f16f16f32", "f32", true},
    {ir::DType::BFloat(16), ir::DType::Float(32), "bf16bf16f32", "f32", true},
    {ir::DType::Float(32), ir::DType::Float(32), "tf32tf32f32", "f32", false, true},
    {{ir::DType::Code::E4M3, 8, 1}, ir::DType::Float(32), "e4m3e4m3f32", "f32", false},
    {{ir::DType::Code::E5M2, 8, 1}, ir::DType::Float(32), "e5m2e5m2f32", "f32", false},
    {ir::DType::Int(8), ir::DType::Int(32), "s8s8s32", "s32", false},
    {ir::DType::UInt(8), ir::DType::Int(32), "u8u8s32", "s32", false},
};

// Why the copy engine and wgmma don't take what the block reads; empty: they do.
Message refusalOf(const RuleInput& input, const SketchDraft& draft, const Types* types, bool swaps) {
  if (!input.onlyCudaCores.empty()) return input.onlyCudaCores;
  const Contraction& c = *draft.product;
  if (types == nullptr)
    return message("wgmma multiplies no {} · {} into {}", c.a.dtype.str(), c.b.dtype.str(), c.accumulator.str());
  if (types->isLessExact && !input.choices.tf32)
    return message("wgmma multiplies {} as tf32 alone, which keeps {} of its {} digits: that is the user's choice",
                   c.a.dtype.str(), device::kTf32Digits, device::kFloat32Digits);
  if (!c.plain && !c.liesAsMatrices())
    return message(
        "the copy engine moves boxes of rows and columns, and what {} reads or writes doesn't lie as matrices", c.name);
  if (!c.a.reductionIsLast && !types->inBothOrders)
    return message("{} of {} lies as [k, m]: without 16-bit elements tensor cores of a warpgroup take it as [m, k]",
                   c.a.buffer, c.a.dtype.str());
  if (!c.b.reductionIsLast && !types->inBothOrders)
    return message("{} of {} lies as [k, n]: without 16-bit elements tensor cores of a warpgroup take it as [n, k]",
                   c.b.buffer, c.b.dtype.str());
  const std::int64_t bytes = c.a.dtype.bytes();
  for (const ProductOperand* operand : {&c.a, &c.b}) {
    if (operand->pitch * bytes % kLine != 0)
      return message("rows of {} are {} bytes long, no multiple of {}, which the copy engine needs", operand->buffer,
                     operand->pitch * bytes, kLine);
  }
  // A box knows rows and columns: what reaches beyond the rows of one product of a batch is the next one's.
  if (!c.batch.empty() && c.m % WarpgroupUnit::kRows != 0)
    return message("{} rows are no multiple of the {} of a warpgroup's product", c.m, WarpgroupUnit::kRows);
  if (!c.batch.empty() && c.k % (kProductBytes / bytes) != 0)
    return message("{} along k are no multiple of the {} of a product", c.k, kProductBytes / bytes);
  if (!swaps && draft.consumers.empty() && c.resultPitch * c.accumulator.bytes() % kLine != 0)
    return message("rows of {} are {} bytes long, no multiple of {}, which the copy engine needs", c.result,
                   c.resultPitch * c.accumulator.bytes(), kLine);
  if (input.device.sharedBytes < 4 * kProductBytes * WarpgroupUnit::kRows)
    return message("{} bytes of shared memory hold no tile", input.device.sharedBytes);
  return {};
}

// An axis of the product, and how tiles cover it: they divide it, or, where no large tile does, may reach beyond it by
// an eighth, where the copy engine reads zeros and stores nothing. Tiles of a cluster reach beyond it together.
struct TiledAxis {
  std::int64_t extent = 1;
  bool pads = false;
  std::int64_t least = 1;      // a tile
  std::string together = "1";  // an expression: tiles along the axis of a cluster

  std::int64_t most() const {
    return pads ? std::max(extent + extent / 8, (extent + least - 1) / least * least) : extent;
  }
  bool takes(std::int64_t tile) const {
    return extent % tile == 0 || (pads && (extent + tile - 1) / tile * tile <= most());
  }
  void constrain(SketchDraft& d, const std::string& name, const std::string& blocks, const std::string& tile) const {
    if (!pads) return constrainAxis(d, name, blocks, tile, extent, false, least);
    d.atMost(name + " reached", message("tiles along {} reach all of its {} elements", name, extent), Forbids::Program,
             fmt::format("-{}*{}", blocks, tile), -extent);
    d.atMost(name + " not a tile more", message("no tile along {} lies beyond its {} elements", name, extent),
             Forbids::Program, fmt::format("{}*{} - {}", blocks, tile, all(tile)), extent - 1);
    d.atMost(name + " padding", message("padding adds at most an eighth to the {} elements along {}", extent, name),
             Forbids::Tvm, fmt::format("{}*{}", blocks, tile), most());
  }
  // An expression for what the tiles of a cluster cover of the axis.
  std::string all(const std::string& tile) const { return together == "1" ? tile : together + "*" + tile; }
  // An expression for how far the last of these reach into their place; 0: they end with the axis.
  std::string rest(const std::string& tile) const { return pads ? fmt::format("{}%({})", extent, all(tile)) : "0"; }
  // What the axis is padded to multiples of.
  std::string padding(const std::string& tile) const { return pads ? place(all(tile)) : "1"; }
};

// What an intrinsic's name says of the factors' orders.
std::string ordersOf(const Contraction& c) {
  return std::string(c.b.reductionIsLast ? "_trans" : "") + (c.a.reductionIsLast ? "" : "_turned") + c.order();
}

// Columns of a product that go with n and for which there are intrinsics. Rows of B as [k, n] are whole swizzled
// lines of 32 bytes.
std::vector<std::int64_t> columnsOf(const RuleInput& input, const Contraction& c, const TiledAxis& axis,
                                    const Types& types) {
  std::vector<std::int64_t> all;
  const std::int64_t step = c.b.reductionIsLast ? 8 : 32 / c.b.dtype.bytes();
  for (std::int64_t n = step; n <= std::min(kMostColumns, axis.most()); n += step) {
    if (!axis.takes(n)) continue;
    const std::string multiply =
        fmt::format("wgmma_m64n{}k{}_{}{}", n, kProductBytes / c.a.dtype.bytes(), types.product, ordersOf(c));
    if (input.intrinsics.find(multiply) != nullptr) all.push_back(n);
  }
  return all;
}

// What of a thread's registers sums may take, for each number of warpgroups: of all threads of a block, with a
// warpgroup that loads besides.
void limitSums(SketchDraft& d, const DeviceLimits& device) {
  std::vector<std::vector<std::int64_t>> rows;
  for (std::int64_t groups : d.valuesOf("i.warpgroups"))
    for (std::int64_t each : d.valuesOf("i.rows"))
      for (std::int64_t columns : d.valuesOf("j.columns")) {
        const std::int64_t most =
            std::min(device.registersPerThread, device.registers / (WarpgroupUnit::kThreads * groups));
        if (WarpgroupUnit::registersOf(each, columns) + WarpgroupUnit::kStagingRegisters <= most)
          rows.push_back({groups, each, columns});
      }
  d.table("sums of a thread",
          message("sums of a warpgroup's threads fit their registers, {} of each kept for the rest",
                  WarpgroupUnit::kOtherRegisters + WarpgroupUnit::kStagingRegisters),
          Forbids::Hardware, {"i.warpgroups", "i.rows", "j.columns"}, rows);
}

// The product turned: C as [n, m] is the sum of B's rows times A's. Where what it writes goes on to nobody, a copy
// turns it back.
Contraction swappedOf(Contraction c, const SketchDraft& draft) {
  std::swap(c.a, c.b), std::swap(c.m, c.n), std::swap(c.rows, c.columns);
  c.reversed = !c.reversed;
  if (draft.consumers.empty()) c.result += "_global";
  return c;
}

// The least that the busiest multiprocessor computes of m × n results, in tiles of two warpgroups and more that a
// block's registers hold: rows in steps of 64, columns in steps of eight.
std::int64_t busiest(std::int64_t m, std::int64_t n, const DeviceLimits& device) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t rows = kLargeTile; rows <= kMostBox; rows += WarpgroupUnit::kRows)
    for (std::int64_t columns = 8; columns <= kMostColumns && rows * columns <= device.registers / 2; columns += 8)
      least = std::min(least, rows * waveFit(m, n, 1, rows, columns, device.multiprocessors).columns);
  return least;
}

// Where tiles of the product as it is written fit badly: rows of B as [k, n] are swizzled in lines that few numbers of
// columns are whole ones of, which with the factors swapped are rows of 64; few rows are columns then, of which
// products take any eight; what the copy engine can't store, threads can; and 1032 rows are nine tiles of 128 but five
// of 208 columns, so that waves end fuller.
bool swappingMayHelp(const Contraction& c, const Types& types, const DeviceLimits& device) {
  if (!c.plain || !c.batch.empty() || c.n < WarpgroupUnit::kRows) return false;
  const bool narrow = !c.b.reductionIsLast && c.n % kLargeTile != 0;
  const bool takesOrders = types.inBothOrders || (c.a.reductionIsLast && c.b.reductionIsLast);
  constexpr double kNoticed = 0.95;  // what threads store, and not the copy engine, costs some of it
  const bool fits = double(busiest(c.n, c.m, device)) < kNoticed * double(busiest(c.m, c.n, device));
  return takesOrders && (narrow || c.m < WarpgroupUnit::kRows || c.n * c.accumulator.bytes() % kLine != 0 || fits);
}

// Has the block read and write by one iterator of each kind, which copies take from and to where the program has them.
void readAsMatrices(SketchDraft& d) {
  const std::vector<std::string> consumers = d.consumers;
  writeReindexed(d);
  d.consumers = consumers;  // the copy engine stores C where it lies
  for (std::string* name : {&d.product->a.buffer, &d.product->b.buffer, &d.product->result}) *name += "_reindex";
}

void swapFactors(SketchDraft& d) {
  d.line("sch.transform_block_layout(b, lambda i, j, k: (j, i, k))");
  if (d.consumers.empty()) {
    d.line("o0 = sch.cache_write(b, 0, \"global\")");
    d.consumers.push_back("o0");
  }
  d.line("sch.transform_layout(b, (\"write\", 0), lambda i, j: (j, i))");
}

// Writes the tiles of a draft, whose product may be swapped. Returns why not; empty: they are written.
Message tile(const RuleInput& input, SketchDraft& d, const Types* types, bool swaps) {
  if (auto why = refusalOf(input, d, types, swaps); !why.empty()) return why;
  const Contraction& c = *d.product;
  const std::int64_t bytes = c.a.dtype.bytes();
  const bool one = c.batch.empty();
  TiledAxis ofRows{c.m, one && c.m % kLargeTile != 0, WarpgroupUnit::kRows};
  // Of columns that several tiles share, the number that fits waves best may divide none: 112 of 4096.
  TiledAxis ofColumns{c.n, one && (c.n % kLargeTile != 0 || c.n > kMostColumns), 8};
  const TiledAxis ofSums{c.k, one && c.k * bytes % kTileBytes != 0, kProductBytes / bytes};
  const std::vector<std::int64_t> columns = columnsOf(input, c, ofColumns, *types);
  if (columns.empty())
    return message("no product of a warpgroup has columns that divide {}: they go in steps of {}", c.n,
                   c.b.reductionIsLast ? 8 : 16);
  d.sketch.name = swaps ? "wgmma, factors swapped" : "wgmma";
  WarpgroupUnit unit;
  unit.swaps = swaps;
  unit.k = kProductBytes / bytes;
  unit.columnsFirst = c.b.reductionIsLast;
  unit.turnsA = !c.a.reductionIsLast;
  unit.multiply = fmt::format("wgmma_m64n?{{j.columns}}k{}_{}{}", unit.k, types->product, ordersOf(c));
  unit.fill = fmt::format("wgmma_fill_64x?{{j.columns}}_{}", types->result);
  unit.store = fmt::format("wgmma_store_64x?{{j.columns}}_{}_global", types->result);
  unit.storeShared = fmt::format("wgmma_store_64x?{{slab}}_{}_shared_dyn", types->result);
  d.warpgroups = unit;

  std::set<std::int64_t> groups, rows, tiles, inner, depths;
  for (std::int64_t g = 1; g <= kMostGroups; ++g)
    for (std::int64_t r = 1; r <= kMostRows; ++r)
      if (const std::int64_t tile = WarpgroupUnit::kRows * g * r; tile <= kMostBox && ofRows.takes(tile))
        groups.insert(g), rows.insert(r), tiles.insert(tile);
  for (std::int64_t steps = 1; steps <= kMostTileK; ++steps)
    if (ofSums.takes(unit.k * steps)) inner.insert(steps), depths.insert(unit.k * steps);
  d.decide(1, "i.warpgroups", message("warpgroups of a block that multiply, each its rows"),
           {groups.begin(), groups.end()});
  d.decide(2, "i.rows", message("products of a warpgroup along i, 64 rows each"), {rows.begin(), rows.end()});
  if (tileCounts(c.k, depths).back() > 1) decideClusters(input, d);
  std::vector<std::int64_t> alongI = tileCounts(c.m, tiles), alongJ = tileCounts(c.n, {columns.begin(), columns.end()});
  if (d.has("cluster.i")) {
    ofRows.together = "cluster.i", ofColumns.together = "cluster.j";
    if (ofRows.pads) alongI = wholeClusters(alongI, d.valuesOf("cluster.i"));
    if (ofColumns.pads) alongJ = wholeClusters(alongJ, d.valuesOf("cluster.j"));
  }
  d.decide(3, "i.blocks", message("blocks along {}", "i"), alongI);
  d.decide(1, "j.columns", message("columns of a product, and of a block's tile"), columns);
  d.decide(3, "j.blocks", message("blocks along {}", "j"), alongJ);
  d.decide(4, "k.inner", message("steps of the matrix instruction along k in a tile"), {inner.begin(), inner.end()});
  d.decide(4, "k.outer", message("tiles along k"), tileCounts(c.k, depths));
  d.tileM = fmt::format("{}*i.warpgroups*i.rows", WarpgroupUnit::kRows);
  d.tileN = "j.columns";
  d.tileK = fmt::format("{}*k.inner", unit.k);
  ofRows.constrain(d, "i", "i.blocks", d.tileM);
  ofColumns.constrain(d, "j", "j.blocks", d.tileN);
  ofSums.constrain(d, "k", "k.outer", d.tileK);
  const std::string restM = ofRows.rest(d.tileM), restN = ofColumns.rest(d.tileN), restK = ofSums.rest(d.tileK);
  d.warpgroups->padsA = restM + " + " + restK, d.warpgroups->padsB = restN + " + " + restK;
  d.warpgroups->padsResult = restM + " + " + restN;
  d.atMost("box", message("a box of the copy engine has at most {} rows", kMostBox), Forbids::Hardware, d.tileM,
           kMostBox);
  limitSums(d, input.device);
  d.threads = fmt::format("{}*i.warpgroups", WarpgroupUnit::kThreads);
  // A product reads 64 rows and all columns from shared memory, however many of them a warpgroup does.
  d.quantity("own.m", std::to_string(WarpgroupUnit::kRows)), d.quantity("own.n", "j.columns");
  describeTiles(d, d.threads, fmt::format("i.rows*j.columns//2 + {}", WarpgroupUnit::kOtherRegisters));
  d.quantity("wgmma", "1"), d.quantity("b.rows", unit.columnsFirst ? "0" : "1");
  d.quantity("swapped", swaps ? "1" : "0");
  if (d.has("cluster.i")) d.quantity("share.a", "cluster.j"), d.quantity("share.b", "cluster.i");
  d.quantity("multiprocessors", std::to_string(input.device.multiprocessors));

  d.begin("warpgroups", c.name);
  d.line(fmt::format("b = sch.get_block(\"{}\")", c.name));
  if (swaps) swapFactors(d);
  if (!c.plain) readAsMatrices(d);
  if (ofRows.pads || ofColumns.pads || ofSums.pads)
    d.line(fmt::format("sch.pad_einsum(b, [{}{}, {}, {}])", c.batch.empty() ? "" : "1, ", ofRows.padding(d.tileM),
                       ofColumns.padding(d.tileN), ofSums.padding(d.tileK)),
           fmt::format("{} + {} + {}", restM, restN, restK));
  d.line(fmt::format("{}i, j, k = sch.get_loops(b)", c.batch.empty() ? "" : "bb, "));
  d.line("i0, i1, i2, ii = sch.split(i, [None, ?i.warpgroups, ?i.rows, 64])");
  d.line("j0, jj = sch.split(j, [None, ?j.columns])");
  d.line(fmt::format("k0, k1, kk = sch.split(k, [None, ?k.inner, {}])", unit.k));
  d.line("sch.reorder(i0, j0, i1, k0, k1, i2, ii, jj, kk)");
  d.line("t = sch.blockize(ii)");
  d.end();
  return {};
}

// The copy engine copies operands as they lie: what computes them is a kernel of its own, before the product.
SketchDraft withOperandsBefore(SketchDraft draft) {
  draft.keepsComputed = !draft.computed.empty();
  for (const auto& [variable, name] : draft.computed)
    for (std::vector<std::string>* inlined : {&draft.inlinedA, &draft.inlinedB}) std::erase(*inlined, variable);
  return draft;
}

}  // namespace

RuleOutcome tileForWarpgroups(const RuleInput& input, const SketchDraft& draft) {
  if (!draft.product) return leaves(message("the block is no sum of products"));
  const Contraction& c = *draft.product;
  if (!c.multiplies) return leaves(c.whyNoProduct());
  if (input.device.capability != kHopper)
    return leaves(message("{} has no wgmma, which is of compute capability 9.0", input.device.architecture));
  const auto* types = std::ranges::find_if(
      kTypes, [&](const Types& t) { return t.factor == c.a.dtype && t.factor == c.b.dtype && t.sum == c.accumulator; });
  if (types == std::end(kTypes)) types = nullptr;
  RuleOutcome outcome;
  SketchDraft asWritten = withOperandsBefore(draft), turned = asWritten;
  if (!c.plain && !c.liesAsMatrices())
    if (auto parts = contractionByParts(input.state, input.block); parts && parts->liesAsMatrices())
      asWritten.product = std::move(parts);
  Message why = tile(input, asWritten, types, false);
  if (why.empty()) outcome.drafts.push_back(asWritten);
  if (types != nullptr && swappingMayHelp(c, *types, input.device)) {
    turned.product = swappedOf(c, draft);
    if (tile(input, turned, types, true).empty()) outcome.drafts.push_back(turned);
  }
  if (outcome.drafts.empty()) return leaves(std::move(why));
  const SketchDraft& first = outcome.drafts.front();
  const std::vector<std::int64_t>& columns = first.valuesOf("j.columns");
  outcome.applies = true;
  outcome.why =
      message("{}: {} · {} into {}, {} × {} × {}, rows of {} bytes, columns in {} sizes up to {}",
              input.device.architecture, c.a.dtype.str(), c.b.dtype.str(), c.accumulator.str(), c.m, c.n, c.k,
              (first.warpgroups->turnsA ? first.product->m : c.k) * c.a.dtype.bytes(), columns.size(), columns.back());
  if (outcome.drafts.size() > 1)
    outcome.why =
        message("{}; also with the factors swapped, so that columns of the result are rows of sums", outcome.why);
  outcome.drafts.push_back(draft);  // warps multiply as ever
  return outcome;
}

}  // namespace loom::tune
