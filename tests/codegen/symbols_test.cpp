// Numbers among the parameters: one kernel for all sizes, with guards where a size may need them and nowhere else, and
// what the program is at numbers.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/codegen/launch_call.h"
#include "core/lower/instance.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::symbols_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// B[i] = A[i] * alpha over `extent` elements.
std::string scale(const std::string& extent, const std::string& type = "int32") {
  return tests::programText("scaled", {{"TYPE", type}, {"EXTENT", extent}});
}
const std::string kLoop = "i, = sch.get_loops(sch.get_block(\"B\"))\n";
const std::string kTile = kLoop + tests::scheduleText("tiles_of_sixteen");

Result<device::Program> lowered(const std::string& function, const std::string& lines) {
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  return lower(replay.last.module().functions.front());
}
std::string cuda(const std::string& function, const std::string& lines) {
  const auto program = lowered(function, lines);
  return program ? codegen::generate(*program).text : program.error().message.english();
}
void expectBadSize(const std::string& function, const std::string& lines, const ir::Numbers& numbers,
                   const std::string& why) {
  auto at = instance(lowered(function, lines).value(), numbers);
  ASSERT_FALSE(at);
  EXPECT_EQ(at.error().code, "ValueError");
  EXPECT_THAT(at.error().message.english(), HasSubstr(why));
}

TEST(Symbols, ScalarsAreArgumentsAfterTheBuffersThatTheKernelUses) {
  const std::string text = cuda(scale("n"), kTile);
  EXPECT_THAT(text, HasSubstr("main_kernel(const float* __restrict__ A, float* __restrict__ B, const int n, "
                              "const float alpha)"));
  EXPECT_THAT(text, HasSubstr("B[bx * 16 + tx] = A[bx * 16 + tx] * alpha;"));
  const auto program = lowered(scale("n"), kTile).value();
  const auto source = codegen::generate(program);
  EXPECT_EQ(codegen::launchCall(source, source.launches[0]),
            "main_kernel<<<dim3((n + 15) >> 4, 1, 1), dim3(16, 1, 1), 0>>>(A, B, n, alpha)");
}

TEST(Symbols, GuardsStandWhereASizeMayNeedThemAndNowhereElse) {
  EXPECT_THAT(cuda(scale("n"), kTile), HasSubstr("if (bx * 16 + tx < n) {"));
  const std::string multiple = cuda(scale("n * 16"), kTile);
  EXPECT_THAT(multiple, Not(HasSubstr("if (")));
  EXPECT_THAT(multiple, Not(HasSubstr("int n"))) << "a size that no statement needs isn't passed";
}

TEST(Symbols, VectorsWhereEverySizeIsAligned) {
  const std::string lines = kLoop + tests::scheduleText("vectors_in_tiles");
  EXPECT_THAT(cuda(scale("n * 128"), lines), HasSubstr("float4"));
  EXPECT_THAT(cuda(scale("n"), lines), Not(HasSubstr("float4"))) << "the last vector may hang over the edge";
}

TEST(Symbols, SizesOf64BitsIndexWith64) {
  EXPECT_THAT(cuda(scale("n", "int64"), kTile), HasSubstr("const long long n"));
  expectBadSize(scale("n"), kTile, {{"n", 0}, {"alpha", 1}}, "n = 0 is less than 1: it is an extent of A");
}

TEST(Symbols, SymbolicStridesAndOffsetsAreArguments) {
  const std::string function = tests::programText("matched_copy", {{"HOW", "strides=(s0, 1), offset_factor=1"}});
  const std::string text = cuda(function, "");
  EXPECT_THAT(text, HasSubstr("const int s0"));
  EXPECT_THAT(text, HasSubstr("const int A_elem_offset"));
  const auto at = instance(lowered(function, "").value(), {{"s0", 8}, {"A_elem_offset", 16}}).value();
  EXPECT_EQ(ir::constantOr(at.kernels[0].params[0]->shape[0], 0), 16 + 28) << "memory by strides and offset";
}

TEST(Symbols, AtNumbersTheProgramIsConstantAndKeepsItsGuards) {
  const auto program = lowered(scale("n"), kTile).value();
  const auto at = instance(program, {{"n", 1024}, {"alpha", 2}}).value();
  EXPECT_TRUE(at.symbols.empty());
  EXPECT_EQ(at.kernels[0].grid[0], 64);
  EXPECT_EQ(ir::constantOr(at.kernels[0].params[0]->shape[0], 0), 1024);
  EXPECT_THAT(device::print(at), HasSubstr("if ")) << "the kernel is one for all sizes";
  const codegen::Source source = codegen::generate(program);
  device::forEach(at.kernels[0].body, [&](const device::Stmt& s) {
    if (s->kind == device::StmtKind::Store) {
      EXPECT_GT(codegen::lineOf(source, s->number), 0) << "its statements are those of the text for all sizes";
    }
    return true;
  });
  EXPECT_EQ(instance(program, {{"n", 1000}, {"alpha", 2}})->kernels[0].grid[0], 63);
}

TEST(Symbols, TemporariesBetweenKernelsGrowWithTheSizes) {
  const std::string function = tests::programText("temporary_of_any_size");
  std::string lines;
  for (const char* block : {"C", "B"}) lines += tests::scheduleText("blocks_of_rows", {{"BLOCK", block}});
  const auto program = lowered(function, lines);
  ASSERT_TRUE(program) << program.error().message.english();
  const auto at = instance(*program, {{"n", 5}}).value();
  ASSERT_EQ(at.host.temporaries.size(), 1u);
  EXPECT_EQ(at.host.temporaries[0].elements, 40);
  EXPECT_EQ(at.kernels[0].grid[0], 5);
}

TEST(SymbolsRefused, ThreadsOfABlockAreAConstant) {
  const auto program = lowered(scale("n"), kLoop + "sch.bind(i, \"threadIdx.x\")\n");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message.english(), HasSubstr("its extent isn't a constant"));
  EXPECT_THAT(program.error().remedy.english(), HasSubstr("sch.split"));
}

TEST(SymbolsRefused, ValuesThatNoSymbolCanHave) {
  expectBadSize(scale("n"), kTile, {{"alpha", 1}}, "n has no value");
  expectBadSize(scale("n"), kTile, {{"n", 10.5}, {"alpha", 1}}, "n = 10.5 is no whole number");
  expectBadSize(scale("n"), kTile, {{"n", 3e9}, {"alpha", 1}}, "isn't between");
  expectBadSize(scale("n"), kTile, {{"n", 2147483647}, {"alpha", 1}}, "n = 2147483647 isn't less than 2147483647");
  expectBadSize(scale("n * 16"), kTile, {{"n", 2e8}, {"alpha", 1}}, "32-bit indices reach");
}

TEST(SymbolsRefused, GridsBeyondTheHardware) {
  const std::string lines = kLoop + "sch.bind(i, \"blockIdx.y\")\n";
  expectBadSize(scale("n"), lines, {{"n", 70000}, {"alpha", 1}}, "70000 blocks along blockIdx.y");
}

TEST(SymbolsRefused, PointersToNothingThatIsNamed) {
  const auto program =
      lower(script::parseModule(tests::programText("unnamed_pointer"), "test.py").value().functions.front());
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message.english(), HasSubstr("points to something that the function doesn't name"));
}

}  // namespace
}  // namespace loom::lower::symbols_test
