// The order of the program's rooms.
#include "tests/structure/app_rooms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loom::structure::app_rooms_test {
namespace {

TEST(AppRooms, IncludeOnlyWhatIsBelow) {
  std::vector<std::string> upward;
  for (const SourceFile& file : readTree(TILELOOM_SOURCE_DIR)) {
    for (std::string& arrow : upwardIncludes(file)) upward.push_back(std::move(arrow));
  }
  EXPECT_THAT(upward, testing::IsEmpty()) << "an include points upward, or from one panel to another";
}

TEST(AppRooms, UpwardAndSidewaysAreFound) {
  const auto count = [](const char* path, const char* target) {
    return upwardIncludes({path, {std::string("#include \"") + target + "\""}}).size();
  };
  EXPECT_EQ(count("app/ui/look.cpp", "app/window/host.h"), 1U);
  EXPECT_EQ(count("app/session/edits.cpp", "app/ui/look.h"), 1U);
  EXPECT_EQ(count("app/session/edits.cpp", "app/text/text.h"), 1U);
  EXPECT_EQ(count("app/session/edits.cpp", "app/session/problems.h"), 0U);
  EXPECT_EQ(count("app/panels/roofline/page.cpp", "app/panels/memory/figures.h"), 1U);
  EXPECT_EQ(count("app/text/text.cpp", "app/panels/step/words.h"), 1U);
  EXPECT_EQ(count("app/panels/roofline/page.cpp", "app/panels/loop_nest/view/loop_nest.h"), 0U);
  EXPECT_EQ(count("app/panels/performance/panel.h", "app/panels/roofline/page.h"), 0U);
  EXPECT_EQ(count("app/panels/roofline/page.cpp", "app/session/session.h"), 0U);
  EXPECT_EQ(count("app/main.cpp", "app/window/open.h"), 0U);
}

}  // namespace
}  // namespace loom::structure::app_rooms_test
