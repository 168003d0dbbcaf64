// The path from a schedule to a winner, and what its decisions are worth.
#include "core/tune/search/winner_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/script/line_diff.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"
#include "tests/tune/search/small_product.h"

namespace loom::tune::winner_path_test {
namespace {

const Space& productSpace() { return smallProduct().plan.sketches[0].space; }

// A schedule from the middle of the space: far from the construction.
Assignment winner() {
  const PinnedCounts counts(*smallProduct().counted[0]);
  return counts.at(counts.count() / 3);
}

Result<WinnerPath> path(const OwnProgram& own) {
  return pathTo(smallProduct(), smallStart(), document::environment(), 0, winner(), own);
}

std::shared_ptr<const document::KernelText> kernelOf(const MadeByLines& made) {
  return std::make_shared<const document::KernelText>(made.kernel);
}

// From the construction on; made once, because its states are lowered and predicted.
Result<WinnerPath> path() {
  static const Result<WinnerPath> made = path(OwnProgram{});
  return made;
}

// All that a path promises, whatever its times are.
void expectSound(const WinnerPath& path) {
  ASSERT_EQ(path.states.size(), path.steps.size() + 1);
  EXPECT_EQ(path.states.back().assignment, winner());
  double product = 1;
  for (std::size_t n = 0; n < path.steps.size(); ++n) {
    std::vector<int> changed;
    for (std::size_t d = 0; d < productSpace().decisions.size(); ++d)
      if (path.states[n].assignment[d] != path.states[n + 1].assignment[d]) changed.push_back(int(d));
    EXPECT_EQ(path.steps[n].decisions, changed);
    if (!path.isMeasured) {
      EXPECT_EQ(path.steps[n].together.empty(), changed.size() == 1);
    }
    for (const Constraint& c : productSpace().constraints) EXPECT_TRUE(holds(c, path.states[n].assignment)) << c.name;
    ASSERT_TRUE(path.gainOf(n));
    product *= *path.gainOf(n);
  }
  ASSERT_TRUE(path.gain());
  EXPECT_NEAR(product / *path.gain(), 1, 1e-9);
}

TEST(WinnerPath, ChangesOneDecisionAtATimeAndItsGainsMakeTheTotal) {
  const auto found = path();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->isFromOwn);
  EXPECT_GE(found->steps.size(), 2u);
  expectSound(*found);
}

// What a person is offered without a search is the formulas' schedule as the model has improved it.
TEST(WinnerPath, BeginsAtTheScheduleThatIsOfferedWithoutASearch) {
  const schedule::State start = programState(ready("gemv", {{"M", 6144}, {"K", 3072}}));
  const PreparedSearch prepared = prepareSearch(start, deviceNamed("h200"), document::environment()).value();
  const Built& offered = prepared.built.front();
  const int sketch = offered.construction.sketch;
  const Assignment formulas = construct(prepared.plan, sketch, prepared.device).value().assignment;
  ASSERT_NE(offered.construction.assignment, formulas) << "else this shows nothing";
  const auto found = pathTo(prepared, start, document::environment(), sketch, formulas, {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->states.front().assignment, offered.construction.assignment);
}

TEST(WinnerPath, BeginsAtAPersonsScheduleOfTheSameKind) {
  const PinnedCounts counts(*smallProduct().counted[0]);
  const Assignment mine = counts.at(counts.count() / 2);
  const std::string lines = linesOf(smallProduct().plan.sketches[0], mine).value();
  const auto made = madeByLines(smallStart(), lines, document::environment());
  ASSERT_TRUE(made);
  const auto found = path({script::splitLines(lines), made->state, kernelOf(*made)});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->isFromOwn);
  EXPECT_FALSE(found->own);
  EXPECT_EQ(found->states.front().kernel->key, made->kernel.key);
  expectSound(*found);
}

// A person's schedule that the sketch can't make stands beside the path, with the reason, and is measured with it.
TEST(WinnerPath, SaysWhyItDoesNotBeginAtAPersonsSchedule) {
  const Sketch& sketch = smallProduct().plan.sketches[0];
  const PinnedCounts counts(*smallProduct().counted[0]);
  const Assignment mineOf = counts.at(counts.count() / 2);
  const std::string lines = linesOf(sketch, mineOf).value();
  const auto made = madeByLines(smallStart(), lines, document::environment());
  ASSERT_TRUE(made);
  const auto own = kernelOf(*made);
  const auto whyOf = [](const OwnProgram& program) {
    const auto found = path(program);
    return found && found->own ? found->own->why.english() : "";
  };
  EXPECT_THAT(whyOf({{"sch.vectorize(i)"}, smallStart(), own}),
              testing::HasSubstr("its steps are not those of the sketch"));
  // The same steps, but the kernel is that of the winner.
  const auto other = path()->states.back().kernel;
  EXPECT_THAT(whyOf({script::splitLines(lines), made->state, other}), testing::HasSubstr("makes another kernel"));
  auto more = script::splitLines(lines);
  more.push_back("sch.annotate(b, \"mine\", 1)");
  EXPECT_THAT(whyOf({more, made->state, other}),
              testing::HasSubstr("the schedule has further lines (1): sch.annotate(b, \"mine\", 1)"));
  more.erase(more.begin());
  EXPECT_THAT(whyOf({more, made->state, other}),
              testing::HasSubstr("lines of the schedule are others (1): sch.annotate"));
  more.pop_back();
  EXPECT_THAT(whyOf({more, made->state, other}), testing::HasSubstr("the schedule lacks lines (1): "));
  // The decisions are told as they were read, for a table beside the winner's.
  const auto beside = path({script::splitLines(lines), made->state, other});
  ASSERT_TRUE(beside && beside->own);
  EXPECT_FALSE(beside->own->values.empty());
  for (const auto& [decision, value] : beside->own->values) EXPECT_EQ(value, mineOf[std::size_t(decision)]);
  // No kernel, or nothing done yet: there is nothing to compare.
  EXPECT_FALSE(path({script::splitLines(lines), made->state, nullptr})->own);
  EXPECT_FALSE(path({{}, {}, own})->own);

  auto found = path({script::splitLines(lines), made->state, other});
  ASSERT_TRUE(found && found->own);
  EXPECT_EQ(found->timeOfOwn(), found->states.back().predicted);
  std::vector<DecisionWorth> none;
  FormulaMeasurer measurer;
  WinnerPath timed = *found;
  ASSERT_TRUE(measurePath(timed, none, measurer, {}));
  ASSERT_TRUE(timed.timeOfOwn());
  EXPECT_DOUBLE_EQ(*timed.timeOfOwn(), FormulaMeasurer::timeOf(*other));
  // One that can't be measured takes nothing from the path.
  found->own->kernel = own;
  measurer.dies = [&](const document::KernelText& kernel) { return kernel.key == own->key; };
  ASSERT_TRUE(measurePath(*found, none, measurer, {}));
  EXPECT_FALSE(found->timeOfOwn());
  EXPECT_EQ(found->own->failure, "it is wrong");
  expectSound(*found);
}

TEST(WinnerPath, MeasuredGainsMakeTheTotalAlsoWhereAStateHasNoTime) {
  auto found = path();
  ASSERT_TRUE(found);
  const std::size_t states = found->states.size();
  ASSERT_GE(states, 3u);
  FormulaMeasurer measurer;
  std::vector<DecisionWorth> none;
  WinnerPath timed = *found;
  ASSERT_TRUE(measurePath(timed, none, measurer, {}));
  EXPECT_TRUE(timed.isMeasured);
  expectSound(timed);
  EXPECT_DOUBLE_EQ(*timed.states[1].measured, FormulaMeasurer::timeOf(*timed.states[1].kernel));
  // The second state dies: the steps before and after it become one.
  const std::string second = found->states[1].kernel->key;
  measurer.dies = [&](const document::KernelText& kernel) { return kernel.key == second; };
  ASSERT_TRUE(measurePath(*found, none, measurer, {}));
  EXPECT_LT(found->states.size(), states);
  EXPECT_EQ(found->steps.front().together, "it is wrong");
  expectSound(*found);
}

TEST(WinnerPath, AStepThatLaterOnesWinBackIsOneWithThem) {
  auto found = path();
  ASSERT_TRUE(found);
  const std::size_t states = found->states.size();
  ASSERT_GE(states, 3u);
  found->isMeasured = true;
  for (std::size_t n = 0; n < states; ++n) found->states[n].measured = 100 - double(n);
  WinnerPath steady = *found;
  joinDetours(steady, productSpace());
  EXPECT_EQ(steady.states.size(), states);
  found->states[1].measured = 120;
  WinnerPath detour = *found;
  joinDetours(detour, productSpace());
  EXPECT_EQ(detour.states.size(), states - 1);
  EXPECT_DOUBLE_EQ(*detour.states[1].measured, 98);
  EXPECT_THAT(detour.steps.front().together.english(), testing::HasSubstr("alone makes it slower, 120 µs"));
  expectSound(detour);
  // Nothing wins the winner's own loss back.
  found->states[1].measured = 99;
  found->states.back().measured = 110;
  joinDetours(*found, productSpace());
  EXPECT_EQ(found->states.size(), states);
  expectSound(*found);
}

TEST(WinnerPath, StaysPredictedWithoutATimeOfItsWinner) {
  auto found = path();
  ASSERT_TRUE(found);
  FormulaMeasurer measurer;
  measurer.dies = [](const document::KernelText&) { return true; };
  std::vector<DecisionWorth> none;
  const auto measured = measurePath(*found, none, measurer, {});
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().message, "it is wrong");
  EXPECT_FALSE(found->isMeasured);
  expectSound(*found);
}

