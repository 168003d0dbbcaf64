// Blocks whose loops are written in another order than results before sums.
#include <gtest/gtest.h>

#include "core/tune/rules/loops_in_order.h"
#include "tests/tune/rules/memory_bound.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::loop_orders_test {
namespace {

// A product of matrices with its loops in this order, and its iterators as ever.
std::string productBy(const std::string& loops, const std::string& extents) {
  std::string nestOfLoops = nest("C", "i, j, k", extents, "SSR", "C[i, j]", "T.float32(0)",
                                 R"(C[i, j] + T.Cast("float32", A[i, k]) * T.Cast("float32", B[k, j]))");
  nestOfLoops.replace(nestOfLoops.find("li, lj, lk"), 10, loops);
  return function(
      R"(A: T.Buffer((64, 48), "float16"), B: T.Buffer((48, 80), "float16"), C: T.Buffer((64, 80), "float32"))",
      nestOfLoops);
}

TEST(LoopOrders, OfReductionsAndProductsAreMended) {
  for (const MemoryBound& c : {
           MemoryBound{"sums of columns, row by row", "threads",
                       function(R"(X: T.Buffer((70, 300), "float32"), C: T.Buffer((300,), "float32"))",
                                nest("C", "k, j", "70, 300", "RS", "C[j]", "T.float32(0)", "C[j] + X[k, j]"))},
           {"the middle axis", "threads",
            function(R"(X: T.Buffer((6, 70, 40), "float16"), C: T.Buffer((6, 40), "float32"))",
                     nest("C", "i, k, j", "6, 70, 40", "SRS", "C[i, j]", "T.min_value(\"float32\")",
                          R"(T.max(C[i, j], T.Cast("float32", X[i, k, j])))"))},
           {"outer and inner axes", "threads",
            function(
                R"(X: T.Buffer((5, 6, 7, 8), "float32"), C: T.Buffer((6, 8), "float32"))",
                nest("C", "k, i, l, j", "5, 6, 7, 8", "RSRS", "C[i, j]", "T.float32(0)", "C[i, j] + X[k, i, l, j]"))},
           {"a product, its sum outside", "mma.sync", productBy("lk, li, lj", "48, 64, 80")},
           {"a product, its sum in the middle", "mma.sync", productBy("li, lk, lj", "64, 48, 80")},
       }) {
    SCOPED_TRACE(c.name);
    const schedule::State state = programState(c.text);
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_EQ(plan->sketches[std::size_t(built->front().construction.sketch)].name, c.sketch);
    expectRight(state, built->front().state, built->front().lines);
  }
}

TEST(LoopOrders, ThatRulesAskForStay) {
  EXPECT_TRUE(loopsInOrder(programState(productBy("li, lj, lk", "64, 80, 48")), document::environment()).lines.empty());
}

// What isn't computed from an init on is no reduction, and no kernel; rules say so.
TEST(LoopOrders, OfARecurrenceAreRefused) {
  const schedule::State state =
      programState(function(R"(X: T.Buffer((64, 512), "float32"), C: T.Buffer((64, 512), "float32"))",
                            nest("C", "i, j", "64, 512", "SR", "C[i, j]", "", "X[i, j] + C[i, j - 1]")));
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  if (!plan) return;
  const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, "NoRule");
}

}  // namespace
}  // namespace loom::tune::loop_orders_test
