// The four passes to tensor cores: what they lead to is right on the CPU, and what can't go fails at its own check.
#include "core/tune/tensorize/performance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/export.h"
#include "core/document/kernel.h"
#include "core/exec/check.h"
#include "core/ir/equal.h"
#include "core/tune/step_form.h"
#include "tests/document/scheduled.h"
#include "tests/model/programs.h"

namespace loom::tune::tensorize_test {
namespace {

using enum PassOutcome;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// C[i, j] += A · B, and what of it differs from that of float16 into float32 with both operands by rows.
struct Source {
  std::string name;
  std::string a = "32, 64", b = "64, 96", c = "32, 96", in = "float16", out = "float32";
  std::string at = "vi, vj";
  std::string value = "C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])";
  std::string loops = "i, j, k", extents = "32, 96, 64", iterators = "vi, vj, vk", kinds = "SSR";
  std::string init = "";
  TensorizeRequest request = {};
  std::string schedule = "";
  std::string program = "";  // instead of all above

  std::string text() const {
    if (!program.empty()) return program;
    return tests::programText("any_product", {{"A", a},
                                              {"B", b},
                                              {"C", c},
                                              {"IN", in},
                                              {"OUT", out},
                                              {"LOOPS", loops},
                                              {"EXTENTS", extents},
                                              {"ITERATORS", iterators},
                                              {"KINDS", kinds},
                                              {"AT", at},
                                              {"INIT", init.empty() ? "T." + out + "(0)" : init},
                                              {"VALUE", value}});
  }
};
std::ostream& operator<<(std::ostream& out, const Source& source) { return out << source.name; }

std::string lesson(std::initializer_list<const char*> chapters) {
  std::string lines;
  for (const char* chapter : chapters)
    lines += model::readText("assets/lessons/cuda_cores/steps/" + std::string(chapter) + ".sched.py");
  return lines;
}

// A program with its schedule, and what the passes say of the last state.
struct Asked {
  explicit Asked(const Source& source, const model::Device* device = nullptr)
      : target(*document::openFunction(source.text(), source.name)) {
    const auto applied = target.history.apply(0, source.schedule, document::environment());
    if (!applied || applied->refusal) throw std::runtime_error(applied ? applied->refusal->message.english() : "");
    node = applied->node;
    found = tensorization(target.history, node, document::environment(), device, source.request);
  }
  schedule::State after() const {
    return *previewLines(target.history, found.at, found.linesUpTo(4), document::environment());
  }
  // The first pass that failed.
  PassOutcome outcome() const {
    for (int pass = 0; pass < 4; ++pass)
      if (!succeeded(found.report(pass).outcome)) return found.report(pass).outcome;
    return Scaled;
  }
  document::Target target;
  int node = 0;
  Tensorization found;
};

Source transposed(Source source, bool a, bool b) {
  if (a) source.a = "64, 32", source.value.replace(source.value.find("A[vi, vk]"), 9, "A[vk, vi]");
  if (b) source.b = "96, 64", source.value.replace(source.value.find("B[vk, vj]"), 9, "B[vj, vk]");
  source.name += a ? b ? "TransposedBoth" : "TransposedA" : b ? "TransposedB" : "";
  return source;
}
Source tiled(const std::string& name, const std::string& schedule) {
  return {.name = name,
          .a = "128, 32",
          .b = "32, 128",
          .c = "128, 128",
          .loops = "x, y, k",
          .extents = "128, 128, 32",
          .schedule = schedule};
}
Source square(const std::string& name, const char* schedule, int size = 64) {
  const std::string n = std::to_string(size), both = n + ", " + n;
  return {.name = name,
          .a = both,
          .b = both,
          .c = both,
          .extents = both + ", " + n,
          .schedule = tests::scheduleText(schedule)};
}
Source batched(std::string name) {
  return {.name = std::move(name),
          .a = "2, 3, 32, 32",
          .b = "2, 3, 32, 16",
          .c = "2, 3, 32, 16",
          .at = "vb, vh, vi, vj",
          .value = "C[vb, vh, vi, vj] + T.float32(A[vb, vh, vi, vk]) * T.float32(B[vb, vh, vk, vj])",
          .loops = "b, h, i, j, k",
          .extents = "2, 3, 32, 16, 32",
          .iterators = "vb, vh, vi, vj, vk",
          .kinds = "SSSSR"};
}
// A product of these types by tiles of this shape.
Source ofTile(std::string name, std::string in, std::string out, device::ProductTile tile, std::string schedule = "") {
  Source source{.name = std::move(name), .in = std::move(in), .out = out};
  const auto cast = [&](const std::string& load) { return source.in == out ? load : "T." + out + "(" + load + ")"; };
  source.value = "C[vi, vj] + " + cast("A[vi, vk]") + " * " + cast("B[vk, vj]");
  source.request.tile = tile;
  source.schedule = std::move(schedule);
  return source;
}
// Both operands along k, of which a tile has 128.
Source ofBits(std::string name, std::string in) {
  return {.name = std::move(name),
          .a = "32, 256",
          .b = "64, 256",
          .c = "32, 64",
          .in = std::move(in),
          .out = "int32",
          .value = "C[vi, vj] + T.int32(A[vi, vk]) * T.int32(B[vj, vk])",
          .extents = "32, 64, 256"};
}
// Of float32, which tensor cores multiply as tf32 where the user allows it.
Source asTf32(Source source) {
  source.in = "float32";
  for (std::size_t at; (at = source.value.find("T.float32(")) != std::string::npos;)
    source.value.erase(source.value.find(')', at), 1).erase(at, 10);
  source.request.tf32 = true;
  return source;
}
constexpr device::ProductTile kSquare{16, 16, 16}, kTall{32, 8, 16}, kWide{8, 32, 16};
const Source kHalves{.name = "HalfSum", .out = "float16", .value = "C[vi, vj] + A[vi, vk] * B[vk, vj]"};
const Source kBytes{
    .name = "Bytes", .in = "int8", .out = "int32", .value = "C[vi, vj] + T.int32(A[vi, vk]) * T.int32(B[vk, vj])"};
const Source kSecondFirst{.name = "SecondFirst", .value = "C[vi, vj] + T.float32(B[vk, vj]) * T.float32(A[vi, vk])"};
const Source kSumFirst{.name = "SumFirst", .value = "T.float32(A[vi, vk]) * T.float32(B[vk, vj]) + C[vi, vj]"};
const Source kAnotherOrder{
    .name = "AnotherOrder", .loops = "k, j, i", .extents = "64, 96, 32", .iterators = "vk, vj, vi", .kinds = "RSS"};
const Source kSwapped{.name = "Swapped", .request = {"", {}, true}};

class Succeeds : public ::testing::TestWithParam<Source> {};

TEST_P(Succeeds, AndTheEndIsAKernelThatComputesTheSame) {
  const Asked asked(GetParam());
  ASSERT_EQ(asked.outcome(), Scaled) << (asked.found.refusal ? asked.found.refusal->message.english()
                                                             : asked.found.threads.verdict.english());
  EXPECT_TRUE(asked.found.isKernel);
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
                NoPlainNest},
        Failing{{.name = "BeginsAtOne", .init = "T.float32(1)"}, CombinerNotASum},
        Failing{{.name = "Difference", .value = "C[vi, vj] + (T.float32(A[vi, vk]) - T.float32(B[vk, vj]))"},
                SourceNotAProduct},
        Failing{{.name = "RoundedProduct", .value = "C[vi, vj] + T.float32(A[vi, vk] * B[vk, vj])"}, SourceNotAProduct},
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

// The two functions of one schedule, as the passes have it and as a person writes it, with each tile and element.
TEST(Tensorize, ThePassesEndWhereSplitBlockizeAndTensorizeDo) {
  struct Case {
    const char *in, *out, *shortIn, *shortOut;
    device::ProductTile tile;
  };
  for (const Case& c :
       {Case{"float16", "float32", "f16", "f32", kSquare}, Case{"float16", "float32", "f16", "f32", kTall},
        Case{"float16", "float32", "f16", "f32", kWide}, Case{"bfloat16", "float32", "bf16", "f32", kTall},
        Case{"float16", "float16", "f16", "f16", kWide}}) {
    const std::string m = std::to_string(c.tile.m), n = std::to_string(c.tile.n), tile = textOf(c.tile);
    SCOPED_TRACE(tile + c.in + c.out);
    const std::string in = c.shortIn, out = c.shortOut, load = "wmma_load_" + tile + "_" + in,
                      multiply = "wmma_sync_" + tile + "_" + in + in + out + "_trans",
                      store = "wmma_store_" + tile + "_" + out + "_global";
    Source source = ofTile("Four", c.in, c.out, c.tile);
    const std::string i = std::to_string(2 * c.tile.m), j = std::to_string(2 * c.tile.n);
    source.value.replace(source.value.find("B[vk, vj]"), 9, "B[vj, vk]");
    source.a = i + ", 64", source.b = j + ", 64", source.c = i + ", " + j, source.extents = i + ", " + j + ", 64";
    Asked asked(source);
    const WarpPlan& plan = asked.found.threads.plan;
    ASSERT_THAT((std::vector{plan.warpsM, plan.warpsN, plan.tilesM, plan.tilesN, plan.tilesK}),
                ElementsAre(2, 2, 1, 1, 2));
    const auto vector = [](int rows) { return std::to_string(std::min(8, rows / 2)); };
    const auto byHand =
        previewLines(asked.target.history, 0,
                     tests::scheduleText("four_warps_of_tiles", {{"M", m},
                                                                 {"N", n},
                                                                 {"XS", vector(c.tile.m)},
                                                                 {"YS", vector(c.tile.n)},
                                                                 {"FILL", "wmma_fill_" + tile + "_" + out},
                                                                 {"LOAD_A", load + "_a_shared"},
                                                                 {"LOAD_B", load + "_b_trans_shared"},
                                                                 {"MULTIPLY", multiply},
                                                                 {"STORE", store}}),
                     document::environment());
    ASSERT_TRUE(byHand) << byHand.error().message.english();
    EXPECT_TRUE(ir::structuralEqual(asked.after().module().functions.front(), byHand->module().functions.front()));
  }
}

TEST(Tensorize, APassPressedAfterTheOtherGoesOnWhereItWas) {
  Asked asked(Source{.name = "Rows"});
  document::History& history = asked.target.history;
  std::string lines = asked.found.linesUpTo(4);
  for (int passes = 1; passes <= 4; ++passes) {
    const auto applied = history.apply(asked.found.at, asked.found.linesUpTo(passes), document::environment());
    ASSERT_TRUE(applied && !applied->refusal);
    const Tensorization next = tensorization(history, applied->node, document::environment(), nullptr, {});
    // The first pass only names the block, and makes no state.
    EXPECT_EQ(next.done, passes == 1 ? 0 : passes);
    EXPECT_EQ(next.at, 0);
    EXPECT_EQ(next.linesUpTo(4), lines);
  }
}

// Float32 is not multiplied with fewer digits unasked: what is missing is named.
TEST(Tensorize, Tf32IsTheUsersChoice) {
  Source source = asTf32({.name = "Floats"});
  EXPECT_THAT(Asked(source).found.scaling.lines, EndsWith("\"wmma_sync_16x16x8_tf32tf32f32\")"));
  source.request.tf32 = false;
  const Asked asked(source);
  EXPECT_EQ(asked.outcome(), OperandTypes);
  EXPECT_THAT(asked.found.pattern.verdict.english(), HasSubstr("float32 as tf32 alone, which keeps 10 of its 23"));
}

TEST(Tensorize, SaysWhatItKeepsOfThreads) {
  const Asked asked(tiled("Threads", tests::scheduleText("threads_of_autotvm")));
  const ThreadTiles& before = *asked.found.threads.before;
  EXPECT_THAT(before.threads, ElementsAre(2, 32, 2));
  EXPECT_THAT(
      (std::vector{before.warpX, before.warpY, before.warpI, before.warpJ, before.blockI, before.blockJ, before.stepK}),
      ElementsAre(2, 16, 32, 16, 64, 32, 32));
  EXPECT_EQ(before.lanes[0].size(), 16U) << "8 columns of a thread for each of two virtual threads";
  EXPECT_EQ(before.lanes[31].back(), std::pair(31, 15));
  EXPECT_EQ(asked.found.at, 0) << "the steps begin at the plain nest";
  ASSERT_EQ(asked.found.threads.kept.size(), 3U);
  EXPECT_EQ(asked.found.threads.kept[1], "Kept: 4 warps, 2 × 2, each 32 × 16 elements.");
}

TEST(Tensorize, LoopsLoseTheFactorOfTheirDimension) {
  const Asked asked(Source{.name = "Rows"});
  std::vector<std::int64_t> factors;
  for (const ScaledLoop& loop : asked.found.scaling.loops) {
    factors.push_back(loop.factor);
    EXPECT_EQ(loop.before, loop.after * loop.factor) << loop.name;
  }
  EXPECT_THAT(factors, ElementsAre(16, 16, 16));
}

TEST(Tensorize, TheTableOfOperandsSaysWhichIteratorsIndexWhich) {
  const Asked asked(transposed(kSecondFirst, false, true));
  const auto& rows = asked.found.matrices.rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].buffer->name, "A") << "written second";
  EXPECT_THAT(rows[0].uses, ElementsAre(true, false, true));
  EXPECT_THAT(rows[1].uses, ElementsAre(false, true, true));
  EXPECT_FALSE(rows[1].rowMajor);
  EXPECT_THAT(asked.found.scaling.lines, EndsWith("\"wmma_sync_16x16x16_f16f16f32_trans_commuted\")"));
  const Asked swapped(kSwapped);
  EXPECT_EQ(swapped.found.matrices.rows[0].buffer->name, "B");
}

