#include "core/tune/size_sweep.h"

#include <gmock/gmock.h>

#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"
#include "tests/session/with_workbench.h"

namespace loom::session::sweep_test {
namespace {

using document::assets;
using document::environment;

const model::Device& h200() {
  static const model::Device device = model::findDevice(model::loadDevices(assets()).value(), "h200").value();
  return device;
}

gpu::ProductSize cube(std::int64_t edge) { return {edge, edge, edge, ir::DType::Float(32), ir::DType::Float(32)}; }

// 32 × 32 blocks of 16 × 16 threads by None: adapts to any size.
const std::string kTiled = tests::scheduleText("tiles_of_any_product");
// All factors are typed.
const std::string kFixed = tests::scheduleText("rows_by_fixed_factors");

TEST(SweptSize, StepsAreReplayedAtTheSize) {
  const auto target = document::scheduled(kTiled);
  const tune::SweptSize size = tune::sweptSize(target.history, {target.history.current()}, cube(64), environment());
  ASSERT_EQ(size.states.size(), 1U);
  const tune::SweptState& s = size.states[0];
  ASSERT_TRUE(s.kernel && !s.kernel->problem);
  const auto& launch = s.kernel->source.launches.front();
  EXPECT_EQ(launch.grid[0], 4);
  EXPECT_EQ(launch.grid[1], 4);
  EXPECT_EQ(launch.block[0] * launch.block[1], 256);
  EXPECT_TRUE(s.guards.empty());
  EXPECT_EQ(size.product.m, 64);
  EXPECT_DOUBLE_EQ(size.tflops(1), 2.0 * 64 * 64 * 64 / 1e6);
}

TEST(SweptState, TakesThePredictionOfTheMachineCodeWithItsReason) {
  tune::SweptState state, compiled;
  state.unpredicted = verbatim("the program says too little");
  compiled.kernel = std::make_shared<const document::KernelText>();
  compiled.unpredicted = verbatim("the machine code says too little");
  compiled.registers = 32;
  state.takeCompiled(compiled);
  EXPECT_EQ(state.unpredicted.english(), "the machine code says too little");
  EXPECT_EQ(state.registers, 32);
  compiled.unpredicted = {};
  compiled.predicted = {7, true, {}};
  state.takeCompiled(compiled);
  EXPECT_TRUE(state.unpredicted.empty());
  ASSERT_TRUE(state.predicted);
  EXPECT_EQ(state.predicted->microseconds, 7);
  compiled.predicted.reset();
  compiled.unpredicted = verbatim("not again");
  state.takeCompiled(compiled);
  EXPECT_TRUE(state.unpredicted.empty()) << "what is predicted stays";
}

TEST(SweptSize, TheProgramsOwnSizeIsTheSameKernel) {
  const auto target = document::scheduled(kTiled);
  const int node = target.history.current();
  const tune::SweptSize size = tune::sweptSize(target.history, {node}, cube(32), environment());
  EXPECT_EQ(size.states[0].kernel->key, document::makeKernel(target.history.node(node).state).key)
      << "so that what was measured of the one holds for the other";
}

TEST(SweptSize, AGuardSaysInHowManyRunsItHolds) {
  const auto target = document::scheduled(kTiled);
  // 40 of 48 rows and 40 of 48 columns.
  const tune::SweptSize size = tune::sweptSize(target.history, {target.history.current()}, cube(40), environment());
  ASSERT_EQ(size.states[0].guards.size(), 1U);
  EXPECT_EQ(size.states[0].guards[0].block, "C");
  ASSERT_TRUE(size.states[0].guards[0].share);
  EXPECT_NEAR(*size.states[0].guards[0].share, 40.0 / 48 * 40 / 48, 1e-12);
  const auto notes = tune::notesOf(size, size.states[0]);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].kind, tune::SweptNote::Kind::kGuards);
  EXPECT_EQ(notes[0].what, "69.4");
}

