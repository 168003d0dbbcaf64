#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/space/diagram.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "core/tune/space/waterfall.h"
#include "core/tune/space/why_dead.h"
#include "tests/tune/space/spaces.h"

namespace loom::tune::spaces::explanations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::string> wordsOf(const Membership& membership) {
  std::vector<std::string> words;
  for (const Exclusion& exclusion : membership.exclusions) words.push_back(exclusion.words.english());
  return words;
}

// The tile space of a tuned template: seed 002's, whose hand schedule takes 4 along k.
Space templateSpace() {
  return SpaceMaker()
      .decision("x", {8, 16, 32})
      .decision("y", {8, 16, 32})
      .decision("k", {8, 16})
      .atMost("shared memory", {{4, {"x", "k"}}, {4, {"y", "k"}}}, 3072)
      .table("shape", {"x", "y"}, {{8, 8}, {16, 16}, {32, 32}, {16, 32}})
      .divides("copy", {16, {"y"}}, {1, {"x", "k"}})
      .space();
}

TEST(Membership, SaysWhatExcludes) {
  const Space space = templateSpace();
  EXPECT_THAT(wordsOf(membershipOf(space, {{"k", 4}})), ElementsAre("k 4 is not in {8, 16}"));
  EXPECT_THAT(wordsOf(membershipOf(space, {{"x", 32}, {"y", 32}, {"k", 16}})),
              ElementsAre("shared memory: 4096 is more than 3072"));
  EXPECT_THAT(wordsOf(membershipOf(space, {{"x", 16}, {"y", 32}, {"k", 16}})),
              ElementsAre("copy: 512 does not divide 256"));
  EXPECT_THAT(wordsOf(membershipOf(space, {{"x", 32}, {"y", 8}, {"z", 1}})),
              ElementsAre("the space has no decision z", "shape: (32, 8) is not one of 4 combinations"));
}

TEST(Membership, OfAPartialAssignmentAsksWhatIsOpen) {
  const Space space = templateSpace();
  EXPECT_TRUE(membershipOf(space, {{"x", 16}}).isMember.value());
  EXPECT_TRUE(membershipOf(space, {}).isMember.value());
  // 32 × 32 fits with 8 along k, and 16 along k divides: each alone is possible, both are not.
  const Membership both = membershipOf(space, {{"x", 32}, {"y", 32}});
  EXPECT_FALSE(both.isMember.value());
  EXPECT_THAT(wordsOf(both), ElementsAre("no constraint forbids these values alone, but all together do"));
  EXPECT_THAT(wordsOf(membershipOf(space, {{"y", 32}, {"k", 8}})), ElementsAre("copy: 512 does not divide 8·x"));
}

TEST(Membership, OfEverySmallSpaceIsThatOfEnumeration) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Space space = randomSpace(seed);
    const auto all = enumerated(space);
    for (const std::int64_t first : space.decisions[0].values) {
      const bool isThere = std::any_of(all.begin(), all.end(), [&](const Assignment& s) { return s[0] == first; });
      const Membership membership = membershipOf(space, {{"a", first}});
      EXPECT_EQ(membership.isMember.value(), isThere) << "seed " << seed << ", a = " << first;
      EXPECT_EQ(membership.exclusions.empty(), isThere);
    }
  }
}

TEST(Membership, OfManyValuesShowsThoseAround) {
  const Space space = SpaceMaker().decision("t", divisors(1024)).space();
  EXPECT_THAT(wordsOf(membershipOf(space, {{"t", 96}})),
              ElementsAre("t 96 is not in {1, 2, …, 32, 64, 128, 256, 512, 1024}"));
}

TEST(WhyDead, FindsEachConstraintWithoutWhichAValueLives) {
  const std::atomic<bool> stop = false;
  const Space space = templateSpace();
  // y = 32 needs shape (16, 32) or (32, 32); its copy does not divide in either with what memory leaves.
  const WhyDead why = whyDead(space, Pins(space), 1, 32, stop);
  EXPECT_THAT(why.constraints, ElementsAre(0, 2));  // without shared memory, or without copy: any one of these
  EXPECT_THAT(why.pairs, IsEmpty());
  EXPECT_TRUE(whyDead(space, Pins(space), 1, 16, stop).isAlive);
}

