#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/tune/space/crossover.h"
#include "core/tune/space/descent.h"
#include "core/tune/space/families.h"
#include "core/tune/space/pinned_counts.h"
#include "core/tune/space/reduction.h"
#include "tests/tune/space/spaces.h"

namespace loom::tune::spaces::draws_test {
namespace {

// Schedules of very unlike parts: a = 1 leaves 16 of them, a = 4 leaves 1.
Space unevenSpace() {
  return SpaceMaker()
      .decision("a", {1, 2, 4})
      .decision("b", {1, 2, 3, 4})
      .decision("c", {1, 2, 3, 4})
      .atMost("sum", {{1, {"a", "b"}}, {1, {"a", "c"}}}, 8)
      .space();
}

bool isSchedule(const Space& space, const Assignment& assignment) {
  return std::all_of(space.constraints.begin(), space.constraints.end(),
                     [&](const Constraint& constraint) { return holds(constraint, assignment); });
}

// Σ (seen − expected)² / expected over all schedules; the draws are as many as `seen` holds together.
double chiSquared(const std::vector<Assignment>& all, const std::map<Assignment, int>& seen,
                  const std::vector<double>& shares) {
  double draws = 0, sum = 0;
  for (const auto& [schedule, n] : seen) draws += n;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = seen.find(all[i]);
    const double n = at == seen.end() ? 0 : at->second, expected = draws * shares[i];
    sum += (n - expected) * (n - expected) / expected;
  }
  return sum;
}

TEST(Draws, AreUniform) {
  const Space space = unevenSpace();
  const auto all = enumerated(space);
  ASSERT_EQ(all.size(), 23U);
  const auto diagram = Diagram::of(space);
  const PinnedCounts counts(*diagram);
  Random random(7);
  std::map<Assignment, int> seen;
  for (int i = 0; i < 10'000; ++i) ++seen[*counts.draw(random)];
  EXPECT_EQ(seen.size(), all.size());
  // 22 degrees of freedom: one draw of a thousand lies above 48.3.
  EXPECT_LT(chiSquared(all, seen, std::vector<double>(all.size(), 1.0 / static_cast<double>(all.size()))), 48.3);
}

// Searches that leave one decision after another fewer values find what searches find that begin anew.
TEST(Draws, OfSearchesThatShareAutomataAreTheSame) {
  const Space space = unevenSpace();
  KnownResiduals known;
  for (int d = 0; d < int(space.decisions.size()); ++d)
    for (const std::int64_t value : space.decisions[std::size_t(d)].values) {
      Pins pins(space);
      pins.limitTo(d, {value});
      for (std::uint64_t seed = 1; seed < 4; ++seed) {
        Random one(seed), other(seed);
        EXPECT_EQ(Descent(space, pins, &known).draw(one).value(), Descent(space, pins).draw(other).value());
      }
      EXPECT_EQ(Descent(space, pins, &known).first().value(), Descent(space, pins).first().value());
    }
}

TEST(Draws, WeighAsTheirValuesDo) {
  const Space space = unevenSpace();
  const auto all = enumerated(space);
  const std::vector<std::vector<double>> weights = {{1, 5, 20}, {1, 1, 0, 2}, {1, 1, 1, 1}};
  std::vector<double> shares;
  std::vector<Assignment> possible;
  double total = 0;
  for (const Assignment& schedule : all) {
    double weight = 1;
    for (std::size_t d = 0; d < schedule.size(); ++d) {
      weight *= weights[d][static_cast<std::size_t>(valueIndexOf(space.decisions[d], schedule[d]))];
    }
    if (weight == 0) continue;
    possible.push_back(schedule);
    shares.push_back(weight);
    total += weight;
  }
  for (double& share : shares) share /= total;
  const auto diagram = Diagram::of(space);
  const WeightedDraws draws(*diagram, weights);
  Random random(11);
  std::map<Assignment, int> seen;
  for (int i = 0; i < 10'000; ++i) ++seen[*draws.draw(random)];
  for (const auto& [schedule, n] : seen) EXPECT_NE(schedule[1], 3) << "weighs nothing";
  EXPECT_LT(chiSquared(possible, seen, shares), 42.3);  // 18 degrees of freedom
  EXPECT_FALSE(WeightedDraws(*diagram, {{0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}}).draw(random));
}

TEST(Draws, OfLargeNumbersReachAllOfThem) {
  Random random(3);
  const Count bound = (Count{1} << 100) + 5;
  Count largest = 0;
  for (int i = 0; i < 200; ++i) {
    const Count number = drawnBelow(bound, random);
    ASSERT_TRUE(number < bound);
    largest = std::max(largest, number);
  }
  EXPECT_TRUE(largest > bound / 10 * 9);
  EXPECT_TRUE(drawnBelow(1, random) == 0);
}

TEST(ShuffledSchedules, ComeOnceEachUntilAllHaveCome) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Space space = randomSpace(seed);
    const auto diagram = Diagram::of(space);
    const PinnedCounts counts(*diagram);
    ShuffledSchedules order(counts, seed);
    std::set<Assignment> seen;
    while (const auto schedule = order.next()) {
      ASSERT_TRUE(seen.insert(*schedule).second) << "came twice";
    }
    EXPECT_EQ(digitsOf(counts.count()), std::to_string(seen.size()));
    EXPECT_FALSE(order.next());
  }
}

TEST(ShuffledSchedules, AreInNoOrder) {
  const auto diagram = Diagram::of(productSpace(1024, 1024, 1024));
  const PinnedCounts counts(*diagram);
  ShuffledSchedules order(counts, 1), other(counts, 2);
  int ascents = 0;
  Count before = 0;
  for (int i = 0; i < 400; ++i) {
    const auto schedule = *order.next();
    EXPECT_NE(schedule, *other.next()) << "of another seed";
    const Count index = *counts.indexOf(schedule);
    ascents += index > before ? 1 : 0;
    before = index;
  }
  EXPECT_NEAR(ascents, 200, 40);
}

TEST(Families, AreAllThatQuantitiesTellApart) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Space space = randomSpace(seed);
    const auto diagram = Diagram::of(space);
    Pins pins(space);
    pins.limitTo(1, {space.decisions[1].values.front(), space.decisions[1].values.back()});
    const auto families = Families::of(*diagram, pins, {{2, {0, 2}}, {1, {1}}});
    ASSERT_TRUE(families);
    std::map<std::vector<std::int64_t>, int> expected;
    for (const Assignment& s : enumerated(space, pins)) ++expected[{2 * s[0] * s[2], s[1]}];
    std::map<std::vector<std::int64_t>, int> found;
    for (const auto& family : families->all()) found[family.values] = static_cast<int>(family.schedules);
    EXPECT_EQ(found, expected) << "seed " << seed;
  }
}

