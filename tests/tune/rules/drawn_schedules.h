// Schedules drawn from the spaces that rules make of a program.
#pragma once
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"

namespace loom::tune {

// Draws three schedules by `seed` from the space of the sketch, which must not be empty, each schedule with the same
// probability. Expects each to make a kernel of `state` and, read back from that, to be in the space; and the first one
// to compute what `state` does.
inline void expectDrawnAreMembers(const schedule::State& state, const Sketch& sketch, std::uint64_t seed) {
  const auto diagram = Diagram::of(sketch.space);
  ASSERT_TRUE(diagram) << diagram.error().message;
  const PinnedCounts counts(*diagram);
  Random random(seed);
  for (int n = 0; n < 3; ++n) {
    const auto lines = linesOf(sketch, *counts.draw(random));
    ASSERT_TRUE(lines) << lines.error().message;
    const auto made = madeByLines(state, *lines, document::environment());
    ASSERT_TRUE(made) << made.error().message << "\n" << *lines;
    const Membership in = membershipOf(sketch.space, decisionsOf(sketch, state, made->state));
    EXPECT_TRUE(in.isMember.value_or(false)) << *lines;
    if (n == 0) expectRight(state, made->state, *lines);
  }
}

}  // namespace loom::tune
