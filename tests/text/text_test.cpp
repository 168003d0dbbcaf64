#include "app/text/text.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace loom::text::text_test {
namespace {

TEST(Language, IsTakenFromACode) {
  EXPECT_EQ(languageOf("zh_CN.UTF-8"), Language::kChinese);
  EXPECT_EQ(languageOf("zh"), Language::kChinese);
  EXPECT_EQ(languageOf("en"), Language::kEnglish);
}

TEST(Language, UnknownCodeIsEnglish) {
  EXPECT_EQ(languageOf(""), Language::kEnglish);
  EXPECT_EQ(languageOf("z"), Language::kEnglish);
  EXPECT_EQ(languageOf("de_DE"), Language::kEnglish);
}

TEST(Language, StrongestVariableOfTheEnvironmentWins) {
  setenv("LC_ALL", "", 1);
  setenv("LC_MESSAGES", "zh_TW", 1);
  setenv("LANG", "en_GB", 1);
  EXPECT_EQ(environmentLanguage(), Language::kChinese);
  setenv("LC_ALL", "C", 1);
  EXPECT_EQ(environmentLanguage(), Language::kEnglish);
}

TEST(Text, HoldsBothLanguages) {
  constexpr Text kNext{"Next: {}", "下一步：{}"};
  EXPECT_STREQ(kNext.in(Language::kEnglish), "Next: {}");
  EXPECT_STREQ(kNext.in(Language::kChinese), "下一步：{}");
}

}  // namespace
}  // namespace loom::text::text_test
