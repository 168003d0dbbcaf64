// Programs whose shapes and loops are T.int64, as Relax, MLC and dlight print them: their kernels are those of int32
// where every index fits, and count in 64 bits where one doesn't.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "core/codegen/cuda.h"
#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/codegen/declared_names.h"
#include "tests/schedules/schedule_text.h"
#include "tests/schedules/turn.h"

namespace loom::codegen::wide_index_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string readText(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// `arguments` with every whole number written T.int64(…), but for those in strings and dictionaries, and of keywords
// that take plain ones.
std::string numbersInInt64(const std::string& arguments) {
  std::string out;
  int dictionary = 0;
  bool plain = false;
  for (std::size_t i = 0; i < arguments.size();) {
    const char c = arguments[i];
    if (c == '"') {
      const std::size_t end = arguments.find('"', i + 1) + 1;
      out += arguments.substr(i, end - i);
      i = end;
    } else if (inWord(c)) {
      std::size_t end = i;
      while (end < arguments.size() && inWord(arguments[end])) ++end;
      const std::string word = arguments.substr(i, end - i);
      if (end < arguments.size() && arguments[end] == '=') plain = word != "strides" && word != "elem_offset";
      const bool number = word.find_first_not_of("0123456789") == std::string::npos;
      out += number && !dictionary && !plain ? "T.int64(" + word + ")" : word;
      i = end;
    } else {
      dictionary += c == '{' ? 1 : c == '}' ? -1 : 0;
      out += c;
      ++i;
    }
  }
  return out;
}

// The function with extents, shapes and loop indices in T.int64.
std::string inInt64(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    out += text[i++];
    if (text[i - 1] != '(') continue;
    std::size_t start = out.size() - 1;
    while (start > 0 && inWord(out[start - 1])) --start;
    const std::string called = out.substr(start, out.size() - 1 - start);
    static const std::vector<std::string> kTaking = {
        "T.Buffer",      "T.match_buffer", "T.alloc_buffer",   "T.grid",       "range",
        "T.serial",      "T.parallel",     "T.unroll",         "T.vectorized", "T.axis.spatial",
        "T.axis.reduce", "T.axis.opaque",  "T.thread_binding", "T.axis.S",     "T.axis.R"};
    if (std::find(kTaking.begin(), kTaking.end(), called) == kTaking.end()) continue;
    std::size_t end = i;
    for (int depth = 1; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    out += numbersInInt64(text.substr(i, end - i));
    i = end;
  }
  return out;
}

const intrin::Library& intrinsics() {
  static const intrin::Library library =
      intrin::Library::load(fs::path(TILELOOM_SOURCE_DIR) / "assets/intrinsics").value();
  return library;
}

// The CUDA of every state, "" for one that is no kernel.
std::vector<std::string> kernelsOf(const std::string& function, const std::string& lines) {
  std::vector<std::string> kernels;
  auto module = script::parseModule(function, "test.py");
  auto calls = script::parseSchedule(lines, "test.sched.py");
  if (!module || !calls || module->functions.size() != 1) return kernels;
  auto state = schedule::State::create(*module);
  if (!state) return kernels;
  auto add = [&](const schedule::State& s) {
    auto program = lower::lower(s.module().functions.front());
    kernels.push_back(program ? generate(*program).text : "");
  };
  add(*state);
  for (const auto& step : schedule::replay(*state, *calls, schedule::Environment{&intrinsics()}).steps) add(step.state);
  return kernels;
}
std::string kernelOf(const std::string& function, const std::string& lines) {
  auto all = kernelsOf(function, lines);
  return all.empty() ? "" : all.back();
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}
std::size_t barriers(const std::string& cuda) { return count(cuda, "__syncthreads()"); }
std::size_t vectors(const std::string& cuda) { return count(cuda, "reinterpret_cast<"); }

TEST(DeclaredNames, AreFoundMissingInAText) {
  const std::string text =
      R"(extern "C" __global__ void f(const float* __restrict__ A, float* __restrict__ C) {
  const int bx = blockIdx.x, by = blockIdx.y;
  for (int i = 0; i < 4; ++i) {
    if (k_0 * 4 + by < 6) {
      C[i] = load(A[bx], s0) + 1e-3f;  // of nobody
    }
  }
}
)";
  EXPECT_THAT(undeclaredNames(text), testing::UnorderedElementsAre("k_0", "load", "s0"));
}

