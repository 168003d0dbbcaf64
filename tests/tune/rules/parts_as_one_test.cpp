// Programs whose parts don't go together are scheduled as one.
#include <gtest/gtest.h>

#include "tests/schedules/schedule_text.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::parts_as_one_test {
namespace {

// Where warps of mma.sync multiply, the two products and the rows between them can't be scheduled one after the other:
// rules then take the whole program, in which two blocks read what one of them copies.
TEST(PartsAsOne, CopyForTheirOwnReaders) {
  const schedule::State state = programState(tests::programText("attention_of_parts"));
  const model::Device device = deviceNamed("a100_80");
  const auto plan = sketchOf(state, device, ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, device, document::environment());
  ASSERT_TRUE(built) << built.error().message;
  expectRight(state, built->front().state, built->front().lines);
}

}  // namespace
}  // namespace loom::tune::parts_as_one_test
