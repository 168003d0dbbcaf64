// Words of Markdown, and fonts.
#include <gtest/gtest.h>

#include "app/panels/panel.h"
#include "app/ui/fonts.h"
#include "app/ui/markdown.h"
#include "core/document/rich_text.h"
#include "tests/gui/bench.h"

namespace loom::window::text_test {
namespace {

TEST(Words, EndBeforeWhatMarksThemUpEvenAfterABracket) {
  EXPECT_EQ(panels::wordLength("（[64 个块](look:threads/grid)）", " \n`*["), std::string("（").size());
  EXPECT_EQ(panels::wordLength("（`blockIdx.x`）", " \n`*["), std::string("（").size());
  EXPECT_EQ(panels::wordLength("（64 个", " \n`*["), std::string("（64").size());
  EXPECT_EQ(panels::wordLength("（", " "), std::string("（").size());
  EXPECT_EQ(panels::wordLength("块）。然后", " "), std::string("块）。").size());
  const auto inChinese = [](std::string_view text) { return panels::wordLength(text, " ", text::Language::kChinese); };
  EXPECT_EQ(inChinese("相位轮流"), std::string("相位").size()) << "a word of the glossary";
  EXPECT_EQ(inChinese("（矩形区域）。然后"), std::string("（矩形区域）。").size());
  EXPECT_EQ(inChinese("轮流"), std::string("轮").size());
}

// A text whose next step names a unit ends its line before the number.
TEST_F(Bench, ANumberAndItsUnitStayOnOneLine) {
  drive([](ImGuiTestContext*) {
    const float all = ImGui::CalcTextSize("predicted 130.8 µs").x;
    IM_CHECK_STR_EQ(panels::wrapped("predicted 130.8 µs", all - 1).c_str(), "predicted \n130.8 µs");
    IM_CHECK_STR_EQ(
        panels::wrapped("a wave is full by 100 %.", ImGui::CalcTextSize("a wave is full by 100 ").x).c_str(),
        "a wave is full by \n100 %.");
    IM_CHECK_STR_EQ(panels::wrapped("at 100 steps", ImGui::CalcTextSize("at 100 s").x).c_str(), "at 100 \nsteps");
  });
}

// A mark beside a Chinese bracket or full stop is none to CommonMark: such a text has to be written otherwise.
TEST(Help, HasNoMarksLeft) {
  int texts = 0;
  for (const panels::PanelEntry& panel : panels::panelTable()) {
    const text::PanelHelp& help = panel.help;
    for (const text::Text* words : {&help.shown, &help.reading, &help.numbers, &help.mouse}) {
      for (const auto language : {text::Language::kEnglish, text::Language::kChinese}) {
        ++texts;
        for (const auto& paragraph : document::readMarkdown(words->in(language)).paragraphs) {
          for (const document::TextSpan& span : paragraph)
            EXPECT_TRUE(span.code || span.text.find_first_of("*`") == std::string::npos) << span.text;
        }
      }
    }
  }
  EXPECT_GT(texts, 100);
}

TEST(Fonts, UnknownFamilyIsNotReplacedByAnother) {
  EXPECT_TRUE(findFont({{"No Such Family Anywhere", nullptr, nullptr}}).file.empty());
}

}  // namespace
}  // namespace loom::window::text_test
