// The order of the program's rooms. What points against it today is listed, and the list may only shrink.
#include "tests/structure/app_rooms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace loom::structure {
namespace {

const std::set<std::string>& knownUpward() {
  static const std::set<std::string> kArrows = {
      // Letters and names of enumerations that belong to the device program.
      "app/notation/axis.h -> app/panels/loop_nest/view/loop_nest.h",
      "app/notation/memory_place.h -> app/panels/memory/view/memory.h",
      // What is derived of a state holds the code panels' view; the model of a state those of other panels.
      "app/session/comparing.h -> app/panels/code/view/derived.h",
      "app/session/moment.h -> app/panels/memory/view/memory.h",
      "app/session/pointing.h -> app/panels/code/view/derived.h",
      "app/session/preview.h -> app/panels/code/view/derived.h",
      "app/session/state_model.h -> app/panels/code/view/listing.h",
      "app/session/state_model.h -> app/panels/compare/view/figures.h",
      "app/session/state_model.h -> app/panels/memory/view/memory.h",
      "app/session/workbench.h -> app/panels/code/view/derived.h",
      "app/session/workbench.h -> app/panels/stalls/view/stalls.h",
      // Controls and widgets that draw what belongs to a panel.
      "app/ui/number_field.h -> app/widgets/context.h",
      "app/widgets/empty_state.h -> app/panels/panel.h",
      "app/widgets/stall_text.cpp -> app/panels/code/stall_column.h",
      // Only Host::wake.
      "app/panels/history/argument_form.cpp -> app/window/host.h",
      "app/panels/loop_nest/menu.cpp -> app/window/host.h",
      "app/panels/loop_nest/panel.cpp -> app/window/host.h",
      "app/panels/playback/panel.cpp -> app/window/host.h",
      "app/panels/step/panel.cpp -> app/window/host.h",
      "app/panels/thread_binding/banks.cpp -> app/window/host.h",
      "app/widgets/lesson_highlight.cpp -> app/window/host.h",
      // Painting that two panels share.
      "app/panels/code/code_hover.cpp -> app/panels/loop_nest/legend.h",
      "app/panels/code/machine_panels.cpp -> app/panels/instructions/page.h",
      "app/panels/memory/figures.cpp -> app/panels/playback/bars.h",
      "app/panels/memory/figures.cpp -> app/panels/playback/labels.h",
      "app/panels/playback/panel.cpp -> app/panels/code/code_drawing.h",
      "app/panels/stalls/page.cpp -> app/panels/code/code_drawing.h",
      "app/panels/stalls/page.cpp -> app/panels/code/stall_column.h",
      "app/panels/stalls/page.cpp -> app/panels/instructions/page.h",
      "app/panels/thread_binding/waves.cpp -> app/panels/occupancy/page.h",
      // The command `screenshots` opens the window that it drives.
      "app/window/open.cpp -> app/pictures/draw_until.h",
      "app/window/open.cpp -> app/pictures/frame_times.h",
      "app/window/open.cpp -> app/pictures/scenes.h",
      "app/window/open.h -> app/pictures/panel_pictures.h",
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
