// Schedules as scripts: every script gives the lines that its author would have written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/notebook/notebook.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::notebook::script_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kProduct = tests::programText("product", {{"M", 64}, {"N", 64}, {"K", 64}});

schedule::State start() { return *schedule::State::create(*script::parseModule(kProduct, "product.py")); }

Read readLines(const std::string& text) {
  auto read = readSchedule(text, "s.py", start(), {});
  EXPECT_TRUE(read) << (read ? "" : read.error().message.english());
  return read ? *read : Read{};
}

std::vector<std::string> sources(const Read& read) {
  std::vector<std::string> lines;
  for (const Run& run : read.runs) {
    for (const auto& line : run.lines) lines.push_back(line.source);
  }
  return lines;
}

// The program that the lines lead to.
std::string textAfter(const std::string& lines) {
  auto done = schedule::replay(start(), *script::parseSchedule(lines, "lines"), {});
  EXPECT_FALSE(done.refusal) << done.refusal->message.english();
  return script::print(done.last.module()).text;
}

// The script's lines do what the others do, and can be read back one by one.
void expectSame(const std::string& script, const std::string& lines) {
  const Read read = readLines(script);
  ASSERT_FALSE(read.refusal) << read.refusal->message.english() << " in line " << read.refusal->place.line;
  std::string own;
  for (const std::string& line : sources(read)) own += line + "\n";
  EXPECT_EQ(textAfter(own), textAfter(lines)) << own;
}

const std::string kLoops = "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n";

TEST(Script, PlainLinesStayAsTheyAreWritten) {
  const std::string text = kLoops +
                           R"(i0, i1 = sch.split(i, [None, 16])  # tiles
sch.bind(i0,'blockIdx.x')
i, j = sch.split(j, factors=[4,
    16])
)";
  EXPECT_THAT(sources(readLines(text)),
              ElementsAre("b = sch.get_block(\"C\")", "i, j, k = sch.get_loops(b)",
                          "i0, i1 = sch.split(i, [None, 16])  # tiles", "sch.bind(i0,'blockIdx.x')",
                          "i, j = sch.split(j, factors=[4, 16])"));
}

TEST(Script, ConstantsAndArithmeticStandInTheLinesAsNumbers) {
  const auto lines = sources(readLines("TILE = 4\nWARP = TILE * 8 // 2\n" + kLoops +
                                       "i0, i1 = sch.split(i, [None, WARP])\nsch.bind(i0, f\"blockIdx.{'x'}\")\n"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2], "i0, i1 = sch.split(i, [None, 16])");
  EXPECT_EQ(lines[3], "sch.bind(i0, \"blockIdx.x\")");
}

TEST(Script, LoopsOverListsZipsRangesAndEnumerations) {
  expectSame(kLoops + "for loop, axis in zip([i, j], ['y', 'x']):\n    sch.bind(loop, 'threadIdx.' + axis)\n",
             kLoops + "sch.bind(i, \"threadIdx.y\")\nsch.bind(j, \"threadIdx.x\")\n");
  expectSame(kLoops + "for n, loop in enumerate(sch.get_loops(b)[:2]):\n    sch.bind(loop, f'threadIdx.{\"yx\"[n]}')\n",
             kLoops + "sch.bind(i, \"threadIdx.y\")\nsch.bind(j, \"threadIdx.x\")\n");
  expectSame(
      R"(b = sch.get_block('C')
for n in range(3):
    a, c = sch.split(sch.get_loops(b)[2 * n], [None, 2 ** (n + 1)])
)",
      kLoops + R"(sch.split(i, [None, 2])
sch.split(j, [None, 4])
sch.split(k, [None, 8])
)");
}

TEST(Script, FunctionsWithDefaultsKeywordsAndReturns) {
  expectSame(R"(
def tile(block, *, factors=(4, 8), order=None):
    """Splits the two outer loops."""
    outer, inner = [], []
    for loop, factor in zip(sch.get_loops(block), factors):
        o, x = sch.split(loop, factors=[None, factor])
        outer.append(o)
        inner += [x]
    sch.reorder(*outer, *inner)
    return outer[0] if order is None else inner[-1]
b = sch.get_block("C")
first = tile(b, factors=[16, 16])
sch.parallel(first)
)",
             kLoops +
                 R"(i0, i1 = sch.split(i, [None, 16])
j0, j1 = sch.split(j, [None, 16])
sch.reorder(i0, j0, i1, j1)
sch.parallel(i0)
)");
}