// What the list offers is right, and the passes know their end with it.
TEST(Tensorize, ThePerformanceListIsAppliedToTheEnd) {
  Source source{.name = "Rows", .a = "64, 64", .b = "64, 64", .c = "64, 64", .extents = "64, 64, 64"};
  source.request.plan = WarpPlan{2, 2, 2, 2, 2};
  const auto device = *model::findDevice(*model::loadDevices(document::assets()), "a100_80");
  Asked asked(source, &device);
  document::History& history = asked.target.history;
  const Performance performance = performanceOf(history, asked.found, document::environment(), &device, source.request);
  EXPECT_GT(performance.microseconds.value_or(0), 0);
  ASSERT_EQ(performance.steps.size(), speedupRows().size());
  int offered = 0;
  for (const SpeedupReport& step : performance.steps) {
    SCOPED_TRACE(std::string(speedupRows()[std::size_t(step.speedup)].id));
    EXPECT_FALSE(step.verdict.empty());
    if (step.speedup == Speedup::VectorCopies || step.speedup == Speedup::TunedTiles) {
      EXPECT_TRUE(step.done || step.microseconds < performance.microseconds);
    } else {
      EXPECT_NE(step.lines, "") << step.verdict.english();
    }
    if (step.lines.empty()) continue;
    ++offered;
    EXPECT_GT(step.microseconds.value_or(0), 0);
    const auto applied = history.apply(asked.found.at, step.lines, document::environment());
    ASSERT_TRUE(applied && !applied->refusal);
    const auto report = exec::check(history.node(0).state.module().functions.front(),
                                    history.node(applied->node).state.module().functions.front(), exec::Options{});
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(report->status, exec::Report::Status::Verified) << exec::describe(*report).english();
    const Tensorization after = tensorization(history, applied->node, document::environment(), &device, {});
    EXPECT_EQ(after.done, 4);
    EXPECT_EQ(after.further, step.added);
    EXPECT_EQ(after.threads.plan, *step.request.plan);
    const auto again = performanceOf(history, after, document::environment(), &device, {});
    EXPECT_TRUE(again.steps[std::size_t(step.speedup)].done) << "and nothing twice";
  }
  EXPECT_GE(offered, 3);
}

// TVM has no intrinsic of a product written the other way round: the script that TVM runs registers ours.
TEST(Tensorize, ExportedPythonRegistersWhatTvmLacks) {
  for (const Source& source : {kSecondFirst, Source{.name = "Rows"}}) {
    Asked asked(source);
    const auto applied = asked.target.history.apply(0, asked.found.linesUpTo(4), document::environment());
    ASSERT_TRUE(applied && !applied->refusal);
    const std::string python = document::pythonFile(asked.target, applied->node, document::environment());
    const auto registers = HasSubstr("tir.TensorIntrin.register(\"wmma_sync_16x16x16_f16f16f32_commuted\"");
    if (source.name == "Rows") {
      EXPECT_THAT(python, Not(registers));
    } else {
      EXPECT_THAT(python, registers);
    }
  }
}

}  // namespace
}  // namespace loom::tune::tensorize_test