TEST(Families, AreDrawnAlikeAndAlikeInside) {
  const Space space = unevenSpace();
  const auto diagram = Diagram::of(space);
  const auto families = Families::of(*diagram, Pins(space), {{1, {0}}, {1, {1}}});
  ASSERT_EQ(families->all().size(), 8U);
  const auto all = enumerated(space);
  std::map<std::vector<std::int64_t>, int> sizes;
  for (const Assignment& s : all) ++sizes[{s[0], s[1]}];
  std::vector<double> shares;
  for (const Assignment& s : all) shares.push_back(1.0 / 8 / sizes[{s[0], s[1]}]);
  Random random(5);
  std::map<Assignment, int> seen;
  for (int i = 0; i < 10'000; ++i) ++seen[*families->draw(random)];
  EXPECT_LT(chiSquared(all, seen, shares), 48.3);
}

TEST(Crossover, ChildrenAreSchedulesOfTheirParentsValues) {
  const Space space = productSpace(1024, 1024, 1024);
  const auto diagram = Diagram::of(space);
  const PinnedCounts counts(*diagram);
  Pins pins(space);
  pins.limitTo(decisionNamed(space, "wmma"), {0});
  const PinnedCounts pinned(*diagram, pins);
  std::vector<int> keys;
  for (const char* name : {"i.warp", "j.warp", "i.frag", "j.frag", "k.inner", "stages"}) {
    keys.push_back(decisionNamed(space, name));
  }
  Random random(9);
  std::set<Assignment> children;
  for (int i = 0; i < 60; ++i) {
    const auto mother = *pinned.draw(random), father = *pinned.draw(random);
    const auto child = childOf(*diagram, pins, mother, father, keys, random);
    ASSERT_TRUE(child);
    EXPECT_TRUE(isSchedule(space, *child));
    EXPECT_EQ((*child)[0], 0) << "pinned";
    const auto foreign = std::count_if(keys.begin(), keys.end(), [&](int key) {
      const auto d = static_cast<std::size_t>(key);
      return (*child)[d] != mother[d] && (*child)[d] != father[d];
    });
    EXPECT_LE(foreign, 1) << "only what was freed";
    children.insert(*child);
  }
  EXPECT_GT(children.size(), 55U);
}

TEST(Crossover, NeighboursDifferInOneDecision) {
  const Space space = unevenSpace();
  const auto near = neighboursOf(space, {2, 2, 2});
  EXPECT_EQ(near, (std::vector<Assignment>{{1, 2, 2}, {2, 1, 2}, {2, 2, 1}}));
}

TEST(Crossover, WhatGoesWithADecisionMovesWithIt) {
  const Space space = unevenSpace();
  EXPECT_EQ(movedTo(space, {2, 2, 2}, 0, 4), (Assignment{4, 1, 1}));
  EXPECT_EQ(movedTo(space, {4, 1, 1}, 2, 2), (Assignment{2, 1, 2}));
  EXPECT_EQ(movedTo(space, {2, 2, 2}, 0, 1), (Assignment{1, 2, 2}));
  EXPECT_EQ(movedTo(space, {2, 2, 2}, 0, 3), std::nullopt) << "no value of it";
}

TEST(Descent, FindsSchedulesOfASpaceThatIsNotCounted) {
  const Space space = productSpace(5376, 768, 3072);
  const auto counted = Diagram::of(space, {1000, 10, nullptr});
  ASSERT_FALSE(counted);
  Pins pins(space);
  pins.limitTo(decisionNamed(space, "stages"), {3});
  Descent descent(space, pins);
  Random random(1);
  std::set<Assignment> seen;
  for (int i = 0; i < 100; ++i) {
    const auto found = descent.draw(random);
    ASSERT_TRUE(found && *found);
    EXPECT_TRUE(isSchedule(space, **found));
    EXPECT_EQ((**found)[static_cast<std::size_t>(decisionNamed(space, "stages"))], 3);
    seen.insert(**found);
  }
  EXPECT_GT(seen.size(), 95U);
}

TEST(Descent, KnowsWhichSpacesAreEmpty) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Space space = randomSpace(seed);
    const auto found = Descent(space, Pins(space)).first();
    ASSERT_TRUE(found);
    const auto all = enumerated(space);
    ASSERT_EQ(found->has_value(), !all.empty()) << "seed " << seed;
    if (!all.empty()) {
      EXPECT_EQ(**found, all.front());
    }
    Random random(seed);
    const auto drawn = Descent(space, Pins(space)).draw(random);
    ASSERT_TRUE(drawn);
    EXPECT_EQ(drawn->has_value(), !all.empty());
  }
}

