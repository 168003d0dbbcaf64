// The CUDA text of small programs: what a reader sees, and where each line comes from.
#include "core/codegen/cuda.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "core/codegen/names.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/line_diff.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::codegen::cuda_test {
namespace {

using testing::HasSubstr;
using testing::Not;

device::Program programOf(const std::string& function, const std::string& lines) {
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  auto program = lower::lower(replay.last.module().functions.front());
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}
Source sourceOf(const std::string& function, const std::string& lines) {
  Options options;
  options.describe = [](ir::Id) { return std::string("split, step 1"); };
  return generate(programOf(function, lines), options);
}

std::string copy(const std::string& from, const std::string& to, const std::string& shape = "(64, 32)",
                 const std::string& block = "copy") {
  return tests::programText("named_copy", {{"FROM", from}, {"TO", to}, {"SHAPE", shape}, {"BLOCK", block}});
}

const std::string kBind = tests::scheduleText("rows_without_threads", {{"BLOCK", "copy"}});

TEST(Cuda, VectorizedCopyIsTheTextAnEngineerWrites) {
  auto s = sourceOf(copy("A", "B"), kBind + tests::scheduleText("vectors_of_four"));
  EXPECT_EQ(
      s.text,
      R"(extern "C" __global__ void __launch_bounds__(8) main_kernel(const float* __restrict__ A, float* __restrict__ B) {
  const int bx = blockIdx.x;
  const int tx = threadIdx.x;
  // copy: split, step 1
  *reinterpret_cast<float4*>(&B[bx * 32 + tx * 4]) = *reinterpret_cast<const float4*>(&A[bx * 32 + tx * 4]);
}
)");
}

