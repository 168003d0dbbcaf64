// Rules of one's own: what is wrong with a file is said with line and field, and a good one is a branch of the plan.
#include "core/tune/rules/own_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/document/ready_function.h"
#include "core/tune/rules/built.h"
#include "tests/document/scheduled.h"

namespace loom::tune::own_rules::own_rule_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string example() { return document::readFile(document::assets() / "rules" / "rows.json").value(); }

std::string with(const std::string& from, const std::string& to) {
  std::string text = example();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

constexpr const char* kTwice = R"(
@T.prim_func
def main(A: T.Buffer((32, 1024), "float32"), D: T.Buffer((32, 1024), "float32")):
    for i, j in T.grid(32, 1024):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = A[vi, vj] * T.float32(2)
)";

schedule::State stateOf(const std::string& text) {
  return document::openFunction("from tvm.script import tir as T\n" + text, "f.py").value().history.node(0).state;
}

model::Device h200() { return model::findDevice(model::loadDevices(document::assets()).value(), "h200").value(); }

TEST(OwnRule, IsABranchBesideTheOthersAndBecomesAKernel) {
  const auto rule = readOwnRule(example(), "rows.json");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_FALSE(rule->sentence.at("zh").empty());
  const schedule::State state = stateOf(kTwice);
  const auto plan = sketchOf(state, h200(), *document::environment().intrinsics, {&*rule, 1});
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->sketches.size(), 2U);
  EXPECT_EQ(plan->sketches[1].name, "a row a block");
  EXPECT_EQ(plan->rowsOf[1].back().number, "R20");
  EXPECT_TRUE(plan->rowsOf[1].back().applied);
  const auto built = buildAll(*plan, state, h200(), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_EQ(built->size(), 2U);
  for (const Built& one : *built) {
    if (one.construction.sketch == 1) {
      EXPECT_THAT(one.lines, HasSubstr("sch.split(j, [None, "));
    }
  }
}

TEST(OwnRule, SaysInNumbersWhyItDoesNotApplyAndLosesNothing) {
  const auto narrow = readOwnRule(with("\"spatial\": [2, 2]", "\"spatial\": [3, 4]"), "r.json").value();
  const auto wrong = readOwnRule(with("sch.bind(i, ", "sch.bind(b, "), "r.json").value();
  const auto other = readOwnRule(with("[\"threads\", \"device.threads\"]", "[\"threads\", \"m\"]"), "r.json").value();
  const std::vector<OwnRule> own{narrow, wrong, other};
  const auto plan = sketchOf(stateOf(kTwice), h200(), *document::environment().intrinsics, own);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->sketches.size(), 1U);
  std::vector<std::string> why;
  for (const PlanRow& row : plan->rows)
    if (row.number == "R20") why.push_back(row.why.english());
  EXPECT_THAT(why, ElementsAre("2 spatial iterators, not 3 to 4", HasSubstr("sch.bind(b, \"blockIdx.x\") is refused"),
                               "the block has no m"));
}

// Its lines are accepted, but no kernel comes of them: that is said of the sketch, beside those that make one.
TEST(OwnRule, WhoseScheduleMakesNoKernelIsNamedWithTheReason) {
  const auto rule = readOwnRule(with("threadIdx.x", "threadIdx.q"), "r.json");
  ASSERT_TRUE(rule) << rule.error().message;
  const schedule::State state = stateOf(kTwice);
  const auto plan = sketchOf(state, h200(), *document::environment().intrinsics, {&*rule, 1});
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<NotBuilt> notBuilt;
  const auto built = buildAll(*plan, state, h200(), document::environment(), &notBuilt);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->size() + notBuilt.size(), plan->sketches.size());
  ASSERT_EQ(notBuilt.size(), 1U);
  EXPECT_EQ(plan->sketches[std::size_t(notBuilt[0].sketch)].name, "a row a block");
  EXPECT_THAT(notBuilt[0].why.english(), HasSubstr("makes no kernel: loop j_1 is bound to threadIdx.q"));
}

struct Bad {
  const char *from, *to, *says;
  int line;
};
class BadOwnRule : public testing::TestWithParam<Bad> {};

TEST_P(BadOwnRule, IsRefusedWithFieldAndLine) {
  const auto [from, to, says, line] = GetParam();
  const auto rule = readOwnRule(with(from, to), "mine.json");
  ASSERT_FALSE(rule);
  EXPECT_THAT(rule.error().message.english(), HasSubstr(says));
  EXPECT_EQ(rule.error().place.file, "mine.json");
  EXPECT_EQ(rule.error().place.line, line);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadOwnRule,
    testing::Values(Bad{"\"rule\": \"a row a block\"", "\"rule\": 7", "/rule: expected the rule's name", 2},
                    Bad{"\"zh\"", "\"de\"", "/sentence: expected a sentence in both languages", 3},
                    Bad{"\"elementwise\"", "\"matmul\"", "/when/block: expected any, elementwise", 7},
                    Bad{"[2, 2]", "[2, 1]", "/when/spatial: expected two whole numbers", 7},
                    Bad{"[64, 128, 256, 512]", "[64, -1]", "/decisions/0: expected \"values\"", 9},
                    Bad{"[64, 128, 256, 512]", "[64, 18446744073709551615]", "/decisions/0: expected \"values\"", 9},
                    Bad{"\"name\": \"own\"", "\"name\": \"s1\"", "/decisions/1/name: expected a name", 9},
                    Bad{"\"divides\"", "\"devides\"", "/constraints/0: expected one of equal", 12},
                    Bad{"\"threads*own\"", "\"threads*mine\"", "mine is neither a decision", 12},
                    Bad{"\"device.threads\"", "\"own\"", "own is a decision, and only facts", 12},
                    Bad{"\"threads*own\"", "\"threads*(own\"", "/constraints/0: ", 12},
                    Bad{"sch.unroll", "sch.unrol", "/lines/5: there is no primitive unrol", 22},
                    Bad{"sch.split(j, [None, ?threads, ?own])", "sch.split(j, [None, ?, ?own])",
                        "/lines/2: a ? has neither", 19},
                    Bad{"sch.get_loops(b)", "sch.get_loops(b", "/lines/1: ", 18},
                    Bad{"\"lines\": [", "\"lines\": {}, \"line\": [", "no such key", 16},
                    Bad{"\"when\": {", "\"when\": [], \"lines\": [], \"x\": {", "stands twice", 0},
                    Bad{"{\n", "[\n", "no JSON", 2}));

TEST(OwnRules, ABadFileIsAProblemAndTheOthersGoOn) {
  const auto folder = std::filesystem::temp_directory_path() / ("tileloom_rules_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.json") << example();
  std::ofstream(folder / "b.json") << "{\"rule\": ";
  std::ofstream(folder / "c.json") << example();
  std::ofstream(folder / "d.json") << with("a row a block", "another");
  const OwnRules rules = readOwnRules({folder, folder / "none"});
  std::filesystem::remove_all(folder);
  ASSERT_EQ(rules.rules.size(), 2U);
  EXPECT_EQ(rules.rules[1].name, "another");
  ASSERT_EQ(rules.problems.size(), 2U);
  EXPECT_THAT(rules.problems[0].place.file, HasSubstr("b.json"));
  EXPECT_THAT(rules.problems[1].message.english(), HasSubstr("a.json has a rule a row a block, too"));
}

}  // namespace
}  // namespace loom::tune::own_rules::own_rule_test
