#include "core/tune/rules/construct.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/model/duration_text.h"
#include "core/model/product_rate.h"
#include "core/tune/rules/product_formula.h"
#include "core/tune/rules/warpgroup_builder.h"
#include "core/tune/space/descent.h"

namespace loom::tune {

namespace {

constexpr double kWantedStages = 3;  // that a tile leaves room for
// Of a row along k, against a power of two more or less: 1001×777×555 in float16, 160 threads that copy single elements
// of 64 columns, 29.6 µs, of 32 columns 17.1 (H200, measured for this project, 2026-11).
constexpr double kTurnedColumns = 2;
// Microseconds for each element that a thread copies of an operand that doesn't lie as a matrix, one after the other:
// divisions, a load, a store; with fewer divisions less. As the model counts machine code of convolutions, channels
// first, of 4 × 64 × 58 × 58, 8 × 256 × 16 × 16 and 8 × 3 × 229 × 229; on an H200 such kernels took 1.06 to 1.27 times
// as long as it predicts (measured for this project, 2026-11-28).
constexpr double kScattered = 0.02;
// The same where it does lie as a matrix, in rows of which no two elements are aligned: 1001 × 1003 × 1005 in float16
// took 39.7 µs where each of 128 threads copies 1508 elements (H200, measured for this project, 2026-11-29).
constexpr double kSingle = 0.02, kStepOfSingle = 64;
// Elements along k of a tile of lanes, and what a slice of it has at least. In float32, 2048 × 2048 × 2048, 8 took 359
// µs, 16 403 to 421, 4 437; 4096 × 4096 × 1024 688, 788 to 806, 867; 1000 × 1200 × 300 in two slices 25.6, and with
// 16 33.4 to 36.9; 777 × 1001 × 555 38.0, with 16 40.7 to 44.8 (H200, measured for this project, 2026-11-28).
constexpr double kLaneTileK = 8, kLeastOfSlice = 4;
// The same of blocks that each sum a part of k, of which fewer elements weren't measured: 512 × 512 × 4096 took 61.3
// µs, cuBLASLt 55.
constexpr double kTileKOfParts = 16;
// Of slots, or powers of two of a tile along k, that one more or less is worth: turns that are written out. Of the sum
// of (a - b)², 1000 × 1200 × 300, four slots of 16 took 57.6 µs, three of 8 with turns 43.5 (H200, measured for this
// project, 2026-11-28).
constexpr double kNoTurns = 1.5;
// Blocks for each multiprocessor that sum up parts, of some 256 threads each.
constexpr double kBlocksOfSum = 4;
// Results of a thread along each axis, and elements of a tile along each, that a construction begins with.
constexpr double kNeighbours = 4, kTile = 32;

// What a multiprocessor does in a second.
struct Rates {
  double multiprocessors = 1, flops = 1e12, bytes = 1e11;
};

// `bits` of a factor that tensor cores multiply; 0 for CUDA cores.
Rates ratesOf(const model::Device& device, int bits) {
  using enum model::Quantity;
  Rates rates;
  const auto value = [&](model::Quantity q) { return device.value(q).value_or(0); };
  rates.multiprocessors = std::max(1.0, value(Multiprocessors));
  double tflops = bits > 0 ? model::warpPeak(device, bits).value_or(0) : value(Fp32Tflops);
  if (tflops <= 0) tflops = bits > 0 ? 8 * std::max(1.0, value(Fp32Tflops)) : 10;
  double gigabytes = value(L2GbPerS);
  if (gigabytes <= 0) gigabytes = 2.5 * std::max(100.0, value(MemoryGbPerS));
  rates.flops = tflops * 1e12 / rates.multiprocessors;
  rates.bytes = gigabytes * 1e9 / rates.multiprocessors;
  return rates;
}

class TileBuilder : public WarpgroupBuilder {
 public:
  using WarpgroupBuilder::WarpgroupBuilder;

