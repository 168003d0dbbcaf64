// Which products the four passes take to tensor cores, and at which check the others fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/kernel.h"
#include "core/exec/check.h"
#include "tests/tune/tensorize_cases.h"

namespace loom::tune::tensorize_test {
namespace {

using enum PassOutcome;
using ::testing::HasSubstr;

class Succeeds : public ::testing::TestWithParam<Source> {};

TEST_P(Succeeds, AndTheEndIsAKernelThatComputesTheSame) {
  const Asked asked(GetParam());
  ASSERT_EQ(asked.outcome(), Scaled) << (asked.found.refusal ? asked.found.refusal->message.english()
                                                             : asked.found.threads.verdict.english());
  const auto original = asked.target.history.node(0).state, after = asked.after();
  const std::string cuda = document::makeKernel(after).source.text;
  EXPECT_THAT(cuda, HasSubstr("mma_sync("));
  exec::Options whole;
  whole.sample = false;
  const auto report = exec::check(original.module().functions.front(), after.module().functions.front(), whole);
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, exec::Report::Status::Verified) << exec::describe(*report).english();
  EXPECT_FALSE(report->inOrder);
}

INSTANTIATE_TEST_SUITE_P(
    Tensorize, Succeeds,
    ::testing::Values(
        Source{.name = "Rows"}, transposed({}, false, true), transposed({}, true, false), transposed({}, true, true),
        kHalves, kBytes, transposed(kBytes, false, true), kSecondFirst, transposed(kSecondFirst, false, true),
        kSumFirst, kAnotherOrder, kSwapped, batched("Batched"),
        Source{.name = "RowsApart", .program = tests::programText("rows_that_lie_apart", {{"ROW", 68}})},
        Source{.name = "ThenRelu", .program = tests::programText("product_then_relu")},
        Source{.name = "LoopsInParts", .program = tests::programText("product_in_parts")},
        Source{.name = "WeightsOfAllTheBatch",
               .a = "2, 32, 32",
               .b = "32, 16",
               .c = "2, 32, 16",
               .at = "vb, vi, vj",
               .value = "C[vb, vi, vj] + T.float32(A[vb, vi, vk]) * T.float32(B[vk, vj])",
               .loops = "b, i, j, k",
               .extents = "2, 32, 16, 32",
               .iterators = "vb, vi, vj, vk",
               .kinds = "SSSR"},
        tiled("ThreadsOfAutoTvm", tests::scheduleText("threads_of_autotvm")),
        tiled("ThreadsOfTheLesson", lesson({"06_warps", "07_tiles"})),
        Source{.name = "EightRowsAWarp", .schedule = tests::scheduleText("eight_rows_a_thread")},
        ofTile("Tall", "float16", "float32", kTall), ofTile("Wide", "float16", "float32", kWide),
        ofTile("WideHalfSum", "float16", "float16", kWide), ofTile("BrainFloats", "bfloat16", "float32", kSquare),
        ofTile("TallBrainFloats", "bfloat16", "float32", kTall),
        transposed(ofTile("WideBrainFloats", "bfloat16", "float32", kWide), true, true),
        ofTile("UnsignedBytes", "uint8", "int32", kSquare), ofTile("TallBytes", "int8", "int32", kTall),
        transposed(ofTile("WideUnsignedBytes", "uint8", "int32", kWide), false, true),
        transposed(ofTile("Nibbles", "int4", "int32", {8, 8, 32}), false, true),
        transposed(ofTile("UnsignedNibbles", "uint4", "int32", {8, 8, 32}), false, true), ofBits("Bits", "uint1"),
        ofBits("SignedBits", "int1"), asTf32({.name = "Tf32"}), transposed(asTf32({.name = "Tf32"}), true, true),
        asTf32(square("Tf32Staged", "staged_by_threads")), square("Staged", "staged_by_threads"),
        square("TwoParts", "threads_of_two_parts"), square("EightColumnsAThread", "eight_columns_a_thread"),
        square("OneWarpASquare", "one_warp_a_square"),
        Source{.name = "BatchByThreads",
               .a = "2, 32, 32",
               .b = "2, 32, 32",
               .c = "2, 32, 32",
               .at = "vb, vi, vj",
               .value = "C[vb, vi, vj] + T.float32(A[vb, vi, vk]) * T.float32(B[vb, vj, vk])",
               .loops = "b, i, j, k",
               .extents = "2, 32, 32, 32",
               .iterators = "vb, vi, vj, vk",
               .kinds = "SSSR",
               .schedule = tests::scheduleText("batch_by_threads")}),
    [](const auto& info) { return info.param.name; });

struct Failing {
  Source source;
  PassOutcome outcome;
  const char* device = "";
  const char* says = "";  // part of the verdict of the pass that fails
};
std::ostream& operator<<(std::ostream& out, const Failing& failing) { return out << failing.source.name; }
class Fails : public ::testing::TestWithParam<Failing> {};

TEST_P(Fails, AtItsOwnCheck) {
  std::optional<model::Device> device;
  if (*GetParam().device) device = *model::findDevice(*model::loadDevices(document::assets()), GetParam().device);
  const Asked asked(GetParam().source, device ? &*device : nullptr);
  EXPECT_EQ(nameOf(asked.outcome()), nameOf(GetParam().outcome)) << asked.found.pattern.verdict;
  bool failed = false;
  for (int pass = 0; pass < 4; ++pass) {
    const PassReport& report = asked.found.report(pass);
    EXPECT_EQ(report.outcome == NotReached, failed) << "what follows is not reached";
    if (failed || succeeded(report.outcome)) continue;
    failed = true;
    EXPECT_FALSE(report.verdict.empty());
    EXPECT_THAT(report.verdict.english(), HasSubstr(GetParam().says));
    EXPECT_EQ(report.lines, "");
  }
}

const std::string kThreads = R"(b = sch.get_block("C")
i, j, k = sch.get_loops(b)
i0, i1 = sch.split(i, [None, $I])
j0, j1 = sch.split(j, [None, $J])
sch.reorder(i0, j0, i1, j1, k)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
)";
std::string threads(const std::string& i, const std::string& j) {
  std::string text = kThreads;
  text.replace(text.find("$I"), 2, i);
  return text.replace(text.find("$J"), 2, j);
}

