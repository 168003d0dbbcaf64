// Each operation on scalars, of each dtype that it takes: its CUDA text compiles, and the executor computes what numpy
// does (tests/oracle/operation_values.py).
#include <fmt/format.h>

#include <set>
#include <sstream>

#include "core/codegen/cuda.h"
#include "core/codegen/operation_text.h"
#include "core/compile/compile.h"
#include "core/exec/execute.h"
#include "core/ir/operation.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::operation_test {
namespace {

struct Row {
  std::string dtype, name;
  std::vector<std::string> values;  // at 0 … 15
  std::string expression, result;   // what it is in TVMScript, and of which dtype
};

bool isFloat(const std::string& dtype) { return ir::DType::parse(dtype)->isFloat(); }

std::string cast(const std::string& dtype, const std::string& e) { return fmt::format("T.Cast(\"{}\", {})", dtype, e); }

// The operands at vi, as operation_values.py has them; in float32 and int32 first.
std::string plainX(const std::string& dtype) {
  if (isFloat(dtype)) return "(T.Cast(\"float32\", vi) * T.float32(0.25) - T.float32(1.75))";
  return dtype == "bool" ? "(vi % 2 == 1)" : dtype[0] == 'u' ? "(vi * 16 + 5)" : "(vi * 13 - 100)";
}
std::string x(const std::string& dtype) { return dtype == "bool" ? plainX(dtype) : cast(dtype, plainX(dtype)); }
std::string y(const std::string& dtype) {
  if (isFloat(dtype)) return cast(dtype, "(T.float32(2) - T.Cast(\"float32\", vi * 5 % 16) * T.float32(0.25))");
  if (dtype == "bool") return "(vi // 2 % 2 == 1)";
  return cast(dtype, dtype[0] == 'u' ? "(vi * 5 % 7 * 2 + 1)" : "(vi * 5 % 7 * 2 - 7)");
}

// The row's operation on the operands.
void write(Row& row) {
  const std::string &t = row.dtype, a = x(t), b = y(t);
  static const std::map<std::string, const char*> kNodes = {{"+", "T.Add"},
                                                            {"-", "T.Sub"},
                                                            {"*", "T.Mul"},
                                                            {"/", "T.Div"},
                                                            {"//", "T.FloorDiv"},
                                                            {"%", "T.FloorMod"},
                                                            {"<", "T.LT"},
                                                            {"<=", "T.LE"},
                                                            {">", "T.GT"},
                                                            {">=", "T.GE"},
                                                            {"==", "T.EQ"},
                                                            {"!=", "T.NE"},
                                                            {"min", "T.min"},
                                                            {"max", "T.max"},
                                                            {"truncdiv", "T.truncdiv"},
                                                            {"truncmod", "T.truncmod"}};
  std::istringstream words(row.name);
  std::string verb, to;
  words >> verb >> to;
  row.result = t;
  if (auto node = kNodes.find(row.name); node != kNodes.end()) {
    row.expression = fmt::format("{}({}, {})", node->second, a, b);
    if (std::set<std::string>{"<", "<=", ">", ">=", "==", "!="}.count(row.name)) row.result = "bool";
  } else if (verb == "cast") {
    row.result = to;
    std::string value = a;
    if (isFloat(t) && isFloat(to)) {
      value = cast(t, "T.Cast(\"float64\", " + plainX(t) + ") * T.float64(300.1)");
    } else if (isFloat(t) && to != "bool") {
      std::string wide = plainX(t) + " * T.float32(16)";
      value = cast(t, to[0] == 'u' ? "T.abs(" + wide + ")" : wide);
    }
    row.expression = cast(to, value);
  } else if (verb == "reinterpret") {
    row.result = to;
    // Bits that were a float's.
    const bool back = !isFloat(t) && isFloat(to);
    row.expression =
        fmt::format("T.reinterpret(\"{}\", {})", to, back ? fmt::format("T.reinterpret(\"{}\", {})", t, x(to)) : a);
  } else if (verb == "wrap") {
    row.result = to == "<" ? "bool" : to == "cast" ? "int64" : t;
    std::string sum = fmt::format("({0} + {0})", a), square = fmt::format("({0} * {0})", a);
    row.expression = to == "//"     ? fmt::format("{} // T.{}(3)", sum, t)
                     : to == "<"    ? fmt::format("{} < {}", square, a)
                     : to == "cast" ? cast("int64", sum)
                                    : fmt::format("T.shift_right({}, T.{}(1))", sum, t);
  } else {
    const ir::Operation* o = ir::findOperation(row.name);
    ASSERT_TRUE(o) << row.name;
    if (o->result == ir::Operation::Result::Fixed) row.result = o->dtype.str();
    std::string second = row.name.starts_with("shift") ? cast(t, "vi % 8") : b;
    std::string all = a + (o->arity > 1 ? ", " + second : "") + (o->arity > 2 ? ", " + a : "");
    row.expression = fmt::format("T.call_intrin(\"{}\", \"tir.{}\", {})", row.result, row.name, all);
  }
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> all;
    std::istringstream in(readText("tests/exec/golden/operations.txt"));
    for (std::string line; std::getline(in, line);) {
      Row row;
      for (std::size_t at = 0; at != std::string::npos;) {
        std::size_t bar = line.find(" | ", at);
        std::string cell = line.substr(at, bar == std::string::npos ? bar : bar - at);
        (row.dtype.empty() ? row.dtype : row.name.empty() ? row.name : row.values.emplace_back()) = cell;
        at = bar == std::string::npos ? bar : bar + 3;
      }
      write(row);
      all.push_back(std::move(row));
    }
    return all;
  }();
  return kRows;
}

