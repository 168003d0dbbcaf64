#include "core/tune/rules/read_back.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "tests/tune/space/spaces.h"

namespace loom::tune::spaces::read_back_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Sketch tiledSketch() {
  Sketch sketch;
  sketch.lines = {{"i, j, k = sch.get_loops(b)", ""},
                  {"i0, i1 = sch.split(i, factors=[None, ?{i.warps*16}])", ""},
                  {"k0, k1 = sch.split(k, factors=[None, ?k.step])", ""},
                  {"sch.unroll(k1)", "unroll"},
                  {"sch.vectorize(j)", "vector - 1"},
                  {"sch.bind(i0, \"blockIdx.x\")", ""}};
  sketch.space = SpaceMaker()
                     .decision("i.warps", {1, 2, 4})
                     .decision("k.step", {8, 16})
                     .decision("unroll", {0, 1})
                     .decision("vector", {1, 2, 4})
                     .space();
  return sketch;
}

TEST(ReadBack, FindsTheDecisionsOfADrawnSchedule) {
  const Sketch sketch = tiledSketch();
  EXPECT_THAT(decisionsIn(sketch, {"i, j, k = sch.get_loops(b)", "i0, i1 = sch.split(i, factors=[None, 64])",
                                   "k0, k1 = sch.split(k, factors=[None, 8])", "sch.unroll(k1)",
                                   "sch.bind(i0, \"blockIdx.x\")"}),
              ElementsAre(Pair("i.warps", 4), Pair("k.step", 8), Pair("unroll", 1), Pair("vector", 1)));
}

TEST(ReadBack, KeepsValuesThatTheSpaceLacks) {
  // Written by hand, with other blanks; 48 is not 16 times a value of i.warps.
  EXPECT_THAT(decisionsIn(tiledSketch(),
                          {"i0, i1 = sch.split(i, factors=[None,48])", "k0, k1 = sch.split(k, factors=[None,4])"}),
              ElementsAre(Pair("k.step", 4)));
}

TEST(ReadBack, SaysNothingOfOtherSchedules) {
  EXPECT_THAT(decisionsIn(tiledSketch(), {"x0, x1 = sch.split(x, factors=[None, 64])", "sch.parallel(x0)"}), IsEmpty());
  EXPECT_THAT(decisionsIn(tiledSketch(), {}), IsEmpty());
}

// Names are given at the start, at a state on the path, and at the last one, each line by itself.
TEST(ReadBack, LinesOfAStateReplayWithTheNamesGivenOnTheWay) {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  const auto enter = [&](const std::string& line) {
    const auto applied = history.apply(history.current(), line, {});
    ASSERT_TRUE(applied && !applied->refusal) << line;
  };
  const std::vector<std::string> entered = {"b = sch.get_block(\"Z\")", "l = sch.get_loops(b)",
                                            "x = sch.split(l[0], factors=[None, 16])", "y = sch.get_loops(b)",
                                            "sch.unroll(y[-1])"};
  for (const std::string& line : entered) enter(line);
  enter("z = sch.get_loops(b)");
  const int last = history.current();
  EXPECT_EQ(stepLines(history, last), entered);
  EXPECT_THAT(linesBetween(history, history.node(last).parent, last), ElementsAre(entered[3], entered[4]));
  EXPECT_THAT(linesBetween(history, last, history.node(last).parent), IsEmpty());
}

}  // namespace
}  // namespace loom::tune::spaces::read_back_test
