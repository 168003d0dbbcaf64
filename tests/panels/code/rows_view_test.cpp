#include "app/panels/code/view/code_rows.h"

#include <gtest/gtest.h>

namespace loom::session::code_rows_view_test {
namespace {

std::string textOf(const std::vector<std::string>& lines, const CodeRow& row) {
  return std::string(std::size_t(row.column), ' ') +
         lines[std::size_t(row.line)].substr(std::size_t(row.from), std::size_t(row.to - row.from));
}

TEST(CodeRows, LongLineGoesOnDeeperBehindACommaOrABlank) {
  const std::vector<std::string> lines = {"  T.reads(X[a, b], Yyyy[c])", "x"};
  const CodeRows rows(lines, {}, {.halved = false, .columns = 20, .folded = {}});
  ASSERT_EQ(rows.countOf(0), 2);
  EXPECT_EQ(textOf(lines, rows.rows()[0]), "  T.reads(X[a, b], ");
  EXPECT_EQ(textOf(lines, rows.rows()[1]), "      Yyyy[c])");
  EXPECT_EQ(rows.rowOf(1), 2);
  EXPECT_LE(rows.widest(), 20);
}

TEST(CodeRows, NothingIsLostAndNoRowIsTooLong) {
  const std::vector<std::string> lines = {
      std::string(30, ' ') + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(b, c)", std::string(90, 'x'), "",
      "   "};
  const CodeRows rows(lines, {}, {.halved = true, .columns = 24, .folded = {}});
  std::vector<std::string> joined(lines.size());
  for (const CodeRow& row : rows.rows()) {
    const bool blank =
        row.to > row.from && lines[std::size_t(row.line)][std::size_t(row.to - 1)] == ' ';  // it isn't seen
    EXPECT_LE(row.column + row.to - row.from - (blank ? 1 : 0), 24);
    joined[std::size_t(row.line)] +=
        lines[std::size_t(row.line)].substr(std::size_t(row.from), std::size_t(row.to - row.from));
  }
  EXPECT_EQ(joined[0], lines[0].substr(30));
  EXPECT_EQ(joined[1], lines[1]);
  EXPECT_EQ(rows.countOf(2), 1) << "an empty line is a row";
}

// A character takes a column, and a Chinese one two, of however many bytes they are.
TEST(CodeRows, AreAsWideAsTheirCharacters) {
  const std::string arrows = "  // X → shared → registers → sums", chinese = "  # 从共享内存到寄存器，再到累加结果";
  const CodeRows fits({arrows}, {}, {.halved = false, .columns = 35, .folded = {}});
  ASSERT_EQ(fits.countOf(0), 1) << "40 bytes are 34 columns";
  EXPECT_EQ(fits.widest(), 34);
  const std::vector<std::string> lines = {arrows, chinese};
  const CodeRows rows(lines, {}, {.halved = false, .columns = 24, .folded = {}});
  ASSERT_EQ(rows.countOf(0), 2);
  EXPECT_EQ(textOf(lines, rows.rows()[0]), "  // X → shared → ");
  EXPECT_EQ(textOf(lines, rows.rows()[1]), "      registers → sums");
  std::string joined;
  for (const CodeRow& row : rows.rows()) {
    EXPECT_LE(row.column + row.width, 24);
    const std::string& line = lines[std::size_t(row.line)];
    EXPECT_NE(line[std::size_t(row.from)] & 0xC0, 0x80) << "no character is cut";
    if (row.line == 1) joined += line.substr(std::size_t(row.from), std::size_t(row.to - row.from));
  }
  EXPECT_EQ("  " + joined, chinese);
}

TEST(CodeRows, WithoutALimitALineIsARow) {
  const CodeRows rows({"    " + std::string(500, 'x'), "y"}, {}, {.halved = true, .columns = 0, .folded = {}});
  EXPECT_EQ(rows.rows().size(), 2U);
  EXPECT_EQ(rows.widest(), 502) << "a level takes half its columns";
}

TEST(CodeRows, FoldedLinesHaveNoRowsAndSayWhoHidesThem) {
  const std::vector<std::string> lines = {"a", " b", "  c", " d", "e"};
  const std::vector<int> ends = {3, 2, 2, 3, 4};
  const CodeRows rows(lines, ends, {.halved = false, .columns = 0, .folded = {1, 4}});
  EXPECT_EQ(rows.rows().size(), 4U);
  EXPECT_EQ(rows.countOf(2), 0);
  EXPECT_EQ(rows.hiderOf(2), 1);
  EXPECT_EQ(rows.rowOf(2), rows.rowOf(1));
  EXPECT_EQ(rows.hiderOf(4), -1) << "nothing is nested in it";
  EXPECT_EQ(rows.lines(), 5);
}

TEST(CodeRows, LinesThatAreGoneStandWhereTheyWere) {
  const std::vector<std::string> before = {"a", "old", "c", "inner", "end"}, after = {"a", "new", "c"};
  const script::LineDiff diff = script::diffLines(before, after);
  const CodeRows rows(after, {}, {.halved = false, .columns = 0, .folded = {}}, &diff.gone);
  std::vector<std::string> shown;
  for (const CodeRow& row : rows.rows())
    shown.push_back(row.gone < 0 ? after[std::size_t(row.line)] : "-" + diff.gone[std::size_t(row.gone)].text);
  EXPECT_EQ(shown, (std::vector<std::string>{"a", "-old", "new", "c", "-inner", "-end"}));
  EXPECT_EQ(rows.rowOf(1), 2) << "its own";
  EXPECT_EQ(rows.countOf(1), 1);
  EXPECT_EQ(rows.gone(), 3U);
}

TEST(CodeRows, WhatIsFoldedHidesLinesThatAreGoneInIt) {
  const std::vector<std::string> before = {"a", " b", " gone", " c", "d"}, after = {"a", " b", " c", "d"};
  const script::LineDiff diff = script::diffLines(before, after);
  ASSERT_EQ(diff.gone.size(), 1U);
  const CodeRows rows(after, {2, 1, 2, 3}, {.halved = false, .columns = 0, .folded = {0}}, &diff.gone);
  EXPECT_EQ(rows.rows().size(), 2U);
}

// As split(i, [64, 16]) does it: the condition's brace and the statement after it are those that were there.
TEST(LineDiff, AStatementOfMostlyTheSameWordsIsThatOneChanged) {
  const std::vector<std::string> before = {"for (int i = 0; i < 1024; ++i) {",
                                           "  if (k == 0) {",
                                           "    Z[i * 1024 + j] = 0.0f;",
                                           "  }",
                                           "  Z[i * 1024 + j] += X[i * 1024 + k] * Y[j * 1024 + k];",
                                           "}"};
  const std::vector<std::string> after = {"for (int i_0 = 0; i_0 < 64; ++i_0) {",
                                          "  for (int i_1 = 0; i_1 < 16; ++i_1) {",
                                          "    if (k == 0) {",
                                          "      Z[i_0 * 16384 + i_1 * 1024 + j] = 0.0f;",
                                          "    }",
                                          "    Z[i_0 * 16384 + i_1 * 1024 + j] += X[i_0 * 16384 + i_1 * 1024 + k] * "
                                          "Y[j * 1024 + k];",
                                          "  }",
                                          "}"};
  const script::LineDiff diff = script::diffLines(before, after);
  const script::Mark kChanged = script::Mark::kChanged, kAdded = script::Mark::kAdded, kSame = script::Mark::kSame;
  EXPECT_EQ(diff.marks, (std::vector<script::Mark>{kChanged, kAdded, kSame, kChanged, kSame, kChanged, kAdded, kSame}));
  EXPECT_EQ(diff.before, (std::vector<int>{0, -1, 1, 2, 3, 4, -1, 5}));
  EXPECT_EQ(script::diffLines(before, after, false).before[5], -1) << "of machine code only what is the same";
}

TEST(LineDiff, KnowsWhatEachLineWas) {
  const script::LineDiff diff = script::diffLines({"a", "b", "c", "d", "e"}, {"x", "a", "B", "e", "f"});
  EXPECT_EQ(diff.before, (std::vector<int>{-1, 0, 1, 4, -1}));
  ASSERT_EQ(diff.gone.size(), 3U);
  EXPECT_EQ(diff.gone[0].at, 2);
  EXPECT_EQ(diff.gone[2].text, "d");
  EXPECT_EQ(script::diffLines({"a", "b", "c"}, {"c"}).before, (std::vector<int>{2}));
  EXPECT_EQ(script::diffLines({}, {"a"}).before, (std::vector<int>{-1}));
}

}  // namespace
}  // namespace loom::session::code_rows_view_test
