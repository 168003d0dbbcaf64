// The order of the program's rooms. What points against it today is listed, and the list may only shrink.
#include "tests/structure/app_rooms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace loom::structure {
namespace {

const std::set<std::string>& knownUpward() {
  static const std::set<std::string> kArrows = {
      // What is derived of a state holds the code panels' view; the model of a state those of other panels.
      "app/session/comparing.h -> app/panels/code/view/derived.h",
      "app/session/pointing.h -> app/panels/code/view/derived.h",
      "app/session/preview.h -> app/panels/code/view/derived.h",
      "app/session/state_model.h -> app/panels/code/view/listing.h",
      "app/session/state_model.h -> app/panels/compare/view/figures.h",
      "app/session/state_model.h -> app/panels/memory/view/memory.h",
      "app/session/workbench.h -> app/panels/code/view/derived.h",
  };
  return kArrows;
}

TEST(AppRooms, IncludeOnlyWhatIsBelow) {
  std::set<std::string> upward;
  for (const SourceFile& file : readTree(TILELOOM_SOURCE_DIR)) {
    for (std::string& arrow : upwardIncludes(file)) upward.insert(std::move(arrow));
  }
  EXPECT_THAT(upward, testing::IsSubsetOf(knownUpward())) << "a new include points upward";
  EXPECT_THAT(knownUpward(), testing::IsSubsetOf(upward)) << "an include is gone: take it off the list";
}

TEST(AppRooms, UpwardAndSidewaysAreFound) {
  const auto count = [](const char* path, const char* target) {
    return upwardIncludes({path, {std::string("#include \"") + target + "\""}}).size();
  };
  EXPECT_EQ(count("app/ui/look.cpp", "app/window/host.h"), 1U);
  EXPECT_EQ(count("app/session/replay.cpp", "app/ui/look.h"), 1U);
  EXPECT_EQ(count("app/panels/roofline/page.cpp", "app/panels/memory/figures.h"), 1U);
  EXPECT_EQ(count("app/text/text.cpp", "app/panels/step/words.h"), 1U);
  EXPECT_EQ(count("app/panels/roofline/page.cpp", "app/panels/loop_nest/view/loop_nest.h"), 0U);
  EXPECT_EQ(count("app/panels/performance/panel.h", "app/panels/roofline/page.h"), 0U);
  EXPECT_EQ(count("app/panels/roofline/page.cpp", "app/session/workbench.h"), 0U);
  EXPECT_EQ(count("app/main.cpp", "app/window/open.h"), 0U);
}

}  // namespace
}  // namespace loom::structure
