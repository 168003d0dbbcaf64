// Products by warpgroups that form the result turned: columns of the program's result are rows of sums. And programs
// that write their second factor first, which take the same instructions under other names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::swapped_factors_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSwapped = "wgmma, factors swapped";

// The same product with its second factor first.
std::string withSecondFirst(std::string text) {
  const std::size_t a = text.find("T.Cast(\"float32\", A["), times = text.find(" * ", a), end = text.find('\n', a);
  const std::string first = text.substr(a, times - a), second = text.substr(times + 3, end - times - 3);
  return text.replace(a, end - a, second + " * " + first);
}

void expectSpace(const OnHopper& on, const std::string& what, const char* multiply) {
  expectKernels(on, what, 13, 2, [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
    EXPECT_THAT(lines, HasSubstr(multiply));
    expectMember(on, decisionsOf(on.sketch(), on.state, made.state), lines);
  });
}

TEST(SwappedFactors, OfEverySpaceAreKernelsAndRight) {
  expectSpace({productText(136, 200, 72, "[k, n]", "float16", "float32"), kSwapped}, "rows",
              "_trans_turned_commuted\"");
  expectSpace({productText(24, 264, 192, "[n, k]", "float16", "float32"), kSwapped}, "few rows", "_trans_commuted\"");
  expectSpace({productText(128, 333, 64, "[n, k]", "bfloat16", "float32"), kSwapped}, "odd", "_trans_commuted\"");
  expectSpace({productText(40, 192, 128, "[n, k]", "int8", "int32"), kSwapped}, "bytes", "s8s8s32_trans_commuted\"");
  expectSpace({tests::programText("rows_then_relu"), kSwapped}, "taken on", "_trans_turned_commuted\"");
}

TEST(SwappedFactors, OfProgramsWithTheSecondFirstNeedNoOtherName) {
  const std::string text = withSecondFirst(productText(136, 200, 72, "[k, n]", "float16", "float32"));
  ASSERT_THAT(text, HasSubstr("B[vk, vj]) * T.Cast(\"float32\", A[vi, vk])"));
  expectSpace({text, kSwapped}, "second first, swapped", "_trans_turned\"");
  expectSpace(OnHopper(text), "second first", "f16f16f32_commuted\"");
}

// Tiles of 136 columns by 96 end amid swizzled lines: what is left before the next ones counts, too.
TEST(SwappedFactors, OfTilesThatEndAmidSwizzledLinesFitSharedMemory) {
  const OnHopper on(productText(2312, 1720, 1448, "[k, n]", "float16", "float32"), kSwapped);
  expectKernels(on, "amid lines", 17, 0);
  const Space& space = on.sketch().space;
  std::int64_t refused = 0;
  const std::map<std::string, std::int64_t> values{
      {"i.warpgroups", 2}, {"i.rows", 2},      {"j.columns", 136}, {"i.blocks", 7},   {"j.blocks", 17},
      {"k.inner", 6},      {"k.outer", 16},    {"slots", 1},       {"slab", 8},       {"turns", 0},
      {"stages", 3},       {"flight", 1},      {"a.swizzle", 128}, {"b.swizzle", 64}, {"loaders", 1},
      {"early", 1},        {"raster", 1},      {"cluster.i", 1},   {"cluster.j", 1},  {"c.vector", 1},
      {"persistent", 0},   {"registers", 232}, {"over", 0},        {"c.swizzle", 32}};
  Assignment schedule;
  for (const Decision& decision : space.decisions) schedule.push_back(values.at(decision.name));
  EXPECT_FALSE(madeByLines(on.state, linesOf(on.sketch(), schedule).value(), document::environment()));
  for (const Constraint& c : space.constraints) refused += holds(c, schedule) ? 0 : 1;
  EXPECT_EQ(refused, 1) << "by its bytes of shared memory alone";
}

TEST(SwappedFactors, AreTriedWhereTilesFitBadlyAlone) {
  const auto index = [](const std::string& text) { return OnHopper(text, kSwapped).index(); };
  EXPECT_EQ(index(productText(512, 256, 128, "[k, n]", "float16", "float32")), -1) << "whole swizzled lines";
  EXPECT_EQ(index(productText(512, 200, 128, "[n, k]", "float16", "float32")), -1) << "any eight columns fit";
  EXPECT_EQ(index(productText(48, 40, 128, "[n, k]", "float16", "float32")), -1) << "fewer columns than 64";
  EXPECT_GE(index(productText(512, 200, 128, "[k, n]", "float16", "float32")), 0);
}

TEST(SwappedFactors, AreBuiltFirstWhereTheyFitBetter) {
  const OnHopper on(productText(1400, 1400, 1400, "[k, n]", "float16", "float32"), kSwapped);
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->front().construction.sketch, on.index());
  EXPECT_EQ(built->front().kernel.program->kernels.size(), 1U);
}

}  // namespace
}  // namespace loom::tune::swapped_factors_test
