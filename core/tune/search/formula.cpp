#include "core/tune/search/formula.h"

#include <algorithm>
#include <cmath>

namespace loom::tune {

namespace {

enum Of : std::size_t { TileM, TileN, TileK, OwnM, OwnN, Threads, Stages };
constexpr const char* kFormulaReads[] = {"tile.m", "tile.n", "tile.k", "own.m", "own.n", "threads", "stages"};

// What a block waits before its first product and after its last one: a load from memory and a barrier. About 800
// clocks at 1.7 GHz, as the first copies of our ladders take.
constexpr double kLatency = 0.5;

// A formula of a sketch that is one product of numbers and decisions; nothing if it is another one.
std::optional<Product> productOf(const std::string& formula, const Space& space) {
  Product product;
  std::size_t at = 0;
  while (at <= formula.size()) {
    const std::size_t end = std::min(formula.find('*', at), formula.size());
    const std::string word = formula.substr(at, end - at);
    if (word.empty()) return std::nullopt;
    if (word.find_first_not_of("0123456789") == std::string::npos) {
      product.coefficient *= std::stoll(word);
    } else if (const int d = decisionNamed(space, word); d >= 0) {
      product.decisions.push_back(d);
    } else {
      return std::nullopt;
    }
    at = end + 1;
  }
  std::ranges::sort(product.decisions);
  return product;
}

}  // namespace

FormulaTier::Rates FormulaTier::ratesOf(const model::Device& device, bool tensor, double elementBytes) {
  using enum model::Quantity;
  const auto value = [&](model::Quantity q, double otherwise) { return device.value(q).value_or(otherwise); };
  Rates r;
  r.multiprocessors = value(Multiprocessors, 1);
  r.clockMhz = value(ClockMhz, 1500);
  const double cores = value(Fp32Tflops, 10);
  const double tera = tensor ? value(elementBytes < 2 ? MmaS8Tops : MmaF16F32Tflops, 8 * cores) : cores;
  r.flops = tera * 1e6 / r.multiprocessors;
  r.sharedBytes = value(SharedBytesPerClock, 128) * r.clockMhz;
  const double memory = value(MemoryGbPerSMeasured, value(MemoryGbPerS, 300));
  r.l2Bytes = value(L2GbPerS, 2.5 * memory) * 1e3 / r.multiprocessors;
  r.memoryBytes = memory * 1e3 / r.multiprocessors;
  r.sharedOfAll = value(SharedPerMultiprocessor, 65536);
  r.threadsOfAll = value(ThreadsPerMultiprocessor, 1024);
  return r;
}

std::optional<FormulaTier> FormulaTier::of(const Sketch& sketch, const Diagram& diagram, const model::Device& device) {
  std::vector<Product> products;
  for (const char* name : kFormulaReads) {
    const auto quantity = std::ranges::find(sketch.quantities, name, &Quantity::name);
    if (quantity == sketch.quantities.end()) return std::nullopt;
    auto product = productOf(quantity->formula, sketch.space);
    if (!product) return std::nullopt;
    products.push_back(std::move(*product));
  }
  auto families = Families::of(diagram, Pins(diagram.space()), products);
  if (!families || families->all().empty()) return std::nullopt;
  FormulaTier tier(std::move(*families), std::move(products));
  // Sizes leave nothing open: any values do.
  Assignment any;
  for (const Decision& d : sketch.space.decisions) any.push_back(d.values.front());
  const auto size = [&](const char* name) { return double(quantityOf(sketch, name, any).value_or(0)); };
  tier.m_ = size("extent.m"), tier.n_ = size("extent.n"), tier.k_ = size("extent.k"), tier.batch_ = size("batch");
  tier.elementBytes_ = size("element.bytes"), tier.resultBytes_ = size("result.bytes");
  tier.rates_ = ratesOf(device, size("unit.k") > 1, tier.elementBytes_);
  const auto& all = tier.families_.all();
  for (std::size_t f = 0; f < all.size(); ++f) tier.ranked_.push_back({tier.formula(all[f].values), f});
  std::ranges::stable_sort(tier.ranked_, {}, &Ranked::microseconds);
  return tier;
}

double FormulaTier::formula(const std::vector<std::int64_t>& values) const {
  const auto of = [&](Of what) { return double(values[what]); };
  const double m = of(TileM), n = of(TileN), k = of(TileK), stages = of(Stages), threads = of(Threads);
  const double blocks = std::ceil(m_ / m) * std::ceil(n_ / n) * batch_;
  const double each = std::ceil(blocks / rates_.multiprocessors);  // of a multiprocessor
  const double fit =
      std::min(rates_.sharedOfAll / (stages * (m + n) * k * elementBytes_ + 1024), rates_.threadsOfAll / threads);
  const double resident = std::clamp(std::floor(fit), 1.0, each);
  // Four schedulers want a warp each, and two of them hide what one waits for.
  const double busy = std::min(1.0, threads / 32 * resident / 8);
  const double multiplied = 2 * m * n * k_ / (rates_.flops * (0.5 + 0.5 * busy));
  const double readAgain = m * n * (1 / of(OwnM) + 1 / of(OwnN)) * k_ * elementBytes_ / rates_.sharedBytes;
  const double copied = (m + n) * k_ * elementBytes_ / rates_.l2Bytes;
  const double stored = m * n * resultBytes_ / rates_.memoryBytes;
  const double longest = std::max({multiplied, readAgain, copied, resident > 1 ? stored : 0});
  const double trips = std::ceil(k_ / k);
  // Without a ring every trip waits for its copies; with two slots a part of that is left.
  const double waited = stages >= 3 || trips < 2 ? 0 : trips * kLatency * (stages < 2 ? 1 : 0.3);
  const double turns = std::ceil(each / resident);
  return each * longest + turns * (2 * kLatency + waited + (resident > 1 ? 0 : stored));
}

double FormulaTier::microsecondsOf(const Assignment& assignment) const {
  std::vector<std::int64_t> values;
  for (const Product& product : products_) {
    std::int64_t value = product.coefficient;
    for (int d : product.decisions) value *= assignment[std::size_t(d)];
    values.push_back(value);
  }
  return formula(values);
}

}  // namespace loom::tune
