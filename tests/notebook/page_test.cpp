// Whole texts: a file of function and schedule, a page with prose and printed output between, a notebook's JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/intrin/intrinsic.h"
#include "core/notebook/notebook.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::notebook::page_test {
namespace {

using testing::HasSubstr;

const std::string kImports = "import tvm\nfrom tvm.script import tir as T\nfrom tvm import tir\nimport numpy as np\n";

// As programs were written until TVM 0.10.
const std::string kOldModule = "\n" + tests::programText("square_of_tvm_0_10");

const std::string kZeroTile = "\n" + tests::programText("zero_tile");

const std::string kSchedule = "\n" + tests::scheduleText("blockized_tile");

const std::string kRest = "\n" + tests::scheduleText("tensorized_tile_of_blocks");

std::string joined(const Read& read) {
  std::string lines;
  for (const Run& run : read.runs) {
    for (const auto& line : run.lines) lines += line.source + "\n";
  }
  return lines;
}

Read readAll(const std::string& text) {
  auto read = readText(text, "page.txt", {});
  EXPECT_TRUE(read) << (read ? "" : read.error().message.english());
  if (!read) return {};
  EXPECT_FALSE(read->refusal) << read->refusal->message.english() << " in line " << read->refusal->place.line;
  return *read;
}

std::string finalText(const Read& read) {
  const intrin::Library library = libraryWith({}, read.intrinsics).value();
  auto calls = script::parseSchedule(joined(read), "lines");
  auto done = schedule::replay(*schedule::State::create(*read.module), *calls, {&library});
  EXPECT_FALSE(done.refusal) << done.refusal->message.english();
  return script::print(done.last.module()).text;
}

TEST(Page, AFileOfFunctionIntrinsicsAndScheduleIsATargetByItself) {
  const Read read = readAll(kImports + kOldModule + kZeroTile + kSchedule + kRest);
  ASSERT_EQ(read.intrinsics.size(), 1u);
  EXPECT_EQ(read.intrinsics[0].name, "zero_tile");
  EXPECT_THAT(joined(read), HasSubstr("tile = sch.blockize(target=ii)")) << "its parameter had another name";
  EXPECT_THAT(finalText(read), HasSubstr("T.tvm_fill_fragment("));
  EXPECT_THAT(script::print(*read.module).text, HasSubstr("P: T.Buffer((64, 64), \"float16\")"));
}

TEST(Page, ProseAndPrintedOutputBetweenTheCellsChangeNothing) {
  const std::string code = kImports + kOldModule + kZeroTile + kSchedule + kRest;
  const std::string page =
      R"(Tiles of a product#

We write the product first. 然后切分循环。

Setup

)" + kImports +
      "\nThe module, in which R = P * Q is summed in float32:\n" + kOldModule +
      "\nA tensor intrinsic (one of several)#\n" + kZeroTile + "\ntile.png\n" + kSchedule +
      R"(@tvm.script.ir_module
class Module:
    @T.prim_func
    def main(P: T.Buffer[(64, 64), "float16"]) -> None:
        # body
        s0 = T.var("int32")
        for i_0 in T.serial(4):
            T.evaluate(T.an_operation_of_long_ago(i_0))

Performance: 9443.6 GFLOPS
Tensor(shape=[1], values=[0.0])

```python
)" + kRest +
      R"(```

rt = tvm.build(sch.mod, target="cuda")
a = np.zeros((64, 64))
print("%f ms" % rt(a).mean)
See https://example.org for more.
)";
  const Read whole = readAll(code), between = readAll(page);
  EXPECT_EQ(joined(whole), joined(between));
  EXPECT_EQ(finalText(whole), finalText(between));
  ASSERT_EQ(between.remarks.size(), 1u);
  EXPECT_THAT(between.remarks[0], HasSubstr("the text around the code"));
  EXPECT_THAT(between.remarks[0], HasSubstr("tvm.build"));
}

TEST(Page, CodeInANotebooksJson) {
  const std::string json = R"json({"cells": [
    {"cell_type": "markdown", "source": ["# A title"]},
    {"cell_type": "code", "source": ["from tvm.script import tir as T\n", "@T.prim_func\n", "def f(A: T.Buffer((8,), \"float32\")):\n", "    for i in range(8):\n", "        with T.block(\"A\"):\n", "            v = T.axis.spatial(8, i)\n", "            A[v] = T.float32(1)"]},
    {"cell_type": "code", "source": "sch = tvm.tir.Schedule(f)\nsch.parallel(sch.get_loops(sch.get_block('A'))[0])"}],
    "nbformat": 4
})json";
  EXPECT_THAT(finalText(readAll(json)), HasSubstr("T.parallel(8)"));
}

TEST(Page, PromptsOfATerminalAreNoCode) {
  const std::string text =
      R"(>>> from tvm.script import tir as T
>>> @T.prim_func
... def f(A: T.Buffer((8,), "float32")):
...     for i in range(8):
...         with T.block("A"):
...             v = T.axis.spatial(8, i)
...             A[v] = T.float32(1)
>>> sch = tvm.tir.Schedule(f)
>>> sch.unroll(sch.get_loops(sch.get_block("A"))[0])
)";
  EXPECT_THAT(finalText(readAll(text)), HasSubstr("T.unroll(8)"));
}

TEST(Page, ProgramsThatFunctionsMakeSeeTheirSizes) {
  const std::string text = kImports + "\n" + tests::programText("copy_of_given_sizes");
  EXPECT_THAT(finalText(readAll(text)), HasSubstr("A: T.Buffer((32, 16), \"float16\")"));
}

