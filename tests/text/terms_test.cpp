#include "app/text/terms.h"

#include <gtest/gtest.h>

#include <string>

namespace loom::text::terms_test {
namespace {

TEST(Terms, AreFoundByTheirWordsWhateverStandsAround) {
  EXPECT_EQ(termOf("boxes", Language::kEnglish), termOf("box", Language::kEnglish));
  ASSERT_NE(termOf("(GPC),", Language::kEnglish), nullptr);
  EXPECT_STREQ(termOf("“TMA”；", Language::kChinese)->words.in(Language::kChinese), "TMA");
  EXPECT_NE(termOf("槽。", Language::kChinese), nullptr);
  EXPECT_EQ(termOf("boxed", Language::kEnglish), nullptr) << "part of another word";
  EXPECT_EQ(termOf("tma", Language::kEnglish), nullptr);
  EXPECT_EQ(termOf("), ", Language::kEnglish), nullptr);
  EXPECT_EQ(termOf("", Language::kEnglish), nullptr);
}

// Nothing but the glossary tells where a word of several Chinese characters ends.
TEST(Terms, OfSeveralChineseCharactersAreFoundWhereTextBeginsWithThem) {
  const std::string_view phase = "相位轮流交替";
  EXPECT_EQ(lengthOfTerm(phase, Language::kChinese), std::string_view("相位").size());
  EXPECT_EQ(lengthOfTerm("槽重填", Language::kChinese), std::string_view("槽").size());
  EXPECT_EQ(lengthOfTerm("轮流交替", Language::kChinese), 0U);
  EXPECT_EQ(lengthOfTerm("boxing", Language::kChinese), 0U) << "letters have ends of their own";
  EXPECT_EQ(lengthOfTerm(phase, Language::kEnglish), 0U);
}

TEST(Terms, BeginTheirExplanation) {
  for (const Term& term : allTerms()) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      const std::string words = term.words.in(language), meaning = term.meaning.in(language);
      const std::string first = words.substr(0, words.find(' '));
      EXPECT_LT(meaning.find(first), 24U) << meaning;
      EXPECT_EQ(termOf(first, language), &term);
    }
  }
}

}  // namespace
}  // namespace loom::text::terms_test
