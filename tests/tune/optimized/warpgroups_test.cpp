// R18: products by warpgroups of Hopper, from the triple loop to a kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/compile/compile.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::warpgroups_test {
namespace {

// That a construction may take; sanitizers take several times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr double kSeconds = 10;
#else
constexpr double kSeconds = 1;
#endif

using testing::HasSubstr;

// Every schedule of the space is a kernel; of what is drawn one of each type is run, and some are compiled.
TEST(Warpgroups, LeaveOnlySchedulesThatAreKernels) {
  struct Product {
    int m, n, k;
    const char *b, *in, *out;
  };
  for (const Product& p : std::vector<Product>{{128, 96, 256, "[n, k]", "float16", "float32"},
                                               {384, 192, 192, "[k, n]", "bfloat16", "float32"},
                                               {192, 64, 128, "[n, k]", "int8", "int32"},
                                               {128, 40, 256, "[n, k]", "float8_e4m3fn", "float32"},
                                               {500, 328, 200, "[n, k]", "float16", "float32"},
                                               {328, 136, 112, "[k, n]", "bfloat16", "float32"},
                                               {2048, 2304, 64, "[k, n]", "float16", "float32"},
                                               {1536, 2064, 256, "[n, k]", "float16", "float32"},
                                               {1536, 1792, 512, "[n, k]", "int8", "int32"}}) {
    const OnHopper on(productText(p.m, p.n, p.k, p.b, p.in, p.out));
    expectKernels(on, fmt::format("{} {}", p.in, p.b), 3, 1);
  }
}

// tf32 keeps less of float32: nobody gets it who hasn't allowed it.
TEST(Warpgroups, MultiplyFloat32OnlyWhereTf32IsAllowed) {
  const std::string text = productText(256, 192, 128, "[n, k]", "float32", "float32");
  const OnHopper exact(text);
  EXPECT_EQ(exact.index(), -1);
  EXPECT_TRUE(exact.plan.asksForTf32);
  EXPECT_THAT(whyNotByWarpgroups(exact.plan).english(), HasSubstr("keeps 10 of its 23 digits"));
  for (const Sketch& sketch : exact.plan.sketches)
    for (const SketchLine& line : sketch.lines) EXPECT_EQ(line.text.find("tf32"), std::string::npos) << line.text;

  const RuleChoices allowed{true};
  const OnHopper on(text, allowed);
  ASSERT_GE(on.index(), 0);
  const auto built = construct(on.plan, on.index(), deviceNamed("h200"));
  ASSERT_TRUE(built) << built.error().message;
  const std::string lines = linesOf(on.sketch(), built->assignment).value();
  EXPECT_THAT(lines, HasSubstr("k8_tf32tf32f32_trans"));
  const auto made = madeByLines(on.state, lines, document::environment());
  ASSERT_TRUE(made) << made.error().message << "\n" << lines;
  EXPECT_EQ(made->kernel.source.factorDigits, 10);
  EXPECT_EQ(compiled(made->kernel), "") << lines;
  expectRight(on.state, made->state, lines);

  const OnHopper byRows(productText(256, 192, 128, "[k, n]", "float32", "float32"), allowed);
  EXPECT_EQ(byRows.index(), -1);
  EXPECT_THAT(whyNotByWarpgroups(byRows.plan).english(), HasSubstr("take it as [n, k]"));
  EXPECT_FALSE(OnHopper(productText(256, 192, 128, "[n, k]", "float16", "float32")).plan.asksForTf32);
}

// Blocks that stay, columns that are cropped, and one group of rows: what crops says so of the tiles that there are.
TEST(Warpgroups, CropWhatAllRowsOfTilesTakeTurnsAt) {
  const OnHopper on(productText(4096, 4096, 4096, "[n, k]", "float16", "float32"));
  const Space& space = on.sketch().space;
  Pins pins(space);
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::int64_t>>{
           {"i.warpgroups", 2}, {"i.rows", 2}, {"j.columns", 176}, {"raster", 16}, {"persistent", 1}})
    pins.limitTo(decisionNamed(space, name), {value});
  const auto built = construct(on.plan, on.index(), deviceNamed("h200"), &pins);
  ASSERT_TRUE(built) << built.error().message;
  const std::string lines = linesOf(on.sketch(), built->assignment).value();
  const auto made = madeByLines(on.state, lines, document::environment());
  EXPECT_TRUE(made) << made.error().message << "\n" << lines;
}