TEST(WinnerPath, NeighboursDifferInOneDecisionOrSayWhyThereIsNone) {
  const auto found = path();
  ASSERT_TRUE(found);
  auto worth = worthOfDecisions(smallProduct(), smallStart(), document::environment(), *found);
  ASSERT_FALSE(worth.empty());
  auto timed = *found;
  FormulaMeasurer measurer;
  ASSERT_TRUE(measurePath(timed, worth, measurer, {}));
  int possible = 0, together = 0;
  for (const DecisionWorth& one : worth) {
    const auto d = std::size_t(one.decision);
    for (const NeighbourValue& value : one.values) {
      EXPECT_NE(value.value, winner()[d]);
      EXPECT_NE(value.state.has_value(), !value.problem.empty());
      if (!value.state) continue;
      possible += value.with < 0;
      together += value.with >= 0;
      Assignment expected = winner();
      expected[d] = value.value;
      if (value.with >= 0) expected[std::size_t(value.with)] = value.state->assignment[std::size_t(value.with)];
      EXPECT_EQ(value.state->assignment, expected);
      EXPECT_TRUE(value.state->measured);
    }
  }
  EXPECT_GT(possible, 0);
  EXPECT_GT(together, 0) << "of a factor, another one";
}

TEST(WinnerPath, TheModelSaysWhatBindsTheWinner) {
  const auto found = path();
  ASSERT_TRUE(found);
  const auto binds = whatBinds(*found->states.back().kernel, smallProduct().device);
  ASSERT_FALSE(binds.empty());
  EXPECT_GT(binds.front().numbers.size(), 0u);
}

}  // namespace
}  // namespace loom::tune::winner_path_test
