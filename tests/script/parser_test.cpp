#include "core/script/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/verify.h"
#include "core/script/printer.h"
#include "tests/schedules/turn.h"

using namespace loom;
using testing::HasSubstr;

namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> casesEnding(std::string_view ending) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TILELOOM_SOURCE_DIR) / "tests/oracle/cases")) {
    if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string message(const std::string& text) {
  auto r = script::parseModule(text, "t.py");
  if (r) return "(parsed)";
  EXPECT_EQ(r.error().code, "ParseError");
  EXPECT_GT(r.error().place.line, 0);
  return r.error().message.english();
}

// A function with one block over i, j in [0, 16), whose body is the lines given.
std::string withBody(const std::string& lines) {
  std::string text =
      R"(@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), H: T.Buffer((16,), "float16"), W: T.Buffer((16,), "int64"), n: T.int32, m: T.int64):
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
)";
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) text += "            " + line + "\n";
  return text;
}

// The printed last line of that function.
std::string lastLine(const std::string& lines) {
  auto r = script::parseModule(withBody(lines), "t.py");
  if (!r) return r.error().message.english();
  std::string text = script::print(*r).text;
  std::string line = text.substr(text.rfind('\n') + 1);
  return line.substr(line.find_first_not_of(' '));
}

TEST(Parser, ReadsEveryFunctionOfTheOracle) {
  auto files = casesEnding(".func.py");
  ASSERT_GT(files.size(), 300u);
  for (const auto& f : files) {
    auto r = script::parseModule(readFile(f), f.string());
    ASSERT_TRUE(r) << f << ":" << r.error().place.line << ": " << r.error().message.english();
    EXPECT_EQ(ir::verify(*r), std::nullopt) << f;
  }
}

// The right-hand sides are what TVM 0.22 prints for the left.
TEST(Parser, ConvertsLiteralsAsTvmDoes) {
  EXPECT_EQ(lastLine("A[vi, vj] = H[vi] * 2.0"), "A[vi, vj] = T.Cast(\"float32\", H[vi]) * T.float32(2.0)");
  EXPECT_EQ(lastLine("A[vi, vj] = H[vi] * 2"), "A[vi, vj] = T.Cast(\"float32\", H[vi] * T.float16(2.0))");
  EXPECT_EQ(lastLine("W[vi] = n + m"), "W[vi] = T.Cast(\"int64\", n) + m");
  EXPECT_EQ(lastLine("W[vi] = T.int64(3) + 4"), "W[vi] = T.int64(7)");
  EXPECT_EQ(lastLine("A[vi, vj] = 7 // 2 + 7 % 4 - 2 ** 3 + 5 / 2"), "A[vi, vj] = T.float32(0.5)");
  EXPECT_EQ(lastLine("A[vi, vj] = -A[vi, vj]"), "A[vi, vj] = A[vi, vj] * T.float32(-1.0)");
  EXPECT_EQ(lastLine("A[vi, vj] = 1 if n == 3 else 2"),
            "A[vi, vj] = T.Cast(\"float32\", T.if_then_else(n == 3, 1, 2))");
  EXPECT_EQ(lastLine("A[vi, vj] = T.max(A[vi, vj], 3)"), "A[vi, vj] = T.max(A[vi, vj], T.float32(3.0))");
  EXPECT_EQ(lastLine("A[vi, vj] = True"), "A[vi, vj] = T.float32(1.0)");
}

TEST(Parser, ReadsNumbersWithoutEndAsPythonDoes) {
  const std::string zeros(400, '0');
  EXPECT_EQ(lastLine("A[vi, vj] = 0." + zeros + "1"), "A[vi, vj] = T.float32(0.0)");
  EXPECT_EQ(lastLine("A[vi, vj] = 0." + zeros + "4e401"), "A[vi, vj] = T.float32(4.0)");
  EXPECT_EQ(lastLine("A[vi, vj] = 1" + zeros + ".0"), "A[vi, vj] = T.float32(\"inf\")");
  EXPECT_EQ(lastLine("A[vi, vj] = 2" + zeros + "e-400"), "A[vi, vj] = T.float32(2.0)");
  EXPECT_EQ(lastLine("A[vi, vj] = 1e-400"), "A[vi, vj] = T.float32(0.0)");
}

