#include "core/document/figure.h"

#include <gmock/gmock.h>

namespace loom::document::figure_test {
namespace {

using testing::HasSubstr;

TEST(Figure, HasNameAndChapter) {
  const std::string text = "{{predicted store}} became {{predicted}}";
  const auto found = figureAt(text);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "predicted");
  EXPECT_EQ(found->chapter, "store");
  EXPECT_EQ(text.substr(found->length), " became {{predicted}}");
  EXPECT_EQ(figureAt("{{blocks}}")->chapter, "");
}

TEST(Figure, IsNoOtherText) {
  for (const char* text : {"", "{", "{blocks}", "{{blocks", "{{blo\ncks}}", " {{blocks}}"}) {
    EXPECT_FALSE(figureAt(text)) << text;
  }
}

TEST(Figure, IsPutIntoTheText) {
  const auto value = [](const Figure& figure) { return figure.chapter.empty() ? "7" : figure.chapter + "!"; };
  EXPECT_EQ(withFigures("{{blocks}} of {{blocks a}}, {x}", value), "7 of a!, {x}");
  EXPECT_EQ(withFigures("", value), "");
}

TEST(FigureProblem, IsNoneOfTextsThatAreInOrder) {
  EXPECT_FALSE(figureProblem("", {}));
  EXPECT_FALSE(figureProblem("{{measured}} and {{measured store}}, {i}", {"store"}));
  for (const auto name : figureNames()) {
    const std::string of = name == "published" ? " first" : "";
    EXPECT_FALSE(figureProblem("{{" + std::string(name) + of + "}}", {}, {{"first", 4560}})) << name;
  }
}

TEST(FigureProblem, NamesLineAndReason) {
  for (const auto& [text, what] : {std::pair{"{{speed}}", "no figure \"speed\""},
                                   {"{{blocks nowhere}}", "no chapter \"nowhere\""},
                                   {"{{published store}}", "no published time of \"store\""},
                                   {"{{published}}", "no published time"},
                                   {"{{blocks", "is written"},
                                   {"{{}}", "no figure \"\""}}) {
    const auto problem = figureProblem("# T\n\nof {{blocks}}: " + std::string(text) + "\nmore", {"store"});
    ASSERT_TRUE(problem) << text;
    EXPECT_EQ(problem->code, "LessonError");
    EXPECT_EQ(problem->place.line, 3) << text;
    EXPECT_THAT(problem->message.english(), HasSubstr(what));
  }
}

}  // namespace
}  // namespace loom::document::figure_test