  Result<Construction> run() {
    auto first = Descent(space_, pins_, &residuals_).first();
    if (!first) return Failure(first.error());
    if (!*first)
      return fail("NoSchedule",
                  message("the sketch {} has no schedule: its constraints exclude each other", sketch_.name));
    known_ = **first;
    if (has("i.warpgroups")) {
      buildWarpgroupTile();
    } else if (has("i.frags")) {
      buildTensorTile();
    } else if (has("i.lanes")) {
      buildLaneTile();
    } else if (has("i.inner")) {
      buildThreadTile();
    }
    buildForMemory();
    buildRest();
    made_.assignment = known_;
    return std::move(made_);
  }

 private:
  // Of CUDA cores, which do several instructions for a multiplication and an addition where the sum is of more.
  Rates ratesOfCores() const {
    Rates rates = ratesOf(device_, 0);
    rates.flops /= double(std::max<std::int64_t>(1, quantity("instructions")));
    return rates;
  }

  // Microseconds for one element along k of all tiles that a multiprocessor gets, if it computes at its peak and reads
  // its operands from the L2 cache: the larger part, and a part of the smaller one, which is never hidden entirely.
  double tileCost(double m, double n, double extentM, double extentN, double batch, double elementBytes,
                  const Rates& rates) const {
    const double blocks = std::ceil(extentM / m) * std::ceil(extentN / n) * batch;
    const double waves = std::ceil(blocks / rates.multiprocessors);
    const double computing = 2 * m * n / rates.flops, copying = (m + n) * elementBytes / rates.bytes;
    return 1e6 * waves * (std::max(computing, copying) + 0.3 * std::min(computing, copying));
  }

  // What a step along k takes, in µs, beside what it took with another tile: of two formulas that weigh it, this is the
  // simpler one.
  static Message stepReason(double now, double before, const Rates& rates, const Message& other) {
    const std::string time = model::durationText(now), was = model::durationText(before);
    const auto all = std::int64_t(rates.multiprocessors);
    if (readsLess(now, before))
      return message("a step along k takes {} on {} multiprocessors instead of {} with {}", time, all, was, other);
    if (time == was) return message("a step along k takes {} on {} multiprocessors, as with {}", time, all, other);
    return message(
        "a step along k takes {} on {} multiprocessors, {} with {}: how often shared memory is read and how "
        "many warps there are count, too",
        time, all, was, other);
  }

