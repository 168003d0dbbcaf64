#include "app/text/singular.h"

#include <gtest/gtest.h>

#include "app/text/messages.h"

namespace loom::text::singular_test {
namespace {

TEST(InSingular, NounBehindOneAndItsVerb) {
  EXPECT_EQ(inSingular("1 trips of the loop over k instead of 4"), "1 trip of the loop over k instead of 4");
  EXPECT_EQ(inSingular("1 tiles along k are on their way or used"), "1 tile along k is on its way or used");
  EXPECT_EQ(inSingular("room for 1 warps, 1 boxes (1 copies)"), "room for 1 warp, 1 box (1 copy)");
  EXPECT_EQ(inSingular("1 blocks stay"), "1 block stays");
}

TEST(InSingular, OtherNumbersAndWordsStay) {
  for (const char* text : {"2 trips", "21 tiles are read", "1.1 waves", "64 × 1 tiles", "0–1 warps", "1 of 8 blocks",
                           "blocks: 1 are there", "1 half of the blocks", "1 分块", ""})
    EXPECT_EQ(inSingular(text), text);
}

TEST(InSingular, MessagesAreInEnglishAlone) {
  const Message trips = message("{} trips of the loop over k instead of {}; a row is {} bytes", 1, 2, 64);
  EXPECT_EQ(wordsOf(Language::kEnglish, trips), "1 trip of the loop over k instead of 2; a row is 64 bytes");
  EXPECT_EQ(wordsOf(Language::kChinese, trips), "k 循环执行 1 次，而不是 2 次；一行 64 字节");
}

}  // namespace
}  // namespace loom::text::singular_test