// L2 gives rows that begin off its sectors half as fast: neighbours bring each other the tiles that both need.
TEST(Warpgroups, ShareTilesWhoseRowsBeginOffSectors) {
  for (const auto& [k, shared] : {std::pair{4024, true}, {4032, false}}) {
    const OnHopper on(productText(4096, 4096, k, "[n, k]", "float16", "float32"));
    const auto built = construct(on.plan, on.index(), deviceNamed("h200"));
    ASSERT_TRUE(built) << built.error().message;
    const std::string lines = linesOf(on.sketch(), built->assignment).value();
    EXPECT_EQ(lines.find("cluster_x") != std::string::npos, shared) << lines;
    EXPECT_EQ(lines.find("sch.annotate(ys, \"tileloom.multicast\", \"x\")") != std::string::npos, shared) << lines;
    const auto made = madeByLines(on.state, lines, document::environment());
    ASSERT_TRUE(made) << made.error().message << "\n" << lines;
    EXPECT_EQ(compiled(made->kernel), "") << lines;
    EXPECT_EQ(made->kernel.source.text.find("__cluster_dims__(2, 1, 1)") != std::string::npos, shared);
    const auto read = decisionsOf(on.sketch(), on.state, made->state);
    EXPECT_THAT(read, testing::Contains(testing::Pair("cluster.i", shared ? 2 : 1)));
    EXPECT_THAT(read, testing::Contains(testing::Pair("cluster.j", 1)));
    EXPECT_TRUE(membershipOf(on.sketch().space, read).isMember.value_or(false)) << lines;
  }
}

// Tiles are those of all products of a batch: fewer blocks than that stay, though they are more than one product's.
TEST(Warpgroups, OfABatchAreReadBackWithBlocksThatStay) {
  const OnHopper on(ready("bmm", {{"L", 12}, {"M", 512}, {"N", 512}, {"K", 64}}));
  const auto built = construct(on.plan, on.index(), deviceNamed("h200"));
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->assignment[std::size_t(decisionNamed(on.sketch().space, "persistent"))], 1);
  const std::string lines = linesOf(on.sketch(), built->assignment).value();
  const auto made = madeByLines(on.state, lines, document::environment());
  ASSERT_TRUE(made) << made.error().message << "\n" << lines;
  const auto read = decisionsOf(on.sketch(), on.state, made->state);
  EXPECT_THAT(read, testing::Contains(testing::Pair("persistent", 1))) << lines;
  expectMember(on, read, lines);
}

// Where all blocks run at once, squares of them and rows of four do, too. Of odd numbers of tiles the last cluster's
// reach beyond the product.
TEST(Warpgroups, ShareTilesInSquaresAndInRowsOfFour) {
  struct Sharing {
    int m, n, k;
    const char* b;
    std::map<std::string, std::int64_t> pinned;  // empty: as it is constructed
    const char* cluster;
    bool runs = false;
  };
  for (const Sharing& s : std::vector<Sharing>{
           {1400, 1400, 1400, "[n, k]", {}, "__cluster_dims__(2, 2, 1)"},
           {1800, 1800, 1800, "[k, n]", {}, "__cluster_dims__(2, 2, 1)"},
           {1736, 904, 3080, "[n, k]", {}, "__cluster_dims__(4, 1, 1)"},
           {328, 272, 264, "[n, k]", {{"cluster.j", 2}, {"cluster.i", 2}}, "__cluster_dims__(2, 2, 1)", true},
           {200, 520, 264, "[k, n]", {{"cluster.j", 2}, {"cluster.i", 2}}, "__cluster_dims__(2, 2, 1)", true},
           {200, 520, 264, "[n, k]", {{"cluster.j", 4}}, "__cluster_dims__(4, 1, 1)", true}}) {
    const OnHopper on(productText(s.m, s.n, s.k, s.b, "float16", "float32"));
    const std::string what = fmt::format("{} x {} x {} {}", s.m, s.n, s.k, s.b);
    Pins pins(on.sketch().space);
    for (const auto& [name, value] : s.pinned) pins.limitTo(decisionNamed(on.sketch().space, name), {value});
    const auto built = construct(on.plan, on.index(), deviceNamed("h200"), &pins);
    ASSERT_TRUE(built) << what << ": " << built.error().message;
    const std::string lines = linesOf(on.sketch(), built->assignment).value();
    const auto made = madeByLines(on.state, lines, document::environment());
    ASSERT_TRUE(made) << what << ": " << made.error().message << "\n" << lines;
    EXPECT_EQ(compiled(made->kernel), "") << lines;
    EXPECT_THAT(made->kernel.source.text, HasSubstr(s.cluster)) << what;
    const auto read = decisionsOf(on.sketch(), on.state, made->state);
    for (const char* name : {"cluster.j", "cluster.i", "i.blocks", "j.blocks", "raster"}) {
      const auto at = std::size_t(decisionNamed(on.sketch().space, name));
      EXPECT_THAT(read, testing::Contains(testing::Pair(name, built->assignment[at]))) << what;
    }
    EXPECT_TRUE(membershipOf(on.sketch().space, read).isMember.value_or(false)) << lines;
    if (s.runs) expectRight(on.state, made->state, lines);
  }
}