  void buildTensorTile() {
    const double elementBytes = bytesOfElement();
    const Rates rates = ratesOf(device_, int(quantity("element.bits")));
    const double batch = double(quantity("batch")), m = double(quantity("extent.m")), n = double(quantity("extent.n"));
    if (has("shape.m") && pin({"shape.m", "shape.n"}, {16, 16}))
      say({"shape.m", "shape.n"}, message("the matrix instruction multiplies 16 × 16"),
          message("a square tile reads least: {} elements a step along k", 32));
    const double unitM = has("shape.m") ? double(now("shape.m")) : 16,
                 unitN = has("shape.n") ? double(now("shape.n")) : 16;
    const double before = tileCost(unitM, unitN, m, n, batch, elementBytes, rates);
    const ProductFormula formula(sketch_, device_);
    const double stepK = std::min(128 / elementBytes, double(quantity("extent.k")));
    const std::vector<std::string> names = {"i.warps", "i.frags", "j.warps", "j.frags"};
    const CopiedSingly a = copiedSingly("a"), b = copiedSingly("b");
    double best = 0;
    choose(names, [&](const std::vector<std::int64_t>& v) {
      const double warpM = unitM * double(v[1]), warpN = unitN * double(v[3]), warps = double(v[0] * v[2]);
      const double tileM = warpM * double(v[0]), tileN = warpN * double(v[2]), threads = 32 * warps;
      const double ofBusiest = std::ceil(std::ceil(m / tileM) * std::ceil(n / tileN) * batch / rates.multiprocessors);
      // Eight warps fill the schedulers; where no multiprocessor gets a second block, its one may have more.
      if (warps > (ofBusiest <= 1 ? 16 : 8)) return -1.0;
      const double cost = formula.microseconds({tileM, tileN, stepK, warpM, warpN, threads, kWantedStages}) +
                          ofBusiest * (a.microseconds(tileM, threads) + b.microseconds(tileN, threads));
      // Warps read fragments from shared memory: as few as can be; and four schedulers want a warp each.
      const double fragments = (warpM + warpN) / (warpM * warpN);
      return cost * (1 + 2 * fragments) * (warps < 4 ? 1 + 0.15 * (4 - warps) : 1);
    });
    best = tileCost(double(quantity("tile.m")), double(quantity("tile.n")), m, n, batch, elementBytes, rates);
    say(names,
        message("a block computes {} × {} results with {} × {} warps", quantity("tile.m"), quantity("tile.n"),
                now("i.warps"), now("j.warps")),
        stepReason(best, before, rates, message("one tile of the instruction")));
    const std::int64_t k = quantity("unit.k");
    const std::int64_t before0 = quantity("trips");
    choose({"k.inner"}, [&](const std::vector<std::int64_t>& v) {
      const double bytes = double(v[0] * k) * elementBytes;
      const double trips = double(quantity("extent.k")) / double(v[0] * k);
      // Rows of 128 bytes fill the banks once, and no swizzle fits what isn't a power of two: c1d on an H200, 96 bytes
      // 6.2 µs, 64 bytes 2.8. A pipeline wants some trips, or else none at all.
      const bool swizzles = std::has_single_bit(std::uint64_t(bytes));
      return std::abs(std::log2(bytes / 128)) + (trips > 1 && trips < 4 ? 4 / trips : 0) + (bytes > 128 ? 2 : 0) +
             (swizzles ? 0 : 1) + (copiesInColumns(v[0] * k) ? 0 : kTurnedColumns);
    });
    sayElementsAlongK(before0);
    buildStages(4);
    if (has("epilogue") && formula.storing() > formula.multiplying() && pin({"epilogue"}, {1}))
      say({"epilogue"}, message("results go through shared memory and are stored in whole rows"),
          message("storing a result takes {} of a multiprocessor, its sum {}",
                  model::durationText(1e-3 * formula.storing()), model::durationText(1e-3 * formula.multiplying())));
    buildLayouts();
  }

  // How an operand is copied where it goes through registers one by one.
  struct CopiedSingly {
    bool is = false, scattered = false, turned = false;
    double alongK = 0;  // elements of each row

    // Microseconds in which so many threads copy the operand's part of a block, `row` elements of it along m or n; 0
    // where it is copied beside the products.
    double microseconds(double row, double threads) const {
      if (!is) return 0;
      const double each = row * alongK / threads;
      // Threads that don't divide a step of 64 along k want another step, which meets banks, or is long.
      if (!scattered) return kSingle * each * (std::fmod(kStepOfSingle * row, threads) == 0 ? 1 : 2);
      if (!turned) return 2 * kScattered * each;
      // Rows along m or n: what threads copy at a time lies in one step along k, which is known when the kernel is
      // compiled; or else a thread stays in one column at least.
      const double share = std::fmod(row, threads) == 0 ? 0.4 : std::fmod(threads, row) == 0 ? 1 : 2;
      return share * kScattered * each;
    }
  };

  CopiedSingly copiedSingly(const std::string& operand) const {
    const std::string vector = operand + ".vector";
    return {has(vector) && valuesOf(vector).back() * quantity("element.bits") < 32,
            quantity(operand + ".scattered") != 0, quantity(operand + ".turned") != 0, double(quantity("extent.k"))};
  }

  // Whether each thread copies elements of one column of a tile with so many along k: then its addresses, and what
  // guards them, go in equal steps from one of its elements to the next.
  bool copiesInColumns(std::int64_t row) const {
    return std::ranges::all_of(std::initializer_list<std::string>{"a", "b"}, [&](const std::string& operand) {
      return !has(operand + ".vector") || quantity(operand + ".turned") == 1 ||
             quantity("threads") * valuesOf(operand + ".vector").back() % row == 0;
    });
  }

  // Whether so many instructions on elements may be written out, so that a turn for each slot can be. Matrix
  // instructions are few.
  bool fitsTurns(double written) const { return written == 0 || written <= double(quantity("written.limit")); }

