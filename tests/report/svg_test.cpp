#include "app/report/svg.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/loop_nest.h"

#include <gmock/gmock.h>

#include "app/notation/axis.h"
#include "app/notation/quantity_text.h"
#include "app/report/nest_picture.h"
#include "tests/document/scheduled.h"
#include "tests/report/markup.h"

namespace loom::report::svg_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(Markup, WhatIsNotWellFormedIsFound) {
  for (const char* bad : {"<a>", "<a></b>", "a & b", "a > b", "<a b=\"<\"/>", "<a b=\"c>", "&nbsp;", "</a>"}) {
    EXPECT_NE(whyNotWellFormed(bad), "") << bad;
  }
  EXPECT_EQ(whyNotWellFormed("<a b=\"1 &lt; 2\">x<br/>&amp;</a>"), "");
}

TEST(Escaped, NothingOfATextIsMarkup) {
  EXPECT_EQ(escaped("<b a='1' c=\"2\">&</b>"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;&lt;/b&gt;");
  EXPECT_EQ(escaped("矩阵 × Σ"), "矩阵 × Σ");
}

TEST(Escaped, WhatXmlForbidsIsReplaced) {
  EXPECT_EQ(escaped(std::string("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escaped("\xff\xc0\x80 \xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escaped("end \xe7\x9f"), "end \uFFFD\uFFFD") << "a character that is cut off";
}

TEST(Cut, CountsWideCharactersTwiceAndNeverSplitsOne) {
  EXPECT_EQ(cut("short", 5), "short");
  EXPECT_EQ(cut("longer", 4), "lon…");
  EXPECT_EQ(cut("矩阵乘法", 6), "矩阵…");
  EXPECT_EQ(columnsOf("矩a"), 3);
}

TEST(NestPicture, HoldsTheModelsNumbersAndAChipPerLoop) {
  const document::Target target = document::scheduled(document::kBound);
  const document::History& h = target.history;
  const int last = int(h.nodes().size()) - 1;
  const document::KernelText kernel = document::makeKernel(h.node(last).state);
  const session::LoopNest nest = session::loopNestOf(session::statePath(h, last), &kernel);
  const std::string svg = nestPicture(nest, text::Language::kEnglish, "Loop nest");
  EXPECT_EQ(whyNotWellFormed(svg), "");
  const std::vector<std::string> texts = all(svg, "\">", "</text>");
  for (const session::NestRow& row : nest.rows) {
    if (row.kind == session::NestRow::Kind::kLoop) {
      EXPECT_THAT(texts, Contains(std::to_string(row.extent)));
    }
    EXPECT_THAT(texts, Contains(notation::numberText(row.runs)));
    EXPECT_THAT(texts, Contains(row.name));
    if (row.flops >= 0) {
      EXPECT_THAT(texts, Contains(notation::flopsText(row.flops)));
    }
  }
  EXPECT_THAT(texts, Contains("bx"));
  EXPECT_THAT(texts, Contains("tx"));
  EXPECT_THAT(svg, HasSubstr("s-changed")) << "the last step's mark";
}

TEST(QuantityText, LongNumbersOfSentencesAreGroupedAndNamesAreNot) {
  EXPECT_EQ(notation::numberText(9999), "9999");
  EXPECT_EQ(notation::numberText(899184), "899\u2009184");
  EXPECT_EQ(notation::numberText(-10000), "-10\u2009000");
  EXPECT_EQ(notation::numberText(-0.4), "0");
  EXPECT_EQ(notation::axisText(0.0001), "0.0001");
  EXPECT_EQ(notation::axisText(0.00001), "0.00001");
  EXPECT_EQ(notation::axisText(2.5), "2.5");
  EXPECT_EQ(notation::axisText(1000), "1000");
  EXPECT_EQ(notation::axisText(10000), "10\u2009000");
  EXPECT_EQ(notation::axisText(1e6), "1 M");
  EXPECT_EQ(notation::countText(4096), "4096");
  EXPECT_EQ(notation::digitsText("1024"), "1024");
  EXPECT_EQ(notation::withGroups("899184 sectors of 28099 requests at 4096"),
            "899\u2009184 sectors of 28\u2009099 requests at 4096");
  EXPECT_EQ(notation::withGroups("l12345 of sm_900000, 0.123456, 12345x, 1.5e10"),
            "l12345 of sm_900000, 0.123456, 12345x, 1.5e10");
  EXPECT_EQ(notation::withGroups("12345"), "12\u2009345");
  EXPECT_EQ(notation::withGroups(""), "");
}

TEST(RouteText, SaysWhereBytesComeFromAndGo) {
  using device::MemoryLevel;
  session::NestRow row;
  row.kind = session::NestRow::Kind::kBlock;
  row.moved = {{{}, "X", MemoryLevel::kGlobal, false, 4},
               {{}, "Y", MemoryLevel::kShared, false, 4},
               {{}, "Z", MemoryLevel::kRegisters, false, 4},
               {{}, "Z", MemoryLevel::kRegisters, true, 4}};
  EXPECT_EQ(session::routeText(row), "") << "bytes that are not known have no route";
  row.bytes = 8;
  EXPECT_EQ(session::routeText(row), "G+S→R") << "what it adds to in registers isn't where its bytes come from";
  row.moved.erase(row.moved.begin(), row.moved.begin() + 2);
  row.moved.back().level = MemoryLevel::kGlobal;
  EXPECT_EQ(session::routeText(row), "R→G");
  row.copy = true;
  row.source = MemoryLevel::kGlobal;
  row.target = MemoryLevel::kShared;
  EXPECT_EQ(session::routeText(row), "G→S");
}

TEST(NestPicture, ALongNameIsCutBeforeTheNumbers) {
  session::LoopNest nest;
  session::NestRow row;
  row.name = std::string(300, 'x') + "<&";
  row.extent = 3;
  row.end = 1;
  nest.rows.push_back(row);
  const std::string svg = nestPicture(nest, text::Language::kChinese, "\"<&");
  EXPECT_EQ(whyNotWellFormed(svg), "");
  EXPECT_THAT(svg, HasSubstr("xxx…"));
  EXPECT_THAT(svg, Not(HasSubstr(std::string(80, 'x'))));
}

TEST(NestPicture, AsAFileHasItsColoursWithoutCustomProperties) {
  const std::string svg = nestPicture({}, text::Language::kEnglish, "empty", true);
  EXPECT_EQ(whyNotWellFormed(svg), "");
  EXPECT_THAT(svg, testing::StartsWith("<?xml"));
  EXPECT_THAT(svg, HasSubstr(".f-tx{fill:#995f00}"));
  EXPECT_THAT(svg, Not(HasSubstr("var(")));
}

}  // namespace
}  // namespace loom::report::svg_test
