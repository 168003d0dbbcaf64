// A search with times that a formula gives, in place of a device's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/document/ready_function.h"
#include "core/tune/rules/plan.h"
#include "core/tune/search/correction.h"
#include "core/tune/search/search.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::tune::search_test {
namespace {

struct SmallSpace {
  model::Device device = model::findDevice(model::loadDevices(document::assets()).value(), "h200").value();
  schedule::State start =
      document::openFunction(
          tests::programText("product_of_casts", {{"M", 32}, {"N", 32}, {"K", 16}, {"TYPE", "float32"}}), "f.py")
          .value()
          .history.node(0)
          .state;
  RulePlan plan = sketchOf(start, device, *document::environment().intrinsics).value();
  std::vector<std::optional<Diagram>> diagrams;
  SmallSpace() {
    plan.sketches = {plan.sketches.back()};  // whose kernels are the shortest
    for (const Sketch& s : plan.sketches) diagrams.emplace_back(Diagram::of(s.space).value());
  }
  Search search(Strategy strategy, std::uint64_t seed = 1) const {
    return {plan, diagrams, start, device, document::environment(), strategy, seed};
  }
};
const SmallSpace& space() {
  static const SmallSpace only;
  return only;
}

// Any formula will do that isn't the model's: more threads are better, and one stage too many is worse.
double timeOf(const Candidate& c) {
  double sum = 0;
  for (std::size_t q = 0; q < c.quantities.size(); ++q) sum += (q % 2 ? 1 : -1) * c.quantities[q] * double(q + 1);
  return 100 + sum;
}

std::size_t run(Search& search, int rounds, std::size_t each) {
  std::size_t measured = 0;
  for (int r = 0; r < rounds; ++r) {
    const auto list = search.shortlist(each * 2);
    for (std::size_t i : search.round(list, each)) {
      search.measured(i, timeOf(search.candidates()[i]));
      ++measured;
    }
  }
  return measured;
}

TEST(Search, MeasuresNoKernelTwiceAndKeepsTheFastest) {
  for (Strategy strategy :
       {Strategy::Funnel, Strategy::Evolution, Strategy::Coordinate, Strategy::Random, Strategy::Exhaustive}) {
    Search search = space().search(strategy);
    EXPECT_GT(run(search, 2, 2), 2u);
    std::set<std::string> keys;
    double fastest = 1e30;
    for (const Candidate& c : search.candidates()) {
      if (!c.measured) continue;
      EXPECT_TRUE(keys.insert(c.kernel->key).second);
      fastest = std::min(fastest, *c.measured);
    }
    ASSERT_TRUE(search.best());
    EXPECT_EQ(*search.candidates()[*search.best()].measured, fastest);
    EXPECT_TRUE(search.error());
  }
}

TEST(Search, BeginsWithTheConstructionsAndAtMostThreeOfAFamily) {
  Search search = space().search(Strategy::Funnel);
  const auto list = search.shortlist(6);
  ASSERT_EQ(list.size(), 6u);
  EXPECT_EQ(search.candidates()[list[0]].origin, Origin::Construction);
  std::map<std::string, int> families;
  for (std::size_t i : list) ++families[search.candidates()[i].family];
  for (const auto& [name, count] : families) EXPECT_LE(count, 3) << name;
}

TEST(Formula, RanksAllFamiliesBeforeAnyIsDrawn) {
  const SmallSpace& small = space();
  Random random(3);
  for (std::size_t n = 0; n < small.plan.sketches.size(); ++n) {
    const Sketch& sketch = small.plan.sketches[n];
    const auto tier = FormulaTier::of(sketch, *small.diagrams[n], small.device);
    ASSERT_TRUE(tier) << sketch.name;
    ASSERT_FALSE(tier->ranked().empty()) << sketch.name;
    EXPECT_TRUE(std::ranges::is_sorted(tier->ranked(), {}, &FormulaTier::Ranked::microseconds));
    EXPECT_GT(tier->ranked().front().microseconds, 0);
    for (const FormulaTier::Ranked& one : {tier->ranked().front(), tier->ranked().back()})
      EXPECT_DOUBLE_EQ(tier->microsecondsOf(tier->draw(one.family, random)), one.microseconds) << sketch.name;
  }
  Search search = small.search(Strategy::Funnel);
  run(search, 1, 4);
  EXPECT_GT(search.familyCount(), 0u);
  EXPECT_TRUE(search.formulaError());
  EXPECT_THAT(search.candidates(), testing::Contains(testing::Field(&Candidate::origin, Origin::Formula)));
}

// Each schedule of a family once, and all of them together the space's.
TEST(Formula, CountsThroughItsFamilies) {
  const SmallSpace& small = space();
  const auto tier = FormulaTier::of(small.plan.sketches[0], *small.diagrams[0], small.device);
  ASSERT_TRUE(tier);
  Count all = 0;
  for (const FormulaTier::Ranked& one : tier->ranked()) all += tier->schedulesOf(one.family);
  EXPECT_EQ(all, small.diagrams[0]->count());
  const FormulaTier::Ranked& one = tier->ranked().front();
  std::set<Assignment> found;
  for (Count n = 0; n < tier->schedulesOf(one.family); ++n) {
    const Assignment assignment = tier->at(one.family, n);
    EXPECT_DOUBLE_EQ(tier->microsecondsOf(assignment), one.microseconds);
    EXPECT_TRUE(PinnedCounts(*small.diagrams[0]).indexOf(assignment));
    found.insert(assignment);
  }
  EXPECT_EQ(Count(found.size()), tier->schedulesOf(one.family));
}

TEST(Search, GoesThroughAllInTheFormulasOrder) {
  Search search = space().search(Strategy::Exhaustive), again = space().search(Strategy::Exhaustive, 7);
  EXPECT_EQ(run(search, 2, 8), 16U);
  run(again, 2, 8);
  ASSERT_EQ(search.schedules(), space().diagrams[0]->count());
  EXPECT_GE(search.enumerated(), Count(15)) << "one of what was measured was constructed";
  EXPECT_LT(search.enumerated(), *search.schedules());
  double before = 0;
  ASSERT_EQ(search.candidates().size(), again.candidates().size());
  for (std::size_t i = 0; i < search.candidates().size(); ++i) {
    const Candidate& c = search.candidates()[i];
    EXPECT_EQ(c.lines, again.candidates()[i].lines) << "whatever the seed";
    if (c.origin != Origin::Enumerated) continue;
    EXPECT_GE(*c.formula, before - 1e-9);
    before = *c.formula;
  }
  EXPECT_EQ(space().search(Strategy::Random).enumerated(), Count(0));
}

TEST(Search, TakesConstructionsThatAreBuiltAlready) {
  const SmallSpace& small = space();
  const auto built = buildAll(small.plan, small.start, small.device, document::environment()).value();
  const Search search(small.plan, small.diagrams, small.start, small.device, document::environment(), Strategy::Funnel,
                      1, built);
  ASSERT_FALSE(search.candidates().empty());
  EXPECT_EQ(search.candidates()[0].lines, built[0].lines);
  EXPECT_EQ(search.candidates()[0].predicted, built[0].microseconds);
  EXPECT_EQ(search.candidates().size(), small.search(Strategy::Funnel).candidates().size());
}

TEST(Search, LeavesOutWhatDied) {
  Search search = space().search(Strategy::Funnel);
  const auto list = search.shortlist(2);
  search.died(list[0], fail("WrongResult", Message()).value());
  EXPECT_THAT(search.round(list, 2), testing::Not(testing::Contains(list[0])));
  EXPECT_THAT(search.shortlist(2), testing::Not(testing::Contains(list[0])));
}

TEST(Search, IsTheSameForASeedAndAnotherForAnother) {
  const auto linesOf = [](std::uint64_t seed) {
    Search search = space().search(Strategy::Random, seed);
    search.shortlist(1);
    std::string all;
    for (const Candidate& c : search.candidates()) all += c.lines;
    return all;
  };
  EXPECT_EQ(linesOf(5), linesOf(5));
  EXPECT_NE(linesOf(5), linesOf(6));
}

TEST(Correction, LearnsASlopeAndAFactor) {
  std::vector<Correction::Sample> samples;
  for (int i = 0; i < 64; ++i) {
    const double q = i % 8;
    samples.push_back({{q, 1}, 10, 10 * 1.5 * std::exp(0.1 * (q - 3.5))});
  }
  const Correction learned(samples);
  EXPECT_NEAR(learned.factor({3.5, 1}), 1.5, 0.02);
  EXPECT_NEAR(learned.factor({6, 1}) / learned.factor({2, 1}), std::exp(0.4), 0.03);
  EXPECT_EQ(Correction({}).factor({3, 1}), 1);
  EXPECT_EQ(learned.factor({1000, 1}), 4) << "what lies far outside is not believed";
}

}  // namespace
}  // namespace loom::tune::search_test
