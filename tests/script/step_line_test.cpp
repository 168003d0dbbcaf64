#include "core/script/step_line.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace loom::script::step_line_test {
namespace {

using Kind = StepValue::Kind;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

StepCall one(std::string_view text) {
  auto lines = parseSchedule(text, "s.py");
  EXPECT_TRUE(lines) << (lines ? "" : lines.error().message.english());
  EXPECT_EQ(lines->size(), 1u);
  return lines->front();
}

Error refused(std::string_view text) {
  auto lines = parseSchedule(text, "s.py");
  EXPECT_FALSE(lines) << text;
  if (lines) return {};
  EXPECT_EQ(lines.error().code, "ParseError");
  EXPECT_EQ(lines.error().place.file, "s.py");
  return lines.error();
}

TEST(StepLine, ReadsTheTraceLineOfASplit) {
  StepCall c =
      one("l4, l5 = sch.split(loop=l1, factors=[None, 16], preserve_unit_iters=True, disable_predication=False)");
  EXPECT_EQ(c.primitive(), "split");
  ASSERT_EQ(c.targets.size(), 2u);
  EXPECT_EQ(c.targets[1].name, "l5");
  EXPECT_TRUE(c.unpack);
  const StepValue& call = *c.call();
  EXPECT_TRUE(call.items.empty());
  ASSERT_EQ(call.keywords.size(), 4u);
  EXPECT_EQ(call.keywords[0].value, stepName("l1"));
  EXPECT_EQ(call.keywords[1].value, stepList({stepNone(), stepInt(16)}));
  EXPECT_EQ(call.keywords[2].value, stepBool(true));
  EXPECT_EQ(c.place.line, 1);
}

TEST(StepLine, OneNameTakesTheResultWholeAndACommaUnpacksIt) {
  EXPECT_FALSE(one("b = sch.get_child_blocks(a)").unpack);
  EXPECT_TRUE(one("b, = sch.get_child_blocks(a)").unpack);
  EXPECT_TRUE(one("[b] = sch.get_child_blocks(a)").unpack);
  EXPECT_TRUE(one("sch.vectorize(l)").targets.empty());
}

TEST(StepLine, KeepsStarsSlicesAndNestedCalls) {
  StepCall c = one("sch.reorder(*sch.get_loops(b)[-2:], loops[0], i)");
  const StepValue& call = *c.call();
  ASSERT_EQ(call.items.size(), 3u);
  ASSERT_TRUE(call.items[0].is(Kind::Star));
  const StepValue& slice = call.items[0].items[0];
  ASSERT_TRUE(slice.is(Kind::Slice));
  EXPECT_EQ(slice.items[0].text, "get_loops");
  EXPECT_EQ(slice.items[1], stepInt(-2));
  EXPECT_TRUE(slice.items[2].is(Kind::None));
  EXPECT_TRUE(call.items[1].is(Kind::Index));
  StepCall rest = one("i, *middle, k = sch.get_loops(b)[1:]");
  EXPECT_TRUE(rest.targets[1].starred);
  EXPECT_EQ(rest.primitive(), "get_loops");
  EXPECT_EQ(one("k = loops[-1]").primitive(), "");
}

TEST(StepLine, ReadsEveryKindOfLiteral) {
  StepCall c = one(R"(sch.annotate(b, "k", {"a": [1, -2.5], 'b': (T.float32(0.5),), "c": None}))");
  const StepValue& d = c.call()->items[2];
  ASSERT_TRUE(d.is(Kind::Dict));
  EXPECT_EQ(d.items[0], stepString("a"));
  EXPECT_EQ(d.items[1], stepList({stepInt(1), stepFloat(-2.5)}));
  EXPECT_EQ(d.items[3].items[0].text, "float32");
  EXPECT_EQ(printValue(d), R"({"a": [1, -2.5], "b": (T.float32(0.5),), "c": None})");
  EXPECT_EQ(one("sch.f(-9223372036854775808)").call()->items[0].integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(one("sch.f(16 * 4 - 7 // -2)").call()->items[0], stepInt(68));
}

TEST(StepLine, PrintsIndexMapsAsTvmDoes) {
  StepCall c = one("sch.transform_layout(b, (\"write\", 0), lambda i, j: (i // 16, 8 * (j % 16 % 8) + i, -(i + j)))");
  EXPECT_EQ(printValue(c.call()->items[2]), "lambda i, j: (i // 16, 8 * (j % 16 % 8) + i, -(i + j),)");
  EXPECT_EQ(printValue(one("sch.f(lambda i: i - (i - 1))").call()->items[0]), "lambda i: i - (i - 1)");
}

TEST(StepLine, CountsLinesAndKeepsTheirSource) {
  auto lines = parseSchedule(
      "# a comment\n\n  \nb = sch.get_block('Z')  # why\nsch.split(\n    l,  # the loop\n    [None,\n     4])\n",
      "s.py");
  ASSERT_TRUE(lines) << lines.error().message.english();
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ((*lines)[0].place.line, 4);
  EXPECT_EQ((*lines)[0].source, "b = sch.get_block('Z')  # why");
  EXPECT_EQ((*lines)[1].place.line, 5);
  EXPECT_EQ((*lines)[1].source, "sch.split( l, [None, 4])");
}

TEST(StepLine, ReadsEveryScheduleOfTheOracle) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TILELOOM_SOURCE_DIR "/tests/oracle/cases")) {
    std::string path = entry.path().string();
    if (!path.ends_with(".sched.py")) continue;
    ++files;
    std::string text = read(path);
    auto lines = parseSchedule(text, path);
    ASSERT_TRUE(lines) << path << ":" << lines.error().place.line << ": " << lines.error().message.english();
    std::istringstream physical(text);
    std::vector<std::string> expected;
    for (std::string line; std::getline(physical, line);) {
      if (!line.empty() && line[0] != '#') expected.push_back(line);
    }
    ASSERT_EQ(lines->size(), expected.size()) << path;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const StepCall& c = (*lines)[i];
      EXPECT_EQ(c.source, expected[i]) << path;
      // What is printed reads back as the same value.
      EXPECT_EQ(one("sch.again(" + printValue(c.value) + ")").call()->items[0], c.value) << c.source;
    }
  }
  EXPECT_GT(files, 300);
}