TEST(Script, NamesOfFunctionsDontTakeThoseOfTheLinesAround) {
  const Read read = readLines(kLoops + R"(
def halve(loop):
    i, j = sch.split(loop, [None, 2])
    return j
x = halve(i)
y = halve(j)
sch.unroll(x)
sch.unroll(y)
sch.unroll(k)
)");
  EXPECT_FALSE(read.refusal);
  std::string own;
  for (const auto& line : sources(read)) own += line + "\n";
  EXPECT_EQ(textAfter(own), textAfter(kLoops + R"(a, b0 = sch.split(i, [None, 2])
c, d = sch.split(j, [None, 2])
sch.unroll(b0)
sch.unroll(d)
sch.unroll(k)
)"));
}

TEST(Script, ComprehensionsAndIndexMaps) {
  expectSame(
      R"(loops = sch.get_loops(sch.get_block('C'))
inner = [sch.split(l, [None, 4])[1] for l in loops[:2]]
[sch.unroll(l) for l in inner]
)",
      kLoops + R"(i0, i1 = sch.split(i, [None, 4])
j0, j1 = sch.split(j, [None, 4])
sch.unroll(i1)
sch.unroll(j1)
)");
  const auto lines = sources(readLines(R"(t = 16
sch.get_block('C')
sch.transform_layout(sch.get_block('C'), ('read', 0), lambda x, y: (x // t, y, x % t))
)"));
  EXPECT_EQ(lines.back(),
            "sch.transform_layout(sch.get_block(\"C\"), (\"read\", 0), lambda x, y: (x // 16, y, x % 16,))");
}

TEST(Script, ConditionsOnConstantsAndTernaries) {
  expectSame(kLoops +
                 R"(unroll = False
if unroll:
    sch.unroll(k)
elif len([i, j]) == 2 and not unroll:
    sch.vectorize(j if max(1, 2) > 1 else k)
)",
             kLoops + "sch.vectorize(j)\n");
}

TEST(Script, WhatOnlyPrintsOrRunsIsPassedOverInOneSentence) {
  const Read read = readLines("import numpy as np\n" + kLoops +
                              R"(sch.mod.show()
print(sch.mod.script())
a = np.zeros((64, 64))
f = tvm.build(sch.mod, target='cuda')
f(a)
if a.sum() > 0:
    print('yes')
)");
  EXPECT_FALSE(read.refusal);
  EXPECT_EQ(sources(read).size(), 2u);
  ASSERT_EQ(read.remarks.size(), 1u);
  EXPECT_THAT(read.remarks[0], HasSubstr("printing (lines 4–5)"));
  EXPECT_THAT(read.remarks[0], HasSubstr("numpy (lines 6, 9–10)"));
  EXPECT_THAT(read.remarks[0], HasSubstr("tvm.build (lines 7–8)"));
}

// As an exported script names operations that TVM lacks.
TEST(Script, WhatIsNotKnownMayBeAnAttribute) {
  const Read read =
      readLines("import functools\nT.ptx_wgmma_fill = functools.partial(T.call_extern, 'int32', 'f')\n" + kLoops);
  EXPECT_FALSE(read.refusal);
  EXPECT_EQ(sources(read).size(), 2u);
  ASSERT_EQ(read.remarks.size(), 1u);
  EXPECT_THAT(read.remarks[0], HasSubstr("functools (line "));
  EXPECT_TRUE(readLines("T.size = 3\n" + kLoops).refusal);
}

TEST(Script, AFunctionThatTakesTheScheduleIsCalledWithIt) {
  expectSame(
      R"(def apply(sch: tvm.tir.Schedule, tile=8) -> None:
    b = sch.get_block('C')
    i = sch.get_loops(b)[0]
    sch.split(i, [None, tile])
)",
      kLoops + "sch.split(i, [None, 8])\n");
}

TEST(Script, ATriedStepThatIsRefusedChangesNothing) {
  expectSame(kLoops + R"(try:
    sch.split(i, [3, 5])
except tvm.tir.ScheduleError:
    sch.split(i, [4, 16])
)",
             kLoops + "sch.split(i, [4, 16])\n");
}