  // Tiles along k at a time, as near to `wanted` as there may be; then what makes a turn of such a loop short.
  void buildStages(std::int64_t wanted) {
    if (!has("stages")) return;
    const std::int64_t one = quantity("shared");
    const double written = double(quantity("written"));  // of a tile along k
    choose({"stages"}, [&](const std::vector<std::int64_t>& v) {
      return double(std::abs(v[0] - wanted)) + (v[0] > wanted ? 1 : 0) +
             (fitsTurns(double(v[0]) * written) ? 0 : kNoTurns);
    });
    say({"stages"}, message("{} tiles along k are on their way or used", now("stages")),
        message("{} of {} bytes of shared memory, {} with one tile", quantity("shared"), quantity("shared.limit"),
                one));
    std::vector<std::string> names;
    for (const char* name : {"ahead", "turns"})
      if (has(name) && pin({name}, {1})) names.push_back(name);
    if (!names.empty())
      say(names, message("operands are read ahead of the barrier, slots are constants"),
          message("a turn begins with what is in registers; {} turns in an iteration",
                  has("turns") && now("turns") == 1 ? now("stages") : 1));
  }

  void buildLayouts() {
    std::vector<std::string> names;
    for (const char* name : {"a", "b"}) {
      const std::string swizzle = std::string(name) + ".swizzle", pad = std::string(name) + ".pad";
      if (has(swizzle) && pin({swizzle, pad}, {1, 0})) {
        names.push_back(swizzle);
      } else if (has(pad)) {
        choose({pad}, [](const std::vector<std::int64_t>& v) { return -double(v[0]) + 1000; });
        names.push_back(pad);
      }
    }
    if (has("c.pad") && (!has("epilogue") || now("epilogue") == 1) && pin({"c.pad"}, {8})) names.push_back("c.pad");
    if (!names.empty())
      say(names, message("rows in shared memory are swizzled or padded"),
          message("8 rows reach all banks in 1 turn instead of {}", 8));
  }

  void buildThreadTile() {
    const double elementBytes = bytesOfElement();
    const Rates rates = ratesOfCores();
    const double batch = double(quantity("batch")), m = double(quantity("extent.m")), n = double(quantity("extent.n"));
    const double before =
        tileCost(double(quantity("tile.m")), double(quantity("tile.n")), m, n, batch, elementBytes, rates);
    const std::vector<std::string> names = {"i.parts", "i.threads", "i.inner", "j.parts", "j.threads", "j.inner"};
    choose(names, [&](const std::vector<std::int64_t>& v) {
      const double ownM = double(v[0] * v[2]), ownN = double(v[3] * v[5]), threads = double(v[1] * v[4]);
      if (threads < 64 || threads > 256 || ownM * ownN > 64) return -1.0;
      // A thread reads its operands from shared memory: as few as can be for each multiplication.
      const double reads = (ownM + ownN) / (ownM * ownN);
      const double blocks = std::ceil(m / (ownM * double(v[1]))) * std::ceil(n / (ownN * double(v[4]))) * batch;
      const double warps = std::max(1.0, blocks / rates.multiprocessors) * threads / 32;
      return tileCost(ownM * double(v[1]), ownN * double(v[4]), m, n, batch, elementBytes, rates) * (1 + 2 * reads) *
             (1 + 0.1 * std::max(0.0, 8 - warps));  // fewer warps hide no latency
    });
    say(names,
        message("a block computes {} × {} results with {} × {} threads", quantity("tile.m"), quantity("tile.n"),
                now("i.threads"), now("j.threads")),
        stepReason(tileCost(double(quantity("tile.m")), double(quantity("tile.n")), m, n, batch, elementBytes, rates),
                   before, rates, message("the smallest tile")));
    const std::int64_t trips = quantity("trips");
    choose({"k.inner"}, [](const std::vector<std::int64_t>& v) { return std::abs(std::log2(double(v[0]) / 16)); });
    sayElementsAlongK(trips);
    buildStages(3);
  }

