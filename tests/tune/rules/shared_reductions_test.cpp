// Sums and maxima that threads share, in forms that TVM's own reductions don't have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/rules/memory_bound.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::shared_reductions_test {
namespace {

using testing::HasSubstr;

struct Case {
  const char* name;
  std::string init, value;
};

TEST(SharedReductions, BeginAtAnyNumberAndInEitherOrder) {
  for (const Case& c : {Case{"maximum", "T.float32(-100)", "T.max(C[i], X[i, k])"},
                        {"held last", "T.min_value(\"float32\")", "T.max(X[i, k], C[i])"},
                        {"minimum", "T.float32(7)", "T.min(X[i, k], C[i])"},
                        {"sum", "T.float32(0)", "X[i, k] + C[i]"}}) {
    SCOPED_TRACE(c.name);
    const std::string text = function(R"(X: T.Buffer((33, 1000), "float32"), C: T.Buffer((33,), "float32"))",
                                      nest("C", "i, k", "33, 1000", "SR", "C[i]", c.init, c.value));
    const schedule::State state = programState(text);
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_THAT(built->front().lines, HasSubstr("sch.bind(r1, \"threadIdx.x\")"));
    expectRight(state, built->front().state, built->front().lines);
  }
}

}  // namespace
}  // namespace loom::tune::shared_reductions_test
