// A text that nothing shows is one that somebody translates in vain.
#include "tests/structure/unused_texts.h"

#include <gtest/gtest.h>

namespace loom::structure::unused_texts_test {
namespace {

TEST(UnusedTexts, ThereAreNone) { EXPECT_EQ(describe(unusedTexts(readTree(TILELOOM_SOURCE_DIR))), ""); }

TEST(UnusedTexts, AreFoundHoweverTheOthersAreNamed) {
  const SourceFile words{"app/panels/step/words.h",
                         {"namespace loom::text::step {", "inline constexpr Text kTitle{\"Step\", \"步骤\"};",
                          "inline constexpr Text kWide{", "    \"a\",", "    \"b\"};",
                          "inline constexpr Text kAll[] = {kInTable};", "inline constexpr Text kInTable{\"c\", \"d\"};",
                          "inline constexpr Text kLegal{\"legal\", \"可用\"};  // kLegal", "}"}};
  const SourceFile panel{"app/panels/step/panel.cpp",
                         {"namespace words = text::plan;", "void f() {", "  namespace words = text::step;",
                          "  say(look, words::kTitle) + words::kAll[0];", "}", "void g() {", "  words::kLegal;", "}"}};
  const SourceFile other{"app/window/shell.cpp", {"say(text::step::kWide); words::kLegal; text::window::kLegal"}};
  const std::vector<Breach> unused = unusedTexts({words, panel, other});
  ASSERT_EQ(unused.size(), 1U) << describe(unused);
  EXPECT_EQ(unused.front().path, "app/panels/step/words.h");
  EXPECT_EQ(unused.front().line, 8);
  EXPECT_EQ(unusedTexts({words, panel}).size(), 2U);
}

}  // namespace
}  // namespace loom::structure::unused_texts_test