TEST(Cuda, LaunchBoundsHaveTheBlocksThatAreToBeResident) {
  const std::string product =
      tests::programText("product_of_type", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float32"}});
  const std::string tiles = tests::scheduleText("warp_tiles");
  EXPECT_THAT(sourceOf(product, tiles).text, HasSubstr("__launch_bounds__(64) main_kernel("));
  EXPECT_THAT(sourceOf(product, tiles + "sch.annotate(xs, \"tileloom.min_blocks\", 4)\n").text,
              HasSubstr("__launch_bounds__(64, 4) main_kernel("));
}

std::string dotsOfFour(const std::string& a, const std::string& b, const std::string& sum) {
  return tests::programText("dots_of_four", {{"OF_A", a}, {"OF_B", b}, {"SUM", sum}});
}

TEST(Cuda, FourBytesGoToDp4aInOneRegister) {
  const std::string bound = "i, k = sch.get_loops(sch.get_block(\"C\"))\nsch.bind(i, \"threadIdx.x\")\n";
  EXPECT_THAT(sourceOf(dotsOfFour("int8", "int8", "int32"), bound).text,
              HasSubstr("+= __dp4a(*reinterpret_cast<const int*>(&A[tx * 64 + k * 4]), "
                        "*reinterpret_cast<const int*>(&B[tx * 64 + k * 4]), 0);"));
  EXPECT_THAT(sourceOf(dotsOfFour("uint8", "uint8", "uint32"), bound).text,
              HasSubstr("+= __dp4a(*reinterpret_cast<const unsigned int*>(&A[tx * 64 + k * 4]), "
                        "*reinterpret_cast<const unsigned int*>(&B[tx * 64 + k * 4]), 0u);"));
  EXPECT_THROW(sourceOf(dotsOfFour("uint8", "int8", "int32"), bound), std::runtime_error)
      << "CUDA has no such function";
}

TEST(Cuda, PredicateOfATileThatDoesNotDivide) {
  auto s = sourceOf(copy("A", "B", "(7, 30)"), kBind + tests::scheduleText("unrolled_tiles_of_eight"));
  EXPECT_THAT(s.text, HasSubstr("#pragma unroll\n  for (int j_0 = 0; j_0 < 4; ++j_0) {\n"
                                "    if (j_0 * 8 + tx < 30) {\n"));
}

TEST(Cuda, EveryLineHasItsOrigin) {
  auto s = sourceOf(copy("A", "B"), kBind);
  std::istringstream in(s.text);
  std::string line;
  std::size_t n = 0;
  bool store = false;
  for (; std::getline(in, line); ++n) {
    ASSERT_LT(n, s.lines.size());
    if (line.find("B[") == std::string::npos) continue;
    store = true;
    EXPECT_TRUE(s.lines[n].block);
    EXPECT_GE(s.lines[n].ids.size(), 2U) << "the loop j and the block";
  }
  EXPECT_EQ(n, s.lines.size());
  EXPECT_TRUE(store);
}

TEST(Cuda, EveryStatementHasItsLine) {
  const auto program =
      programOf(tests::programText("product", {{"M", 32}, {"N", 32}, {"K", 16}}),
                "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n" + tests::scheduleText("shared_tile_of_k"));
  const Source s = generate(program);
  const std::vector<std::string> lines = script::splitLines(s.text);
  int barriers = 0, before = 0;
  device::forEach(program.kernels[0].body, [&](const device::Stmt& statement) {
    // A block's comment may stand above the loops around it, as a line of theirs.
    if (statement->kind == device::StmtKind::Seq || statement->kind == device::StmtKind::Block) return true;
    const int line = lineOf(s, statement->number);
    EXPECT_GE(line, before) << "in program order";
    before = line;
    const std::string text = line > 0 ? lines.at(std::size_t(line - 1)) : "";
    if (statement->kind == device::StmtKind::Loop) {
      EXPECT_THAT(text, testing::AnyOf(HasSubstr("for ("), HasSubstr("#pragma"), HasSubstr("// ")));
    }
    if (statement->kind != device::StmtKind::Sync) return true;
    ++barriers;
    EXPECT_THAT(text, HasSubstr("__syncthreads();"));
    return true;
  });
  EXPECT_EQ(barriers, 2);
  EXPECT_EQ(s.lines[0].statement, -1) << "the signature prints none";
  EXPECT_EQ(lineOf(s, -1), 0);
  EXPECT_EQ(lineOf(s, 9999), 0);
}

TEST(Cuda, NamesOfCudaAreNotTakenFromIt) {
  for (const char* name : {"threadIdx", "__syncthreads", "half", "uint4", "tx", "shared_memory", "static_cast"}) {
    auto s = sourceOf(copy(name, "B"), kBind);
    EXPECT_THAT(s.text, Not(HasSubstr(std::string("__restrict__ ") + name + ","))) << s.text;
    EXPECT_EQ(s.launches[0].arguments.size(), 2U);
  }
}

// Inside the kernel a buffer would hide the function of its name.
TEST(Cuda, NamesOfCalledFunctionsAreLeftToThem) {
  std::string function = copy("cosf", "B");
  function.replace(function.find("= cosf["), 7, "= T.cos(cosf[");
  function.insert(function.rfind('\n'), ")");
  EXPECT_THAT(sourceOf(function, kBind).text, HasSubstr("= cosf(cosf_1["));
  EXPECT_THAT(sourceOf(copy("cosf", "B"), kBind).text, HasSubstr("= cosf["));
}

// A line break or a backslash at the end would make code of a comment, or a comment of code.
TEST(Cuda, NamesStayInsideTheirComments) {
  const std::string plain = sourceOf(copy("A", "B"), "").text;
  for (const char* name : {"copy\\n#error x", "copy\\r\\nx", "copy\\\\", "copy\\x00", "copy\\\\ "}) {
    auto s = sourceOf(copy("A", "B", "(64, 32)", name), "");
    EXPECT_EQ(withoutComments(s.text), withoutComments(plain)) << s.text;
    EXPECT_EQ(s.lines.size(), std::size_t(std::count(s.text.begin(), s.text.end(), '\n'))) << s.text;
    EXPECT_THAT(s.text, Not(HasSubstr("\\")));
  }
}

TEST(Names, AreIdentifiersAndUnique) {
  EXPECT_EQ(identifier("A_shared.dyn"), "A_shared_dyn");
  EXPECT_EQ(identifier("float"), "float_");
  EXPECT_EQ(identifier("2x"), "v2x");
  EXPECT_EQ(identifier(""), "v");
  EXPECT_EQ(identifier("__shfl"), "_shfl");
  EXPECT_EQ(identifier("a__b"), "a_b") << "two underscores are the compiler's";
  EXPECT_EQ(identifier("_X"), "v_X");
  EXPECT_EQ(identifier("NULL"), "NULL_");
  EXPECT_EQ(identifier("errno"), "errno_");
  for (const char* usual :
       {"A", "X2", "QK", "A_shared", "M_shared", "Y_shared_wmma_matrix_b", "ax0_ax1_fused", "cuda", "NULL_"})
    EXPECT_EQ(identifier(usual), usual);
  Names names;
  EXPECT_EQ(names.unique("a.b"), "a_b");
  EXPECT_EQ(names.unique("a_b"), "a_b_1");
}

TEST(Cuda, CommentsAreNoPartOfAKernelsIdentity) {
  auto with = sourceOf(copy("A", "B"), kBind);
  EXPECT_THAT(with.text, HasSubstr("// copy"));
  EXPECT_THAT(withoutComments(with.text), Not(HasSubstr("//")));
}

TEST(Cuda, NoThreadMeansOneThreadAndSaysSo) {
  auto s = sourceOf(copy("A", "B"), tests::scheduleText("unrolled_rows"));
  EXPECT_THAT(s.text, HasSubstr("one GPU thread runs everything"));
  EXPECT_TRUE(s.launches[0].singleThread);
  EXPECT_THAT(s.text, HasSubstr("__launch_bounds__(1)"));
}

}  // namespace
}  // namespace loom::codegen::cuda_test
