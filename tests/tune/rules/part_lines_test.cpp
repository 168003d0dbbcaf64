// Lines of a part of a program, divided into stages so that several parts' lines can be applied together.
#include "core/tune/rules/part_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loom::tune::part_lines_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> textsOf(const std::vector<SketchLine>& lines) {
  std::vector<std::string> texts;
  for (const SketchLine& line : lines) texts.push_back(line.text);
  return texts;
}

std::vector<std::string> foldsOf(const PartLines& part) {
  std::vector<std::string> folds;
  for (const SketchFold& fold : part.folds) folds.push_back(fmt::format("{} {}+{}", fold.rule, fold.first, fold.lines));
  return folds;
}

std::vector<std::string> rowsOf(const PartLines& part) {
  std::vector<std::string> rows;
  for (const PlanRow& row : part.rows) rows.push_back(row.rule + (row.applied ? "" : " not"));
  return rows;
}

// The product's tile, which is found before its copies ask what is written; its sum, which is found behind them.
const PartLines kPart{{{"b = sch.get_block(\"C\")", ""},
                       {"sch.pad_einsum(b, [16, 16, 16])", ""},
                       {"t = sch.blockize(sch.get_loops(b)[-3])", ""},
                       {"x = sch.cache_read(t, 0, \"shared\")", ""},
                       {"sch.compute_at(x, sch.get_loops(t)[0])", ""},
                       {"sch.unroll(sch.get_loops(x)[-1])", ""},
                       {"z = sch.decompose_reduction(t, ?{k})", ""},
                       {"sch.vectorize(sch.get_loops(x)[-1])", "wide"}},
                      {{"tiling", "C", 0, 3}, {"copies", "C", 3, 2}, {"the rest", "C", 5, 3}},
                      {{"C", "R1", "inline", false, {}},
                       {"C", "R4", "tiling", true, {}},
                       {"C", "R5", "copies", true, {}},
                       {"C", "R6", "nothing", false, {}},
                       {"C", "R7", "the rest", true, {}}},
                      7};

TEST(PartLines, AreDividedWhereFindingEndsAndBeginsAgain) {
  const auto stages = inStages(kPart);
  EXPECT_THAT(foldsOf(stages[0]), ElementsAre("tiling 0+3"));
  EXPECT_THAT(foldsOf(stages[1]), ElementsAre("copies 0+2", "the rest 2+1"));
  EXPECT_THAT(foldsOf(stages[2]), ElementsAre("the rest 0+2"));
  EXPECT_THAT(rowsOf(stages[0]), ElementsAre("inline not", "tiling"));
  EXPECT_THAT(rowsOf(stages[1]), ElementsAre("copies", "nothing not", "the rest"));
  EXPECT_THAT(rowsOf(stages[2]), ElementsAre("the rest"));
  EXPECT_EQ(stages[2].lines.back().when, "wide");
  PartLines all;
  for (const PartLines& stage : stages) all.append(stage);
  EXPECT_EQ(textsOf(all.lines), textsOf(kPart.lines));
  EXPECT_EQ(all.nanoseconds, 7);
}

TEST(PartLines, ThatAskNothingAreOneStage) {
  const PartLines part{
      {{"b = sch.get_block(\"C\")", ""}, {"sch.unroll(sch.get_loops(b)[-1])", ""}}, {{"threads", "C", 0, 2}}, {}, 0};
  const auto stages = inStages(part);
  EXPECT_THAT(stages[0].lines, IsEmpty());
  EXPECT_THAT(foldsOf(stages[1]), ElementsAre("threads 0+2"));
  EXPECT_THAT(stages[2].lines, IsEmpty());
}

TEST(PartLines, KeepAFoldWithoutLines) {
  const auto stages = inStages({{}, {{"tiling", "C", 0, 0}}, {{"C", "R4", "tiling", true, {}}}, 0});
  EXPECT_THAT(foldsOf(stages[0]), ElementsAre("tiling 0+0"));
  EXPECT_THAT(rowsOf(stages[0]), ElementsAre("tiling"));
}

TEST(PartLines, GiveVariablesOtherNames) {
  EXPECT_THAT(textsOf(withOtherVariables({{"b = sch.get_block(\"b\")", ""},
                                          {"i, factors, *rest = sch.get_loops(b)", ""},
                                          {"i, = sch.split(i, factors=[None, i.b])", ""},
                                          {"sch.transform_layout(b, (\"write\", 0), lambda i, j: (j, i))", ""},
                                          {"sch.unroll(rest[-1])  # the last of rest", ""},
                                          {"i ] no Python", ""}},
                                         "_2")),
              ElementsAre("b_2 = sch.get_block(\"b\")", "i_2, factors_2, *rest_2 = sch.get_loops(b_2)",
                          "i_2, = sch.split(i_2, factors=[None, i_2.b])",
                          "sch.transform_layout(b_2, (\"write\", 0), lambda i_2, j: (j, i_2))",
                          "sch.unroll(rest_2[-1])  # the last of rest", "i ] no Python"));
}

}  // namespace
}  // namespace loom::tune::part_lines_test