TEST(Descent, SeesAtOnceOnlyOfEmptySpacesThatTheyAre) {
  int seen = 0, empty = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Space space = randomSpace(seed);
    Random random(seed);
    for (int round = 0; round < 20; ++round) {
      Pins pins(space);
      for (std::size_t d = 0; d < space.decisions.size(); ++d) {
        const auto& values = space.decisions[d].values;
        if (round % 4 == 0 || drawnBelow(3, random) > 0)
          pins.limitTo(int(d), {values[static_cast<std::size_t>(drawnBelow(values.size(), random))]});
      }
      const bool isEmpty = enumerated(space, pins).empty(), isBroken = isPlainlyBroken(*restricted(space, pins));
      ASSERT_TRUE(isEmpty || !isBroken) << "seed " << seed;
      if (round % 4 == 0) {
        ASSERT_EQ(isBroken, isEmpty) << "each decision has one value";
      }
      empty += isEmpty ? 1 : 0, seen += isBroken ? 1 : 0;
    }
  }
  EXPECT_GT(seen, empty / 2);
}

TEST(Descent, StopsAtItsLimits) {
  const Space space = productSpace(5376, 768, 3072);
  const std::atomic<bool> stop = true;
  Random random(1);
  Descent descent(space, Pins(space));
  // Each draw visits some keys that no draw before it did.
  std::string code;
  for (int i = 0; i < 100 && code.empty(); ++i) {
    const auto found = descent.draw(random, {2'000'000, 10, &stop});
    if (!found) code = found.error().code;
  }
  EXPECT_EQ(code, "Stopped");
}

}  // namespace
}  // namespace loom::tune::spaces::draws_test
