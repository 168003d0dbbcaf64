#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "core/compile/compile.h"
#include "core/document/ready_function.h"
#include "core/tune/rules/built.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::rules_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Case {
  const char* device;
  std::string text;
  std::vector<std::string> sketches;  // their names
};

const std::vector<std::string> kCores = {"CUDA cores, k in slices", "CUDA cores, warps", "CUDA cores"};

// Schedules drawn alike from every sketch replay and are kernels; one of each is run.
TEST(Rules, LeaveOnlySchedulesThatAreKernels) {
  for (const Case& c :
       std::vector<Case>{{"t4", productText(128, 64, 96, "[n, k]", "float16", "float32"), {"wmma"}},
                         {"a100_80", productText(100, 72, 104, "[k, n]", "float16", "float32"), {"mma.sync", "wmma"}},
                         {"h200", productText(128, 64, 128, "[n, k]", "float16", "float16"), {"mma.sync", "wmma"}},
                         {"h200", productText(64, 128, 128, "[k, n]", "int8", "int32"), {"mma.sync", "wmma"}},
                         {"t4", productText(64, 96, 64, "[n, k]", "float32", "float32"), kCores},
                         {"h200", productText(50, 70, 90, "[k, n]", "float32", "float32"), kCores}}) {
    const schedule::State state = programState(c.text);
    const auto plan = sketchOf(state, deviceNamed(c.device), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    std::vector<std::string> names;
    for (const Sketch& sketch : plan->sketches) {
      names.push_back(sketch.name);
      const auto diagram = Diagram::of(sketch.space);
      ASSERT_TRUE(diagram) << diagram.error().message;
      ASSERT_GT(diagram->count(), 100U) << sketch.name;
      const PinnedCounts counts(*diagram);
      Random random(7);
      for (int n = 0; n < 2; ++n) {
        const std::string lines = linesOf(sketch, *counts.draw(random)).value();
        const auto after = kernelOf(state, lines);
        if (after && n == 0) expectRight(state, *after, lines);
      }
    }
    EXPECT_EQ(names, c.sketches) << c.device;
  }
}

// Where the user allows it, warps multiply float32 as tf32: what is drawn is a kernel, right, and compiles for Ampere.
TEST(Rules, MultiplyFloat32ByWarpsOnlyWhereTf32IsAllowed) {
  const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  const auto nvrtc = toolkit ? compile::Compiler::load(*toolkit).value_or(nullptr) : nullptr;
  for (const char* b : {"[n, k]", "[k, n]"}) {
    const schedule::State state = programState(productText(128, 64, 64, b, "float32", "float32"));
    const auto exact = sketchOf(state, deviceNamed("a100_80"), ruleLibrary());
    ASSERT_TRUE(exact) << exact.error().message;
    EXPECT_TRUE(exact->asksForTf32);
    EXPECT_EQ(exact->sketches.front().name.substr(0, 10), "CUDA cores");
    EXPECT_THAT(exact->rows, testing::Contains(testing::Field(
                                 &PlanRow::why, testing::ResultOf([](const Message& m) { return m.english(); },
                                                                  HasSubstr("that is the user's choice")))));
    const auto turing = sketchOf(state, deviceNamed("t4"), ruleLibrary());
    ASSERT_TRUE(turing) << turing.error().message;
    EXPECT_FALSE(turing->asksForTf32);

    const auto plan = sketchOf(state, deviceNamed("a100_80"), ruleLibrary(), {}, RuleChoices{true});
    ASSERT_TRUE(plan) << plan.error().message;
    const Sketch& sketch = plan->sketches.front();
    ASSERT_EQ(sketch.name, "wmma");
    const auto diagram = Diagram::of(sketch.space);
    ASSERT_TRUE(diagram) << diagram.error().message;
    const PinnedCounts counts(*diagram);
    Random random(7);
    for (int n = 0; n < 3; ++n) {
      const auto written = linesOf(sketch, *counts.draw(random));
      ASSERT_TRUE(written) << written.error().message;
      const std::string& lines = *written;
      EXPECT_THAT(lines, HasSubstr("wmma_sync_16x16x8_tf32tf32f32"));
      const auto made = madeByLines(state, lines, document::environment());
      ASSERT_TRUE(made) << made.error().message << "\n" << lines;
      EXPECT_EQ(made->kernel.source.factorDigits, 10);
      if (n > 0) continue;
      expectRight(state, made->state, lines);
      if (!nvrtc) continue;
      const auto binary = nvrtc->compile(compile::requestFor(compile::Text(made->kernel.source), "sm_80"));
      EXPECT_TRUE(binary) << binary.error().message << made->kernel.source.text;
      EXPECT_FALSE(nvrtc->compile(compile::requestFor(compile::Text(made->kernel.source), "sm_75")))
          << "tf32 came with 8.0";
    }
  }
}

struct LargeProduct {
  std::string device, in, out;  // the device's name in assets/devices; types of the factors and of the sum
};

void PrintTo(const LargeProduct& product, std::ostream* out) { *out << product.in << " on " << product.device; }

// How many schedules of each sketch are drawn; nothing: one, and none is compiled.
std::optional<int> drawsAskedFor() {
  const char* given = std::getenv("TILELOOM_DRAWS");
  return given ? std::optional(std::max(1, std::atoi(given))) : std::nullopt;
}

std::vector<LargeProduct> largeProducts() {
  std::vector<LargeProduct> products;
  for (const char* device : {"t4", "a100_80", "h200"}) {
    if (!drawsAskedFor() && std::string(device) != "h200") continue;
    for (const auto& [in, out] :
         {std::pair("float16", "float32"), std::pair("int8", "int32"), std::pair("float32", "float32")})
      products.push_back({device, in, out});
  }
  return products;
}

// A product as large as those that people tune: one draw of each sketch, or TILELOOM_DRAWS of them, every tenth of
// which is then compiled, too.
class LargeProducts : public testing::TestWithParam<LargeProduct> {};

TEST_P(LargeProducts, DrawnAreKernels) {
  const auto& [on, in, out] = GetParam();
  const std::optional<int> asked = drawsAskedFor();
  const int draws = asked.value_or(1);
  const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  const auto compiler =
      asked && toolkit ? compile::Compiler::load(*toolkit) : Result<std::shared_ptr<const compile::Compiler>>(nullptr);
  const schedule::State state = programState(productText(1024, 768, 640, asked ? "[k, n]" : "[n, k]", in, out));
  const auto plan = sketchOf(state, deviceNamed(on), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  for (const Sketch& sketch : plan->sketches) {
    const auto diagram = Diagram::of(sketch.space);
    ASSERT_TRUE(diagram) << sketch.name << ": " << diagram.error().message;
    const PinnedCounts counts(*diagram);
    Random random(11);
    std::map<std::string, int> failed;
    int compiled = 0;
    for (int n = 0; n < draws; ++n) {
      const std::string lines = linesOf(sketch, *counts.draw(random)).value();
      const auto made = madeByLines(state, lines, document::environment());
      std::string problem = made ? "" : made.error().message.english();
      if (made && compiler && *compiler && n % 10 == 0) {
        ++compiled;
        const auto binary = (*compiler)->compile(
            compile::requestFor(compile::Text(made->kernel.source), deviceNamed(on).architecture()));
        if (!binary) problem = binary.error().message.english();
      }
      if (!problem.empty() && ++failed[problem.substr(0, 300)] == 1) ADD_FAILURE() << problem << "\n" << lines;
    }
    if (!asked) continue;
    int all = 0;
    for (const auto& [problem, count] : failed) all += count;
    std::printf("%s %s %s: %d of %d failed, %d compiled, %s schedules\n", on.c_str(), in.c_str(), sketch.name.c_str(),
                all, draws, compiled, digitsOf(diagram->count()).c_str());
    std::fflush(stdout);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, LargeProducts, testing::ValuesIn(largeProducts()),
                         [](const testing::TestParamInfo<LargeProduct>& product) {
                           return product.param.device + "_" + product.param.in;
                         });

std::string textOf(const std::string& path) {
  std::ifstream file(std::string(TILELOOM_SOURCE_DIR) + "/assets/lessons/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A kernel without what a schedule names and in which order it numbers blocks.
std::string bare(const document::KernelText& kernel) {
  std::string text = kernel.source.text;
  for (const auto& [what, with] : std::initializer_list<std::pair<const char*, const char*>>{
           {"//.*", ""},
           {" *#pragma unroll\\n", ""},
           {"_shared_dyn", "_shared"},
           {"\\(bx & 7\\)", "bx"},
           {"\\(bx >> 3\\)", "by"},
           {"int bx = blockIdx.x, by = blockIdx.y;", "int bx = blockIdx.x;"},
           {"\\b(ax|i_|j_|k_)[0-9a-z_]*", "loop"}})
    text = std::regex_replace(text, std::regex(what), with);
  return text;
}

struct LadderEnd {
  const char* lesson;
  std::vector<const char*> chapters;  // whose steps lead to its end
  std::string sketch;
  std::map<std::string, std::int64_t> decisions;
};

// The ends of our ladders are points of the spaces: the same kernel but for names.
TEST(Rules, HaveTheEndsOfOurLaddersInTheirSpaces) {
  for (const LadderEnd& end : std::vector<LadderEnd>{
           {"cuda_cores",
            {"12_slices", "13_unrolled"},
            "CUDA cores, k in slices",
            {{"i.warps", 2},  {"i.groups", 2}, {"i.lanes", 4},    {"i.elements", 4},   {"i.blocks", 16},
             {"j.warps", 1},  {"j.groups", 2}, {"j.lanes", 8},    {"j.elements", 4},   {"j.blocks", 8},
             {"slices", 4},   {"k.inner", 4},  {"k.outer", 128},  {"lanes.beside", 2}, {"ahead", 1},
             {"stages", 4},   {"turns", 1},    {"serpentine", 1}, {"resident", 1},     {"a.across", 8},
             {"b.vector", 4}, {"a.pad", 4},    {"b.pad", 0}}},
           {"pipelines",
            {"06_tiles", "07_copies", "08_registers", "09_lanes", "10_tensorize", "11_unroll", "13_swizzle", "14_slots",
             "15_ahead", "16_constants"},
            "mma.sync",
            {{"i.warps", 2},   {"i.frags", 4},   {"i.blocks", 8}, {"j.warps", 2}, {"j.frags", 2},  {"j.blocks", 16},
             {"k.inner", 4},   {"k.outer", 16},  {"ahead", 1},    {"stages", 4},  {"turns", 1},    {"unroll", 1},
             {"a.swizzle", 1}, {"b.swizzle", 1}, {"a.pad", 0},    {"b.pad", 0},   {"a.vector", 8}, {"b.vector", 8},
             {"epilogue", 0},  {"c.vector", 4},  {"c.pad", 0}}}}) {
    const schedule::State state = programState(textOf(std::string(end.lesson) + "/function.py"));
    std::string steps;
    for (const char* chapter : end.chapters) steps += textOf(fmt::format("{}/steps/{}.sched.py", end.lesson, chapter));
    // The spaces' buffers are the launch's, which lie otherwise than arrays.
    steps = std::regex_replace(steps, std::regex("\"shared\""), "\"shared.dyn\"");
    const auto ladder = madeByLines(state, steps, document::environment());
    ASSERT_TRUE(ladder) << ladder.error().message;
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan);
    const Sketch& sketch = *std::ranges::find(plan->sketches, end.sketch, &Sketch::name);
    Assignment assignment;
    for (const Decision& d : sketch.space.decisions) {
      ASSERT_TRUE(end.decisions.contains(d.name)) << d.name;
      assignment.push_back(end.decisions.at(d.name));
      EXPECT_GE(valueIndexOf(d, assignment.back()), 0) << d.name;
    }
    for (const Constraint& c : sketch.space.constraints)
      EXPECT_TRUE(holds(c, assignment)) << c.name << ": " << formulaOf(sketch.space, c);
    const auto drawn = madeByLines(state, linesOf(sketch, assignment).value(), document::environment());
    ASSERT_TRUE(drawn) << drawn.error().message;
    EXPECT_EQ(bare(drawn->kernel), bare(ladder->kernel)) << end.lesson;
  }
}

// Products of batches and images, rows, and what is not a product at all: the schedule that is built is right.
TEST(Rules, MakeKernelsOfOtherPrograms) {
  for (const auto& [name, sizes] : std::vector<std::pair<std::string, document::FunctionSizes>>{
           {"bmm", {{"L", 2}, {"M", 64}, {"N", 64}, {"K", 32}}},
           {"c2d", {{"N", 1}, {"H", 8}, {"W", 8}, {"CI", 16}, {"CO", 32}}},
           {"gemv", {{"M", 64}, {"K", 256}}},
           {"softmax", {{"M", 16}, {"N", 256}}},
           {"softmax", {{"M", 7}, {"N", 100}}}}) {
    const schedule::State state = programState(ready(name, sizes));
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan) << name << ": " << plan.error().message;
    const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
    ASSERT_TRUE(built) << name << ": " << built.error().message;
    EXPECT_EQ(built->front().kernel.program->kernels.size(), 1U) << name;
    expectRight(state, built->front().state, built->front().lines);
  }
}

// Where a row lies is read from another buffer: threads beyond the last row would read beyond that.
TEST(Rules, CopyVectorsOfGatheredRowsByWholeBlocks) {
  const schedule::State state = programState(R"(from tvm.script import tir as T


@T.prim_func
def main(E: T.Buffer((90, 64), "float16"), I: T.Buffer((37,), "int32"), Y: T.Buffer((37, 64), "float16")):
    for i, j in T.grid(37, 64):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = E[I[vi], vj]
)");
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const Sketch& sketch = plan->sketches.front();
  const auto diagram = Diagram::of(sketch.space);
  ASSERT_TRUE(diagram) << diagram.error().message;
  const PinnedCounts counts(*diagram);
  Random random(1);
  for (int n = 0; n < 6; ++n) {
    const auto lines = linesOf(sketch, *counts.draw(random));
    const auto made = madeByLines(state, *lines, document::environment());
    ASSERT_TRUE(made) << made.error().message << "\n" << *lines;
    expectRight(state, made->state, *lines);
  }
}

// A copy of what is read at two places is of all that lies between them: no vectors. These rows are too few for tiles,
// which would have two copies.
TEST(Rules, CopyNoRowsOfWhatIsReadAtTwoPlaces) {
  std::string text = tests::programText("distances");
  for (const char* of : {"A: T.Buffer((72, 44)", "B: T.Buffer((90, 44)"}) ASSERT_NE(text.find(of), std::string::npos);
  text = std::regex_replace(text, std::regex("    B: .*\n"), "");
  text = std::regex_replace(text, std::regex("B\\["), "A[");
  text = std::regex_replace(text, std::regex("72|90"), "1");
  const schedule::State state = programState(text);
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  for (const Built& b : *built) EXPECT_THAT(b.lines, Not(HasSubstr("cache_read"))) << text;
  expectRight(state, built->front().state, built->front().lines);
}

// Vectors of a block with several spatial loops are parts of one row: a thread keeps no more than one.
// What is too small or too narrow for every matrix instruction stays on CUDA cores, and says why.
TEST(Construction, IsThereForTheSmallestProducts) {
  struct Size {
    int m, n, k;
  };
  for (const char* device : {"t4", "a100_80", "h200"}) {
    for (const Size& s : {Size{1, 1, 1}, Size{1, 64, 64}, Size{16, 16, 16}, Size{3, 5, 7}}) {
      for (const auto& [in, out] : {std::pair("float16", "float32"), {"int8", "int32"}, {"int4", "int32"}}) {
        SCOPED_TRACE(fmt::format("{} {} × {} × {} {}", device, s.m, s.n, s.k, in));
        const schedule::State state = programState(productText(s.m, s.n, s.k, "[n, k]", in, out));
        const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
        ASSERT_TRUE(plan) << plan.error().message;
        const auto built = buildAll(*plan, state, deviceNamed(device), document::environment());
        ASSERT_TRUE(built) << built.error().message;
        expectRight(state, built->front().state, built->front().lines);
      }
    }
  }
  const auto plan = sketchOf(programState(productText(1, 64, 64, "[n, k]", "float16", "float32")), deviceNamed("h200"),
                             ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_NE(whyNotByWarpgroups(*plan).english().find("no schedule by matrix instructions is left"), std::string::npos);
}

// Of extents that 64 doesn't divide, some have tiles that reach a little beyond, some only tiles that divide them.
TEST(Rules, FindMatrixInstructionsForAllWidths) {
  for (const char* device : {"t4", "a100_80"})
    for (const int n : {72, 80, 88, 96, 104, 112, 144, 160, 176, 208, 224, 272}) {
      SCOPED_TRACE(fmt::format("{} {}", device, n));
      for (const auto& [rows, columns, sums] : {std::array{256, n, 64}, {n, 256, 64}, {256, 64, n}}) {
        const auto plan = sketchOf(programState(productText(rows, columns, sums, "[n, k]", "float16", "float32")),
                                   deviceNamed(device), ruleLibrary());
        ASSERT_TRUE(plan) << plan.error().message;
        EXPECT_THAT(plan->sketches.front().name, testing::AnyOf(HasSubstr("mma"), HasSubstr("wgmma")));
      }
      const auto images = sketchOf(programState(ready("c2d", {{"N", 1}, {"H", 16}, {"W", 16}, {"CI", 32}, {"CO", n}})),
                                   deviceNamed(device), ruleLibrary());
      ASSERT_TRUE(images) << images.error().message;
      EXPECT_THAT(images->sketches.front().name, HasSubstr("mma"));
    }
}

// Lanes of a vector don't reach from one row of 48 or 96 elements into the next, and conditions on rows are theirs all.
TEST(Construction, CopiesRowsOfAnyWholeVectors) {
  for (const auto& [name, sizes] : std::vector<std::pair<std::string, document::FunctionSizes>>{
           {"bmm", {{"L", 2}, {"M", 40}, {"N", 72}, {"K", 48}}},
           {"c2d", {{"N", 1}, {"H", 10}, {"W", 10}, {"CI", 48}, {"CO", 16}, {"R", 3}, {"P", 1}}}}) {
    const schedule::State state = programState(ready(name, sizes));
    const auto plan = sketchOf(state, deviceNamed("a100_80"), ruleLibrary());
    ASSERT_TRUE(plan) << name << ": " << plan.error().message;
    const auto built = buildAll(*plan, state, deviceNamed("a100_80"), document::environment());
    ASSERT_TRUE(built) << name << ": " << built.error().message;
    for (const device::Remark& r : built->front().kernel.program->remarks)
      EXPECT_THAT(r.text.english(), Not(HasSubstr("no vector of CUDA"))) << name << "\n" << built->front().lines;
    expectRight(state, built->front().state, built->front().lines);
  }
}

TEST(Rules, ShareElementsOfSeveralDimensionsByVectors) {
  const schedule::State state = programState(R"(from tvm.script import tir as T


@T.prim_func
def main(C: T.Buffer((3, 64, 32), "float32")):
    for b, i, j in T.grid(3, 64, 32):
        with T.block("C"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            C[vb, vi, vj] = T.float32(0)
)");
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan);
  const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_THAT(built->front().lines, HasSubstr("[None, 4]"));
  std::int64_t kept = 0;
  for (const device::Allocation& a : built->front().kernel.program->kernels.front().allocations) kept += a.bytes();
  EXPECT_EQ(kept, 16);
  expectRight(state, built->front().state, built->front().lines);
}

// Few results with long sums: a second kernel adds what blocks of their own summed.
TEST(Rules, SumInPartsWhereTilesAreFew) {
  const schedule::State state = programState(productText(64, 64, 2048, "[n, k]", "float16", "float32"));
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan);
  const auto named = [&](const RulePlan& of, const char* part) {
    std::vector<int> found;
    for (std::size_t n = 0; n < of.sketches.size(); ++n)
      if (of.sketches[n].name.find(part) != std::string::npos) found.push_back(int(n));
    return found;
  };
  const auto found = named(*plan, "parts");
  ASSERT_EQ(found.size(), 2U);
  const auto made = construct(*plan, found[0], deviceNamed("h200"));
  ASSERT_TRUE(made) << made.error().message;
  const std::string lines = linesOf(plan->sketches[std::size_t(found[0])], made->assignment).value();
  EXPECT_THAT(lines, HasSubstr("sch.rfactor"));
  if (const auto after = kernelOf(state, lines)) {
    EXPECT_EQ(document::makeKernel(*after).program->kernels.size(), 2U);
    expectRight(state, *after, lines);
  }
  const auto wide = sketchOf(programState(productText(2048, 2048, 2048, "[n, k]", "float16", "float32")),
                             deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(wide);
  EXPECT_TRUE(named(*wide, "parts").empty());
}

TEST(Rules, SayOfEachWhatTheyLookedAt) {
  const auto plan = sketchOf(programState(productText(1000, 1024, 1024, "[n, k]", "float16", "float32")),
                             deviceNamed("a100_80"), ruleLibrary());
  ASSERT_TRUE(plan);
  const auto row = [&](const std::string& rule) { return *std::ranges::find(plan->rows, rule, &PlanRow::rule); };
  EXPECT_TRUE(row("pad").applied);
  EXPECT_THAT(row("pad").why.english(), HasSubstr("1000 × 1024 × 1024"));
  EXPECT_FALSE(row("fuse consumer").applied);
  EXPECT_FALSE(row("raster order").applied);
  EXPECT_THAT(row("raster order").why.english(), HasSubstr("3.95 MiB, half the L2 cache 20 MiB"));
  const Sketch& sketch = plan->sketches.front();
  int lines = 0;
  for (const SketchFold& fold : sketch.folds) {
    EXPECT_EQ(fold.first, lines);
    lines += fold.lines;
  }
  EXPECT_EQ(lines, int(sketch.lines.size())) << "each line is some rule's";
}

TEST(Rules, RefuseWhatIsScheduledAlready) {
  const auto target = document::openFunction(productText(64, 64, 64, "[n, k]", "float16", "float32"), "f.py");
  auto history = target->history;
  const auto applied = history.apply(0, "b = sch.get_block(\"C\")\nsch.bind(sch.get_loops(b)[0], \"blockIdx.x\")\n",
                                     document::environment());
  ASSERT_TRUE(applied && !applied->refusal);
  const auto plan = sketchOf(history.node(applied->node).state, deviceNamed("h200"), ruleLibrary());
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, "NoRule");
  EXPECT_THAT(plan.error().message.english(), HasSubstr("scheduled already"));
}

// Decisions begin with small letters, operands are named by capital ones: "a row of B", as "a row of C".
TEST(Rules, NameOperandsByCapitalLettersInSentences) {
  const std::regex small("\\b[bc]\\b"), capital("\\b[BC]\\b");
  int named = 0;
  for (const auto& [device, in] : {std::pair("t4", "float16"), {"a100_80", "float16"}, {"h200", "float32"}}) {
    const auto plan =
        sketchOf(programState(productText(256, 256, 256, "[k, n]", in, "float32")), deviceNamed(device), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto look = [&, device = device](const Message& words) {
      EXPECT_FALSE(std::regex_search(words.english(), small)) << device << ": " << words;
      named += std::regex_search(words.english(), capital) ? 1 : 0;
    };
    for (const Sketch& sketch : plan->sketches) {
      for (const Decision& d : sketch.space.decisions) look(d.words);
      for (const Constraint& c : sketch.space.constraints) look(c.words);
    }
  }
  EXPECT_GT(named, 10);
}

TEST(Construction, EndsNearOurLaddersWithAReasonForEachStep) {
  for (const auto& [size, tile] : {std::pair(1024, std::array{128, 64}), std::pair(2048, std::array{128, 256})}) {
    const schedule::State state = programState(productText(size, size, size, "[n, k]", "float16", "float32"));
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan);
    const auto found = std::ranges::find(plan->sketches, "mma.sync", &Sketch::name);
    ASSERT_NE(found, plan->sketches.end());
    const Sketch& sketch = *found;
    const auto made = construct(*plan, int(found - plan->sketches.begin()), deviceNamed("h200"));
    ASSERT_TRUE(made) << made.error().message;
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
}  // namespace loom::tune::rules_test