TEST(Parser, BuildsOperatorsAsTvmDoes) {
  EXPECT_EQ(lastLine("W[vi] = T.ceildiv(n, 7)"), "W[vi] = T.Cast(\"int64\", (n + 7 - 1) // 7)");
  EXPECT_EQ(lastLine("W[vi] = T.abs(n)"), "W[vi] = T.Cast(\"int64\", T.Select(n >= 0, n, 0 - n))");
  EXPECT_EQ(lastLine("W[vi] = T.min_value(\"int64\")"), "W[vi] = T.int64(-9223372036854775808)");
  EXPECT_EQ(lastLine("A[vi, vj] = T.float32(\"inf\")"), "A[vi, vj] = T.float32(\"inf\")");
  EXPECT_EQ(lastLine("A[vi, 0:4] = T.Broadcast(T.float32(1), 4)"), "A[vi, 0:4] = T.Broadcast(T.float32(1.0), 4)");
  EXPECT_EQ(lastLine("A[vi, vj] += 1.0"), "A[vi, vj] = A[vi, vj] + T.float32(1.0)");
  EXPECT_EQ(lastLine("W[vi] = n << 2"), "W[vi] = T.Cast(\"int64\", T.shift_left(n, 2))");
  EXPECT_EQ(lastLine("A[vi, vj] = T.call_extern(\"float32\", \"foo\", vi, 1.0)"),
            "A[vi, vj] = T.call_extern(\"float32\", \"foo\", vi, T.float32(1.0))");
  EXPECT_EQ(lastLine("x = vi * 2\nW[x] = 1"), "W[x] = T.int64(1)");
}

TEST(Parser, FindsReadsAndWrites) {
  auto r = script::parseModule(withBody("with T.init():\n    A[vi, vj] = 0.0\nA[vi, vj] = A[vi, vj] + H[vi]"), "t.py");
  ASSERT_TRUE(r);
  std::string text = script::print(*r).text;
  EXPECT_THAT(text, HasSubstr("T.reads(H[vi])"));
  EXPECT_THAT(text, HasSubstr("T.writes(A[vi, vj])"));
}

TEST(Parser, RelaxesLoopsInsideTheBlock) {
  auto r = script::parseModule(withBody("for q in range(4):\n    A[vi, q * 2] = H[q + 1]"), "t.py");
  ASSERT_TRUE(r);
  std::string text = script::print(*r).text;
  EXPECT_THAT(text, HasSubstr("T.reads(H[1:5])"));
  EXPECT_THAT(text, HasSubstr("T.writes(A[vi, 0:7])"));
}

// What the oracle prints for this text: it also looks inside the inner block, whose variables dangle in the result.
TEST(Parser, OuterRegionsAreTvmsToTheLetter) {
  auto r = script::parseModule(
      R"(@T.prim_func
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16")):
    for i in range(4):
        with T.block("o"):
            vo = T.axis.spatial(4, i)
            for j, k in T.grid(4, 16):
                with T.block("a"):
                    vi, vk = T.axis.remap("SS", [j, k])
                    B[vo * 4 + vi, vk] = A[vo * 4 + vi, vk]
)",
      "t.py");
  ASSERT_TRUE(r) << r.error().message.english();
  EXPECT_THAT(script::print(*r).text, HasSubstr(R"(            vi = T.int32()
                vk = T.int32()
                T.reads(A[T.min(vo * 4, vo * 4 + vi):T.min(vo * 4, vo * 4 + vi) + (vo * 4 + T.max(3, vi) + 1 - T.min(vo * 4, vo * 4 + vi)), T.min(0, vk):T.min(0, vk) + (T.max(15, vk) + 1 - T.min(0, vk))])
)"));
}

TEST(Parser, KnowsConstantsAndAliases) {
  auto r = script::parseModule(
      R"(from tvm.script import tir as X
M = 8
N, dtype = M * 2, "float16"
@X.prim_func
def f(A: X.Buffer((M, N), dtype)):
    for i in range(M):
        with X.block("b"):
            v = X.axis.S(M, i)
            A[v, 0] = X.float16(1)
)",
      "t.py");
  ASSERT_TRUE(r) << r.error().message.english();
  EXPECT_EQ(r->functions[0]->params[0].buffer->dtype, ir::DType::Float(16));
  EXPECT_TRUE(ir::isConst(r->functions[0]->params[0].buffer->shape[1], 16));
}

