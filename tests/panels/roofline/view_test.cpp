#include "app/panels/roofline/view/roofline.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/model/programs.h"

namespace loom::session::roofline_view_test {
namespace {

const model::Device& h200() {
  static const model::Device device = model::deviceNamed("h200");
  return device;
}

gpu::Matmul product() {
  gpu::Matmul m;
  m.m = m.n = m.k = 1024;
  m.input = ir::DType::Float(16);
  m.accumulator = m.output = ir::DType::Float(32);
  return m;
}

const double kFlops = product().flops();  // 2.1e9

// A state whose bytes over memory, L2 and shared memory are given; the machine code moves twice as many.
RooflineInput::State state(int node, double microseconds, std::array<double, kTraffics> bytes) {
  RooflineInput::State s;
  s.node = node;
  s.microseconds = microseconds;
  s.flops = kFlops;
  for (std::size_t link = 0; link < kTraffics; ++link) {
    s.written[link].value = bytes[link];
    s.compiled[link].value = 2 * bytes[link];
  }
  return s;
}

RooflineInput inputOf(std::vector<RooflineInput::State> states) {
  RooflineInput input;
  for (const auto& s : states) input.measured.push_back(s.microseconds);
  input.states = std::move(states);
  input.matmul = product();
  input.device = &h200();
  return input;
}

TEST(RooflineView, APointIsThroughputOverIntensity) {
  const RooflineInput input = inputOf({state(7, 100, {1e7, 4e7, 0}), state(3, 1000, {1e7, 8e7, 2e8})});
  const RooflineView view = RooflineView::of(input);
  ASSERT_EQ(view.points.size(), 2U);
  EXPECT_EQ(view.points[0].node, 3);  // by node, in whatever order they came
  const RooflineView::Point* point = view.find(7);
  ASSERT_NE(point, nullptr);
  EXPECT_NEAR(point->tflops, kFlops / 100e-6 * 1e-12, 1e-9);
  EXPECT_NEAR(view.intensity(*point, Traffic::kL2), kFlops / 4e7, 1e-9);
  EXPECT_FALSE(point->has(Traffic::kShared));
  EXPECT_TRUE(view.find(3)->has(Traffic::kShared));
  EXPECT_EQ(view.find(5), nullptr);
}

TEST(RooflineView, BytesAreThoseThatAreCounted) {
  RooflineInput input = inputOf({state(0, 100, {1e7, 4e7, 1e8})});
  const RooflineView written = RooflineView::of(input);
  input.isCompiled = true;
  const RooflineView compiled = RooflineView::of(input);
  EXPECT_DOUBLE_EQ(written.intensity(written.points[0], Traffic::kL2),
                   2 * compiled.intensity(compiled.points[0], Traffic::kL2));
}

TEST(RooflineView, WithoutAProductTheMostArithmeticOfAStateCounts) {
  RooflineInput input = inputOf({state(0, 100, {1e7, 0, 0}), state(1, 100, {1e7, 0, 0})});
  input.matmul.reset();
  input.states[1].flops = 3 * kFlops;
  const RooflineView view = RooflineView::of(input);
  EXPECT_DOUBLE_EQ(view.flops, 3 * kFlops);
  EXPECT_DOUBLE_EQ(view.points[0].tflops, view.points[1].tflops);  // both do the same work
  input.states.clear();
  EXPECT_EQ(RooflineView::of(input).flops, 0);
  EXPECT_TRUE(RooflineView::of(input).points.empty());
}

TEST(RooflineView, AxesHoldEveryStateOnEveryLink) {
  RooflineInput input = inputOf({state(0, 1e5, {1e7, 4e7, 1e8}), state(1, 50, {1e3, 4e7, 1e13})});
  const RooflineView view = RooflineView::of(input);
  for (const RooflineView::Point& p : view.points) {
    EXPECT_GE(std::log10(p.tflops), view.lowY);
    EXPECT_LE(std::log10(p.tflops), view.highY);
    for (Traffic link : {Traffic::kMemory, Traffic::kL2, Traffic::kShared}) {
      EXPECT_GE(std::log10(view.intensity(p, link)), view.lowX);
      EXPECT_LE(std::log10(view.intensity(p, link)), view.highX);
    }
  }
  EXPECT_GE(view.highY, std::log10(view.highestPeak()));
}

// Bytes come one state after another: what is there already must not move when they do.
TEST(RooflineView, AxesStayWhenModelsCome) {
  RooflineInput input = inputOf({state(0, 1e5, {1e7, 4e7, 1e8}), state(1, 50, {1e7, 3e7, 9e7})});
  const RooflineView all = RooflineView::of(input);
  input.states.pop_back();
  const RooflineView some = RooflineView::of(input);
  EXPECT_EQ(some.lowX, all.lowX);
  EXPECT_EQ(some.highX, all.highX);
  EXPECT_EQ(some.lowY, all.lowY);
  EXPECT_EQ(some.highY, all.highY);
}

TEST(RooflineView, WhatIsFarSlowerDoesNotSqueezeTheRest) {
  const RooflineView view = RooflineView::of(inputOf({state(0, 1e15, {1e7, 4e7, 1e8})}));
  EXPECT_EQ(view.lowY, std::floor(view.highY) - 8);
  EXPECT_LT(std::log10(view.points[0].tflops), view.lowY);
}

TEST(RooflineView, APreviewThatIsSlowerThanAllExtendsTheAxis) {
  const RooflineView view = RooflineView::of(inputOf({state(0, 100, {1e7, 4e7, 1e8})}));
  EXPECT_EQ(view.lowestWith(0), view.lowY);
  EXPECT_EQ(view.lowestWith(20), view.lowY);
  EXPECT_EQ(view.lowestWith(0.02), -2);
  EXPECT_EQ(view.lowestWith(1e-30), std::floor(view.highY) - 8);
}

TEST(RooflineView, DiagonalsMeetPeaksAtTheirRidge) {
  const RooflineView view = RooflineView::of(inputOf({}));
  const double peak = view.highestPeak();
  ASSERT_GT(peak, 0);
  for (const Ceiling& c : view.ceilings) {
    if (c.traffic) {
      EXPECT_NEAR(c.at(view.ridge(*c.traffic, peak)), peak, 1e-9 * peak) << c.name;
    }
  }
  RooflineInput unknown = inputOf({});
  unknown.device = nullptr;
  EXPECT_TRUE(RooflineView::of(unknown).ceilings.empty());
  EXPECT_EQ(RooflineView::of(unknown).ridge(Traffic::kL2, 10), 0);
}

TEST(RooflineView, AboveIsWhatIsFasterThanTheLinkAllows) {
  // 2.1e9 FLOP over 1e9 B are 2.1 FLOP/B: memory's 4300 GB/s allow 9 TFLOP/s of them, and the state has 21.
  const RooflineView view = RooflineView::of(inputOf({state(0, 100, {1e9, 1e7, 0})}));
  EXPECT_TRUE(view.isAbove(view.points[0], Traffic::kMemory));
  EXPECT_FALSE(view.isAbove(view.points[0], Traffic::kL2));
  EXPECT_FALSE(view.isAbove(view.points[0], Traffic::kShared));  // of which nothing is known
}

// 1e9 B at 9700 GB/s would take 103 µs, but a third of them is served together with what other blocks ask for.
TEST(RooflineView, WhatL2ServesTogetherIsNoTraffic) {
  RooflineInput input = inputOf({state(0, 90, {1e6, 1e9, 0})});
  EXPECT_TRUE(RooflineView::of(input).isAbove(RooflineView::of(input).points[0], Traffic::kL2));
  input.states[0].servedTogether = 1e9 / 3;
  const RooflineView view = RooflineView::of(input);
  EXPECT_FALSE(view.isAbove(view.points[0], Traffic::kL2));
  EXPECT_NEAR(view.intensity(view.points[0], Traffic::kL2), 1.5 * kFlops / 1e9, 1e-9);
  EXPECT_EQ(view.points[0].servedTogether, 1e9 / 3);
  // More than is counted can't be left out.
  input.states[0].servedTogether = 2e9;
  EXPECT_EQ(RooflineView::of(input).points[0].bytes[std::size_t(Traffic::kL2)].value, 1e9);
}

TEST(RooflineView, TheNearestRoofIsTheOneThatAllowsLeast) {
  const RooflineView view = RooflineView::of(inputOf({state(0, 100, {1e7, 2e8, 1e8})}));
  PerformanceView kernel;
  kernel.peak = "mma.sync f16→f32";
  const auto l2 = view.nearestRoof(view.points[0], kernel);
  ASSERT_TRUE(l2.has_value());
  EXPECT_EQ(l2->ceiling->name, "l2");  // 10.7 FLOP/B at 9700 GB/s
  EXPECT_NEAR(l2->tflops, kFlops / 2e8 * 9.7, 0.1);
  EXPECT_NEAR(l2->share, view.points[0].tflops / l2->tflops, 1e-12);
  // On a few multiprocessors the peak of their own units is nearer: memory and L2 are everyone's.
  kernel.share = 0.04;
  const auto own = view.nearestRoof(view.points[0], kernel);
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->ceiling->name, kernel.peak);
  EXPECT_NEAR(own->tflops, 0.04 * own->ceiling->rate.value, 1e-9);
}

TEST(RooflineView, TheVendorsLineIsOfTheSameArithmetic) {
  RooflineInput input = inputOf({});
  EXPECT_EQ(RooflineView::of(input).vendor, 0);
  input.vendorMicroseconds = 10;
  EXPECT_NEAR(RooflineView::of(input).vendor, kFlops / 10e-6 * 1e-12, 1e-9);
}

}  // namespace
}  // namespace loom::session::roofline_view_test
