#include "core/tune/space/diagram.h"

#include <gtest/gtest.h>

#include "core/tune/space/pinned_counts.h"
#include "tests/tune/space/spaces.h"

namespace loom::tune::spaces::diagram_test {
namespace {

constexpr std::uint64_t kSpaces = 40;

// Pins that allow about two thirds of all values.
Pins randomPins(const Space& space, std::uint64_t seed) {
  Random random(seed);
  Pins pins(space);
  for (std::size_t d = 0; d < space.decisions.size(); ++d) {
    std::vector<std::int64_t> values;
    for (const std::int64_t value : space.decisions[d].values) {
      if (drawnBelow(3, random) != 0) values.push_back(value);
    }
    if (drawnBelow(2, random) == 0) pins.limitTo(static_cast<int>(d), values);
  }
  return pins;
}

TEST(Diagram, CountsAsEnumerationDoes) {
  int populated = 0;
  for (std::uint64_t seed = 0; seed < kSpaces; ++seed) {
    const Space space = randomSpace(seed);
    ASSERT_FALSE(problemOf(space));
    const auto diagram = Diagram::of(space);
    ASSERT_TRUE(diagram) << diagram.error().message;
    const auto all = enumerated(space);
    ASSERT_EQ(digitsOf(diagram->count()), std::to_string(all.size())) << "seed " << seed;
    populated += all.size() > 20 ? 1 : 0;
  }
  EXPECT_GE(populated, 20);
}

TEST(Diagram, CountsEveryValueUnderPinsAsEnumerationDoes) {
  for (std::uint64_t seed = 0; seed < kSpaces; ++seed) {
    const Space space = randomSpace(seed);
    const auto diagram = Diagram::of(space);
    const Pins pins = randomPins(space, seed);
    const PinnedCounts counts(*diagram, pins);
    const auto all = enumerated(space, pins);
    ASSERT_EQ(digitsOf(counts.count()), std::to_string(all.size())) << "seed " << seed;
    std::vector<std::vector<Count>> expected;
    for (const Decision& decision : space.decisions) expected.emplace_back(decision.values.size(), 0);
    for (const Assignment& schedule : all) {
      for (std::size_t d = 0; d < schedule.size(); ++d) {
        ++expected[d][static_cast<std::size_t>(valueIndexOf(space.decisions[d], schedule[d]))];
      }
    }
    EXPECT_TRUE(counts.marginals() == expected) << "seed " << seed;
  }
}

TEST(Diagram, NumbersSchedulesInTheOrderOfTheirValues) {
  for (std::uint64_t seed = 0; seed < kSpaces; ++seed) {
    const Space space = randomSpace(seed);
    const auto diagram = Diagram::of(space);
    const Pins pins = randomPins(space, seed + 1);
    const PinnedCounts counts(*diagram, pins);
    std::vector<Assignment> listed;
    for (Count i = 0; i < counts.count(); ++i) {
      listed.push_back(counts.at(i));
      const auto index = counts.indexOf(listed.back());
      ASSERT_TRUE(index && *index == i);
    }
    EXPECT_EQ(listed, enumerated(space, pins)) << "seed " << seed;
  }
}

TEST(Diagram, HasNoNumberForWhatIsNoSchedule) {
  const Space space =
      SpaceMaker().decision("a", {1, 2, 3}).decision("b", {1, 2}).atMost("s", {{1, {"a", "b"}}}, 3).space();
  const auto diagram = Diagram::of(space);
  Pins pins(space);
  pins.limitTo(0, {1, 2});
  const PinnedCounts counts(*diagram, pins);
  EXPECT_TRUE(counts.indexOf({2, 1}));
  EXPECT_FALSE(counts.indexOf({2, 2}));  // breaks the constraint
  EXPECT_FALSE(counts.indexOf({3, 1}));  // breaks the pin
  EXPECT_FALSE(counts.indexOf({1, 5}));  // is in no domain
}

// The figures of the hand-keyed counter and of plain enumeration, which agree on them.
TEST(Diagram, CountsTheProductsOfThePrototype) {
  const auto countOf = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto diagram = Diagram::of(productSpace(m, n, k));
    return diagram ? digitsOf(diagram->count()) : diagram.error().message.english();
  };
  EXPECT_EQ(countOf(1024, 1024, 1024), "130579888");
  EXPECT_EQ(countOf(4096, 4096, 4096), "130706288");
  EXPECT_EQ(countOf(5376, 768, 3072), "598424192");
  EXPECT_EQ(countOf(1008, 1040, 1536), "3660224");
  EXPECT_EQ(countOf(512, 256, 1024), "123142944");
}

TEST(Diagram, OfAPinnedProductCountsAsThePrototype) {
  const Space space = productSpace(5376, 768, 3072);
  const auto diagram = Diagram::of(space);
  const int warps = decisionNamed(space, "i.warp");
  const auto marginals = PinnedCounts(*diagram).marginals();
  const auto& ofWarps = marginals[static_cast<std::size_t>(warps)];
  const auto& values = space.decisions[static_cast<std::size_t>(warps)].values;
  ASSERT_EQ(values[5], 7);
  EXPECT_EQ(digitsOf(ofWarps[0]), "240286304");
  EXPECT_EQ(digitsOf(ofWarps[1]), "164903352");
  EXPECT_EQ(digitsOf(ofWarps.back()), "14112");
  // Few nodes, which is what pins cost: normal forms that are not normal show here first.
  EXPECT_LT(diagram->nodes(), 15'000);
}

TEST(Diagram, SaysOfAnEmptySpaceThatItIsEmpty) {
  const auto impossible = Diagram::of(SpaceMaker().decision("a", {2, 4}).equal("e", {1, {"a"}}, 3).space());
  ASSERT_TRUE(impossible);
  EXPECT_EQ(digitsOf(impossible->count()), "0");
  EXPECT_EQ(PinnedCounts(*impossible).marginals(), (std::vector<std::vector<Count>>{{0, 0}}));
  Random random(1);
  EXPECT_FALSE(PinnedCounts(*impossible).draw(random));
  const auto nothing = Diagram::of(Space{});
  ASSERT_TRUE(nothing);
  EXPECT_EQ(digitsOf(nothing->count()), "1");  // nothing to decide: one schedule
}

TEST(Diagram, SaysThatACountIsTooLarge) {
  SpaceMaker maker;
  for (int d = 0; d < 43; ++d) maker.decision("d" + std::to_string(d), {1, 2, 3, 4, 5, 6, 7, 8});
  const auto tooMany = Diagram::of(maker.space());  // 8⁴³ = 2¹²⁹
  ASSERT_FALSE(tooMany);
  EXPECT_EQ(tooMany.error().code, "CountOverflow");
  EXPECT_EQ(tooMany.error().message, "not counted: its numbers are too large to be exact");
}

TEST(Diagram, SaysThatAConstraintIsTooLarge) {
  const std::int64_t million = 1'000'000;
  SpaceMaker maker;
  for (const char* name : {"a", "b", "c", "d"}) maker.decision(name, {0, million});
  // 10²⁴ - 2·10³⁰: the common divisor keeps it exact.
  SpaceMaker exact = maker;
  const auto one =
      Diagram::of(exact.atMost("s", {{1, {"a", "b", "c", "d"}}, {-2, {"a", "b", "c", "d", "d"}}}, -1).space());
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(digitsOf(one->count()), "1");
  // 10²⁴ - 10³⁶ is not exact; what is clamped or wraps could come out on either side of the limit.
  SpaceMaker inexact = maker;
  const auto diagram =
      Diagram::of(inexact.atMost("s", {{1, {"a", "b", "c", "d"}}, {-1, {"a", "d", "d", "d", "d", "d"}}}, -1).space());
  ASSERT_FALSE(diagram);
  EXPECT_EQ(diagram.error().code, "CountOverflow");
  // Where all is positive, what does not fit is more than any limit.
  SpaceMaker positive;
  for (const char* name : {"a", "b", "c", "d"}) positive.decision(name, {0, million});
  const auto few = Diagram::of(positive.atMost("s", {{1, {"a", "b", "c", "d"}}}, 5).space());
  ASSERT_TRUE(few) << few.error().message;
  EXPECT_EQ(digitsOf(few->count()), "15");
}

TEST(Diagram, StopsAtItsLimits) {
  const Space space = productSpace(1024, 1024, 1024);
  const auto code = [&](const CountLimits& limits) {
    const auto diagram = Diagram::of(space, limits);
    return diagram ? "counted" : diagram.error().code;
  };
  const std::atomic<bool> stop = true;
  EXPECT_EQ(code({1000, 10, nullptr}), "TooManyNodes");
  EXPECT_EQ(code({1'000'000, 0, nullptr}), "TooLong");
  EXPECT_EQ(code({1'000'000, 10, &stop}), "Stopped");
}

TEST(Diagram, RefusesWhatIsNoSpace) {
  const auto messageOf = [](const Space& space) {
    const auto diagram = Diagram::of(space);
    return diagram ? "counted" : diagram.error().message.english();
  };
  EXPECT_EQ(messageOf(SpaceMaker().decision("a", {2, 1}).space()), "the values of a do not ascend");
  EXPECT_EQ(messageOf(SpaceMaker().decision("a", {}).space()), "a has no values");
  EXPECT_EQ(messageOf(SpaceMaker().decision("a", {1}).decision("a", {1}).space()), "two decisions are called a");
  EXPECT_EQ(messageOf(SpaceMaker().decision("a b", {1}).space()), "\"a b\" is no name of a decision");
  EXPECT_EQ(messageOf(SpaceMaker().decision("a", {1}).equal("e", {1, {"b"}}, 1).space()),
            "constraint e names a decision that is not there");
  EXPECT_EQ(messageOf(SpaceMaker().decision("a", {1}).table("t", {"a"}, {{1, 2}}).space()),
            "a row of constraint t has 2 values for 1 columns");
}

}  // namespace
}  // namespace loom::tune::spaces::diagram_test
