#include "core/model/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>

#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::timeline_test {
namespace {

using Kind = TimelineAction::Kind;

const std::string kPadded = tests::scheduleText("padded_shared_tiles");

struct ModelledState {
  device::Program program;
  codegen::Source source;
  std::optional<compile::Binary> binary;
  std::optional<sass::Kernel> sass;
  KernelModel model;
};

// With machine code where there is a compiler and it is asked for.
std::unique_ptr<ModelledState> stateOf(device::Program program, bool compile = false) {
  auto s = std::make_unique<ModelledState>();
  s->program = std::move(program);
  s->source = codegen::generate(s->program);
  Machine machine;
  if (compile) {
    auto toolkit = compile::findToolkit(compile::defaultSearchPath());
    if (!toolkit || !toolkit->nvdisasm) return nullptr;
    auto compiler = compile::Compiler::load(*toolkit);
    if (!compiler) return nullptr;
    s->binary = (*compiler)->compile({s->source.text, "sm_90a", true, {}}).value();
    s->sass = sass::parse(compile::disassemble(*toolkit, *s->binary).value()).value().front();
    machine = {&s->binary->kernels.front(), &*s->sass, &s->source};
  }
  s->model = modelOf(s->program.kernels.front(), deviceNamed("h200"), machine);
  return s;
}

device::Program cudaCores(const std::string& name) {
  const std::string path = "tests/oracle/cases/lessons/fp32_" + name;
  return lowered(readText(path + ".func.py"), readText(path + ".sched.py"));
}

double sum(const TrackClocks& c) { return std::accumulate(c.begin(), c.end(), 0.0); }

// "[k_0_0 16: (Copy Copy Barrier) (Load Multiply)]", for people.
std::string shapeOf(const Timeline& t) {
  std::string text;
  std::vector<std::pair<int, char>> open;
  for (int i = 0; i <= int(t.items.size()); ++i) {
    while (!open.empty() && open.back().first <= i) {
      text += open.back().second;
      open.pop_back();
    }
    if (i == int(t.items.size())) break;
    const TimelineItem& x = t.items[std::size_t(i)];
    static const char* kNames[] = {"start", "copy", "load", "multiply", "store", "barrier"};
    if (!text.empty() && text.back() != '(' && text.back() != '[' && text.back() != '<') text += ' ';
    switch (x.kind) {
      case TimelineItem::Kind::Loop: text += x.var->name + " " + std::to_string(x.extent) + " ["; break;
      case TimelineItem::Kind::Phase: text += "("; break;
      case TimelineItem::Kind::Inner: text += std::to_string(x.extent) + "<"; break;
      case TimelineItem::Kind::Action: text += kNames[int(t.actions[std::size_t(x.index)].kind)]; break;
    }
    if (x.kind == TimelineItem::Kind::Action) continue;
    open.push_back({x.end, x.kind == TimelineItem::Kind::Loop ? ']' : x.kind == TimelineItem::Kind::Phase ? ')' : '>'});
  }
  return text;
}

// Every clock is somewhere, and what the pipes do is what the estimate counts.
void expectWhole(const ModelledState& s) {
  ASSERT_TRUE(s.model.timeline) << s.model.timeline.error().message.english();
  const Timeline& t = *s.model.timeline;
  const Estimate& e = *s.model.estimate;
  double phases = 0;
  for (const TimelinePhase& p : t.phases) phases += p.times * p.length();
  EXPECT_NEAR(phases, t.clocks, 1e-6 * t.clocks);
  EXPECT_NEAR(t.clocks * t.rounds / t.megahertz + t.launchMicroseconds, e.microseconds, 1e-6 * e.microseconds);
  const Budget life = budgetOf(t, -1);
  EXPECT_NEAR(life.clocks, t.clocks, 1e-6 * t.clocks);
  EXPECT_NEAR(sum(life.exposed) + sum(life.waits), t.clocks, 1e-6 * t.clocks);
  // Of one block's own clocks, times the blocks of the busiest multiprocessor: the estimate's pipes.
  const double blocks = t.rounds * t.resident / t.stretch;
  double memory = 0;
  for (const PipeClocks& p : e.pipes)
    if (p.pipe == "memory instructions") memory = p.clocks;
  if (!t.bySecondLevel) {
    EXPECT_NEAR((life.busy[int(Track::Copy)] + life.busy[int(Track::Shared)]) * blocks, memory, 1e-6 * memory);
  }
}

TEST(Timeline, OfTheTensorCoreLessonGoesThroughSixteenSteps) {
  const auto s = stateOf(tensorCore(kPadded));
  expectWhole(*s);
  const Timeline& t = *s->model.timeline;
  EXPECT_EQ(shapeOf(t),
            "(2<2<start>>) k_0_0 16 [(barrier 2<copy> 2<copy> barrier) (2<2<2<load>> 2<2<load>> 2<2<2<multiply>>>>)] "
            "(2<2<store>>)");
  EXPECT_EQ(t.unit, Unit::Tensor);
  EXPECT_FALSE(t.asCompiled);
  EXPECT_EQ(t.rounds, 1) << "64 blocks on 132 multiprocessors";
  EXPECT_EQ(sum(budgetOf(t, -1).waits), 0) << "nobody knows them without machine code";
  ASSERT_EQ(t.actions.size(), 9u);
  // A pass copies 128 × 64 of X as float16, in vectors of eight: 32 warp statements of 16 warps.
  const TimelineAction& copy = t.actions[2];
  EXPECT_EQ(copy.name, "X_shared");
  EXPECT_EQ(copy.globalBytes, 128 * 64 * 2);
  EXPECT_EQ(copy.sharedBytes, 128 * 64 * 2);
  EXPECT_EQ(copy.executions, 32);
  EXPECT_EQ(copy.demand.lines, 128) << "a row of 64 is a line";
  EXPECT_EQ(copy.demand.wavefronts, 128) << "padded: no conflicts";
  EXPECT_EQ(t.actions[7].flops, 2.0 * 128 * 128 * 64);
  // Every clock of the step is the busiest pipe's.
  const Budget step = budgetOf(t, t.step);
  EXPECT_NEAR(sum(step.exposed), step.clocks, 1e-6 * step.clocks);
  EXPECT_EQ(step.exposed[int(Track::Arithmetic)], 0) << "shared memory is busier";
  EXPECT_GT(step.busy[int(Track::Arithmetic)], 0);
}

TEST(Timeline, OfMachineCodeAddsUpToThePredictedTime) {
  const auto s = stateOf(tensorCore(kPadded), true);
  if (!s) GTEST_SKIP() << "needs NVRTC and nvdisasm";
  expectWhole(*s);
  const Timeline& t = *s->model.timeline;
  EXPECT_TRUE(t.asCompiled);
  EXPECT_NEAR(t.stretch, 1, 0.05) << "a block alone on its multiprocessor: its phases are those of the machine code";
  // 16 warps: ldmatrix by tile, HMMA of 4096 FLOP; wavefronts without conflicts.
  EXPECT_EQ(t.actions[5].demand.wavefronts, 512);
  EXPECT_EQ(t.actions[7].demand.tensor, 2.0 * 128 * 128 * 64 / 4096);
  const Budget step = budgetOf(t, t.step);
  EXPECT_GT(step.waits[int(Track::Copy)], 0) << "nothing overlaps the copies of a step";
  EXPECT_NEAR(sum(step.exposed) + sum(step.waits), step.clocks, 1e-6 * step.clocks);
  EXPECT_LT(16 * step.clocks, t.clocks);
}

TEST(Timeline, BankConflictsAreSharedMemorysClocks) {
  const auto padded = stateOf(tensorCore(kPadded)), plain = stateOf(tensorCore());
  expectWhole(*plain);
  const TimelineAction& conflict = plain->model.timeline->actions[5];
  EXPECT_EQ(conflict.kind, Kind::Load);
  EXPECT_EQ(conflict.demand.wavefronts, 8 * padded->model.timeline->actions[5].demand.wavefronts) << "8 ways";
}

TEST(Timeline, OfTheCudaCoreSchedules) {
  const std::map<std::string, std::string> shapes{
      {"naive", "(start) k 2048 [(multiply)]"},
      {"v1_one_dim_threads", "(start) k 2048 [(multiply)]"},
      {"v2_two_dim_threads", "(start) k 2048 [(multiply)]"},
      {"v3_shared_memory", "(start) k_0 256 [(barrier copy copy barrier) (8<multiply>)]"},
      {"v4_registers", "(start) k_0 512 [(barrier copy copy barrier) (4<multiply>)] (store)"}};
  for (const auto& [name, shape] : shapes) {
    SCOPED_TRACE(name);
    const auto s = stateOf(cudaCores(name));
    expectWhole(*s);
    EXPECT_EQ(shapeOf(*s->model.timeline), shape);
    EXPECT_EQ(s->model.timeline->unit, Unit::Fma);
  }
}

TEST(Timeline, BlocksThatShareAMultiprocessorStretchEachOther) {
  const auto s = stateOf(cudaCores("v3_shared_memory"));
  const Timeline& t = *s->model.timeline;
  EXPECT_GT(t.resident, 1);
  EXPECT_GT(t.rounds, 1) << "more blocks than fit at once";
  EXPECT_GT(t.stretch, 1);
}

TEST(TimelineRefuses, WhatHasNoPredictedTime) {
  const auto program = tensorCore();
  Device bare = deviceNamed("h200");
  bare.figures.erase(Quantity::ClockMhz);
  EXPECT_EQ(modelOf(program.kernels.front(), bare).timeline.error().code, "UnknownFigure");
  Device small = deviceNamed("t4");
  small.figures[Quantity::SharedPerBlock].value = 16384;
  EXPECT_EQ(modelOf(program.kernels.front(), small).timeline.error().code, "TooLarge");
}

}  // namespace
}  // namespace loom::model::timeline_test
