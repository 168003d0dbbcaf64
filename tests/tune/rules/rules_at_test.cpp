// Rules pressed one after the other on a history.
#include "core/tune/rules/rules_at.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/document/branches.h"
#include "core/document/matmul_function.h"
#include "core/script/line_diff.h"
#include "tests/document/scheduled.h"

namespace loom::tune::pressed_rules::rules_at_test {
namespace {

const model::Device& h200() {
  static const model::Device kDevice =
      model::findDevice(model::loadDevices(document::assets()).value(), "h200").value();
  return kDevice;
}

// The case that a new user tried: 768 × 1280 × 896, the second operand not transposed.
document::Target target() {
  document::MatmulRequest request{.m = 768, .n = 1280, .k = 896, .transposeY = false};
  request.input = "float16", request.output = "float32";
  return document::openFunction(document::matmulFunction(request).value(), "matmul.py").value();
}

Result<RulesAt> ask(const document::History& history, int node, const RulesRequest& request = {},
                    const RulesAt* before = nullptr) {
  return rulesAt(history, node, document::environment(), h200(), {}, request, before);
}

TEST(RulesAt, ArePressedOneAfterTheOtherAndKnowWhatIsTaken) {
  document::Target open = target();
  document::History& history = open.history;
  const auto start = ask(history, 0);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_TRUE(start->microseconds.has_value());
  EXPECT_FALSE(start->isComplete);
  // The stages come in their order, and "Memory hierarchy" is there.
  EXPECT_TRUE(std::ranges::is_sorted(start->rows, {}, &RuleAt::stage));
  const auto tiling = std::ranges::find_if(start->rows, [](const RuleAt& r) {
    return r.row.rule == "multi-level tiling" && r.fold >= 0 && !r.decisions.empty();
  });
  ASSERT_NE(tiling, start->rows.end());
  const int fold = tiling->fold;
  const document::FoldTitles titles = start->titlesUpTo(fold);
  std::size_t lines = 0;
  for (const auto& part : titles.parts) lines += std::size_t(part.lines);
  EXPECT_LE(script::splitLines(start->linesUpTo(fold)).size(), lines);
  EXPECT_EQ(start->titlesUpTo(int(start->folds.size()) - 1).title,
            "A schedule that the rules construct: " + start->shown().name);
  const auto pressed = history.apply(0, start->linesUpTo(fold), document::environment());
  ASSERT_TRUE(pressed && !pressed->refusal);
  const auto then = ask(history, pressed->node, {}, &*start);
  ASSERT_TRUE(then) << then.error().message;
  EXPECT_EQ(then->base, 0);
  EXPECT_EQ(then->sketch, start->sketch);
  EXPECT_FALSE(then->branches);
  for (const RuleAt& rule : then->rows) {
    if (rule.steps > 0) {
      EXPECT_EQ(rule.isDone, rule.fold <= fold) << rule.row.rule;
    }
    if (rule.fold < 0) continue;
    const auto lines = script::splitLines(then->folds[std::size_t(rule.fold)]);
    EXPECT_EQ(rule.steps, std::ranges::count_if(lines,
                                                [](const std::string& line) {
                                                  return line.find("sch.") != std::string::npos &&
                                                         line.find("= sch.get_") == std::string::npos;
                                                }))
        << rule.row.rule;
  }
  EXPECT_EQ(then->titlesUpTo(int(then->folds.size()) - 1).title, "The rest of the rules: " + then->shown().name);
  EXPECT_EQ(then->folds, start->folds) << "what is taken was constructed";
  const auto all = history.apply(then->base, then->linesUpTo(int(then->folds.size()) - 1), document::environment());
  ASSERT_TRUE(all && !all->refusal);
  EXPECT_TRUE(document::leadsTo(history, pressed->node, all->node)) << "the states that are there are used again";
  EXPECT_TRUE(ask(history, all->node, {}, &*start)->isComplete);
}

TEST(RulesAt, BuildAroundWhatIsWishedAndTaken) {
  document::Target open = target();
  RulesRequest request;
  request.counts = true;
  const auto start = ask(open.history, 0, request);
  ASSERT_TRUE(start && start->diagram);
  const Space& space = start->shown().space;
  const int d = decisionNamed(space, "k.inner");
  ASSERT_GE(d, 0);
  std::vector<std::int64_t> values = start->living[std::size_t(d)];
  std::erase(values, start->construction.assignment[std::size_t(d)]);
  ASSERT_FALSE(values.empty());
  request.wishes["k.inner"] = values.front();
  const auto begin = std::chrono::steady_clock::now();
  const auto wished = ask(open.history, 0, request, &*start);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  ASSERT_TRUE(wished);
  EXPECT_EQ(wished->construction.assignment[std::size_t(d)], values.front());
  EXPECT_NE(wished->folds, start->folds);
  // A schedule of a person's own: a branch where the plain program was.
  const auto own =
      open.history.apply(0, "sch.parallel(sch.get_loops(sch.get_block(\"Z\"))[0])", document::environment());
  ASSERT_TRUE(own && !own->refusal);
  const auto beside = ask(open.history, own->node, {}, &*start);
  ASSERT_TRUE(beside);
  EXPECT_TRUE(beside->branches);
  EXPECT_EQ(beside->base, 0);
}

TEST(RuleTable, HasASentenceAConditionAndAStageForEveryRule) {
  ASSERT_GE(ruleTable().size(), 17U);
  for (const RuleTableRow& row : ruleTable()) {
    EXPECT_FALSE(row.sentence.empty() || row.condition.empty()) << row.number << " " << row.name;
    EXPECT_EQ(ruleNumbered(row.number), &row);
  }
  EXPECT_EQ(ruleNumbered("R20"), nullptr);
}

}  // namespace
}  // namespace loom::tune::pressed_rules::rules_at_test
