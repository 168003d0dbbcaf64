#include "app/text/messages.h"

#include <gtest/gtest.h>

namespace loom::text::messages_test {
namespace {

std::string inChinese(const Message& message) { return wordsOf(Language::kChinese, message); }

TEST(Message, IsSaidInChineseWithItsNamesAndNumbers) {
  EXPECT_EQ(inChinese(message("ran longer than {:g} s", 5.0)), "运行超过 5 秒");
  EXPECT_EQ(inChinese(message("factors[{}] is {}; factors are positive", 1, -4)), "factors[1] 为 -4；因子必须为正");
  EXPECT_EQ(inChinese(message("{}, step {}", "cache_read", 14)), "cache_read，第 14 步");
  EXPECT_EQ(inChinese(message("\"{}\" is not all that \"{}\" contains", "i", "j")), "“j”中除“i”外还有其他内容");
}

TEST(Message, SaysItsPartsInChineseToo) {
  EXPECT_EQ(inChinese(message("The block \"{}\" is no reduction: {}", "Z", message("it has no init"))),
            "计算块“Z”不是归约计算块：没有初始化");
  EXPECT_EQ(inChinese(below(message("There is no factor"), message("The list of blocks is empty"))),
            "没有因子\n计算块的列表为空");
}

TEST(Message, LeavesNamesThatReadLikeAPhrase) {
  EXPECT_EQ(inChinese(message("There is no block \"{}\"", "cancelled")), "没有计算块“cancelled”");
}

TEST(Message, IsItsTemplateInEnglish) {
  EXPECT_EQ(wordsOf(Language::kEnglish, message("ran longer than {:g} s", 5.0)), "ran longer than 5 s");
}

TEST(Message, IsASentenceOfItsOwnUnlessItBeginsWithAName) {
  const auto said = [](const Message& message) { return sentenceOf(Language::kEnglish, message); };
  EXPECT_EQ(said(message("ran longer than {:g} s", 5.0)), "Ran longer than 5 s");
  EXPECT_EQ(said(message("{}, step {}", message("the whole product"), 14)), "The whole product, step 14");
  EXPECT_EQ(said(message("{}, step {}", "cache_read", 14)), "cache_read, step 14");
  EXPECT_EQ(said(message("wgmma has no such tile")), "wgmma has no such tile");
  EXPECT_EQ(said(message("mma.sync has no such tile")), "mma.sync has no such tile");
  EXPECT_EQ(said(message("sch.bind(…) comes first")), "sch.bind(…) comes first");
  EXPECT_EQ(said(message("Cannot add loops on top of the root block")), "Cannot add loops on top of the root block");
  EXPECT_EQ(said(verbatim("error: x is undefined")), "error: x is undefined");
  EXPECT_EQ(sentenceOf(Language::kChinese, message("ran longer than {:g} s", 5.0)), "运行超过 5 秒");
}

TEST(Message, OfOthersStaysAsItIs) {
  for (const char* said : {"", "nothing of the kind", "kernel.cu(3): error: identifier \"x\" is undefined"}) {
    EXPECT_EQ(inChinese(verbatim(said)), said);
  }
}

}  // namespace
}  // namespace loom::text::messages_test
