#include "app/notation/columns.h"

#include <gtest/gtest.h>

namespace loom::notation::columns_test {
namespace {

TEST(Columns, AreOneForACharacterAndTwoForAChineseOne) {
  EXPECT_EQ(columnsOf(""), 0);
  EXPECT_EQ(columnsOf("a → b"), 5);
  EXPECT_EQ(columnsOf("矩阵 × Σ"), 8);
}

TEST(Columns, WhatFitsThemIsWholeCharacters) {
  EXPECT_EQ(bytesWithin("abc", 2), 2U);
  EXPECT_EQ(bytesWithin("abc", 5), 3U);
  EXPECT_EQ(bytesWithin("a→b", 2), 4U);
  EXPECT_EQ(bytesWithin("矩阵", 3), 3U) << "the second takes two";
  EXPECT_EQ(bytesWithin("矩", 1), 0U);
  EXPECT_EQ(characterFrom("a→b", 2), 4U);
  EXPECT_EQ(characterFrom("→", 1), 3U);
}

// The bytes before it are the lexer's; an editor counts characters.
TEST(PlaceText, CountsCharacters) {
  EXPECT_EQ(placeText({"f.py", 3, 8, "\"→\" + $"}), "f.py:3:6");
  EXPECT_EQ(placeText({"f.py", 3, 10, "\"→\" + $"}), "f.py:3:8") << "behind the end";
  EXPECT_EQ(placeText({"f.py", 3, 8, ""}), "f.py:3:8") << "the line isn't known";
  EXPECT_EQ(placeText({"f.py", 3, 0, "x"}), "f.py:3");
  EXPECT_EQ(placeText({"f.py", 0, 4, "x"}), "f.py");
  EXPECT_EQ(placeText({"", 0, 0, ""}), "");
}

}  // namespace
}  // namespace loom::notation::columns_test