// ---- Refusals ----

Error refused(const std::string& text) {
  const Read read = readLines(text);
  EXPECT_TRUE(read.refusal) << text;
  return read.refusal.value_or(Error{});
}

std::string nameOf(const std::string& text) {
  const Error e = refused(text);
  EXPECT_EQ(e.code, "ParseError");
  return e.message.english().substr(0, e.message.english().find(':'));
}

TEST(ScriptRefusals, StandAtTheUsersLine) {
  const Error e = refused(kLoops + R"(def go(loop):
    sch.split(loop,
              [3, 5])
go(i)
)");
  EXPECT_EQ(e.place.line, 4);
  EXPECT_EQ(e.place.column, 5);
  EXPECT_EQ(refused(kLoops + "x = [1, 2][5]\n").place.line, 3);
  EXPECT_EQ(nameOf("for n in range(2):\n    sch.get_block(nmae)\n"), "NameError");
}

TEST(ScriptRefusals, HaveTheNameThatPythonGives) {
  EXPECT_EQ(nameOf("x = 1 // 0"), "ZeroDivisionError");
  EXPECT_EQ(nameOf("x = 'a' + 1"), "TypeError");
  EXPECT_EQ(nameOf("x = {}['a']"), "KeyError");
  EXPECT_EQ(nameOf("x, y = 1, 2, 3"), "ValueError");
  EXPECT_EQ(nameOf("assert 1 == 2, 'sizes'"), "AssertionError");
  EXPECT_EQ(nameOf("x = 2 ** 100"), "OverflowError");
  EXPECT_EQ(nameOf("def f(a): return a\nf()"), "TypeError");
  EXPECT_EQ(nameOf("raise ValueError('no')"), "ValueError");
}

TEST(ScriptRefusals, EndWhatWouldNotEnd) {
  EXPECT_EQ(nameOf("while True: pass"), "TooLong");
  EXPECT_EQ(nameOf("def f(n): return f(n + 1)\nf(0)"), "RecursionError");
  EXPECT_EQ(nameOf("x = [0]\nwhile True: x = x + x"), "ValueError");
  EXPECT_EQ(nameOf("x = 'ab'\nwhile True: x += x"), "ValueError");
  EXPECT_EQ(nameOf("x = range(10 ** 12)"), "ValueError");
  EXPECT_EQ(nameOf("f = 0\nwhile True: f = lambda g=f: g"), "TooLong");
  // Deep and wide ones are let go and compared in bounded time.
  EXPECT_FALSE(readLines("x = []\nfor n in range(90000): x = [x]\n").refusal);
  EXPECT_FALSE(readLines(R"(x = [1]
for n in range(60): x = [x, x, x]
y = x == [x]
print(x)
)")
                   .refusal);
}

TEST(ScriptRefusals, NameWhatOnlyPythonKnows) {
  EXPECT_EQ(nameOf("import os"), "ImportError");
  EXPECT_EQ(nameOf("from subprocess import run"), "ImportError");
  const Error e = refused("import torch\n" + kLoops + "sch.split(i, [None, torch.cuda.device_count()])\n");
  EXPECT_THAT(e.message.english(), HasSubstr("torch"));
  EXPECT_EQ(e.place.line, 4);
  EXPECT_THAT(refused(kLoops + R"(import time
if time.time() > 0:
    sch.unroll(k)
)")
                  .message.english(),
              HasSubstr("time"));
}

TEST(ScriptRefusals, KeepWhatCameBefore) {
  const Read read = readLines(kLoops + R"(sch.parallel(i)
sch.fuse(j)
x = nothing
sch.unroll(k)
)");
  ASSERT_TRUE(read.refusal);
  EXPECT_EQ(read.refusal->place.line, 5);
  EXPECT_EQ(sources(read).size(), 4u);
}