TEST(WhyDead, FindsPairsWhereNoneAloneHelps) {
  const std::atomic<bool> stop = false;
  const Space space = SpaceMaker()
                          .decision("a", {1, 2})
                          .decision("b", {1, 2})
                          .atMost("first", {{1, {"a"}}}, 1)
                          .atMost("second", {{1, {"a", "b"}}}, 1)
                          .atMost("third", {{1, {"b"}}}, 2)
                          .space();
  const WhyDead why = whyDead(space, Pins(space), 0, 2, stop);
  EXPECT_THAT(why.constraints, IsEmpty());
  EXPECT_THAT(why.pairs, ElementsAre(Pair(0, 1)));
}

TEST(WhyDead, SaysWhenThreeTogetherForbid) {
  const std::atomic<bool> stop = false;
  SpaceMaker maker;
  maker.decision("a", {1, 2});
  for (const char* name : {"first", "second", "third"}) maker.atMost(name, {{1, {"a"}}}, 1);
  const WhyDead why = whyDead(maker.space(), Pins(maker.space()), 0, 2, stop);
  EXPECT_TRUE(why.nothingFound());
  EXPECT_TRUE(why.isComplete);
}

TEST(WhyDead, NamesThePinsThatKillAValue) {
  const std::atomic<bool> stop = false;
  const Space space = templateSpace();
  Pins pins(space);
  pins.limitTo(0, {8});  // x
  pins.limitTo(1, {8});  // y itself: no reason
  const WhyDead why = whyDead(space, pins, 1, 16, stop);
  EXPECT_THAT(why.pins, ElementsAre(0));
  EXPECT_THAT(why.constraints, IsEmpty());  // without shape the copy still forbids
}

TEST(WhyDead, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  const Space space = productSpace(1024, 1024, 1024);
  const WhyDead why = whyDead(space, Pins(space), 0, 0, stop);
  EXPECT_FALSE(why.isComplete && !why.isAlive);
}

TEST(WhyDead, ExplainsEveryDeadValueOfAProduct) {
  const std::atomic<bool> stop = false;
  const Space space = productSpace(1024, 1024, 1024);
  const auto diagram = Diagram::of(space);
  const auto marginals = PinnedCounts(*diagram).marginals();
  int dead = 0, alone = 0;
  for (std::size_t d = 0; d < marginals.size(); ++d) {
    for (std::size_t v = 0; v < marginals[d].size(); ++v) {
      if (marginals[d][v] != 0) continue;
      ++dead;
      const WhyDead why = whyDead(space, Pins(space), static_cast<int>(d), space.decisions[d].values[v], stop);
      EXPECT_TRUE(why.isComplete);
      alone += why.constraints.empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(dead, 8);
  EXPECT_EQ(alone, 8);
}

TEST(Waterfall, CountsAfterEachConstraintAndEachAlone) {
  const Space space = templateSpace();
  const Waterfall waterfall = waterfallOf(space);
  EXPECT_EQ(digitsOf(*waterfall.raw), "18");
  std::vector<std::string> after, alone;
  for (const auto& row : waterfall.rows) {
    after.push_back(digitsOf(*row.after));
    alone.push_back(digitsOf(*row.alone));
  }
  Space fewer = space;
  fewer.constraints.resize(2);
  EXPECT_EQ(after[1], std::to_string(enumerated(fewer).size()));
  EXPECT_EQ(after[2], std::to_string(enumerated(space).size()));
  EXPECT_THAT(alone, ElementsAre(after[0], "8", alone[2]));
  const Waterfall unknown = waterfallOf(productSpace(1024, 1024, 1024), {100, 10, nullptr});
  EXPECT_EQ(unknown.rows.back().after.error().code, "TooManyNodes");
}

}  // namespace
}  // namespace loom::tune::spaces::explanations_test