TEST(StepLine, RefusesTheRestOfPython) {
  EXPECT_EQ(refused("b = sch.get_block('Z')\nfor l in loops:\n    sch.unroll(l)\n").place.line, 2);
  EXPECT_NE(refused("def apply_trace(sch):\n    sch.unroll(l)\n").message.english().find("function"),
            std::string::npos);
  refused("import tvm");
  refused("from tvm.script import tir as T");
  refused("if x: sch.unroll(l)");
  refused("x += 1");
  refused("a = b = sch.get_block('Z')");
  refused("sch.unroll(l) if x else sch.unroll(k)");
  refused("print(b)");
}

TEST(StepLine, RefusesAttributesAndForeignObjectsWhereTheyStand) {
  Error e = refused("b = sch.get_block('Z')\nx = sch.fuse(l, k, other=b.loops)\n");
  EXPECT_EQ(e.place.line, 2);
  EXPECT_EQ(e.place.column, 26);
  EXPECT_EQ(e.place.text, "x = sch.fuse(l, k, other=b.loops)");
  refused("sch.mod.script()");
  refused("s.split(l, [4])");
  refused("sch.split");
  refused("x = sch");
  refused("sch.f(tir.IndexMap(1))");
}

TEST(StepLine, RefusesWhatOnlyLambdasMayHold) {
  refused("sch.split(l, [x * 2])");
  refused("sch.split(l, [-x])");
  refused("sch.split(l, [1 / 2])");
  refused("sch.split(l, [1 // 0])");
  refused("sch.split(l, 4 < 5)");
  refused("sch.f(lambda i: i if i else 0)");
}

TEST(StepLine, RefusesBadTargetsAndArguments) {
  refused("b.x = sch.get_block('Z')");
  refused("sch = sch.get_block('Z')");
  refused("*a, *b = sch.get_loops(c)");
  refused("*a = sch.get_loops(c)");
  refused("sch.split(loop=l, loop=k)");
  refused("sch.split(**options)");
  refused("sch.f(T.float32())");
  refused("sch.f(99999999999999999999)");
  refused("sch.split(l, [4)");
  refused("sch.get_block('Z)");
  refused("x");
  refused("  sch.unroll(l)");
  refused("sch.f(\xff)");
}

}  // namespace
}  // namespace loom::script::step_line_test
