#include "core/tune/rules/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/expression.h"

namespace loom::tune::sketch_test {
namespace {

using testing::HasSubstr;

// A sketch of one line over the decisions `i.warps` = 4 and `stages` = 3.
Sketch oneLine(const std::string& text, const std::string& when = "") {
  Sketch sketch;
  sketch.space.decisions = {{"i.warps", {}, {4}}, {"stages", {}, {3}}};
  sketch.lines = {{text, when}};
  sketch.folds = {{"rule", "block", 0, 1}};
  return sketch;
}

std::string filled(const std::string& text, const std::string& when = "") {
  const auto lines = linesOf(oneLine(text, when), {4, 3});
  return lines ? *lines : "refused: " + lines.error().message.english();
}

TEST(LinesOfASketch, FillPlacesWithValuesAndExpressions) {
  EXPECT_EQ(filled("split(l, [None, ?i.warps])"), "split(l, [None, 4])\n");
  EXPECT_EQ(filled("split(l, [None, ?{i.warps*16 + 1}])"), "split(l, [None, 65])\n");
  EXPECT_EQ(filled("\"wmma_?{i.warps}x?stages\""), "\"wmma_4x3\"\n");
  EXPECT_EQ(filled("?{-7 // 2} ?{-7 % 2} ?{7 // -2} ?{7 % -2} ?{(stages - 1) * 2}"), "-4 1 -4 -1 4\n") << "as Python's";
  EXPECT_EQ(filled("no place"), "no place\n");
}

TEST(LinesOfASketch, LeaveOutWhatDoesNotApply) {
  EXPECT_EQ(filled("a", "stages - 3"), "");
  EXPECT_EQ(filled("a", "(stages // 3) * (3 // stages)"), "a\n");
}

TEST(LinesOfASketch, SayWhatCannotBeRead) {
  EXPECT_THAT(filled("?nobody"), HasSubstr("which is no decision"));
  EXPECT_THAT(filled("?{i.warps / 2}"), HasSubstr("can't be read from its character 9 on"));
  EXPECT_THAT(filled("?{i.warps // (stages - 3)}"), HasSubstr("divides by 0"));
  EXPECT_THAT(filled("?{i.warps % 0}"), HasSubstr("divides by 0"));
  EXPECT_THAT(filled("?{i.warps"), HasSubstr("does not end"));
  EXPECT_THAT(filled("a ? b"), HasSubstr("neither a name nor an expression"));
  EXPECT_THAT(filled("?{}"), HasSubstr("can't be read"));
  EXPECT_THAT(filled("?{(stages}"), HasSubstr("can't be read"));
  EXPECT_THAT(filled("?{9223372036854775807 + 1}"), HasSubstr("too large"));
  EXPECT_THAT(filled("?{99999999999999999999}"), HasSubstr("too large"));
  EXPECT_THAT(filled("?{" + std::string(5000, '(')), HasSubstr("does not end"));
  EXPECT_THAT(filled("?{" + std::string(5000, '(') + "}"), HasSubstr("can't be read"));
  EXPECT_THAT(filled("a", "nobody"), HasSubstr("which is no decision"));
  EXPECT_FALSE(linesOf(oneLine("a"), {4})) << "a value is missing";
}

TEST(LinesOfASketch, AreToldByFold) {
  Sketch sketch = oneLine("a", "stages - 3");
  sketch.lines.push_back({"b ?stages", ""});
  sketch.folds.push_back({"other", "block", 1, 1});
  const auto folds = linesOfFolds(sketch, {4, 3});
  ASSERT_TRUE(folds);
  EXPECT_EQ(*folds, (std::vector<std::string>{"", "b 3\n"}));
}

TEST(QuantitiesOfASketch, AreExpressions) {
  Sketch sketch = oneLine("a");
  sketch.quantities = {{"threads", "32*i.warps"}};
  EXPECT_EQ(quantityOf(sketch, "threads", {4, 3}).value(), 128);
  EXPECT_EQ(quantityOf(sketch, "nothing", {4, 3}).value(), 0);
}

}  // namespace
}  // namespace loom::tune::sketch_test
