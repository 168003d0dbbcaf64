#include "app/panels/roofline/view/roofline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loom::session {

namespace {

// FLOP/B that the axis begins at: a multiply-add whose operands, sum and result are wavefronts of 128 B each.
constexpr double kFewest = 2.0 / (4 * 128);
constexpr int kDecades = 8;  // of TFLOP/s at most

double tflopsOf(double flops, double microseconds) { return flops / microseconds * 1e-6; }

// FLOP/B of a product that moves each of its elements once.
double onceMoved(const gpu::Matmul& p) {
  const auto matrices = [&](const gpu::MatrixPlaces& places) { return places.batch == 0 ? 1 : p.batch; };
  const double factors = double(matrices(p.placesA()) * p.m * p.k + matrices(p.placesB()) * p.k * p.n);
  const double bits = factors * p.input.bits + double(p.results()) * p.output.bits;
  return p.flops() / (bits / 8);
}

// Times are known at once, bytes come one state after another: of points only whole decades count, so that the axes
// stay.
void findAxes(RooflineView& v, const RooflineInput& input) {
  double least = 1, fastest = 0, slowest = std::numeric_limits<double>::max();
  for (const double microseconds : input.measured)
    if (v.flops > 0 && microseconds > 0) least = std::min(least, tflopsOf(v.flops, microseconds));
  for (const Ceiling& c : v.ceilings) {
    if (c.traffic) {
      slowest = std::min(slowest, c.rate.value);
    } else {
      fastest = std::max(fastest, c.rate.value);
    }
  }
  v.highY = std::log10(std::max(10.0, 1.6 * fastest));
  // What is far slower stands at the edge: it would leave the others no room.
  v.lowY = std::max(std::floor(std::log10(least)), std::floor(v.highY) - kDecades);
  v.lowX = std::log10(kFewest / 1.3);
  double most = 100;
  if (fastest > 0 && slowest < std::numeric_limits<double>::max())
    most = std::max(most, 1.5 * fastest / slowest * 1000);
  if (input.matmul) most = std::max(most, 1.6 * onceMoved(*input.matmul));
  v.highX = std::log10(most);
  for (const RooflineView::Point& p : v.points) {
    for (int link = 0; link < kTraffics; ++link) {
      if (!p.has(Traffic(link))) continue;
      const double reach = std::log10(v.intensity(p, Traffic(link)));
      if (reach < v.lowX) v.lowX = std::floor(reach);
      if (reach > v.highX) v.highX = std::ceil(reach);
    }
  }
}

}  // namespace

RooflineView RooflineView::of(const RooflineInput& input) {
  RooflineView v;
  if (input.device) v.ceilings = ceilingsOf(*input.device, input.matmul);
  // Of a product, what it computes; work done twice is no throughput.
  v.flops = input.matmul ? input.matmul->flops() : 0;
  for (const RooflineInput::State& state : input.states)
    if (!input.matmul) v.flops = std::max(v.flops, state.flops);
  for (const RooflineInput::State& state : input.states) {
    if (v.flops <= 0 || state.microseconds <= 0) continue;
    v.points.push_back({state.node, tflopsOf(v.flops, state.microseconds), state.isPredicted,
                        input.isCompiled ? state.compiled : state.written, 0});
    // The roof is a rate at which L2 delivers.
    RooflineView::Point& point = v.points.back();
    double& asked = point.bytes[std::size_t(Traffic::kL2)].value;
    if (state.servedTogether <= 0 || state.servedTogether >= asked) continue;
    asked -= state.servedTogether;
    point.servedTogether = state.servedTogether;
  }
  std::sort(v.points.begin(), v.points.end(), [](const Point& a, const Point& b) { return a.node < b.node; });
  if (input.vendorMicroseconds > 0 && v.flops > 0) v.vendor = tflopsOf(v.flops, input.vendorMicroseconds);
  findAxes(v, input);
  return v;
}

const RooflineView::Point* RooflineView::find(int node) const {
  const auto found = std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.node == node; });
  return found == points.end() ? nullptr : &*found;
}

double RooflineView::intensity(const Point& point, Traffic link) const {
  return flops / point.bytes[std::size_t(link)].value;
}

bool RooflineView::isAbove(const Point& point, Traffic link) const {
  return point.has(link) && std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) {
           return c.traffic == link && c.isBelow(intensity(point, link), point.tflops);
         });
}

double RooflineView::highestPeak() const {
  double highest = 0;
  for (const Ceiling& c : ceilings)
    if (!c.traffic) highest = std::max(highest, c.rate.value);
  return highest;
}

double RooflineView::ridge(Traffic link, double tflops) const {
  for (const Ceiling& c : ceilings)
    if (c.traffic == link) return tflops / c.rate.value * 1000;
  return 0;
}

double RooflineView::lowestWith(double tflops) const {
  const double low = tflops > 0 ? std::min(lowY, std::floor(std::log10(tflops))) : lowY;
  return std::max(low, std::floor(highY) - kDecades);
}

std::optional<NearestRoof> RooflineView::nearestRoof(const Point& point, const PerformanceView& kernel) const {
  NearestRoof nearest;
  for (const Ceiling& c : ceilings) {
    const bool own = !c.traffic && c.name == kernel.peak;
    if (!own && (!c.traffic || !point.has(*c.traffic))) continue;
    // Memory and L2 serve however many ask; the rest is each multiprocessor's own.
    const double part = own ? kernel.share * kernel.filled : c.traffic == Traffic::kShared ? kernel.share : 1;
    const double roof = part * (own ? c.rate.value : c.at(intensity(point, *c.traffic)));
    if (roof > 0 && point.tflops / roof > nearest.share) nearest = {&c, roof, point.tflops / roof};
  }
  return nearest.ceiling ? std::optional(nearest) : std::nullopt;
}

}  // namespace loom::session