  void buildLaneTile() {
    const double elementBytes = bytesOfElement();
    const Rates rates = ratesOfCores();
    const double cluster = double(std::max<std::int64_t>(1, quantity("cluster")));
    const double batch = cluster * double(quantity("batch")), m = double(quantity("extent.m")),
                 n = double(quantity("extent.n"));
    const double before =
        tileCost(double(quantity("tile.m")), double(quantity("tile.n")), m, n, batch, elementBytes, rates);
    std::vector<std::string> names = {"i.warps", "i.groups", "i.lanes", "i.elements",
                                      "j.warps", "j.groups", "j.lanes", "j.elements"};
    if (has("slices")) names.push_back("slices");
    const ProductFormula formula(sketch_, device_);
    choose(names, [&](const std::vector<std::int64_t>& v) {
      const double ownM = double(v[1] * v[3]), ownN = double(v[5] * v[7]), slices = v.size() > 8 ? double(v[8]) : 1;
      const double warps = double(v[0] * v[4]) * slices;
      if (v[2] * v[6] != 32 || warps < 2 || warps > 8 || ownM * ownN > 64) return -1.0;
      // A lane reads its operands from shared memory: as few as can be for each multiplication.
      const double reads = (ownM + ownN) / (ownM * ownN);
      const double tileM = ownM * double(v[0] * v[2]), tileN = ownN * double(v[4] * v[6]);
      const double blocks = std::ceil(m / tileM) * std::ceil(n / tileN) * batch;
      const double resident = std::max(1.0, blocks / rates.multiprocessors) * warps;
      // Of the lanes' own rows and columns, those of a warp together are read: a square reads least.
      const double shape = double(v[2]) * ownM / (double(v[6]) * ownN);
      return formula.microseconds({tileM, tileN, 16, ownM, ownN, 32 * warps, kWantedStages}) * (1 + 2 * reads) *
             (1 + 0.1 * std::max(0.0, 8 - resident)) * (1 + 0.01 * std::abs(std::log2(shape))) * (1 + 0.002 * slices);
    });
    say(names,
        message("a block computes {} × {} results with {} × {} threads", quantity("tile.m"), quantity("tile.n"),
                now("i.warps") * now("i.lanes"), now("j.warps") * now("j.lanes")),
        stepReason(tileCost(double(quantity("tile.m")), double(quantity("tile.n")), m, n, batch, elementBytes, rates),
                   before, rates, message("the smallest tile")));
    const std::int64_t trips = quantity("trips"), slices = has("slices") ? now("slices") : 1;
    const double ofStep = double(quantity("written")) / double(now("k.inner"));
    choose({"k.inner"}, [&](const std::vector<std::int64_t>& v) {
      const double wanted =
          quantity("parts") > 1 ? kTileKOfParts : std::max(kLaneTileK, kLeastOfSlice * double(slices));
      const double powers = std::log2(double(v[0] * slices) / wanted);
      return std::abs(powers) + (powers < 0 ? 0.1 : 0) + (fitsTurns(3 * double(v[0]) * ofStep) ? 0 : kNoTurns);
    });
    sayElementsAlongK(trips);
    buildStages(4);
  }

  // Where memory binds a block: neighbours as many as an access has, and tiles of whole lines. The model is asked for
  // better ones.
  void buildForMemory() {
    for (const Decision& d : space_.decisions) {
      const auto prefixBefore = [&](std::string_view end) {
        return d.name.ends_with(end) ? d.name.substr(0, d.name.size() - end.size()) : "-";
      };
      const auto near = [](std::int64_t value, double wanted) { return std::abs(std::log2(double(value) / wanted)); };
      if (const std::string prefix = prefixBefore("x.results"); prefix != "-") {
        std::vector<std::string> names = {d.name};
        for (const char* name : {"y.results", "window.whole"})
          if (has(prefix + name)) names.push_back(prefix + name);
        choose(names, [&](const std::vector<std::int64_t>& v) {
          double cost = 0;
          for (std::size_t n = 0; n < v.size(); ++n)
            cost += names[n].ends_with("whole") ? double(1 - v[n]) : near(v[n], kNeighbours);
          return cost;
        });
        say(names,
            message("a thread makes {} neighbouring results",
                    now(names.front()) * (names.size() > 1 && names[1].ends_with("results") ? now(names[1]) : 1)),
            message("what several of them read is loaded once"));
      } else if (const std::string of = prefixBefore("tile.x"); of != "-") {
        const std::vector<std::string> names = {of + "threads", of + "tile.x", of + "tile.y"};
        choose(names, [&](const std::vector<std::int64_t>& v) {
          const auto beyond = [](double extent, double tile) { return std::ceil(extent / tile) * tile / extent - 1; };
          return near(v[0], 256) / 2 + near(v[1], kTile) + near(v[2], kTile) +
                 4 * beyond(double(quantity(of + "extent.x")), double(v[1])) +
                 4 * beyond(double(quantity(of + "extent.y")), double(v[2]));
        });
        say(names, message("a tile has {} × {} elements", now(of + "tile.y"), now(of + "tile.x")),
            message("rows of both sides of it are whole lines of memory"));
      }
    }
  }

