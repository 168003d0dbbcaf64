#include "core/tune/rules/configured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loom::tune::configured_test {
namespace {

document::Configurations twoDecisions(const std::string& lines) {
  return {"two", {{"a", {{"en", "A"}, {"zh", "甲"}}, {1, 2}}, {"b", {{"en", "B"}}, {0, 1}}}, lines, "two.sched.py"};
}

TEST(Configured, LinesAreLeftOutWhereTheirConditionIsZero) {
  const auto sketch = sketchOf(twoDecisions("# of two\nx = ?a\n\ny = ?{a*2}  # when b\n"), "zh");
  ASSERT_TRUE(sketch) << sketch.error().message.english();
  EXPECT_EQ(sketch->space.decisions[0].words.english(), "甲");
  EXPECT_EQ(sketch->space.decisions[1].words.english(), "B") << "English where there is no Chinese";
  EXPECT_EQ(linesOf(*sketch, {2, 0}).value(), "x = 2\n");
  EXPECT_EQ(linesOf(*sketch, {2, 1}).value(), "x = 2\ny = 4\n");
}

TEST(Configured, AllCombinationsAreNamed) {
  auto sketch = sketchOf(twoDecisions("x = ?a\n"), "en");
  ASSERT_TRUE(sketch);
  std::vector<std::string> names;
  for (const Assignment& schedule : allSchedules(sketch->space)) names.push_back(nameOf(sketch->space, schedule));
  EXPECT_THAT(names, testing::ElementsAre("a=1 b=0", "a=1 b=1", "a=2 b=0", "a=2 b=1"));
  Constraint both;
  both.kind = Constraint::Kind::AtMost;
  both.terms = {{1, {0}}, {1, {1}}};
  both.limit = 2;
  sketch->space.constraints.push_back(both);
  EXPECT_EQ(allSchedules(sketch->space).size(), 3U);
}

TEST(Configured, WhatNamesNoDecisionIsRefused) {
  EXPECT_EQ(sketchOf(twoDecisions("x = ?c\n"), "en").error().code, "SketchError");
  document::Configurations twice = twoDecisions("x = ?a\n");
  twice.decisions[1].name = "a";
  EXPECT_EQ(sketchOf(twice, "en").error().code, "SpaceError");
}

}  // namespace
}  // namespace loom::tune::configured_test
