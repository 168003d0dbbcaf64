#include "core/intrin/intrinsic_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace loom::intrin::intrinsic_file_test {
namespace {

constexpr const char* kFile = R"(# A comment.
from tvm.script import tir as T

EXECUTION = "warp"
N = 16
INTRINSICS = {
    "one": {"dtype": "float16", "acc": T.float16},
    "two": {"dtype": "float32", "acc": T.float32, "N": 8},
}


@T.prim_func
def desc(c: T.handle):
    C = T.match_buffer(c, (N, N), dtype, dtype=dtype)
    C[0] = acc(0) + x.N  # N


@T.prim_func
def impl(c: T.handle):
    T.evaluate("N")
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// Files beside f.py, by name.
using Others = std::map<std::string, std::string>;

// Reads the text of f.py.
Result<IntrinsicFile> readFile(const std::string& text, const Others& others = {}) {
  std::map<std::string, Result<FileTables>> read;
  for (const auto& [file, content] : others) read.emplace(file, readTables(content, file));
  auto tables = readTables(text, "f.py");
  if (!tables) return tl::unexpected(tables.error());
  return readIntrinsicFile(*tables, [&](const std::string& file) {
    const auto found = read.find(file);
    return found == read.end() ? nullptr : &found->second;
  });
}

void expectRefused(const std::string& text, int line, const std::string& word, const Others& others = {}) {
  auto family = readFile(text, others);
  ASSERT_FALSE(family.has_value()) << word;
  EXPECT_EQ(family.error().code, "ParseError");
  EXPECT_EQ(family.error().place.line, line) << family.error().message.english();
  EXPECT_NE(family.error().message.english().find(word), std::string::npos) << family.error().message.english();
}

TEST(IntrinsicFile, GivesEveryRowItsOwnTextWithParametersInPlace) {
  auto family = readFile(kFile);
  ASSERT_TRUE(family.has_value()) << family.error().message.english();
  EXPECT_EQ(family->group, ExecutionGroup::Warp);
  ASSERT_EQ(family->members.size(), 2u);
  EXPECT_EQ(family->members[0].name, "one");
  const std::string one = family->members[0].description();
  EXPECT_NE(one.find("T.match_buffer(c, (16, 16), \"float16\", dtype=\"float16\")"), std::string::npos) << one;
  EXPECT_NE(one.find("T.float16(0)"), std::string::npos) << one;
  EXPECT_NE(family->members[1].description().find("(8, 8), \"float32\""), std::string::npos);
}

// A form's values may name the row's parameters, but not what stands after a dot.
TEST(IntrinsicFile, GivesEveryRowEachForm) {
  const std::string text = replaced(replaced(kFile, "INTRINSICS",
                                             "FORMS = {\n    \"\": {\"value\": acc(0)},\n    \"_turned\": "
                                             "{\"value\": acc(N) - x.acc},\n}\nINTRINSICS"),
                                    "acc(0) + x.N", "value");
  const auto family = readFile(text);
  ASSERT_TRUE(family.has_value()) << family.error().message.english();
  std::string names;
  for (const IntrinsicText& member : family->members) names += member.name + " ";
  EXPECT_EQ(names, "one one_turned two two_turned ");
  EXPECT_NE(family->members[0].description().find("C[0] = T.float16(0)"), std::string::npos);
  EXPECT_NE(family->members[3].description().find("C[0] = T.float32(8) - x.acc"), std::string::npos)
      << family->members[3].description();
}

// A value may name any other parameter: of the file, of the row, or of the form.
TEST(IntrinsicFile, PutsValuesIntoValues) {
  const std::string text =
      replaced(replaced(kFile, "N = 16\n", "N = 16\nvalue = left + acc(N)\nleft = x[HALF]\nHALF = N // 2\n"),
               "acc(0) + x.N", "value");
  const auto family = readFile(text);
  ASSERT_TRUE(family.has_value()) << family.error().message.english();
  EXPECT_NE(family->members[0].description().find("C[0] = x[16 // 2] + T.float16(16)"), std::string::npos)
      << family->members[0].description();
  EXPECT_NE(family->members[1].description().find("C[0] = x[8 // 2] + T.float32(8)"), std::string::npos);
  for (const std::string round : {"HALF = left", "HALF = HALF + HALF"}) {
    const auto circle = readFile(replaced(text, "HALF = N", round));
    ASSERT_TRUE(circle.has_value()) << circle.error().message.english();
    const Result<void> checked = circle->members[0].check();
    ASSERT_FALSE(checked.has_value()) << round;
    EXPECT_EQ(checked.error().code, "ParseError");
    EXPECT_EQ(checked.error().place.line, 15);
    EXPECT_EQ(checked.error().message.english(), "values of one name each other in a circle");
    EXPECT_TRUE(family->members[0].check().has_value());
  }
}

// Each of one table with each of the other. What a form names is as it was without it.
TEST(IntrinsicFile, MultipliesFormsThatFollowEachOther) {
  const std::string text = replaced(replaced(kFile, "INTRINSICS",
                                             "FORMS = {\"8\": {\"N\": 8}, \"4\": {\"N\": 4}}\n"
                                             "FORMS = {\"\": {}, \"_swapped\": {\"dtype\": acc, \"acc\": dtype}}\n"
                                             "INTRINSICS"),
                                    "\"one\"", "\"one_*x\"");
  const auto family = readFile(text);
  ASSERT_TRUE(family.has_value()) << family.error().message.english();
  std::string names;
  for (const IntrinsicText& member : family->members) names += member.name + (member.isVariant ? "~ " : " ");
  EXPECT_EQ(names, "one_8x one_8x_swapped one_4x~ one_4x_swapped~ two8 two8_swapped two4~ two4_swapped~ ");
  EXPECT_NE(family->members[3].description().find("(4, 4), T.float16, dtype=T.float16"), std::string::npos)
      << family->members[3].description();
  EXPECT_NE(family->members[3].description().find("\"float16\"(0)"), std::string::npos);
}

// A table may have the functions of another file's, which has them from a third.
TEST(IntrinsicFile, TakesTheFunctionsOfAnotherFile) {
  const auto naming = [](const std::string& file, const std::string& row, const std::string& name) {
    return "EXECUTION = \"thread\"\nINTRINSICS = {\"" + name +
           "\": {\"dtype\": \"int8\", \"acc\": T.int8}}\nTEMPLATE = \"" + file + "\", \"" + row + "\"\n";
  };
  const Others others{{"a.py", kFile}, {"b.py", naming("a.py", "two", "three")}};
  const auto own = readFile(naming("b.py", "three", "four"), others);
  ASSERT_TRUE(own.has_value()) << own.error().message.english();
  ASSERT_EQ(own->members.size(), 1u);
  EXPECT_EQ(own->group, ExecutionGroup::Thread);
  EXPECT_EQ(own->members[0].name, "four");
  EXPECT_EQ(own->members[0].functions->file->name, "a.py");
  const std::string text = own->members[0].description();
  EXPECT_NE(text.find("T.match_buffer(c, (16, 16), \"int8\", dtype=\"int8\")"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.begin() + long(text.find("def desc")), '\n') + 1, 13);

  expectRefused(naming("b.py", "three", "four"), 3, "there is no file of intrinsics b.py");
  expectRefused(naming("b.py", "two", "four"), 3, "b.py has no row two", others);
  const std::string functions = std::string(kFile).substr(std::string(kFile).find("@T.prim_func"));
  expectRefused(naming("a.py", "two", "four") + functions, 13, "TEMPLATE takes the place of `desc` and `impl`", others);
  const std::string again = "TEMPLATE = \"a.py\", \"one\"\n";
  expectRefused(naming("a.py", "two", "four") + again, 4, "a second TEMPLATE for the same tables", others);
  expectRefused(kFile + functions, 22, "a second `desc` for the same tables", others);
  expectRefused(naming("f.py", "four", "four"), 3, "the functions of four in f.py are taken from themselves");
  const Others circle{{"b.py", naming("c.py", "five", "three")}, {"c.py", naming("b.py", "three", "five")}};
  auto round = readFile(naming("b.py", "three", "four"), circle);
  ASSERT_FALSE(round.has_value());
  EXPECT_EQ(round.error().place.file, "c.py");
  EXPECT_NE(round.error().message.english().find("the functions of three in b.py are taken from themselves"),
            std::string::npos)
      << round.error().message.english();
}

// Forms hold for the tables that follow, too, until others are said.
TEST(IntrinsicFile, KeepsFormsForLaterTables) {
  const std::string functions = std::string(kFile).substr(std::string(kFile).find("@T.prim_func"));
  const std::string forms = "FORMS = {\"_8\": {\"N\": 8}, \"_16\": {\"N\": 16}, \"_t\": {\"N\": T.x}}\n";
  const std::string text = replaced(kFile, "INTRINSICS", forms + "INTRINSICS") + "INTRINSICS = {\"three\": {}}\n" +
                           functions + "FORMS = {\"\": {}}\nINTRINSICS = {\"four\": {}}\n" + functions;
  const auto family = readFile(text);
  ASSERT_TRUE(family.has_value()) << family.error().message.english();
  std::string names;
  for (const IntrinsicText& member : family->members) names += member.name + (member.isVariant ? "~ " : " ");
  EXPECT_EQ(names, "one_8 one_16~ one_t two_8 two_16~ two_t three_8 three_16~ three_t four ");
}

// Loads, stores and products of one operation, in one file.
TEST(IntrinsicFile, GivesEachTableTheFunctionsAfterIt) {
  const std::string second = R"(

M = 4
INTRINSICS = {"three": {"value": 7}}


@T.prim_func
def desc(c: T.handle):
    T.evaluate(N + M)


@T.prim_func
def impl(c: T.handle):
    T.evaluate(value)
)";
  auto file = readFile(kFile + second);
  ASSERT_TRUE(file.has_value()) << file.error().message.english();
  ASSERT_EQ(file->members.size(), 3u);
  EXPECT_NE(file->members[1].implementation().find("T.evaluate(\"N\")"), std::string::npos);
  EXPECT_EQ(file->members[2].name, "three");
  EXPECT_NE(file->members[2].description().find("T.evaluate(16 + 4)"), std::string::npos);
  EXPECT_NE(file->members[2].implementation().find("T.evaluate(7)"), std::string::npos);
  const std::string one = std::string(kFile).substr(0, std::string(kFile).rfind("@T.prim_func"));
  expectRefused(one + second, int(std::ranges::count(one, '\n')) + 4, "`impl`");
  expectRefused(replaced(kFile, "def impl", "def desc") + second, 19, "a second `desc`");
}