TEST(Parser, BothDialectsAreOneProgram) {
  const char* body =
      R"(        for i in range(16):
            with T.%s("b"):
                v = T.axis.spatial(16, i)
                T.%s({"k": 1})
                X = T.%s((16,))
                X[v] = A[v]
)";
  auto text = [&](const char* imports, const char* decorator, const char* a, const char* b, const char* c) {
    char lines[1000];
    std::snprintf(lines, sizeof lines, body, a, b, c);
    return std::string(imports) + "@I.ir_module\nclass Module:\n    " + decorator +
           "\n    def main(A: T.Buffer((16,), \"float32\")):\n" + lines;
  };
  auto old = script::parseModule(text("", "@T.prim_func", "block", "block_attr", "alloc_buffer"), "a");
  auto now = script::parseModule(text("from tvm.script import tirx as T\n", "@T.prim_func(s_tir=True)", "sblock",
                                      "sblock_attr", "sblock_alloc_buffer"),
                                 "b");
  ASSERT_TRUE(old) << old.error().message.english();
  ASSERT_TRUE(now) << now.error().message.english();
  EXPECT_TRUE(ir::structuralEqual(old->functions[0], now->functions[0]));
}

TEST(Parser, IdsFollowTheText) {
  auto a = script::parseModule(withBody("A[vi, vj] = 1.0"), "a"),
       b = script::parseModule(withBody("A[vi, vj] = 2.0"), "b");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->functions[0]->params[0].buffer->id, (ir::Id{0, 1}));
  EXPECT_EQ(a->functions[0]->body->block->id, b->functions[0]->body->block->id);
}

TEST(Parser, ReadsSeveralFunctionsOfAnIntrinsic) {
  std::string f = withBody("A[vi, vj] = 1.0"), g = f;
  g.replace(g.find("main"), 4, "impl");
  auto r = script::parseFunctions(f + "\n" + g, "t.py");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->at(1)->name, "impl");
  EXPECT_THAT(message(f + "\n" + g), HasSubstr("expected one function"));
}

TEST(ParserRefuses, AndSaysWhere) {
  auto r = script::parseModule("@T.prim_func\ndef main(A: T.Buffer((16,), \"float33\")):\n    pass\n", "dir/f.py");
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().place.file, "dir/f.py");
  EXPECT_EQ(r.error().place.line, 2);
  EXPECT_EQ(r.error().place.column, 29);
  EXPECT_EQ(r.error().place.text, "def main(A: T.Buffer((16,), \"float33\")):");
  EXPECT_EQ(r.error().forbids, Forbids::Input);
}

struct Bad {
  const char* body;
  const char* words;
};

TEST(ParserRefuses, WrongBodies) {
  const Bad cases[] = {
      {"A[vi, vj] = B[vi]", "'B' is not defined"},
      {"A[vi] = 1.0", "2 dimensions, found 1"},
      {"A[vi, vj, 0] = 1.0", "2 dimensions, found 3"},
      {"A[vi, vj] = T.nonsense(1)", "T.nonsense is not known"},
      {"A[vi, vj] = T.exp()", "takes 1"},
      {"A[vi, vj] = T.exp(1.0, 2.0)", "takes 1"},
      {"A[vi, vj] = T.float16(1e9)", "range of float16"},
      {"A[vi, vj] = T.int8(300)", "range of int8"},
      {"W[vi] = n // 0", "divides by zero"},
      {"W[vi] = 1 // 0", "divides by zero"},
      {"W[vi] = 2 ** 100", "overflows"},
      {"W[vi] = n / 2", "T.truncdiv"},
      {"W[vi] = n < m", "one dtype"},
      {"A[vi, vj] = A.data", "dtype float32"},
      {"vi = 3", "already defined"},
      {"if n:\n    A[vi, vj] = 1.0", "expected a condition"},
      {"for q in [1, 2]:\n    A[vi, q] = 1.0", "expected range"},
      {"for q, r in T.grid(4):\n    A[vi, q] = 1.0", "expected as many"},
      {"for q in T.thread_binding(4):\n    A[vi, q] = 1.0", "thread"},
      {"for q in range(1.5):\n    A[vi, 0] = 1.0", "integer extent"},
      {"x = T.axis.remap(\"SR\", [i])", "list of 2"},
      {"x = T.axis.remap(\"S\", [n])", "loops around"},
      {"x = T.axis.remap(\"X\", [i])", "expected S or R"},
      {"x = T.axis.spatial(4, 1.5)", "integer value"},
      {"x = T.axis.scan(4, i)", "spatial, reduce"},
      {"T.where(vi + 1)", "condition"},
      {"T.reads(3)", "region"},
      {"T.reads(A[vi, vj])\nT.reads(A[vi, vj])", "already"},
      {"T.func_attr({\"a\": 1})", "top of the function"},
      {"T.evaluate(A.data)", "regions cannot be found"},
      {"C = T.match_buffer(n, (4,))", "expected a parameter"},
      {"with T.realize(B[0:4]):\n    pass", "lowered programs"},
      {"with open(\"x\"):\n    pass", "expected T.block"},
      {"import os", "no place"},
      {"def f():\n    pass", "no place"},
      {"A[vi, vj] = lambda x: x", "lambda"},
      {"A[vi, vj] = [1.0]", "expected an expression, found a list"},
      {"A[vi, 0:n] = 1.0", "slice of 1 to 1024"},
      {"T.block_attr({1: 2})", "expected a string"},
      {"A[vi, vj] = T.Cast(\"float32\")", "'value' is missing"},
      {"A[vi, vj] = T.Cast(\"float32\", T.Broadcast(T.float16(1), 4))", "as many lanes as float32, found float16x4"},
      {"A[vi, vj] = A[vi, vj].nothing", "no attribute"},
      {"for q in range(2 ** 40, dtype=3):\n    pass", "no argument 'dtype'"},
  };
  for (const auto& c : cases) EXPECT_THAT(message(withBody(c.body)), HasSubstr(c.words)) << c.body;
}