TEST(SweptSize, GuardsOfLargeSizesAreKnownToo) {
  const auto target = document::scheduled(kTiled);
  const tune::SweptSize size = tune::sweptSize(target.history, {target.history.current()}, cube(4100), environment());
  ASSERT_EQ(size.states[0].guards.size(), 1U);
  ASSERT_TRUE(size.states[0].guards[0].share);
  EXPECT_NEAR(*size.states[0].guards[0].share, 4100.0 / 4112 * 4100 / 4112, 1e-12);
}

TEST(SweptSize, TheStepThatRefusesIsNamed) {
  auto target = document::scheduled(kFixed);
  const int fixed = target.history.current();
  const tune::SweptSize size = tune::sweptSize(target.history, {fixed, 0}, cube(64), environment());
  ASSERT_EQ(size.states.size(), 2U);
  ASSERT_TRUE(size.states[0].refusal) << "2 · 16 are fewer than 64";
  EXPECT_EQ(size.states[0].refusedNumber, 1);
  EXPECT_EQ(size.states[0].refusal->line, "i0, i1 = sch.split(i, [2, 16])");
  EXPECT_THAT(size.states[0].refusal->error.remedy.english(), testing::HasSubstr("None"));
  EXPECT_FALSE(size.states[1].refusal) << "the start has no steps";
  EXPECT_EQ(tune::notesOf(size, size.states[0])[0].kind, tune::SweptNote::Kind::kRefused);
  // Smaller, it is guarded instead.
  const tune::SweptSize small = tune::sweptSize(target.history, {fixed}, cube(20), environment());
  ASSERT_FALSE(small.states[0].refusal);
  EXPECT_NEAR(small.states[0].guards.at(0).share.value(), 20.0 / 32, 1e-12);
}

TEST(SweptSize, StatesOfOneBranchShareTheWay) {
  const auto target = document::scheduled(kTiled);
  const auto path = target.history.path(target.history.current());
  const tune::SweptSize size = tune::sweptSize(target.history, path, cube(16), environment());
  ASSERT_EQ(size.states.size(), path.size());
  for (const tune::SweptState& s : size.states) EXPECT_FALSE(s.refusal);
  EXPECT_FALSE(size.states.front().kernel->problem) << "one thread does all";
}

TEST(SweptSize, WhatIsNoProductHasNoSizes) {
  const std::string copy = tests::programText("vector_copy", {{"N", 8}, {"TYPE", "float32"}});
  const auto target = document::openFunction(copy, "copy.py");
  ASSERT_TRUE(target);
  const tune::SweptSize size = tune::sweptSize(target->history, {0}, cube(16), environment());
  ASSERT_TRUE(size.problem);
  EXPECT_EQ(size.problem->code, "NotAProduct");
  EXPECT_TRUE(size.states.empty());
}

TEST(SweptSize, TypesOfAnIntrinsicAreRefusedWhereItsTileIs) {
  auto lesson = document::openTarget({"tensor_core"}, assets(), environment());
  ASSERT_TRUE(lesson);
  const int node = lesson->chapterNodes[13];
  gpu::ProductSize size{1024, 1024, 1024, ir::DType::Float(16), ir::DType::Float(32)};
  EXPECT_FALSE(tune::sweptSize(lesson->history, {node}, size, environment()).states[0].refusal);
  size.input = ir::DType::BFloat(16);
  const tune::SweptSize refused = tune::sweptSize(lesson->history, {node}, size, environment());
  ASSERT_TRUE(refused.states[0].refusal);
  EXPECT_THAT(refused.states[0].refusal->line, testing::HasSubstr("tensorize"));
}

TEST(Predict, FollowsTheSize) {
  const auto target = document::scheduled(kTiled);
  double before = 0;
  for (std::int64_t edge : {256, 512, 1024}) {
    tune::SweptSize size = tune::sweptSize(target.history, {target.history.current()}, cube(edge), environment());
    predict(size.states[0], h200());
    ASSERT_TRUE(size.states[0].predicted) << size.states[0].unpredicted;
    EXPECT_FALSE(size.states[0].predicted->asCompiled);
    EXPECT_FALSE(size.states[0].predicted->how.empty());
    EXPECT_GT(size.states[0].predicted->microseconds, before * (edge > 256 ? 3 : 1)) << "eight times the work";
    before = size.states[0].predicted->microseconds;
    EXPECT_DOUBLE_EQ(size.states[0].flops, size.product.flops());
    ASSERT_TRUE(size.states[0].peak);
    EXPECT_EQ(size.states[0].peak->name, "fp32");
  }
}

