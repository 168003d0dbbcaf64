// Whole texts: a file of function and schedule, a page with prose and printed output between, a notebook's JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/intrin/intrinsic.h"
#include "core/notebook/notebook.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "core/script/printer.h"

namespace loom::notebook {
namespace {

using testing::HasSubstr;

const std::string kImports = "import tvm\nfrom tvm.script import tir as T\nfrom tvm import tir\nimport numpy as np\n";

// As programs were written until TVM 0.10.
const std::string kOldModule = R"(
@tvm.script.ir_module
class Square:
    @T.prim_func
    def main(P: T.Buffer[(64, 64), "float16"], Q: T.Buffer[(64, 64), "float16"], R: T.Buffer[(64, 64), "float32"]) -> None:
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i, j, k in T.grid(64, 64, 64):
            with T.block("dot"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    R[vi, vj] = T.float32(0)
                R[vi, vj] += T.cast(P[vi, vk], "float32") * T.cast(Q[vj, vk], "float32")
)";

const std::string kZeroTile = R"(
@T.prim_func
def zero_tile_desc(c: T.handle) -> None:
    C = T.match_buffer(c, (16, 16), "float32", align=64, offset_factor=16, scope="wmma.accumulator")
    with T.block("root"):
        T.reads()
        T.writes(C[0:16, 0:16])
        for i, j in T.grid(16, 16):
            with T.block("zero"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.float32(0)

@T.prim_func
def zero_tile_impl(c: T.handle) -> None:
    C = T.match_buffer(c, (16, 16), "float32", align=64, offset_factor=16, scope="wmma.accumulator")
    with T.block("root"):
        T.reads()
        T.writes(C[0:16, 0:16])
        T.evaluate(T.tvm_fill_fragment(C.data, 16, 16, 16, C.elem_offset // 256 + T.floordiv(T.floormod(C.elem_offset, 256), 16), T.float32(0), dtype="handle"))

try:
    tir.TensorIntrin.register("zero_tile", zero_tile_desc, zero_tile_impl)
except ValueError:
    pass
)";

const std::string kSchedule = R"(
sch = tir.Schedule(Square)
block = sch.get_block("dot")
i, j, k = sch.get_loops(block)
i, ii = sch.split(i, factors=[None, 16])
j, jj = sch.split(j, factors=[None, 16])
k, kk = sch.split(k, factors=[None, 16])
sch.reorder(i, j, k, ii, jj, kk)
tile = sch.blockize(loop=ii)
sch.mod.show()
)";

const std::string kRest = R"(
def bind(block, axes):
    for loop, axis in zip(sch.get_loops(block), axes):
        sch.bind(loop, axis)

kept = sch.cache_write(tile, 0, storage_scope="wmma.accumulator")
bind(tile, ["blockIdx.y", "blockIdx.x"])
sch.reverse_compute_at(kept, sch.get_loops(tile)[1])
first = sch.decompose_reduction(tile, sch.get_loops(tile)[2])
sch.tensorize(first, "zero_tile")
)";

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
      "Tiles of a product#\n\nWe write the product first. 然后切分循环。\n\nSetup\n\n" + kImports +
      "\nThe module, in which R = P * Q is summed in float32:\n" + kOldModule +
      "\nA tensor intrinsic (one of several)#\n" + kZeroTile + "\ntile.png\n" + kSchedule +
      "@tvm.script.ir_module\nclass Module:\n    @T.prim_func\n    def main(P: T.Buffer[(64, 64), \"float16\"]) -> "
      "None:\n"
      "        # body\n        s0 = T.var(\"int32\")\n        for i_0 in T.serial(4):\n"
      "            T.evaluate(T.an_operation_of_long_ago(i_0))\n\n"
      "Performance: 9443.6 GFLOPS\nTensor(shape=[1], values=[0.0])\n\n```python\n" +
      kRest +
      "```\n\nrt = tvm.build(sch.mod, target=\"cuda\")\na = np.zeros((64, 64))\nprint(\"%f ms\" % rt(a).mean)\n"
      "See https://example.org for more.\n";
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
      ">>> from tvm.script import tir as T\n>>> @T.prim_func\n... def f(A: T.Buffer((8,), \"float32\")):\n"
      "...     for i in range(8):\n...         with T.block(\"A\"):\n"
      "...             v = T.axis.spatial(8, i)\n...             A[v] = T.float32(1)\n"
      ">>> sch = tvm.tir.Schedule(f)\n>>> sch.unroll(sch.get_loops(sch.get_block(\"A\"))[0])\n";
  EXPECT_THAT(finalText(readAll(text)), HasSubstr("T.unroll(8)"));
}

TEST(Page, ProgramsThatFunctionsMakeSeeTheirSizes) {
  const std::string text = kImports + R"(
def make(rows, columns=16, dtype="float16"):
    @T.prim_func
    def copy(A: T.Buffer((rows, columns), dtype), B: T.Buffer((rows, columns), dtype)):
        for i, j in T.grid(rows, columns):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
    return copy
sch = tir.Schedule(make(32))
sch.vectorize(sch.get_loops("B")[1])
)";
  EXPECT_THAT(finalText(readAll(text)), HasSubstr("A: T.Buffer((32, 16), \"float16\")"));
}