// Tables in a row, each with forms of its own.
TEST(IntrinsicFile, GivesTablesInARowTheSameFunctions) {
  const std::string text =
      replaced(kFile, "INTRINSICS",
               "FORMS = {\"_8\": {\"N\": 8}}\nINTRINSICS = {\"zero\": {\"dtype\": \"int8\", \"acc\": "
               "T.int8}}\nFORMS = {\"\": {}}\nINTRINSICS");
  const auto file = readFile(text);
  ASSERT_TRUE(file.has_value()) << file.error().message.english();
  std::string names;
  for (const IntrinsicText& member : file->members) names += member.name + " ";
  EXPECT_EQ(names, "zero_8 one two ");
  EXPECT_NE(file->members[0].description().find("T.match_buffer(c, (8, 8), \"int8\", dtype=\"int8\")"),
            std::string::npos)
      << file->members[0].description();
  EXPECT_NE(file->members[1].description().find("T.float16(0)"), std::string::npos);
}

TEST(IntrinsicFile, LeavesAttributesStringsAndKeywordsAlone) {
  auto family = readFile(kFile);
  ASSERT_TRUE(family.has_value());
  EXPECT_NE(family->members[0].description().find("x.N"), std::string::npos);
  EXPECT_NE(family->members[0].implementation().find("T.evaluate(\"N\")"), std::string::npos);
}