TEST(Predict, WithoutADeviceItSaysWhy) {
  const auto target = document::scheduled(kTiled);
  tune::SweptSize size = tune::sweptSize(target.history, {target.history.current()}, cube(64), environment());
  predict(size.states[0], model::findDevice(model::loadDevices(assets()).value(), "no such"));
  EXPECT_FALSE(size.states[0].predicted);
  EXPECT_FALSE(size.states[0].unpredicted.empty());
}

class SweepOfWorkbench : public WithWorkbench {
 protected:
  SweepOfWorkbench() : WithWorkbench({64, 64, 64, "float32", "float32", false, false}, 20000) {
    const auto applied = bench_.edits().apply(tests::scheduleText("rows_of_threads"));
    node_ = applied.node;
  }
  int node_ = 0;
};

TEST_F(SweepOfWorkbench, ComesSizeBySizeInTheBackground) {
  EXPECT_EQ(bench_.sweep().result(), nullptr);
  bench_.sweep().start({{node_, 0}, *gpu::readSizes("128 32x64x16"), true});
  ASSERT_NE(bench_.sweep().result(), nullptr);
  EXPECT_TRUE(bench_.sweep().result()->running);
  EXPECT_EQ(bench_.sweep().result()->sizes.size(), 2U) << "known at once, so that nothing jumps";
  ASSERT_TRUE(wait([&] { return !bench_.sweep().result()->running; }));
  const tune::Sweep& sweep = *bench_.sweep().result();
  EXPECT_FALSE(sweep.cancelled);
  EXPECT_EQ(sweep.sizes[1].product.n, 64);
  EXPECT_EQ(sweep.sizes[0].product.input, ir::DType::Float(32)) << "the program's own types";
  for (const tune::SweptSize& size : sweep.sizes) {
    ASSERT_EQ(size.states.size(), 2U);
    EXPECT_TRUE(size.states[0].predicted) << size.states[0].unpredicted;
    EXPECT_FALSE(size.states[0].timed.result) << "there is no device";
    EXPECT_EQ(size.states[0].measured(), nullptr);
  }
  EXPECT_FALSE(sweep.device.empty());
}

TEST_F(SweepOfWorkbench, EndsWhereItIsCancelled) {
  bench_.sweep().start({{node_}, *gpu::readSizes("64 128 256 512"), true});
  bench_.cancel();
  EXPECT_FALSE(bench_.sweep().result()->running);
  EXPECT_TRUE(bench_.sweep().result()->cancelled);
  EXPECT_FALSE(bench_.activity().busy && bench_.activity().kind == BackgroundStatus::Kind::kSweeping);
  bench_.sweep().start({{node_}, *gpu::readSizes("16"), true});
  EXPECT_TRUE(wait([&] { return !bench_.sweep().result()->running; })) << "the next one is not disturbed";
  EXPECT_FALSE(bench_.sweep().result()->cancelled);
  EXPECT_TRUE(bench_.sweep().result()->sizes[0].states[0].kernel);
}

TEST_F(SweepOfWorkbench, IsGoneWithItsTarget) {
  bench_.sweep().start({{node_}, *gpu::readSizes("64 128"), true});
  bench_.documents().openMatmul({16, 16, 16});
  ASSERT_TRUE(wait([&] { return bench_.sweep().result() == nullptr; }));
}

TEST_F(SweepOfWorkbench, NothingChosenIsNoSweep) {
  bench_.sweep().start({{}, *gpu::readSizes("64"), true});
  bench_.sweep().start({{node_}, {}, true});
  EXPECT_EQ(bench_.sweep().result(), nullptr);
}

}  // namespace
}  // namespace loom::session::sweep_test