// One function of all rows of a dtype: C0, C1, … in their order.
ir::Function functionOf(const std::string& dtype) {
  std::string parameters, blocks;
  int n = 0;
  for (const Row& row : rows()) {
    if (row.dtype != dtype) continue;
    parameters += fmt::format("{}C{}: T.Buffer((16,), \"{}\")", n ? ", " : "", n, row.result);
    blocks += fmt::format(
        R"(    for i in range(16):
        with T.block("B{0}"):
            vi = T.axis.spatial(16, i)
            C{0}[vi] = {1}
)",
        n, row.expression);
    ++n;
  }
  return parse(fmt::format("@T.prim_func\ndef of_{}({}):\n{}", dtype, parameters, blocks));
}

std::set<std::string> dtypes() {
  std::set<std::string> all;
  for (const Row& row : rows()) all.insert(row.dtype);
  return all;
}

// Fails where NVRTC doesn't take the source; what counts is that it is C++, so nothing is optimized.
void expectCompiles(const std::string& source) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  auto ptx = (*compiler)->ptx({source, "sm_80", false, {"--device-debug"}});
  if (ptx) return;
  std::istringstream in(source);
  std::string line;
  for (int n = 0; n < ptx.error().place.line && std::getline(in, line);) ++n;
  FAIL() << line << "\n" << ptx.error().message.english();
}

TEST(Operations, OfEachDtypeHaveTextThatCompiles) {
  std::string source;
  for (const std::string& dtype : dtypes()) {
    auto program = lower::lower(functionOf(dtype));
    ASSERT_TRUE(program) << dtype << ": " << program.error().message.english();
    source += codegen::generate(*program).text;
  }
  expectCompiles(source);
}

TEST(Operations, OfFunctionsOutsideOfTvmCompile) {
  std::string blocks, parameters;
  int n = 0;
  for (const ir::ExternalFunction& f : ir::externalFunctions()) {
    std::string operands;
    for (int i = 0; i < f.arity; ++i) operands += ", " + cast(f.dtype.str(), "vi");
    parameters += fmt::format("{}C{}: T.Buffer((16,), \"{}\")", n ? ", " : "", n, f.dtype.str());
    blocks += fmt::format(
        R"(    for i in range(16):
        with T.block("B{0}"):
            vi = T.axis.spatial(16, i)
            C{0}[vi] = T.call_pure_extern("{1}", "{2}"{3})
)",
        n++, f.dtype.str(), f.name, operands);
  }
  auto program = lower::lower(parse(fmt::format("@T.prim_func\ndef main({}):\n{}", parameters, blocks)));
  ASSERT_TRUE(program) << program.error().message.english();
  expectCompiles(codegen::generate(*program).text);
}

TEST(Operations, OfEachDtypeHaveNumpysValues) {
  for (const std::string& dtype : dtypes()) {
    ir::Function function = functionOf(dtype);
    auto program = lower::lower(function);
    ASSERT_TRUE(program) << dtype << ": " << program.error().message.english();
    auto executable = prepare(*program);
    ASSERT_TRUE(executable) << dtype << ": " << executable.error().message.english();
    GlobalMemory memory(*executable, {}, {});
    auto findings = execute(*executable, {}, memory);
    ASSERT_TRUE(findings);
    EXPECT_TRUE(findings->empty()) << describe(findings->front());
    auto reference = Reference::create(function, 1);
    ASSERT_TRUE(reference) << dtype << ": " << reference.error().message.english();
    std::size_t n = 0;
    for (const Row& row : rows()) {
      if (row.dtype != dtype) continue;
      const Area& area = memory.at(function->params[n].buffer->data.get());
      for (int i = 0; i < 16; ++i) {
        const std::string place = fmt::format("{} of {} at {}: {}", row.name, dtype, i, row.expression);
        const Value got = area.values[i], meant = *reference->at(int(n), i);
        if (!isFloat(row.result)) {
          EXPECT_EQ(got.i, std::int64_t(std::strtoull(row.values[i].c_str(), nullptr, 10))) << place;
          EXPECT_EQ(meant.i, got.i) << place;
          continue;
        }
        const double expected = std::strtod(row.values[i].c_str(), nullptr);
        // Narrow floats are rounded as numpy rounds them; what is computed in float32 is kept in more digits.
        const bool rounded = row.name.size() > 2 || row.name == "/";
        const double error = row.result == "float32" || dtype == "float32" ? 1e-6 : 1e-12;
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(got.f)) << place << " is " << got.f;
        } else if (std::isinf(expected)) {
          EXPECT_EQ(got.f, expected) << place;
        } else if (rounded && ir::DType::parse(row.result)->bits >= 32) {
          EXPECT_NEAR(got.f, expected, error * std::max(1.0, std::abs(expected))) << place;
        } else {
          EXPECT_EQ(roundTo(got.f, formatOf(*ir::DType::parse(row.result))), expected) << place;
        }
        EXPECT_TRUE(meant.f == got.f || std::isnan(got.f)) << place;
      }
      ++n;
    }
  }
}