TEST(IntrinsicFile, KeepsLineNumbersForMessages) {
  auto family = readFile(kFile);
  ASSERT_TRUE(family.has_value());
  const std::string text = family->members[0].implementation();
  auto at = text.find("def impl");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n') + 1, 19);
}

TEST(IntrinsicFile, RefusesAnUnknownExecutionGroup) {
  expectRefused(replaced(kFile, "\"warp\"", "\"wrap\""), 4, "warpgroup");
}

TEST(IntrinsicFile, RefusesAFileWithoutOneOfTheFunctions) {
  expectRefused(replaced(kFile, "def impl", "def imply"), 19, "`desc` or `impl`");
  std::string text = kFile;
  expectRefused(text.substr(0, text.rfind("@T.prim_func")), 18, "`impl`");
}

TEST(IntrinsicFile, RefusesABrokenTable) {
  expectRefused(replaced(kFile, "\"one\": {", "\"one\": ("), 7, "bracket");
  expectRefused(replaced(kFile, "\"one\":", "\"one\""), 7, ":");
}

TEST(IntrinsicFile, RefusesAFileWithoutExecutionGroup) {
  auto family = readFile(replaced(kFile, "EXECUTION = \"warp\"", ""));
  ASSERT_FALSE(family.has_value());
  EXPECT_NE(family.error().message.english().find("EXECUTION"), std::string::npos);
}

}  // namespace
}  // namespace loom::intrin::intrinsic_file_test
