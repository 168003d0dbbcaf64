// Schedules and programs of tests are files: what can be read, shared and run by itself isn't glued from literals.
#include "tests/structure/schedule_texts.h"

#include <gtest/gtest.h>

namespace loom::structure::schedule_texts_test {
namespace {

TEST(ScheduleTexts, OfMoreThanTwoLinesAreFiles) {
  std::vector<Breach> all;
  for (const SourceFile& file : readTree(TILELOOM_SOURCE_DIR)) {
    const std::vector<Breach> found = scheduleTextBreaches(file);
    all.insert(all.end(), found.begin(), found.end());
  }
  EXPECT_TRUE(all.empty()) << describe(all);
}

TEST(ScheduleTexts, InLiteralsAreFound) {
  const auto found = scheduleTextBreaches(
      {"tests/lower/a_test.cpp",
       {"#include <string>",
        "const char* const kA =", R"(    "b = sch.get_block(\"C\")\ni, j = sch.get_loops(b)\n"  // a comment)",
        R"(    "sch.bind(i, \"threadIdx.x\")\n";)"}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(scheduleTextBreaches({"tests/gpu/a.h", {R"(f("@T.prim_func\ndef main():\n    pass\n");)"}}).size(), 1U);
}

TEST(ScheduleTexts, OfTwoLinesRawOnesAndOthersAreLeftAlone) {
  const std::vector<std::string> fine = {R"c(f("b = sch.get_block(0)\nsch.unroll(b)\n");)c",
                                         R"c(f("sch.a()\n", "sch.b()\n", "sch.c()\n");)c",
                                         R"c(f("MOV R0, RZ\nEXIT\nNOP\nNOP\n");)c",
                                         R"c(f("sch.f(\"a\\nb\\nc\\n\")");)c",
                                         R"c(g('"'); f("sch.a()\n"); g('"'); f("sch.b()\nsch.c()\n");)c",
                                         R"c(f(R"x(sch.a()\nsch.b()\nsch.c()\n)x"); g(1'000);)c"};
  for (const std::string& line : fine)
    EXPECT_TRUE(scheduleTextBreaches({"tests/lower/a_test.cpp", {line}}).empty()) << line;
  EXPECT_TRUE(scheduleTextBreaches({"core/script/a.cpp", {R"(f("sch.a()\nsch.b()\nsch.c()\n");)"}}).empty());
}

}  // namespace
}  // namespace loom::structure::schedule_texts_test