struct Ladder {
  int m, n, k;
  const char* b;
  std::map<std::string, std::int64_t> decisions;  // that were best where they were measured
};

// The best configurations that were measured on an H200, each built in less than a second from the triple loop: a
// kernel that NVRTC compiles, and the executor says is right.
TEST(Warpgroups, AreBuiltAsTheBestThatWereMeasured) {
  for (const Ladder& l : std::vector<Ladder>{
           {1024,
            1024,
            1024,
            "[n, k]",
            {{"i.warpgroups", 1},
             {"i.rows", 1},
             {"j.columns", 128},
             {"k.inner", 4},
             {"stages", 5},
             {"flight", 1},
             {"loaders", 1},
             {"raster", 4},
             {"registers", 0},
             {"slots", 4},
             {"early", 1},
             {"b.swizzle", 128}}},
           {512,
            256,
            1024,
            "[k, n]",
            {{"i.warpgroups", 1},
             {"i.rows", 1},
             {"j.columns", 32},
             {"k.inner", 8},
             {"stages", 8},
             {"flight", 1},
             {"loaders", 0},
             {"b.swizzle", 64}}},
           {4096,
            4096,
            4096,
            "[n, k]",
            {{"i.warpgroups", 1},
             {"i.rows", 2},
             {"j.columns", 112},  // nine full waves, where 128 are eight that aren't
             {"k.inner", 4},
             {"stages", 7},
             {"flight", 1},
             {"loaders", 1},
             {"registers", 232},
             {"slots", 2},
             {"turns", 2},
             {"evict", 1},
             {"early", 0},
             {"persistent", 1},
             {"raster", 8}}},
           {4096,
            4096,
            4096,
            "[k, n]",
            {{"j.columns", 128}, {"stages", 6}, {"flight", 1}, {"slots", 2}, {"turns", 2}, {"raster", 8}}},
           {2048,
            2048,
            2048,
            "[n, k]",
            {{"j.columns", 128},
             {"stages", 6},
             {"flight", 1},
             {"slots", 2},
             {"turns", 2},
             {"evict", 1},
             {"persistent", 1}}}}) {
    const OnHopper on(productText(l.m, l.n, l.k, l.b, "float16", "float32"));
    ASSERT_GE(on.index(), 0);
    const auto begun = std::chrono::steady_clock::now();
    const auto built = construct(on.plan, on.index(), deviceNamed("h200"));
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(), kSeconds) << l.m;
    const Space& space = on.sketch().space;
    for (const auto& [name, value] : l.decisions)
      EXPECT_EQ(built->assignment.at(std::size_t(decisionNamed(space, name))), value) << l.m << " " << name;
    for (const Constraint& c : space.constraints)
      EXPECT_TRUE(holds(c, built->assignment)) << c.name << ": " << formulaOf(space, c);
    EXPECT_GE(built->steps.size(), 5U);
    EXPECT_LE(built->steps.size(), 11U);
    const std::string lines = linesOf(on.sketch(), built->assignment).value();
    const auto made = madeByLines(on.state, lines, document::environment());
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(compiled(made->kernel), "") << lines;
    if (l.m <= 1024) {
      expectRight(on.state, made->state, lines);
    } else {  // the same steps, 144 tiles for the 132 blocks that stay
      const schedule::State less = programState(productText(2048, 2304, 256, l.b, "float16", "float32"));
      if (const auto after = kernelOf(less, lines)) expectRight(less, *after, lines);
    }
  }
}

