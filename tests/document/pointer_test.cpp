#include "core/document/pointer.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace loom::document::pointer_test {
namespace {

using testing::HasSubstr;

// Panels with all kinds of parts, for as long as a test runs.
class WithPanels : public testing::Test {
 protected:
  WithPanels() {
    setPointablePanels({{"history"},
                        {"code", PanelParts::kName},
                        {"memory", PanelParts::kName},
                        {"threads", PanelParts::kPicture},
                        {"performance", PanelParts::kPage}});
  }
  ~WithPanels() override { setPointablePanels({}); }
};
using PointerProblem = WithPanels;
using Places = WithPanels;

TEST(Pointer, HasPhrasePanelAndTarget) {
  const std::string text = "[the 32 banks](look:threads/read/X_shared/banks) of it";
  const auto found = pointerAt(text);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->phrase, "the 32 banks");
  EXPECT_EQ(found->pointer, (Pointer{"threads", "read/X_shared/banks"}));
  EXPECT_EQ(text.substr(found->length), " of it");
  EXPECT_EQ(pointerAt("[History](look:history)")->pointer, (Pointer{"history", ""}));
}

TEST(Pointer, IsNoOtherText) {
  for (const char* text : {"", "[", "k[0]", "[k, j] (or so)", "[a](https://nowhere)", "[](look:memory)", "[a](look:)",
                           "[a](look:memory", "[a](look:mem\nory)", "[a\nb](look:memory)", "[a]b](look:memory)"}) {
    EXPECT_FALSE(pointerAt(text)) << text;
  }
}

TEST(Pointer, LeavesItsPhraseWhereThereIsNoWindow) {
  EXPECT_EQ(withoutPointers("See [the `banks`](look:threads/banks), T[i, k] and [the loop](look:loopnest/k)."),
            "See the `banks`, T[i, k] and the loop.");
  EXPECT_EQ(withoutPointers("看[存储体](look:threads/banks)。"), "看存储体。");
}

TEST_F(PointerProblem, IsNoneOfTextsThatAreInOrder) {
  EXPECT_FALSE(pointerProblem(""));
  EXPECT_FALSE(pointerProblem("`T.axis.remap(\"SSR\", [i, j, k])`, X[i] (look: here)"));
  EXPECT_FALSE(
      pointerProblem("[a](look:history) [b](look:threads/write/Z/sectors) [c](look:threads/grid) "
                     "[d](look:performance/compare) [e](look:code/wmma::mma_sync) [f](look:memory/l2)"));
}

TEST_F(PointerProblem, NamesLineAndReason) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[a](look:nowhere)", "no panel \"nowhere\""},
      {"[a](look:history/best)", "nothing in it"},
      {"[a](look:performance/speed)", "Performance has no \"speed\""},
      {"[a](look:threads/bank)", "Thread binding has no \"bank\""},
      {"[a](look:threads/X_shared/banks)", "Thread binding has no"},
      {"[a](look:threads/read//banks)", "Thread binding has no"},
      {"[a](look:threads/read/X/banks/2)", "Thread binding has no"},
      {"[](look:memory)", "is written"},
      {"[a](look:)", "is written"},
      {"[a](look:memory", "is written"},
      {"a](look:memory)", "is written"}};
  for (const auto& [text, what] : cases) {
    const auto problem = pointerProblem("# T\n\nsee [b](look:memory) and " + text + "\nmore");
    ASSERT_TRUE(problem) << text;
    EXPECT_EQ(problem->code, "LessonError");
    EXPECT_EQ(problem->place.line, 3) << text;
    EXPECT_GT(problem->place.column, 25) << text;
    EXPECT_THAT(problem->message.english(), HasSubstr(what)) << text;
    EXPECT_THAT(problem->place.text, HasSubstr("see [b]"));
  }
}

TEST_F(Places, AreAllInOrderAndReadBack) {
  std::vector<std::string> panels;
  for (const Pointer& place : allPlaces()) {
    const std::string text = place.target.empty() ? place.panel : place.panel + "/" + place.target;
    const auto read = parsePointer(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, place);
    if (panels.empty() || panels.back() != place.panel) panels.push_back(place.panel);
  }
  EXPECT_EQ(panels, (std::vector<std::string>{"history", "code", "memory", "threads", "performance"}));
  EXPECT_EQ(allPlaces().size(), 3U + 7U + 8U) << "one a panel, but Thread binding's pictures and Performance's pages";
}

TEST(PlacesOfNoPanels, AreTakenUnseen) {
  EXPECT_TRUE(allPlaces().empty());
  EXPECT_EQ(*parsePointer("anywhere/there"), (Pointer{"anywhere", "there"}));
  EXPECT_FALSE(pointerProblem("[a](look:anywhere/there)"));
  EXPECT_TRUE(pointerProblem("[a](look:)")) << "its form is looked at all the same";
}

TEST_F(Places, ThatAreNoneAreRefused) {
  for (const char* text :
       {"", "nowhere", "performance/speed", "threads/bank", "history/best", "/banks", "memory,cuda"}) {
    const auto read = parsePointer(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, "LessonError");
  }
}

}  // namespace
}  // namespace loom::document::pointer_test