TEST(Page, ACopyOfAScheduleGoesItsOwnWay) {
  const Read read = readAll(kImports + kOldModule +
                            "sch = tir.Schedule(Square)\nb = sch.get_block('dot')\ni, j, k = sch.get_loops(b)\n"
                            "other = sch.copy()\nsch.unroll(i)\nother.unroll(j)\nother.unroll(k)\n");
  ASSERT_EQ(read.runs.size(), 2u);
  EXPECT_EQ(read.runs[1].from, 0);
  EXPECT_EQ(read.runs[1].after, 2u);
  EXPECT_EQ(read.runs[1].lines.size(), 2u);
}

TEST(Page, RelaxFunctionsArePassedOverAndToldOf) {
  const Read read = readAll(R"(
from tvm.script import ir as I, relax as R, tir as T
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def relu(A: T.Buffer((T.int64(8),), "float32"), B: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            with T.block("B"):
                v = T.axis.spatial(T.int64(8), i)
                B[v] = T.max(A[v], T.float32(0))
    @R.function
    def main(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((8,), dtype="float32"))
            R.output(y)
        return y
)");
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
  EXPECT_THAT(refusedText("The kernel is this one, in TVMScript:\n@T.prim_func\ndef main(A: T.Buffer((4,), "
                          "\"float32\")):\nA[0] = T.float32(0)\n")
                  .message.english(),
              HasSubstr("lost its indentation"));
}

TEST(PageRefusals, AClassThatIsGivenTheScheduleIsNotPassedOver) {
  auto read = readText(kImports + kOldModule +
                           "class Tiler:\n    def __init__(self, sch):\n        self.sch = sch\n"
                           "sch = tir.Schedule(Square)\nTiler(sch)\n",
                       "page.txt", {});
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->refusal);
  EXPECT_THAT(read->refusal->message.english(), HasSubstr("the class Tiler is given the schedule"));
}

TEST(Page, DrawnSamplesAreTheirDecisions) {
  const Read read = readAll(kImports + kOldModule +
                            "sch = tir.Schedule(Square)\ni, j, k = sch.get_loops(sch.get_block(\"dot\"))\n"
                            "t = sch.sample_perfect_tile(i, n=2, decision=[8, 8])\nsch.split(i, t)\n"
                            "n = sch.sample_categorical([1, 2, 4], [0.2, 0.3, 0.5], decision=2)\n"
                            "sch.split(j, [None, n])\nsch.enter_postproc()\n");
  EXPECT_THAT(joined(read), HasSubstr("sch.split(i, [8, 8])"));
  EXPECT_THAT(joined(read), HasSubstr("sch.split(j, [None, 4])"));
}

TEST(PageRefusals, ASampleWithoutItsDecisionIsNotDrawnHere) {
  auto read = readText(kImports + kOldModule +
                           "sch = tir.Schedule(Square)\ni, j, k = sch.get_loops(sch.get_block(\"dot\"))\n"
                           "t = sch.sample_perfect_tile(i, n=2)\nsch.split(i, t)\n",
                       "page.txt", {});
  ASSERT_TRUE(read && read->refusal);
  EXPECT_THAT(read->refusal->message.english(), HasSubstr("names no decision"));
}

TEST(PageRefusals, ATextWithoutAProgram) {
  EXPECT_THAT(refusedText("import numpy as np\nx = np.zeros(3)\n").message.english(), HasSubstr("@T.prim_func"));
  EXPECT_THAT(refusedText("Just a few words of prose.\n").message.english(), HasSubstr("@T.prim_func"));
  EXPECT_THAT(refusedText("x = = 3\n").message.english(), HasSubstr("expected an expression"));
  const auto old = refusedText("import tvm\n\n@tvm.script.tir\ndef f(a: ty.handle) -> None:\n    pass\n");
  EXPECT_THAT(old.message.english(), HasSubstr("TVM of before 0.8"));
  EXPECT_EQ(old.place.line, 3);
}

}  // namespace
}  // namespace loom::notebook