// What the table of values hasn't, and where it is tested instead.
const std::set<std::string> kElsewhere = {"if_then_else", "ignore_loop_partition", "large_uint_imm",
                                          "likely",       "q_multiply_shift",      "q_multiply_shift_per_axis",
                                          "reinterpret",  "tvm_thread_invariant"};

TEST(Operations, OfEveryRowAreWrittenAndValuedOrRefused) {
  std::set<std::pair<std::string, std::string>> valued;
  for (const Row& row : rows()) valued.insert({row.name, row.dtype});
  for (const ir::Operation& o : ir::operations()) {
    const std::string name(o.name);
    const bool written = codegen::findOperationText(name) || codegen::isWrittenByPrinter(name);
    EXPECT_NE(written, o.refusal != ir::Refusal::None) << name;
    if (!written || kElsewhere.count(name)) continue;
    for (const std::string& dtype : dtypes()) {
      const bool taken = ir::kindOf(*ir::DType::parse(dtype)) & o.takes;
      // The shifts of a bool have one amount, which moves nothing.
      if (dtype == "bool" && name.starts_with("shift")) continue;
      EXPECT_EQ(valued.count({name, dtype}) > 0, taken) << name << " of " << dtype;
    }
  }
  for (const codegen::OperationText& t : codegen::operationTexts()) EXPECT_TRUE(ir::findOperation(t.name)) << t.name;
}

// A function of one output, C, of 16 elements, run by the executor; what the reference says is the same.
std::vector<Value> valuesOf(const std::string& result, const std::string& expression) {
  ir::Function function = parse(tests::programText("sixteen_values", {{"TYPE", result}, {"VALUE", expression}}));
  auto program = lower::lower(function);
  EXPECT_TRUE(program) << expression << ": " << program.error().message.english();
  if (!program) return {};
  auto executable = prepare(*program);
  EXPECT_TRUE(executable) << expression << ": " << executable.error().message.english();
  if (!executable) return {};
  GlobalMemory memory(*executable, {}, {});
  EXPECT_TRUE(execute(*executable, {}, memory));
  auto reference = Reference::create(function, 1).value();
  std::vector<Value> all;
  for (int i = 0; i < 16; ++i) {
    all.push_back(memory.at(function->params[0].buffer->data.get()).values[i]);
    EXPECT_EQ(all.back().i, reference.at(0, i)->i) << expression;
  }
  return all;
}

TEST(Operations, OfFixedPointAreTheirMultiplicationsAndShifts) {
  // x · y · 2^-31 · 2^s, to the nearest; y = 2^30 is one half.
  auto left = valuesOf("int32", "T.q_multiply_shift(vi * 3, 1073741824, 31, 2)");
  auto right = valuesOf("int32", "T.q_multiply_shift(vi * 3 - 20, 1500000000, 31, -1)");
  auto axis = valuesOf("int32", "T.q_multiply_shift_per_axis(vi * 3, 1500000000, 2, 1, 31, 1, 1)");
  ASSERT_EQ(axis.size(), 16u);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(left[i].i, i * 6);
    EXPECT_EQ(right[i].i, std::int64_t(std::floor((i * 3 - 20) * 1500000000.0 * 0x1p-32 + 0.5)));
    EXPECT_EQ(axis[i].i, std::int64_t(std::floor(i * 12 * 1500000000.0 * 0x1p-32 + 0.5)));
  }
}

