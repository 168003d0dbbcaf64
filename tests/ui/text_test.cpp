// Words of Markdown, and fonts.
#include <gtest/gtest.h>

#include "app/ui/fonts.h"
#include "app/ui/markdown.h"

namespace loom::window {
namespace {

TEST(Words, EndBeforeWhatMarksThemUpEvenAfterABracket) {
  EXPECT_EQ(panels::wordLength("（[64 个块](look:threads/grid)）", " \n`*["), std::string("（").size());
  EXPECT_EQ(panels::wordLength("（`blockIdx.x`）", " \n`*["), std::string("（").size());
  EXPECT_EQ(panels::wordLength("（64 个", " \n`*["), std::string("（64").size());
  EXPECT_EQ(panels::wordLength("（", " "), std::string("（").size());
  EXPECT_EQ(panels::wordLength("块）。然后", " "), std::string("块）。").size());
}

TEST(Fonts, UnknownFamilyIsNotReplacedByAnother) {
  EXPECT_TRUE(findFont({{"No Such Family Anywhere", nullptr, nullptr}}).file.empty());
}

}  // namespace
}  // namespace loom::window
