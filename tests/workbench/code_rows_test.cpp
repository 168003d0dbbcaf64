#include "app/workbench/code_rows.h"

#include <gtest/gtest.h>

namespace loom::workbench {
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

}  // namespace
}  // namespace loom::workbench