TEST(ScriptRefusals, EveryTruncationIsOneOrLines) {
  const std::string text = kLoops + R"(
def tile(block, factors=(4, 8)):
    for n, (loop, f) in enumerate(zip(sch.get_loops(block), factors)):
        o, x = sch.split(loop, factors=[None, f * 2 if n else f])
        name = f"{'thread'}Idx.{n!r:>1}"
    return {"a": [o, x], **{}} if factors[0] > 1 else None
try:
    tile(b)
except (ValueError, TypeError) as e:
    print("%d of %s" % (3, e))
finally:
    sch.unroll(k)
)";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    auto read = readSchedule(std::string_view(text).substr(0, length), "cut.py", start(), {});
    if (!read) {
      EXPECT_GT(read.error().place.line, 0);
    } else if (read->refusal) {
      EXPECT_GT(read->refusal->place.line, 0) << text.substr(0, length);
    }
  }
}

// Each of these is True in Python.
TEST(Script, ContainersAndTextsAreAsInPython) {
  for (const char* claim : {
           "len({1: 2, 1: 3}) == 1 and {1: 2, 1: 3}[1] == 3",
           "dict([(1, 2), (1, 3)]) == {1: 3} and dict({'a': 1}, a=2) == {'a': 2}",
           "{i % 2: i for i in range(5)} == {0: 4, 1: 3}",
           "len({i % 2 for i in range(5)}) == 2",
           "{1, 2} == {2, 1} and {1, 2} != {1, 3} and [{1, 2}] == [{2, 1}]",
           "{1} < {2, 1} and not {3} < {2, 1} and {1, 2} <= {2, 1} and not {1, 2} < {2, 1} and {1, 2, 3} >= {3, 1}",
           "'a_b_c'.split('_', 1) == ['a', 'b_c'] and 'a_b_c'.rsplit('_', 1) == ['a_b', 'c']",
           "' a b  c '.split(None, 1) == ['a', 'b  c '] and ' a b  c '.rsplit(maxsplit=1) == [' a b', 'c']",
           "'aaa'.rsplit('aa') == ['a', ''] and 'a_b'.split('_', -1) == ['a', 'b'] and 'a_b'.split('_', 0) == ['a_b']",
           "'aaa'.replace('a', 'b', 2) == 'bba' and 'aaa'.replace('a', 'b', 0) == 'aaa'",
           "int('10', 16) == 16 and int('-z', base=36) == -35",
           R"(repr('a\tb\r\n\x01') == "'a\\tb\\r\\n\\x01'")",
       }) {
    const Read read = readLines("assert " + std::string(claim) + "\n");
    EXPECT_FALSE(read.refusal) << claim << ": " << (read.refusal ? read.refusal->message.english() : "");
  }
}

TEST(Script, ArgumentsThatArentUsedAreRefused) {
  for (const char* call : {"pow(2, 3, 5)", "'abc'.find('a', 1)", "'abc'.count('a', 1)", "'abc'.startswith('a', 1)",
                           "[1].index(1, 1)", "int(5, 16)", "int('10', 1)", "len([], [])", "zip([1], [2], strict=True)",
                           "{}.get(1, default=2)", "'a'.replace('', 'b')", "'a'.upper(1)"}) {
    EXPECT_TRUE(readLines("x = " + std::string(call) + "\nsch.get_block('C')\n").refusal) << call;
  }
}

TEST(Script, HandlesOfTwoSchedulesDiffer) {
  const Read read = readLines("a = sch.copy()\nassert sch.get_block('C') != a.get_block('C')\n");
  EXPECT_FALSE(read.refusal) << (read.refusal ? read.refusal->message.english() : "");
}

TEST(Script, ComparingLongListsCountsAsSteps) {
  const Read read = readLines("a = [0] * 90000\nb = [0] * 90000\nfor i in range(90000):\n    a == b\n");
  EXPECT_TRUE(read.refusal);
}

}  // namespace
}  // namespace loom::notebook::script_test
