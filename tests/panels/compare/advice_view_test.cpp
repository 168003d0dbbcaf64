#include "app/panels/compare/view/advice_difference.h"

#include <gtest/gtest.h>

namespace loom::session::compare_advice_view_test {
namespace {

TEST(AdviceDifference, WhatIsSaidOfOneStateOnlyIsWhyItsTimeDiffers) {
  auto advice = [](const char* code, const char* subject) {
    model::Advice a;
    a.code = code;
    a.subject = subject;
    return a;
  };
  const std::vector<model::Advice> before = {advice("few_blocks", ""), advice("busiest", "copy")};
  const std::vector<model::Advice> after = {advice("few_blocks", ""), advice("idle_lanes", "Z"),
                                            advice("idle_lanes", "Z"), advice("busiest", "issue")};
  const auto only = adviceOnlyIn(after, before);
  ASSERT_EQ(only.size(), 1U);
  EXPECT_EQ(only[0].code, "idle_lanes");
  EXPECT_TRUE(adviceOnlyIn(before, after).empty());
}

}  // namespace
}  // namespace loom::session::compare_advice_view_test