TEST(ParserRefuses, WrongModules) {
  EXPECT_THAT(message(""), HasSubstr("expected a function"));
  EXPECT_THAT(message("x = 1"), HasSubstr("expected a function"));
  EXPECT_THAT(message("def f():\n    pass"), HasSubstr("@T.prim_func"));
  EXPECT_THAT(message("@T.prim_func\nclass A:\n    pass"), HasSubstr("@I.ir_module"));
  EXPECT_THAT(message("@T.prim_func\ndef f(a):\n    pass"), HasSubstr("type for the parameter"));
  EXPECT_THAT(message("@T.prim_func\ndef f(a: 3):\n    pass"), HasSubstr("parameter's type"));
  EXPECT_THAT(message("@T.prim_func\ndef f(a: T.int32, a: T.int32):\n    pass"), HasSubstr("already defined"));
  EXPECT_THAT(message("@T.prim_func\ndef f():\nreturn"), HasSubstr("indented"));
  EXPECT_THAT(message("@T.prim_func\ndef f(3):\n    pass"), HasSubstr("parameter's name"));
  EXPECT_THAT(message("@T.prim_func(odd=1)\ndef f():\n    pass"), HasSubstr("no argument 'odd'"));
}

TEST(ParserRefuses, DepthBeforeTheStackDoes) {
  std::string grid = "@T.prim_func\ndef f():\n    for ";
  for (int i = 0; i < 400; ++i) grid += "i" + std::to_string(i) + ", ";
  grid += "z in T.grid(";
  for (int i = 0; i < 401; ++i) grid += "1, ";
  EXPECT_THAT(message(grid + "):\n        pass\n"), HasSubstr("300 deep"));
  std::string lets = "@T.prim_func\ndef f(n: T.int32):\n";
  for (int i = 0; i < 2000; ++i) lets += "    x" + std::to_string(i) + " = n + 1\n";
  EXPECT_THAT(message(lets), HasSubstr("300 deep"));
}

TEST(Parser, SurvivesEveryPrefixAndDamage) {
  std::string text = readFile(fs::path(TILELOOM_SOURCE_DIR) / "tests/oracle/cases/lessons/tensorcore.func.py");
  ASSERT_FALSE(text.empty());
  for (std::size_t n = 0; n < text.size(); ++n) (void)script::parseModule(text.substr(0, n), "prefix");
  std::uint32_t state = 1;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k) {
      state = state * 1664525u + 1013904223u;
      damaged[(state >> 8) % damaged.size()] = "()[]:,.*=\n \"#09a"[(state >> 3) % 16];
    }
    (void)script::parseModule(damaged, "damaged");
  }
}

// Cut off at any byte, as a text is while it is typed, it is a module or a refusal with its place.
TEST(Refusals, TruncationsOfEverySampleAreErrorsOrModules) {
  std::set<std::string> texts;
  for (const auto& path : casesEnding(".func.py")) texts.insert(readFile(path));
  ASSERT_GT(texts.size(), 50u);
  const tests::Turn turn(3);
  std::size_t parsed = 0, refused = 0;
  for (const std::string& text : texts) {
    if (text.size() > 3000) continue;
    for (std::size_t length = turn.part(); length < text.size(); length += turn.parts()) {
      auto module = script::parseModule(std::string_view(text).substr(0, length), "cut.py");
      if (!module) {
        EXPECT_GT(module.error().place.line, 0) << text.substr(0, length);
        ++refused;
        continue;
      }
      EXPECT_FALSE(script::print(*module).text.empty());
      ++parsed;
    }
  }
  EXPECT_GT(parsed, 900u / turn.parts());
  EXPECT_GT(refused, 9000u / turn.parts());
}

}  // namespace