  // By the widest of all copies.
  void sayVectors(const std::vector<std::string>& vectors) {
    if (vectors.empty()) return;
    std::int64_t most = 1, least = INT64_MAX;
    for (const std::string& name : vectors) most = std::max(most, now(name)), least = std::min(least, now(name));
    if (most == 1)
      return say(vectors, message("copies take single elements"),
                 message("no vector of them goes with the tiles and threads"));
    say(vectors, message("copies take the widest vectors"),
        least == most ? message("{} elements at a time instead of 1", most)
                      : message("{} to {} elements at a time", least, most));
  }

  // What is left: the widest vectors, no epilogue through shared memory, unrolled loops, rows of blocks together.
  void buildRest() {
    std::vector<std::string> vectors, others;
    for (const Decision& d : space_.decisions) {
      if (pins_.isPinned(indexOf(d.name)) && d.values.size() > 1) continue;
      const bool vector = d.name.ends_with("vector");
      const auto wish = [&](std::int64_t v) -> double {
        if (vector) return -double(v);
        if (d.name == "raster") return std::abs(double(v) - 8);
        if (d.name.ends_with("threads")) return std::abs(std::log2(double(v) / 256));
        if (d.name.ends_with(kSumParts)) {
          const std::string of = d.name.substr(0, d.name.size() - kSumParts.size());
          const double wanted = kBlocksOfSum * double(quantity(of + "multiprocessors"));
          return std::abs(std::log2(double(v) * double(quantity(of + "sum.blocks")) / wanted));
        }
        const std::string threads = d.name.ends_with("rows") ? d.name.substr(0, d.name.size() - 4) + "threads" : "";
        if (has(threads)) return std::abs(std::log2(double(v) * double(now(threads)) / 256));
        if (d.name.ends_with(".across")) return std::abs(std::log2(double(v) / 8));
        if (d.name == "lanes.beside") return std::abs(std::log2(double(v) / 2));
        if (d.name == "c.pad") return double(v);
        // Lanes read whole vectors of a row: only what is turned on its way there meets banks twice.
        if (d.name.ends_with(".pad") && has("i.lanes"))
          return has(d.name.substr(0, d.name.find('.')) + ".across") ? -double(v) : double(v);
        if (d.name == "unroll" || d.name == "serpentine" || d.name.ends_with(".pad")) return -double(v);
        return double(v);
      };
      if (!choose({d.name}, [&](const std::vector<std::int64_t>& v) { return 1e9 + wish(v[0]); })) continue;
      if (vector) vectors.push_back(d.name);
      if (d.name.ends_with("threads") || d.name == "raster" || d.name.ends_with("rows")) others.push_back(d.name);
    }
    sayVectors(vectors);
    if (!others.empty())
      say(others, message("threads and the order of blocks"), message("{} is {}", others.front(), now(others.front())));
  }
};

}  // namespace

Result<Construction> construct(const RulePlan& plan, int sketch, const model::Device& device, const Pins* pins) {
  auto made = TileBuilder(plan.sketches.at(std::size_t(sketch)), device, pins).run();
  if (made) made->sketch = sketch;
  return made;
}

}  // namespace loom::tune