// 132 tiles: nobody has a second one to multiply while the first is stored. In turns, and in clusters that 11 rows of
// tiles leave half empty, the first was predicted to take 47.7 µs instead of 27.9. Where rows are off sectors, tiles
// may have columns that divide by 8 alone, whose sums leave through the ring's bytes.
TEST(Warpgroups, TakeNoTurnsInOneWaveAndMakeNoClustersWhereRowsAreWholeSectors) {
  struct Case {
    std::int64_t m, n, k;
    std::map<std::string, std::int64_t> decisions;
  };
  for (const Case& c :
       {Case{1368, 2184, 3200, {{"j.columns", 192}, {"turns", 0}, {"cluster.j", 1}, {"cluster.i", 1}}},
        Case{1600, 3200, 640, {{"j.columns", 160}, {"turns", 2}, {"cluster.j", 1}, {"cluster.i", 1}}},
        Case{1368,
             2184,
             3192,
             {{"j.columns", 184}, {"turns", 0}, {"cluster.j", 2}, {"slab", 184}, {"over", 1}, {"evict", 1}}},
        Case{1640, 4216, 2696, {{"j.columns", 216}, {"slab", 72}, {"c.swizzle", 0}, {"over", 0}, {"persistent", 1}}}}) {
    const OnHopper on(productText(c.m, c.n, c.k, "[n, k]", "float16", "float32"));
    ASSERT_GE(on.index(), 0);
    const auto built = construct(on.plan, on.index(), deviceNamed("h200"));
    ASSERT_TRUE(built) << built.error().message;
    for (const auto& [name, value] : c.decisions)
      EXPECT_EQ(built->assignment.at(std::size_t(decisionNamed(on.sketch().space, name))), value) << c.m << " " << name;
    const auto made = madeByLines(on.state, linesOf(on.sketch(), built->assignment).value(), document::environment());
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(compiled(made->kernel), "") << c.m;
  }
}

std::string lessonText(const std::string& path) {
  std::ifstream file(document::assets() / "lessons" / path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The ends of the lessons, whose loops and blocks have other names and other orders, are schedules of the space.
TEST(Warpgroups, HaveTheEndsOfTheLessonsInTheirSpace) {
  struct End {
    const char* lesson;
    std::vector<const char*> chapters;  // whose steps lead to it
    std::map<std::string, std::int64_t> decisions;
  };
  for (const End& end : std::vector<End>{
           {"hopper",
            {"08_persistent"},
            {{"i.warpgroups", 2},
             {"i.rows", 1},
             {"j.columns", 256},
             {"k.inner", 4},
             {"stages", 4},
             {"flight", 0},
             {"loaders", 1},
             {"registers", 232},
             {"persistent", 1},
             {"raster", 8},
             {"slots", 0},
             {"a.swizzle", 128}}},
           {"hopper",
            {"09_staged"},
            {{"i.warpgroups", 2},
             {"j.columns", 256},
             {"stages", 4},
             {"slots", 1},
             {"slab", 32},
             {"early", 0},
             {"persistent", 1}}},
           {"hopper",
            {"10_turns"},
            {{"i.warpgroups", 1},
             {"i.rows", 2},
             {"j.columns", 128},
             {"stages", 6},
             {"flight", 0},
             {"registers", 232},
             {"slots", 2},
             {"turns", 2},
             {"evict", 0},
             {"persistent", 1},
             {"raster", 8}}},
           {"hopper", {"10_turns", "11_in_flight"}, {{"turns", 2}, {"flight", 1}, {"stages", 6}}},
           {"hopper", {"13_waves"}, {{"j.columns", 112}, {"turns", 2}, {"flight", 1}, {"stages", 7}, {"slab", 16}}},
           {"hopper_1024",
            {"03_tile", "04_ring", "05_in_flight", "06_roles"},
            {{"i.warpgroups", 1},
             {"i.rows", 1},
             {"j.columns", 128},
             {"k.inner", 4},
             {"stages", 8},
             {"flight", 1},
             {"loaders", 1},
             {"registers", 0},
             {"slots", 0},
             {"b.swizzle", 128}}},
           {"hopper_1024", {"07_staged", "08_early"}, {{"j.columns", 128}, {"stages", 8}, {"slots", 4}, {"early", 1}}},
           {"hopper_1024", {"09_order"}, {{"j.columns", 128}, {"stages", 5}, {"raster", 4}, {"early", 1}}},
           {"multistage",
            {"09_fit"},
            {{"i.warpgroups", 1},
             {"j.columns", 32},
             {"k.inner", 8},
             {"stages", 8},
             {"flight", 1},
             {"loaders", 0},
             {"b.swizzle", 64}}}}) {
    const OnHopper on(lessonText(std::string(end.lesson) + "/function.py"));
    ASSERT_GE(on.index(), 0) << end.lesson;
    std::string steps;
    for (const char* chapter : end.chapters)
      steps += lessonText(fmt::format("{}/steps/{}.sched.py", end.lesson, chapter));
    const auto ladder = madeByLines(on.state, steps, document::environment());
    ASSERT_TRUE(ladder) << ladder.error().message;
    const auto read = decisionsOf(on.sketch(), on.state, ladder->state);
    for (const auto& [name, value] : end.decisions)
      EXPECT_THAT(read, testing::Contains(testing::Pair(name, value))) << end.lesson;
    EXPECT_TRUE(membershipOf(on.sketch().space, read).isMember.value_or(false)) << end.lesson;
  }
}

// Three products, one after the other in memory; C[b, i, j] = A[b, i, :] · B[b, j, :].
std::string batchText(int m, int n, int k) {
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((3, {0}, {2}), "float16"), B: T.Buffer((3, {1}, {2}), "float16"), C: T.Buffer((3, {0}, {1}), "float32")):
    for b, i, j, k in T.grid(3, {0}, {1}, {2}):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("float32", A[vb, vi, vk]) * T.Cast("float32", B[vb, vj, vk])
)",
                     m, n, k);
}

