#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/ready_function.h"
#include "core/exec/check.h"
#include "core/schedule/replay.h"
#include "core/tune/rules/built.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/document/scheduled.h"

namespace loom::tune {
namespace {

using testing::HasSubstr;

const intrin::Library& library() { return *document::environment().intrinsics; }

const model::Device& device(const std::string& name) {
  static const std::vector<model::Device> all = model::loadDevices(document::assets()).value();
  static std::map<std::string, model::Device> found;
  return found.try_emplace(name, model::findDevice(all, name).value()).first->second;
}

// C[m, n] += A · B, with A as [m, k] and B as `b` says: [n, k] or [k, n].
std::string product(int m, int n, int k, const std::string& b, const std::string& in, const std::string& out) {
  const bool byN = b == "[n, k]";
  const std::string cast = in == out ? "" : "\"" + out + "\"";
  const auto element = [&](const std::string& load) {
    return in == out ? load : fmt::format("T.Cast({}, {})", cast, load);
  };
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer(({0}, {2}), "{3}"), B: T.Buffer(({5}, {6}), "{3}"), C: T.Buffer(({0}, {1}), "{4}")):
    for i, j, k in T.grid({0}, {1}, {2}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = {9}
            C[vi, vj] = C[vi, vj] + {7} * {8}
)",
                     m, n, k, in, out, byN ? n : k, byN ? k : n, element("A[vi, vk]"),
                     element(byN ? "B[vj, vk]" : "B[vk, vj]"), out == "int32" ? "0" : "T." + out + "(0)");
}

schedule::State stateOf(const std::string& text) {
  const auto target = document::openFunction(text, "f.py");
  if (!target) throw std::runtime_error(target.error().message.english());
  return target->history.node(0).state;
}

// Replays lines and makes their kernel; a failed expectation says what is wrong.
std::optional<schedule::State> kernelOf(const schedule::State& state, const std::string& lines) {
  const auto calls = script::parseSchedule(lines, "lines");
  EXPECT_TRUE(calls) << lines;
  if (!calls) return std::nullopt;
  const schedule::Replay replayed = schedule::replay(state, *calls, document::environment());
  EXPECT_FALSE(replayed.refusal) << replayed.refusal->message << "\n" << lines;
  if (replayed.refusal) return std::nullopt;
  const document::KernelText kernel = document::makeKernel(replayed.last);
  EXPECT_FALSE(kernel.problem) << kernel.problem->message << "\n" << lines;
  return kernel.problem ? std::nullopt : std::optional(replayed.last);
}

void expectRight(const schedule::State& before, const schedule::State& after, const std::string& lines) {
  exec::Options how;
  how.budget = 0.2;
  auto checker = exec::Checker::create(before.module().functions.front(), how);
  ASSERT_TRUE(checker) << checker.error().message;
  const auto report = checker->check(after.module().functions.front());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->status == exec::Report::Status::Verified || report->status == exec::Report::Status::Partly)
      << exec::describe(*report) << "\n"
      << lines;
}

struct Case {
  const char* device;
  std::string text;
  std::vector<std::string> sketches;  // their names
};

// Schedules drawn alike from every sketch replay and are kernels; one of each is run.
TEST(Rules, LeaveOnlySchedulesThatAreKernels) {
  for (const Case& c :
       std::vector<Case>{{"t4", product(128, 64, 96, "[n, k]", "float16", "float32"), {"wmma"}},
                         {"a100_80", product(100, 72, 104, "[k, n]", "float16", "float32"), {"mma.sync", "wmma"}},
                         {"h200", product(128, 64, 128, "[n, k]", "float16", "float16"), {"mma.sync", "wmma"}},
                         {"h200", product(64, 128, 128, "[k, n]", "int8", "int32"), {"mma.sync", "wmma"}},
                         {"t4", product(64, 96, 64, "[n, k]", "float32", "float32"), {"CUDA cores"}},
                         {"h200", product(50, 70, 90, "[k, n]", "float32", "float32"), {"CUDA cores"}}}) {
    const schedule::State state = stateOf(c.text);
    const auto plan = sketchOf(state, device(c.device), library());
    ASSERT_TRUE(plan) << plan.error().message;
    std::vector<std::string> names;
    for (const Sketch& sketch : plan->sketches) {
      names.push_back(sketch.name);
      const auto diagram = Diagram::of(sketch.space);
      ASSERT_TRUE(diagram) << diagram.error().message;
      ASSERT_GT(diagram->count(), 100U) << sketch.name;
      const PinnedCounts counts(*diagram);
      Random random(7);
      for (int n = 0; n < 3; ++n) {
        const std::string lines = linesOf(sketch, *counts.draw(random)).value();
        const auto after = kernelOf(state, lines);
        if (after && n == 0) expectRight(state, *after, lines);
      }
    }
    EXPECT_EQ(names, c.sketches) << c.device;
  }
}