// And no text has a name that nothing declares.
// And those that TVM refuses, always. All of the cases take a minute and a half where they are sanitized.
TEST(WideIndices, GoldenCasesInInt64AreTheKernelsOfInt32) {
  const fs::path root = fs::path(TILELOOM_SOURCE_DIR) / "tests/oracle/cases";
  std::vector<std::string> cases;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = fs::relative(entry.path(), root).string();
    if (name.ends_with(".func.py")) cases.push_back(name.substr(0, name.size() - 8));
  }
  std::sort(cases.begin(), cases.end());
  // What TVM refuses in 64 bits, too: a symbol stays an int32, and one buffer takes no indices of two types; a padding
  // value of the new indices isn't an int32 as the buffer's elements are. The 0 of dlight's index maps is an int32.
  const std::set<std::string> kRefused{"dlight/matmul",
                                       "dlight/matmul_padded",
                                       "dlight/matmul_tensor_cores",
                                       "dlight/matmul_tensor_cores_padded",
                                       "reindex/symbolic_rows",
                                       "transform_layout/padding_after_a_tiled_writer",
                                       "transform_layout/symbolic_rows"};
  const tests::Turn turn(3);
  std::size_t compared = 0;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const std::string& name = cases[c];
    if (!turn.has(c) && !kRefused.contains(name)) continue;
    const std::string function = readText(root / (name + ".func.py")), lines = readText(root / (name + ".sched.py"));
    const auto narrow = kernelsOf(function, lines), wide = kernelsOf(inInt64(function), lines);
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      if (narrow[i].empty()) continue;
      if (i >= wide.size()) {
        EXPECT_TRUE(kRefused.contains(name)) << name << ", state " << i;
        break;
      }
      EXPECT_LE(barriers(wide[i]), barriers(narrow[i])) << name << ", state " << i << "\n" << wide[i];
      EXPECT_GE(vectors(wide[i]), vectors(narrow[i])) << name << ", state " << i << "\n" << wide[i];
      EXPECT_EQ(wide[i], narrow[i]) << name << ", state " << i;
      EXPECT_THAT(undeclaredNames(narrow[i]), testing::IsEmpty()) << name << ", state " << i << "\n" << narrow[i];
      ++compared;
    }
  }
  EXPECT_GT(compared, 1200 / turn.parts());
}

// C[vi] = C[vi] + A[vi, vk] over `rows` × 8.
std::string rowSum(const std::string& rows) { return tests::programText("row_sum", {{"M", rows}, {"K", 8}}); }
const std::string kRowsOnThreads = tests::scheduleText("rows_in_tiles_of_threads");
// D[vi, vj] = A[vi, vj] + 1 over a shape.
std::string plusOne(const std::string& shape) { return tests::programText("plus_one", {{"SHAPE", shape}}); }
// One loop of `extent` around a statement on A: int64, D: float32, E: int64, of 64 elements.
std::string statement(const std::string& text, const std::string& extent = "T.int64(64)") {
  return tests::programText("statement_on_int64", {{"EXTENT", extent}, {"STATEMENT", text}});
}

TEST(WideIndices, ARowSumWhoseTilesOverhangHasOneGuardAndNoBarrier) {
  for (const char* rows : {"40", "48"}) {
    const std::string narrow = kernelOf(rowSum(rows), kRowsOnThreads);
    EXPECT_THAT(narrow, HasSubstr("C[bx * 16 + tx] +="));
    EXPECT_EQ(kernelOf(inInt64(rowSum(rows)), kRowsOnThreads), narrow);
    EXPECT_EQ(barriers(narrow), 0u);
  }
}