// Other types, and sizes of no power of two.
TEST(Warpgroups, AreBuiltForOtherProducts) {
  for (const auto& [text, lines] : std::vector<std::pair<std::string, const char*>>{
           {productText(192, 200, 320, "[n, k]", "bfloat16", "float32"), "bf16bf16f32_trans"},
           {productText(448, 96, 160, "[k, n]", "float16", "float32"), "f16f16f32"},
           {productText(128, 112, 192, "[n, k]", "float8_e5m2", "float32"), "e5m2e5m2f32_trans"},
           {productText(256, 160, 96, "[n, k]", "uint8", "int32"), "u8u8s32_trans"},
           {batchText(128, 96, 128), "bb, i, j, k"},
           {productText(500, 328, 200, "[n, k]", "float16", "float32"), "pad_einsum"},
           {productText(128, 128, 200, "[n, k]", "float16", "float32"), "pad_einsum"},
           {productText(100, 128, 128, "[n, k]", "int8", "int32"), "pad_einsum"},
           {productText(256, 200, 128, "[k, n]", "bfloat16", "float32"), "bf16bf16f32"}}) {
    const OnHopper on(text);
    ASSERT_GE(on.index(), 0) << lines;
    const auto built = construct(on.plan, on.index(), deviceNamed("h200"));
    ASSERT_TRUE(built) << built.error().message;
    const std::string written = linesOf(on.sketch(), built->assignment).value();
    EXPECT_THAT(written, HasSubstr(lines));
    const auto made = madeByLines(on.state, written, document::environment());
    ASSERT_TRUE(made) << made.error().message << "\n" << written;
    EXPECT_EQ(compiled(made->kernel), "") << written;
    expectRight(on.state, made->state, written);
  }
}

// What R18 refuses goes to mma.sync or CUDA cores as ever, and says by which number.
TEST(Warpgroups, SayByWhichNumberTheyDontApply) {
  struct Refused {
    const char* device;
    std::string text, says, then;
  };
  for (const Refused& r : std::vector<Refused>{
           {"a100_80", productText(128, 128, 128, "[n, k]", "float16", "float32"), "sm_80", "mma.sync"},
           {"h200", productText(128, 128, 128, "[n, k]", "float32", "float32"), "float32", "CUDA cores"},
           {"h200", productText(128, 128, 128, "[n, k]", "float16", "float16"), "into float16", "mma.sync"},
           {"h200", productText(128, 54, 128, "[n, k]", "float16", "float32"), "216 bytes", "mma.sync"},
           {"h200", batchText(120, 72, 128), "120 rows", ""},
           {"h200", productText(128, 128, 100, "[n, k]", "float16", "float32"), "200 bytes", "mma.sync"},
           {"h200", productText(128, 128, 128, "[k, n]", "int8", "int32"), "[n, k]", "mma.sync"}}) {
    const auto plan = sketchOf(programState(r.text), deviceNamed(r.device), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto row = std::ranges::find(plan->rows, "R18", &PlanRow::number);
    ASSERT_NE(row, plan->rows.end());
    EXPECT_FALSE(row->applied) << r.says;
    EXPECT_THAT(row->why.english(), HasSubstr(r.says));
    EXPECT_THAT(plan->sketches.front().name, HasSubstr(r.then)) << r.says;
    const Message why = whyNotByWarpgroups(*plan);
    EXPECT_EQ(why.english(), std::string(r.device) == "h200" ? row->why.english() : "") << "said of Hopper alone";
  }
}

}  // namespace
}  // namespace loom::tune::warpgroups_test
