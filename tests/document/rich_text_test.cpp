#include "core/document/rich_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace loom::document::rich_text_test {
namespace {

using Spans = std::vector<TextSpan>;

TEST(RichText, HasParagraphsOfSpans) {
  const RichText text = readMarkdown("**Look** at `a < b`\nand *more*.\n\nNext");
  ASSERT_EQ(text.paragraphs.size(), 2U);
  EXPECT_EQ(text.paragraphs[0],
            (Spans{{"Look", true}, {" at "}, {"a < b", false, false, true}, {" and "}, {"more", false, true}, {"."}}));
  EXPECT_EQ(text.paragraphs[1], (Spans{{"Next"}}));
  EXPECT_TRUE(readMarkdown("").paragraphs.empty());
}

TEST(RichText, KnowsWhatAPhrasePointsAt) {
  const RichText text =
      readMarkdown("See [the `k_0` loop](look:loopnest/k_0) and [it](look:tvmscript/X = T.alloc_buffer).");
  ASSERT_EQ(text.paragraphs.size(), 1U);
  EXPECT_EQ(text.paragraphs[0], (Spans{{"See "},
                                       {"the ", false, false, false, 0},
                                       {"k_0", false, false, true, 0},
                                       {" loop", false, false, false, 0},
                                       {" and "},
                                       {"it", false, false, false, 1},
                                       {"."}}));
  EXPECT_THAT(text.pointers,
              testing::ElementsAre(Pointer{"loopnest", "k_0"}, Pointer{"tvmscript", "X = T.alloc_buffer"}));
}

TEST(RichText, LeavesWhatIsNoMarkAsItIs) {
  EXPECT_EQ(readMarkdown("2 * 3 ** ` <i> &amp;").paragraphs[0], (Spans{{"2 * 3 ** ` <i> &amp;"}}));
  EXPECT_EQ(readMarkdown("`*a*`").paragraphs[0], (Spans{{"*a*", false, false, true}}));
}

// A mark beside a Chinese full stop or bracket is none to CommonMark: such a text has to be written otherwise.
TEST(RichText, OfLessonsHasNoMarksLeft) {
  int texts = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(TILELOOM_SOURCE_DIR) + "/assets/lessons")) {
    if (entry.path().extension() != ".md") continue;
    ++texts;
    std::ifstream in(entry.path());
    for (const auto& paragraph : readMarkdown(std::string(std::istreambuf_iterator<char>(in), {})).paragraphs) {
      for (const TextSpan& span : paragraph) {
        EXPECT_TRUE(span.code || span.text.find_first_of("*`") == std::string::npos)
            << entry.path() << ": " << span.text;
        EXPECT_EQ(span.text.find("](look:"), std::string::npos) << entry.path() << ": " << span.text;
      }
    }
  }
  EXPECT_GE(texts, 4);
}

}  // namespace
}  // namespace loom::document::rich_text_test