TEST(Page, ACopyOfAScheduleGoesItsOwnWay) {
  const Read read = readAll(kImports + kOldModule + tests::scheduleText("copied_schedule"));
  ASSERT_EQ(read.runs.size(), 2u);
  EXPECT_EQ(read.runs[1].from, 0);
  EXPECT_EQ(read.runs[1].after, 2u);
  EXPECT_EQ(read.runs[1].lines.size(), 2u);
}

TEST(Page, RelaxFunctionsArePassedOverAndToldOf) {
  const Read read = readAll("\n" + tests::programText("function_beside_relax"));
  ASSERT_EQ(read.module->functions.size(), 1u);
  ASSERT_EQ(read.remarks.size(), 1u);
  EXPECT_THAT(read.remarks[0], HasSubstr("the Relax function main (line 11)"));
}

// ---- Refusals ----

Error refusedText(const std::string& text) {
  auto read = readText(text, "page.txt", {});
  if (!read) return read.error();
  EXPECT_TRUE(read->refusal);
  return read->refusal.value_or(Error{});
}

TEST(PageRefusals, AnErrorInCodeIsNoProse) {
  const Error e = refusedText("Some words stand here before it.\n" + kImports + kOldModule +
                              "sch = tir.Schedule(Square)\nb = sch.get_block('dot'\n");
  EXPECT_EQ(e.code, "ParseError");
  EXPECT_EQ(e.place.line, 19);
}

TEST(PageRefusals, AnIntrinsicThatIsThereAlreadyIsNotReplacedInSilence) {
  const std::string twice = kImports + kOldModule + kZeroTile;
  EXPECT_THAT(
      refusedText(twice + "tir.TensorIntrin.register('zero_tile', zero_tile_desc, zero_tile_impl)\n").message.english(),
      HasSubstr("is there already"));
  EXPECT_EQ(readAll(twice + "tir.TensorIntrin.register('zero_tile', zero_tile_desc, zero_tile_impl, override=True)\n")
                .intrinsics.size(),
            1u);
}

TEST(PageRefusals, AScheduleOfTensorExpressionsSaysWhatIsRead) {
  EXPECT_THAT(refusedText("import tvm\nfrom tvm import te\ns = te.create_schedule(B.op)\n").message.english(),
              HasSubstr("tensor expressions"));
}

TEST(PageRefusals, ATextThatLostItsIndentationIsToldSo) {
  EXPECT_THAT(refusedText(R"(The kernel is this one, in TVMScript:
@T.prim_func
def main(A: T.Buffer((4,), "float32")):
A[0] = T.float32(0)
)")
                  .message.english(),
              HasSubstr("lost its indentation"));
}

TEST(PageRefusals, AClassThatIsGivenTheScheduleIsNotPassedOver) {
  auto read = readText(kImports + kOldModule +
                           R"(class Tiler:
    def __init__(self, sch):
        self.sch = sch
sch = tir.Schedule(Square)
Tiler(sch)
)",
                       "page.txt", {});
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->refusal);
  EXPECT_THAT(read->refusal->message.english(), HasSubstr("the class Tiler is given the schedule"));
}

TEST(Page, SamplesStayStepsWithTheirDecisionsAndNamesOfWhatTheyGive) {
  const std::string lines = joined(readAll(kImports + kOldModule + tests::scheduleText("drawn_tiles")));
  EXPECT_THAT(lines, HasSubstr("t = sch.sample_perfect_tile(i, n=2, decision=[8, 8])\nsch.split(i, t)\n"));
  EXPECT_THAT(lines, HasSubstr("decision=2)\nsch.split(j, [None, n])\n"));
}

TEST(Page, TheSeedOfAScheduleIsALineOfIt) {
  const std::string text = kImports + kOldModule + tests::scheduleText("tiles_not_drawn");
  const std::string made = "tir.Schedule(Square";
  std::string seeded = text;
  seeded.replace(seeded.rfind(made), made.size(), made + ", seed=7");
  const std::string lines = joined(readAll(seeded));
  EXPECT_TRUE(lines.starts_with("sch.seed(7)\n")) << lines;
  EXPECT_EQ(lines.substr(lines.find('\n') + 1), joined(readAll(text))) << "what is drawn is the replay's";
  seeded.replace(seeded.rfind("seed=7"), 6, "seed=0");
  auto refused = readText(seeded, "page.txt", {});
  ASSERT_TRUE(refused && refused->refusal);
  EXPECT_THAT(refused->refusal->message.english(), HasSubstr("seed = 0 is not between 1 and 2147483647"));
}

TEST(PageRefusals, ATextWithoutAProgram) {
  EXPECT_THAT(refusedText("import numpy as np\nx = np.zeros(3)\n").message.english(), HasSubstr("@T.prim_func"));
  EXPECT_THAT(refusedText("Just a few words of prose.\n").message.english(), HasSubstr("@T.prim_func"));
  EXPECT_THAT(refusedText("x = = 3\n").message.english(), HasSubstr("expected an expression"));
  const auto old = refusedText(R"(import tvm

@tvm.script.tir
def f(a: ty.handle) -> None:
    pass
)");
  EXPECT_THAT(old.message.english(), HasSubstr("TVM of before 0.8"));
  EXPECT_EQ(old.place.line, 3);
}

}  // namespace
}  // namespace loom::notebook::page_test