std::string ready(const std::string& name, const document::FunctionSizes& sizes) {
  const std::vector<document::ReadyFunction> all = document::readyFunctions(document::assets()).value();
  for (const document::ReadyFunction& function : all)
    if (function.name == name) return document::textOf(function, sizes).value();
  throw std::logic_error("no function " + name);
}

// Products of batches and images, rows, and what is not a product at all: the schedule that is built is right.
TEST(Rules, MakeKernelsOfOtherPrograms) {
  for (const auto& [name, sizes] : std::vector<std::pair<std::string, document::FunctionSizes>>{
           {"bmm", {{"L", 2}, {"M", 64}, {"N", 64}, {"K", 32}}},
           {"c2d", {{"N", 1}, {"H", 8}, {"W", 8}, {"CI", 16}, {"CO", 32}}},
           {"gemv", {{"M", 64}, {"K", 256}}},
           {"softmax", {{"M", 16}, {"N", 256}}},
           {"softmax", {{"M", 7}, {"N", 100}}}}) {
    const schedule::State state = stateOf(ready(name, sizes));
    const auto plan = sketchOf(state, device("h200"), library());
    ASSERT_TRUE(plan) << name << ": " << plan.error().message;
    const auto built = buildAll(*plan, state, device("h200"), document::environment());
    ASSERT_TRUE(built) << name << ": " << built.error().message;
    EXPECT_EQ(built->front().kernel.program->kernels.size(), 1U) << name;
    expectRight(state, built->front().state, built->front().lines);
  }
}

TEST(Rules, SayOfEachWhatTheyLookedAt) {
  const auto plan =
      sketchOf(stateOf(product(1000, 1024, 1024, "[n, k]", "float16", "float32")), device("h200"), library());
  ASSERT_TRUE(plan);
  const auto row = [&](const std::string& rule) { return *std::ranges::find(plan->rows, rule, &PlanRow::rule); };
  EXPECT_TRUE(row("pad").applied);
  EXPECT_THAT(row("pad").why.english(), HasSubstr("1000 × 1024 × 1024"));
  EXPECT_FALSE(row("fuse consumer").applied);
  EXPECT_FALSE(row("raster order").applied);
  EXPECT_THAT(row("raster order").why.english(), HasSubstr("MB"));
  const Sketch& sketch = plan->sketches.front();
  int lines = 0;
  for (const SketchFold& fold : sketch.folds) {
    EXPECT_EQ(fold.first, lines);
    lines += fold.lines;
  }
  EXPECT_EQ(lines, int(sketch.lines.size())) << "each line is some rule's";
}

TEST(Rules, RefuseWhatIsScheduledAlready) {
  const auto target = document::openFunction(product(64, 64, 64, "[n, k]", "float16", "float32"), "f.py");
  auto history = target->history;
  const auto applied = history.apply(0, "b = sch.get_block(\"C\")\nsch.bind(sch.get_loops(b)[0], \"blockIdx.x\")\n",
                                     document::environment());
  ASSERT_TRUE(applied && !applied->refusal);
  const auto plan = sketchOf(history.node(applied->node).state, device("h200"), library());
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, "NoRule");
  EXPECT_THAT(plan.error().message.english(), HasSubstr("scheduled already"));
}

TEST(Construction, EndsNearOurLaddersWithAReasonForEachStep) {
  for (const auto& [size, tile] : {std::pair(1024, std::array{128, 64}), std::pair(2048, std::array{128, 256})}) {
    const schedule::State state = stateOf(product(size, size, size, "[n, k]", "float16", "float32"));
    const auto plan = sketchOf(state, device("h200"), library());
    ASSERT_TRUE(plan);
    const auto made = construct(*plan, 0, device("h200"));
    ASSERT_TRUE(made) << made.error().message;
    const Sketch& sketch = plan->sketches.front();
    const auto value = [&](const char* name) { return quantityOf(sketch, name, made->assignment).value(); };
    EXPECT_EQ(std::minmax(value("tile.m"), value("tile.n")), std::minmax<std::int64_t>(tile[0], tile[1])) << size;
    EXPECT_GE(value("stages"), 3);
    EXPECT_GE(made->steps.size(), 5U);
    EXPECT_LE(made->steps.size(), 8U);
    for (const ConstructionStep& step : made->steps) {
      EXPECT_FALSE(step.words.empty());
      EXPECT_FALSE(step.reason.empty());
    }
  }
}

}  // namespace
}  // namespace loom::tune
