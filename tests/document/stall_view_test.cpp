#include "core/document/stall_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.h"

namespace loom::document::stall_view_test {
namespace {

using testing::HasSubstr;

TEST(StallView, LinesHaveTheirTextAndStep) {
  sass::Kernel sass = profile::scaleSass();
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) sass.instructions[n].line = n < 13 ? 3 : 0;
  const std::string source = "void f() {\n  // X_shared: cache_read, step 14\n  load();\n}\n";
  auto view = stallView(profile::scaleProfile(), sass, source);
  ASSERT_TRUE(view) << view.error().message.english();
  ASSERT_EQ(view->lines.size(), 2U);
  EXPECT_EQ(view->lines[0].stalls.line, 0);
  EXPECT_EQ(view->lines[0].text, "");
  EXPECT_EQ(view->lines[1].text, "load();");
  EXPECT_EQ(view->lines[1].madeBy, "cache_read, step 14");
  ASSERT_EQ(view->steps.size(), 2U);
  EXPECT_EQ(view->steps[1].madeBy, "cache_read, step 14");
  EXPECT_EQ(view->steps[0].stalls.samples + view->steps[1].stalls.samples, 367);
  EXPECT_EQ(view->instructions.size(), sass.instructions.size());
  EXPECT_EQ(view->total.samples, 367);
  ASSERT_EQ(view->loops.size(), 1U);
  EXPECT_EQ(view->loops[0].stalls.loop, -1);
  // What stands behind the code's end isn't shown, and has no samples.
  EXPECT_EQ(view->loops[0].stalls.with.samples, 367);
}

TEST(StallView, OtherCodeIsRefused) {
  sass::Kernel sass = profile::scaleSass();
  sass.instructions[3].opcode = "LDG";
  auto view = stallView(profile::scaleProfile(), sass, "");
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, "OtherCode");
  EXPECT_THAT(view.error().message.english(), HasSubstr("its instruction 4 is \"LDC R5, c[0x0][RZ]\""));
}

}  // namespace
}  // namespace loom::document::stall_view_test