TEST(WideIndices, AnAllocationAndAViewInInt64AreThoseOfInt32) {
  const std::string staged = tests::scheduleText("staged_vectors");
  const std::string narrow = kernelOf(plusOne("(32, 1024)"), staged);
  EXPECT_THAT(narrow, HasSubstr("A_shared[1024]"));
  EXPECT_THAT(narrow, HasSubstr("float4"));
  EXPECT_EQ(kernelOf(inInt64(plusOne("(32, 1024)")), staged), narrow);
}

TEST(WideIndices, ALoopPast2To31CountsIn64Bits) {
  const std::string fused = tests::scheduleText("fused_blocks_of_256");
  const std::string wide = kernelOf(inInt64(plusOne("(65536, 65536)")), fused);
  EXPECT_THAT(wide, HasSubstr("(long long)bx * 256ll + (long long)tx"));
  EXPECT_EQ(barriers(wide), 0u);
  // Small enough, it counts in 32.
  EXPECT_THAT(kernelOf(inInt64(plusOne("(1024, 65536)")), fused), HasSubstr("D[bx * 256 + tx]"));
}

TEST(WideIndices, BarriersAndVectorsOfALoopPast2To31AreThoseOfAShorterOne) {
  const std::string staged = tests::scheduleText("staged_blocks_of_256");
  const std::string narrow = kernelOf(plusOne("(1024, 65536)"), staged);
  const std::string wide = kernelOf(inInt64(plusOne("(65536, 65536)")), staged);
  ASSERT_FALSE(narrow.empty());
  ASSERT_FALSE(wide.empty());
  EXPECT_EQ(barriers(wide), barriers(narrow)) << wide;
  EXPECT_EQ(vectors(wide), vectors(narrow)) << wide;
}

TEST(WideIndices, WhatOverflowsOnTheWayKeeps64Bits) {
  // 63 · 10⁹ is beyond 32 bits although the index isn't.
  EXPECT_THAT(kernelOf(statement("D[vi] = D[vi * T.int64(1000000000) % T.int64(60)]"), ""),
              HasSubstr("for (long long i"));
  EXPECT_THAT(kernelOf(statement("D[vi % T.int64(60)] = T.float32(1)"), ""), Not(HasSubstr("long long i")));
  EXPECT_THAT(kernelOf(statement("D[vi % T.int64(60)] = T.float32(1)", "T.int64(3000000000)"), ""),
              HasSubstr("for (long long i = 0; i < 3000000000ll"));
}

TEST(WideIndices, DataOf64BitsStaysWhatItIs) {
  EXPECT_THAT(kernelOf(statement("E[vi] = A[vi] * T.int64(3) + vi"), ""),
              HasSubstr("E[i] = A[i] * 3ll + (long long)i"));
  EXPECT_THAT(kernelOf(statement("E[vi] = vi * vi"), ""), HasSubstr("E[i] = (long long)(i * i)"));
  // Not int64 in the function: what a call counts depends on how wide its operand is.
  EXPECT_THAT(kernelOf(statement("D[vi] = T.Cast(\"float32\", T.clz(vi))"), ""), HasSubstr("(long long)i"));
  // A shift by more than 31 is one of 64 bits.
  EXPECT_THAT(kernelOf(statement("E[vi] = T.shift_right(vi, vi)"), ""), HasSubstr("(long long)i >> (long long)i"));
}

TEST(WideIndices, AViewOfMoreThan2To31ElementsIsStoredAt64BitOffsets) {
  const std::string matmul =
      tests::programText("product_of_casts", {{"M", 65536}, {"N", 65536}, {"K", 16}, {"TYPE", "float16"}});
  const std::string tensorized = tests::scheduleText("tensor_core_tile_a_block");
  const std::string narrow = kernelOf(matmul, tensorized);
  EXPECT_THAT(narrow, HasSubstr("store_matrix_sync(&C[(long long)bx * 1048576ll + (long long)by * 16ll]"));
  EXPECT_THAT(narrow, HasSubstr("C_wmma_accumulator[0], 65536, wmma::mem_row_major"));
  EXPECT_EQ(kernelOf(inInt64(matmul), tensorized), narrow);
}

}  // namespace
}  // namespace loom::codegen::wide_index_test