TEST(Operations, OfUint64AreUnsigned) {
  const std::string top = "T.bitwise_not(T.Cast(\"uint64\", vi))";  // 2^64 - 1 - i
  auto half = valuesOf("uint64", top + " // T.uint64(2)");
  auto rest = valuesOf("uint64", top + " % T.uint64(10)");
  auto least = valuesOf("uint64", "T.min(" + top + ", T.uint64(7))");
  auto less = valuesOf("bool", top + " < T.uint64(7)");
  auto shifted = valuesOf("uint64", "T.shift_right(" + top + ", T.uint64(60))");
  auto real = valuesOf("float64", "T.Cast(\"float64\", " + top + ")");
  auto most = valuesOf("uint64", "T.max_value(\"uint64\")");
  ASSERT_EQ(most.size(), 16u);
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t x = ~std::uint64_t(i);
    EXPECT_EQ(std::uint64_t(half[i].i), x / 2);
    EXPECT_EQ(std::uint64_t(rest[i].i), x % 10);
    EXPECT_EQ(least[i].i, 7);
    EXPECT_EQ(less[i].i, 0);
    EXPECT_EQ(shifted[i].i, 15);
    EXPECT_EQ(real[i].f, double(x));
    EXPECT_EQ(most[i].i, -1);
  }
}

TEST(Operations, OfConversionsStayWithinTheType) {
  EXPECT_EQ(valuesOf("int32", "T.Cast(\"int32\", T.Cast(\"float32\", vi) * T.float32(3e9))")[9].i, 2147483647);
  EXPECT_EQ(valuesOf("int32", "T.Cast(\"int32\", T.log(T.Cast(\"float32\", vi) - T.float32(1)))")[0].i, 0) << "NaN";
  EXPECT_EQ(valuesOf("uint32", "T.Cast(\"uint32\", T.Cast(\"float32\", vi) * T.float32(-2.0))")[3].i, 0);
  EXPECT_EQ(valuesOf("float32", "T.Cast(\"float32\", T.Cast(\"float16\", vi + 2048))")[1].f, 2048) << "ties to even";
  EXPECT_EQ(valuesOf("int32", "T.Cast(\"int32\", T.Cast(\"int8\", 300))")[0].i, 44) << "a constant, too";
  EXPECT_EQ(valuesOf("float32", "T.Cast(\"float32\", T.Cast(\"float8_e4m3fn\", vi * 100))")[9].f, 448);
  EXPECT_TRUE(std::isinf(valuesOf("float32", "T.Cast(\"float32\", T.Cast(\"float16\", vi * 10000))")[9].f));
}

TEST(Operations, OfTheLeastNumberDoNotStopTheExecutor) {
  EXPECT_EQ(
      valuesOf("int64",
               "T.truncdiv(T.min_value(\"int64\") + T.Cast(\"int64\", vi), T.Cast(\"int64\", vi) - T.int64(1))")[0]
          .i,
      std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(
      valuesOf("int64", "(T.min_value(\"int64\") + T.Cast(\"int64\", vi)) % (T.Cast(\"int64\", vi) - T.int64(1))")[0].i,
      0);
}

TEST(Operations, OfFunctionsOutsideOfTvmAreTheirRows) {
  EXPECT_EQ(
      valuesOf("float32", "T.call_pure_extern(\"float32\", \"fmaxf\", T.Cast(\"float32\", vi), T.float32(4.0))")[9].f,
      9);
  EXPECT_EQ(valuesOf("float32", "T.call_extern(\"float32\", \"__expf\", T.Cast(\"float32\", vi))")[1].f, std::exp(1.0));
  EXPECT_EQ(valuesOf("int32", "T.call_pure_extern(\"int32\", \"__popc\", vi)")[7].i, 3);
  EXPECT_EQ(valuesOf("float32", "T.call_pure_extern(\"float32\", \"__frcp_rn\", T.Cast(\"float32\", vi))")[4].f, 0.25);
  for (const ir::ExternalFunction& f : ir::externalFunctions()) {
    const bool row = f.row.empty() || ir::findOperation(f.row) || f.row == "min" || f.row == "max" ||
                     f.row == "divide" || f.row == "reciprocal";
    EXPECT_TRUE(row) << f.name;
  }
}

TEST(Operations, ThatTheExecutorLacksAreNamed) {
  auto refused = [](const std::string& expression) {
    auto reference =
        Reference::create(parse(tests::programText("sixteen_values", {{"TYPE", "float32"}, {"VALUE", expression}})), 1);
    return reference ? "executed" : reference.error().message.english();
  };
  EXPECT_EQ(refused("T.call_extern(\"float32\", \"my_act\", T.float32(1))"),
            "T.call_extern of \"my_act\" is an operation that the executor doesn't have");
  EXPECT_EQ(refused("T.Cast(\"float32\", T.undef())"), "T.undef is an operation that the executor doesn't have");
  EXPECT_EQ(refused("T.exp(T.Cast(\"float32\", vi))"), "executed");
}

}  // namespace
}  // namespace loom::exec::operation_test
