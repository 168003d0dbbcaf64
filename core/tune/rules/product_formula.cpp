#include "core/tune/rules/product_formula.h"

#include <algorithm>
#include <cmath>

#include "core/layout/box_row.h"
#include "core/layout/request.h"
#include "core/model/product_rate.h"
#include "core/model/role_estimate.h"

namespace loom::tune {

namespace {

// What a block waits before its first product and after its last one: a load from memory and a barrier. About 800
// clocks at 1.7 GHz, as the first copies of our ladders take.
constexpr double kLatency = 0.5;
// What of reading gets in the way of the rest, though it overlaps: so much of ties goes to what reads less.
constexpr double kInTheWay = 0.1;
// A barrier, and what else each turn of the loop over k begins with: some 50 clocks.
constexpr double kTurn = 0.03;
// From the end of a kernel to the beginning of the next one in a graph.
constexpr double kNextKernel = 1.5;
// Of warpgroups. Neighbouring multiprocessors that ask for the same lines at a time share the answer: of what blocks of
// 128 × 144 read at 8192³ an H100 moved so much from the L2 cache; and a multiprocessor takes no more bytes a clock.
constexpr double kMovedOfRead = 0.65, kBytesPerClock = 64;
// Where all blocks run at once, in groups of rows, more of them ask for the same lines: of the 50 MB that the blocks of
// 1024³ read in 3.2 µs the L2 cache of an H200 can move no more than this.
constexpr double kMovedAtOnce = 0.35;
// Lines of B as [k, n] that are narrower than 128 bytes meet banks: measured 5 to 25 % and 30 to 50 % slower.
constexpr double kSlower64 = 1.15, kSlower32 = 1.4;
// The first load, and the last products and their store, measured at 1024³: 0.7 and 0.6 µs.
constexpr double kFirstLoad = 0.7, kLastStore = 0.6;
// Of warpgroups whose rows begin off sectors. What all blocks of a wave load counts there, more than what one
// multiprocessor does, and it hides products only in part. Fitted to 310 kernels at eleven sizes from 1000³ to 3016 ×
// 2504 × 2040 (H100, H200, measured for this project, 2026-11), which these leave 2 % in the mean, the faster ones
// weighing more: what lines of such rows cost, in lines of others (what arrives isn't counted, as the model does:
// model::RoleConstants); the share of a multiprocessor's time for its rows that they take where all have as many, those
// of A counting more, which neighbours ask for at a time; products against their peak; how sharply the longer of both
// decides; a single product of 64 rows; the share of stores that is seen; all else, and what clusters begin later.
constexpr double kOffSectors = 1.55, kRowsOfAll = 0.62, kOfA = 1.25, kProductsThere = 1.2, kSharpness = 3,
                 kOneProduct = 1.1, kStoresThere = 0.35, kBesideThere = 2.05, kClusterLater = 0.6;

}  // namespace

ProductFormula::ProductFormula(const Sketch& sketch, const model::Device& device) {
  // Sizes leave nothing open: any values do.
  Assignment any;
  for (const Decision& d : sketch.space.decisions) any.push_back(d.values.front());
  const auto size = [&](const char* name) { return double(quantityOf(sketch, name, any).value_or(0)); };
  m_ = size("extent.m"), n_ = size("extent.n"), k_ = size("extent.k"), batch_ = size("batch");
  elementBytes_ = size("element.bits") / 8, resultBytes_ = size("result.bytes");
  operandsOfRows_ = std::max(1.0, size("a.operands")), operandsOfColumns_ = std::max(1.0, size("b.operands"));
  parts_ = std::max(1.0, size("parts")), others_ = size("others.ns") / 1000;
  const double cluster = std::max(1.0, size("cluster"));  // blocks, each of which has a part of every sum
  k_ /= cluster, batch_ *= cluster;
  const bool tensor = size("unit.k") > 1;
  warpgroups_ = size("wgmma") > 0;
  columnsFirst_ = size("b.rows") <= 0, turnedA_ = size("a.turned") > 0;
  const auto isSlow = [&](double elements) { return !layout::isOnSectors(std::int64_t(elements * elementBytes_)); };
  slowRows_ = isSlow(turnedA_ ? m_ : k_) || isSlow(columnsFirst_ ? k_ : n_);

  using enum model::Quantity;
  const auto value = [&](model::Quantity q, double otherwise) { return device.value(q).value_or(otherwise); };
  multiprocessors_ = value(Multiprocessors, 1);
  const double cores = value(Fp32Tflops, 10);
  const double tera = tensor ? model::warpPeak(device, int(size("element.bits"))).value_or(8 * cores) : cores;
  const double groups = value(elementBytes_ < 2 ? WgmmaS8Tops : WgmmaF16F32Tflops, 2 * tera);
  flops_ = (warpgroups_ ? groups : tera) * 1e6 / multiprocessors_ / std::max(1.0, size("instructions"));
  clocks_ = value(ClockMhz, 1500);
  sharedBytes_ = value(SharedBytesPerClock, 128) * value(ClockMhz, 1500);
  const double memory = value(MemoryGbPerS, 300);
  l2Bytes_ = value(L2GbPerS, 2.5 * memory) * 1e3 / multiprocessors_;
  memoryBytes_ = memory * 1e3 / multiprocessors_;
  const double data = batch_ * ((m_ + n_) * k_ * elementBytes_ + m_ * n_ * resultBytes_);
  if (warpgroups_) {
    const auto kind = model::kindOfFactors(int(8 * elementBytes_));
    loadedFlops_ = model::loadedMegahertz(device, data) * model::flopPerClock(kind);
  }
  sharedOfAll_ = value(SharedPerMultiprocessor, 65536);
  threadsOfAll_ = value(ThreadsPerMultiprocessor, 1024);
}

// Microseconds in which L2 brings all rows of a block's tiles, whole swizzled lines of up to 128 bytes; `ofA` is how
// much those of A count.
double ProductFormula::loading(const ProductTile& t, double ofA) const {
  const model::RoleConstants measured;
  const auto took = [&](double rows, double bytes, double pitch) {
    const layout::BoxRow row = layout::boxRow(std::int64_t(bytes), std::int64_t(pitch));
    return rows * row.lines * (row.onSectors ? 1 : kOffSectors) * measured.lineNanoseconds / 1000;
  };
  const double alongK = std::min(double{layout::kLineBytes}, t.k * elementBytes_), pitch = k_ * elementBytes_;
  const double line = layout::kLineBytes;  // of a row of A as [k, m], whose tiles are whole lines
  const double a = turnedA_ ? took(k_ * t.m * elementBytes_ / line, line, m_ * elementBytes_)
                            : took(t.m * pitch / alongK, alongK, pitch);
  const double wide = t.n * elementBytes_;
  // Of a row of B as [k, n].
  const double slab = std::max<double>(layout::kSectorBytes, double(layout::widestSwizzle(std::int64_t(wide))));
  const double b =
      columnsFirst_ ? took(t.n * pitch / alongK, alongK, pitch) : took(k_ * wide / slab, slab, n_ * elementBytes_);
  return ofA * a / t.blocksOfA + b / t.blocksOfB;
}

double ProductFormula::loadsOverProducts(const ProductTile& t) const {
  return loading(t) / (2 * t.m * t.n * k_ / loadedFlops_);
}

double ProductFormula::tilesOf(const ProductTile& t) const {
  const auto whole = [](double tiles, double cluster) { return std::ceil(tiles / cluster) * cluster; };
  return whole(std::ceil(m_ / t.m), t.blocksOfB) * whole(std::ceil(n_ / t.n), t.blocksOfA) * batch_;
}

// The tensor cores, shared memory, which they read and the copy engine fills, and what comes from the L2 cache; as many
// times as there are waves: ⌈⌈m/M⌉·⌈n/N⌉/multiprocessors⌉ tiles are the last one's.
double ProductFormula::ofWarpgroups(const ProductTile& t) const {
  if (slowRows_) return ofSlowRows(t);
  const double tiles = tilesOf(t), waves = std::ceil(tiles / multiprocessors_);
  const double active = std::min(tiles, multiprocessors_);
  const double line = columnsFirst_ ? 128 : t.n * elementBytes_;
  const double narrow = std::fmod(line, 128) == 0 ? 1 : std::fmod(line, 64) == 0 ? kSlower64 : kSlower32;
  const double multiplied = 2 * t.m * t.n * k_ / flops_;
  const double read = (t.m * t.n * (1 / t.ownM + 1 / t.ownN) + t.m + t.n) * k_ * elementBytes_ / sharedBytes_ * narrow;
  const double ofL2 = std::min(l2Bytes_ * multiprocessors_ / active, kBytesPerClock * clocks_);
  const double moved = waves > 1 ? kMovedOfRead : kMovedAtOnce;
  const double copied = (t.m + t.n) * k_ * elementBytes_ * moved / ofL2;
  const double stored = t.m * t.n * resultBytes_ * active / (memoryBytes_ * multiprocessors_);
  const double trips = std::ceil(k_ / t.k);
  const double waited = t.stages >= 3 || trips < 2 ? 0 : trips * kLatency * (t.stages < 2 ? 1 : 0.3);
  const double longest = std::max({multiplied, read, copied, loading(t)}) + kInTheWay * (read + copied);
  return waves * (longest + stored + waited + trips * kTurn) + kFirstLoad + kLastStore;
}

double ProductFormula::ofSlowRows(const ProductTile& t) const {
  const double tiles = tilesOf(t), waves = std::ceil(tiles / multiprocessors_);
  const double active = std::min(tiles, multiprocessors_) / multiprocessors_;
  const double multiplied = kProductsThere * 2 * t.m * t.n * k_ / flops_;
  const double loaded = kRowsOfAll * active * loading(t, kOfA);
  const double both = std::pow(std::pow(multiplied, kSharpness) + std::pow(loaded, kSharpness), 1 / kSharpness);
  const double trips = std::ceil(k_ / t.k);
  const double waited = t.stages >= 3 || trips < 2 ? 0 : trips * kLatency * (t.stages < 2 ? 1 : 0.3);
  const double stored = kStoresThere * t.m * t.n * resultBytes_ * active / memoryBytes_;
  return kBesideThere + (t.blocksOfA * t.blocksOfB > 1 ? kClusterLater : 0) +
         waves * (both * (t.m > t.ownM ? 1 : kOneProduct) + stored + waited);
}

double ProductFormula::microseconds(const ProductTile& t) const {
  if (warpgroups_) return ofWarpgroups(t);
  const double blocks = std::ceil(m_ / t.m) * std::ceil(n_ / t.n) * batch_;
  const double each = std::ceil(blocks / multiprocessors_);
  const double tileRows = operandsOfRows_ * t.m + operandsOfColumns_ * t.n;  // of all operands
  const double fit =
      std::min(sharedOfAll_ / (t.stages * tileRows * t.k * elementBytes_ + 1024), threadsOfAll_ / t.threads);
  const double resident = std::clamp(std::floor(fit), 1.0, each);
  // Four schedulers want a warp each, and two of them hide what one waits for.
  const double busy = std::min(1.0, t.threads / 32 * resident / 8);
  const double multiplied = 2 * t.m * t.n * k_ / (flops_ * (0.5 + 0.5 * busy));
  const double readAgain =
      t.m * t.n * (operandsOfColumns_ / t.ownM + operandsOfRows_ / t.ownN) * k_ * elementBytes_ / sharedBytes_;
  const double copied = tileRows * k_ * elementBytes_ / l2Bytes_;
  const double stored = t.m * t.n * resultBytes_ / memoryBytes_;
  const double longest = std::max({multiplied, readAgain, copied}) + kInTheWay * (readAgain + copied);
  // While a block stores, others multiply; but not those of the last turn, which all store at its end.
  const double beside = resident > 1 ? each - resident : 0;
  const double trips = std::ceil(k_ / t.k);
  // Without a ring every trip waits for its copies; with two slots a part of that is left.
  const double waited = t.stages >= 3 || trips < 2 ? 0 : trips * kLatency * (t.stages < 2 ? 1 : 0.3);
  const double turns = std::ceil(each / resident);
  const double summed =
      parts_ > 1 ? kNextKernel + m_ * n_ * (parts_ + 1) * resultBytes_ / (memoryBytes_ * multiprocessors_) : 0;
  return beside * std::max(longest, stored) + (each - beside) * (longest + stored) +
         turns * (2 * kLatency + waited + trips * kTurn) + summed;
}

}  // namespace loom::tune