INSTANTIATE_TEST_SUITE_P(
    Tensorize, Fails,
    ::testing::Values(
        Failing{{.name = "Copy", .value = "T.float32(A[vi, vk]) * T.float32(B[vk, vj])"}, NotAReduction},
        Failing{{.name = "Elementwise",
                 .a = "32, 96",
                 .b = "32, 96",
                 .value = "C[vi, vj] + T.float32(A[vi, vj]) * T.float32(B[vi, vj])",
                 .loops = "i, j",
                 .extents = "32, 96",
                 .iterators = "vi, vj",
                 .kinds = "SS"},
                NoReduceAxis},
        Failing{{.name = "Window",
                 .a = "36, 64",
                 .value = "C[vi, vj] + T.float32(A[vi + vr, vk]) * T.float32(B[vk, vj])",
                 .loops = "i, j, k, r",
                 .extents = "32, 96, 64, 3",
                 .iterators = "vi, vj, vk, vr",
                 .kinds = "SSRR"},
                SeveralReduceAxes},
        Failing{{.name = "Greatest", .value = "T.max(C[vi, vj], T.float32(A[vi, vk]) * T.float32(B[vk, vj]))"},
                CombinerNotASum},
        Failing{{.name = "BeginsWithWhatIsThere", .program = tests::programText("sum_onto_what_is_there")},
                CombinerNotASum},
        Failing{{.name = "AKernelByHand",
                 .program = tests::programText(
                     "product_by_threads",
                     {{"M", 32}, {"N", 32}, {"K", 32}, {"SUM", "C[vi, vj] + A[vi, vk] * B[vk, vj]"}})},
                NoPlainNest,
                "",
                "loop i above block C is bound to blockIdx.x"},
        Failing{{.name = "SomeStepsAlone", .program = tests::programText("product_of_first_steps")},
                NoPlainNest,
                "",
                "block C is computed only where k < 48"},
        Failing{{.name = "BeginsWithAnotherElement", .program = tests::programText("init_of_another_element")},
                CombinerNotASum,
                "",
                "The init of C writes another element"},
        Failing{{.name = "SumUsedTwice", .value = "C[vi, vj] + T.float32(A[vi, vk]) * C[vi, vj]"},
                NotTwoReads,
                "",
                "A factor of C is an element of C, which it writes itself."},
        Failing{{.name = "TwoTerms", .value = "C[vi, vj] + T.float32(A[vi, vk]) + T.float32(B[vk, vj])"},
                SourceNotAProduct,
                "",
                "C adds 2 terms at once"},
        Failing{{.name = "OfAnotherElement", .value = "C[vj, vi] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])"},
                NotAReduction,
                "",
                "C reads C, but doesn't add to the element"},
        Failing{{.name = "RoundedAfterwards",
                 .out = "float16",
                 .value = "C[vi, vj] + T.float16(T.float32(A[vi, vk]) * T.float32(B[vk, vj]))"},
                SourceNotAProduct,
                "",
                "rounded to float16"},
        Failing{{.name = "Vector",
                 .b = "64",
                 .c = "32",
                 .at = "vi",
                 .value = "C[vi] + T.float32(A[vi, vk]) * T.float32(B[vk])",
                 .loops = "i, k",
                 .extents = "32, 64",
                 .iterators = "vi, vk",
                 .kinds = "SR"},
                IndicesNotBare,
                "",
                "What block C writes has 1 dimensions"},
        Failing{{.name = "AnyNumberOfRows", .program = tests::programText("product_of_some_rows")},
                ExtentsNotDivisible,
                "",
                "The extent of vi is n, no number"},
        Failing{
            {.name = "RowsThatNoOperationTakes", .program = tests::programText("rows_that_lie_apart", {{"ROW", 65}})},
            NoKernel,
            "",
            "rows of C that lie 65 elements apart"},
        Failing{{.name = "BeginsAtOne", .init = "T.float32(1)"}, CombinerNotASum},
        Failing{{.name = "Difference", .value = "C[vi, vj] + (T.float32(A[vi, vk]) - T.float32(B[vk, vj]))"},
                SourceNotAProduct},
        Failing{{.name = "RoundedProduct", .value = "C[vi, vj] + T.float32(A[vi, vk] * B[vk, vj])"},
                SourceNotAProduct,
                "",
                "rounded to float16"},
        Failing{{.name = "Square",
                 .b = "64, 96",
                 .c = "32, 32",
                 .value = "C[vi, vj] + T.float32(A[vi, vk]) * T.float32(A[vj, vk])",
                 .extents = "32, 32, 64"},
                NotTwoReads},
        Failing{{.name = "Constant", .value = "C[vi, vj] + T.float32(A[vi, vk]) * T.float32(2)"}, NotTwoReads},
        Failing{{.name = "BytesIntoFloats", .in = "int8"}, AccumulatorType},
        Failing{{.name = "Floats", .in = "float32", .value = "C[vi, vj] + A[vi, vk] * B[vk, vj]"}, OperandTypes},
        Failing{ofTile("Tf32OfAnotherTile", "float32", "float32", kSquare), OperandTypes},
        Failing{asTf32({.name = "Tf32OnT4"}), DeviceLacksIt, "t4"},
        Failing{asTf32({.name = "Tf32HalfATile", .a = "32, 60", .b = "60, 96", .extents = "32, 96, 60"}),
                ExtentsNotDivisible},
        Failing{{.name = "EveryOtherAlongK",
                 .a = "32, 128",
                 .value = "C[vi, vj] + T.float32(A[vi, vk * 2]) * T.float32(B[vk, vj])"},
                IndicesNotBare},
        Failing{{.name = "SumOfFactors", .value = "C[vi, vj] + (T.float32(A[vi, vk]) + T.float32(B[vk, vj]))"},
                SourceNotAProduct},
        Failing{{.name = "ThreeFactors",
                 .value = "C[vi, vj] + T.float32(A[vi, vk]) * T.float32(A[vi, vk]) * T.float32(B[vk, vj])"},
                NotTwoReads},
        Failing{
            {.name = "Shifted", .a = "33, 64", .value = "C[vi, vj] + T.float32(A[vi + 1, vk]) * T.float32(B[vk, vj])"},
            IndicesNotBare},
        Failing{{.name = "Odd", .a = "36, 64", .c = "36, 96", .extents = "36, 96, 64"}, ExtentsNotDivisible},
        Failing{{.name = "BrainFloatsOnT4", .in = "bfloat16"}, DeviceLacksIt, "t4"},
        Failing{ofBits("BitsOnT4", "uint1"), DeviceLacksIt, "t4"},
        Failing{{.name = "BatchInside",
                 .a = "32, 2, 64",
                 .b = "64, 96",
                 .c = "2, 32, 96",
                 .at = "vb, vi, vj",
                 .value = "C[vb, vi, vj] + T.float32(A[vi, vb, vk]) * T.float32(B[vk, vj])",
                 .loops = "b, i, j, k",
                 .extents = "2, 32, 96, 64",
                 .iterators = "vb, vi, vj, vk",
                 .kinds = "SSSR"},
                OperandIsNeither},
        Failing{{.name = "RowsOfThreads", .schedule = threads("4", "32")}, NoLegalWarpTile},
        Failing{{.name = "EightRowsOfAnotherTile",
                 .request = {"", kSquare, false},
                 .schedule = tests::scheduleText("eight_rows_a_thread")},
                NoLegalWarpTile},
        Failing{ofTile("NarrowHalfSum", "float16", "float16", kTall), NoLegalWarpTile},
        Failing{{.name = "SumByThreads", .schedule = tests::scheduleText("sum_of_an_element_by_threads")},
                NoLegalWarpTile},
        Failing{square("BlocksThatDontFit", "staged_by_threads", 80), ExtentsNotDivisible},
        Failing{{.name = "HalfAWarp", .schedule = threads("1", "16")}, NoWholeWarps},
        Failing{{.name = "TensorCoresAlready", .schedule = tests::scheduleText("tensor_core_tile_a_block")},
                AlreadyTensorized}),
    [](const auto& info) { return info.param.source.name; });

}  // namespace
}  // namespace loom::tune::tensorize_test
