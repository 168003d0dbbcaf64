// mma.sync and ldmatrix on the CPU: each product of registers as the PTX ISA's tables have it, ldmatrix row by row, and
// whole programs of TVM's intrinsics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/device/operations/families.h"
#include "core/lower/lower.h"
#include "tests/exec/device_programs.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::mma_test {
namespace {

using dev::Operand;
using dev::OperandRow;
using dev::OperationRow;

// PTX ISA, "Matrix fragments for mma": who holds an element, with `part` elements in a register, of `eights` times
// eight rows of A.
struct Place {
  int lane, element;
};
Place placeOf(Operand operand, int row, int column, int part, int eights) {
  switch (operand) {
    case Operand::A:
      return {row % 8 * 4 + column % (4 * part) / part,
              column / (4 * part) * eights * part + row / 8 * part + column % part};
    case Operand::B: return {column * 4 + row % (4 * part) / part, row / (4 * part) * part + row % part};
    case Operand::Accumulator: break;
  }
  return {row % 8 * 4 + column / 2, row / 8 * 2 + column % 2};
}

// One warp whose lanes fill arrays from `in`, execute the operation, and store what it wrote.
struct Lanes {
  explicit Lanes(const OperationRow& r) : row(r), bench(4096, 4096, 1, {32, 1, 1}) {
    operation->row = &row;
    operation->places.resize(row.operands.size());
  }
  int elements(const ir::Buffer& b, int bytes) const { return bytes / b->dtype.bytes(); }
  ir::Buffer array(const std::string& name, ir::DType dtype, std::int64_t n, const std::string& scope = "local") {
    dev::Allocation a;
    a.buffer = flat(name, n, scope, dtype);
    a.memory = *dev::memoryOf(scope);
    a.elements = n;
    bench.kernel().allocations.push_back(a);
    return a.buffer;
  }
  // Element i of the lane's array is in[first + lane · n + i].
  ir::Buffer filled(const std::string& name, ir::DType dtype, int n) {
    ir::Buffer b = array(name, dtype, n);
    const ir::Var i = ir::makeVar("i");
    body.push_back(loop(i, n, store(b, i, ir::cast(dtype, bench.load(bench.in, bench.thread() * n + i + first)))));
    starts[name] = first;
    first += 32 * n;
    return b;
  }
  double given(const std::string& name, int n, const Place& p, ir::DType dtype) {
    const double value = Bench::input().at(starts.at(name) + p.lane * n + p.element).f;
    return dtype.isUInt() && value < 0 ? value + 256 : value;
  }
  void operand(const std::string& name, const ir::Buffer& b, ir::Expr at) {
    const auto i = std::size_t(row.find(name));
    const int n = elements(b, row.operands[i].bytes);
    operation->places[i] = {b, {ramp(at, n)}, n, false};
  }
  Bench::Outcome run(const ir::Buffer& result, int n) {
    body.push_back(operation);
    const ir::Var i = ir::makeVar("i");
    body.push_back(
        loop(i, n, store(bench.out, bench.thread() * n + i, ir::cast(ir::DType::Float(32), ir::load(result, {i})))));
    return bench.run(body);
  }

  const OperationRow& row;
  Bench bench;
  std::vector<dev::Stmt> body;
  std::shared_ptr<dev::OperationNode> operation = std::make_shared<dev::OperationNode>();
  std::map<std::string, int> starts;
  int first = 0;
};

TEST(Mma, EachProductIsThatOfTheTablesOfThePtxIsa) {
  int rows = 0;
  for (const dev::OperationFamily* family : dev::operationFamilies()) {
    for (const OperationRow& row : family->rows) {
      if (row.call != "ptx_mma") continue;
      SCOPED_TRACE(std::string(row.name));
      ++rows;
      const dev::ProductTypes& types = row.products.front();
      Lanes lanes(row);
      auto n = [&](const char* name, ir::DType t) {
        return row.operands[std::size_t(row.find(name))].bytes / t.bytes();
      };
      const int na = n("a", types.factors), nb = n("b", types.factors), nc = n("c", types.summand);
      const ir::Buffer a = lanes.filled("a", types.factors, na), b = lanes.filled("b", types.factors, nb),
                       c = lanes.filled("c", types.summand, nc);
      lanes.operand("a", a, intImm(0));
      lanes.operand("b", b, intImm(0));
      lanes.operand("c", c, intImm(0));
      lanes.operand("d", c, intImm(0));
      const Bench::Outcome got = lanes.run(c, nc);
      EXPECT_TRUE(got.findings.empty());
      const int part = 32 / types.factors.bits, eights = row.tile.m / 8;
      int nonzero = 0;
      for (int m = 0; m < row.tile.m; ++m) {
        for (int col = 0; col < row.tile.n; ++col) {
          const Place to = placeOf(Operand::Accumulator, m, col, part, eights);
          double expected = lanes.given("c", nc, to, types.summand);
          for (int k = 0; k < row.tile.k; ++k)
            expected += lanes.given("a", na, placeOf(Operand::A, m, k, part, eights), types.factors) *
                        lanes.given("b", nb, placeOf(Operand::B, k, col, part, eights), types.factors);
          EXPECT_EQ(got.out[std::size_t(to.lane * nc + to.element)], expected) << m << ", " << col;
          nonzero += expected != 0;
        }
      }
      EXPECT_GT(nonzero, row.tile.m * row.tile.n / 2);
    }
  }
  EXPECT_GE(rows, 10);
}

// Rows of shared memory 24 elements apart, given in an order of their own.
TEST(Mma, LdmatrixGivesEachLaneWhatThePtxIsaSays) {
  for (const bool transposed : {false, true}) {
    const OperationRow& row = *dev::findOperation(transposed ? "ldmatrix.x4.trans" : "ldmatrix.x4");
    SCOPED_TRACE(std::string(row.name));
    Lanes lanes(row);
    const ir::DType half = ir::DType::Float(16);
    const ir::Buffer s = lanes.array("s", half, 32 * 24, "shared"), d = lanes.array("d", half, 8);
    const ir::Var i = ir::makeVar("i");
    lanes.body.push_back(loop(i, 24,
                              store(s, lanes.bench.thread() * 24 + i,
                                    ir::cast(half, lanes.bench.load(lanes.bench.in, lanes.bench.thread() * 24 + i)))));
    lanes.body.push_back(dev::barrier());
    const ir::Expr other = ir::floormod(lanes.bench.thread() * 5 + 3, intImm(32));
    lanes.operand("m", s, other * 24 + 8);
    lanes.operand("d", d, intImm(0));
    const Bench::Outcome got = lanes.run(d, 8);
    EXPECT_TRUE(got.findings.empty());
    for (int lane = 0; lane < 32; ++lane) {
      for (int e = 0; e < 8; ++e) {
        const int matrix = e / 2, r = transposed ? lane % 4 * 2 + e % 2 : lane / 4,
                  column = transposed ? lane / 4 : lane % 4 * 2 + e % 2;
        const int from = ((matrix * 8 + r) * 5 + 3) % 32;
        EXPECT_EQ(got.out[std::size_t(lane * 8 + e)], Bench::input().at(from * 24 + 8 + column).f) << lane << ", " << e;
      }
    }
  }
}

TEST(Mma, OperationsReportWhatTheirLanesDidNotWriteAndRowsThatAreNotAligned) {
  const OperationRow& product = *dev::findOperation("mma.m16n8k16.f32_f16");
  Lanes lanes(product);
  const ir::DType half = ir::DType::Float(16), single = ir::DType::Float(32);
  const ir::Buffer a = lanes.array("a", half, 8), b = lanes.filled("b", half, 4), c = lanes.filled("c", single, 4);
  const ir::Var i = ir::makeVar("i");
  // The last register of A stays as it was.
  lanes.body.push_back(loop(i, 6, store(a, i, ir::cast(half, lanes.bench.load(lanes.bench.in, i)))));
  lanes.operand("a", a, intImm(0));
  lanes.operand("b", b, intImm(0));
  for (const char* name : {"c", "d"}) lanes.operand(name, c, intImm(0));
  const Bench::Outcome got = lanes.run(c, 4);
  ASSERT_FALSE(got.findings.empty());
  EXPECT_EQ(got.findings[0].kind, Finding::Kind::Uninitialised);

  Lanes rows(*dev::findOperation("ldmatrix.x4"));
  const ir::Buffer s = rows.array("s", half, 1024, "shared"), d = rows.array("d", half, 8);
  rows.body.push_back(
      loop(i, 32, store(s, rows.bench.thread() * 32 + i, ir::cast(half, rows.bench.load(rows.bench.in, i)))));
  rows.body.push_back(dev::barrier());
  rows.operand("m", s, rows.bench.thread() * 20);
  rows.operand("d", d, intImm(0));
  const Bench::Outcome crooked = rows.run(d, 8);
  ASSERT_FALSE(crooked.findings.empty());
  EXPECT_EQ(crooked.findings[0].kind, Finding::Kind::Misaligned);
}

// Each row's text, where the PTX ISA has the instruction and where it hasn't.
TEST(Mma, EachTextIsCompiledForTheArchitecturesThatHaveIt) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  const ir::DType half = ir::DType::Float(16);
  for (const dev::OperationFamily* family : dev::operationFamilies()) {
    for (const OperationRow& row : family->rows) {
      if (!row.call.starts_with("ptx_") || row.group != dev::Group::Warp) continue;
      SCOPED_TRACE(std::string(row.name));
      Lanes lanes(row);
      std::map<std::string, ir::Buffer> arrays;
      for (const OperandRow& operand : row.operands) {
        const std::string name(operand.name);
        const dev::ProductTypes* types = row.multiplies() ? &row.products.front() : nullptr;
        const ir::DType dtype = !types ? half : name == "a" || name == "b" ? types->factors : types->result;
        if (name == "m") {
          lanes.operand("m", lanes.array("shared", half, 256, "shared"), lanes.bench.thread() * 8);
        } else {
          // What is summed is the result's own array, as programs have it.
          const ir::Buffer b = name == "c" ? arrays.at("d") : lanes.filled(name, dtype, operand.bytes / dtype.bytes());
          arrays[name] = b;
          lanes.operand(name, b, intImm(0));
        }
      }
      const ir::Buffer& d = arrays.at("d");
      lanes.body.push_back(lanes.operation);
      lanes.body.push_back(
          store(lanes.bench.out, lanes.bench.thread(), ir::cast(ir::DType::Float(32), ir::load(d, {intImm(0)}))));
      lanes.bench.kernel().body = dev::seq(lanes.body);
      const codegen::Source source = codegen::generate(lanes.bench.program);
      EXPECT_EQ(source.needs.since, row.since);
      for (const int architecture : {75, 80, 89, 90}) {
        auto binary = (*compiler)->compile({source.text, "sm_" + std::to_string(architecture), false, {}});
        EXPECT_EQ(binary.has_value(), architecture >= row.since)
            << architecture << (binary ? "" : binary.error().message.english()) << source.text;
      }
    }
  }
}

class Programs : public testing::TestWithParam<const char*> {};

// Each state of the schedule computes what the function does: the last as a kernel, those before in order. What stores
// sums of m16n8k8 needs no intrinsic.
TEST_P(Programs, ComputeTheFunctionInEachState) {
  const std::string base = std::string("tests/oracle/cases/tensorize/") + GetParam();
  const std::string function = readText(base + ".func.py");
  Options options;
  options.sample = false;
  auto checker = Checker::create(parse(function), options);
  ASSERT_TRUE(checker) << checker.error().message.english();
  const schedule::Replay replay = replayed(function, readText(base + ".sched.py"));
  for (std::size_t i = 0; i < replay.steps.size(); ++i) {
    auto report = checker->check(replay.steps[i].state.module().functions.front());
    ASSERT_TRUE(report) << report.error().message.english();
    const bool matrices = std::string_view(GetParam()).find("m16n8k8") != std::string_view::npos;
    const bool last = i + (matrices ? 2 : 1) >= replay.steps.size();
    EXPECT_EQ(nameOf(report->status), std::string("verified")) << replay.steps[i].source << "\n" << describe(*report);
    EXPECT_EQ(report->inOrder.has_value(), !last)
        << (report->inOrder ? report->inOrder->message.english() : replay.steps[i].source);
  }
}
// TVM's classic product: copies to shared memory, from there with ldmatrix to the warps' registers, mma.sync, and the
// stores, as TVM leaves the schedule. Warps lie along threadIdx.y.
TEST(Mma, TvmsLastStatesAreKernelsThatComputeTheFunction) {
  Options options;
  options.sample = false;
  for (const char* name : {"mma_f16f16f32", "mma_f16f16f32_trans_a", "mma_f16f16f32_trans_b",
                           "mma_f16f16f32_trans_a_trans_b", "mma_f16f16f16", "mma_f16f16f16_trans_b", "mma_i8i8i32",
                           "mma_i8i8i32_trans_b", "mma_e4m3e4m3f32_trans_b", "mma_e5m2e5m2f32"}) {
    SCOPED_TRACE(name);
    const std::string base = std::string("tests/oracle/cases/tensorize/") + name;
    const std::string steps = readText(base + ".steps.txt");
    const ir::Function last = parse(steps.substr(steps.find('\n', steps.rfind("# step ")) + 1));
    auto report = Checker::create(parse(readText(base + ".func.py")), options).value().check(last);
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(nameOf(report->status), std::string("verified")) << describe(*report);
    EXPECT_FALSE(report->inOrder);
  }
}

// Intrinsics that a script registers for float32, whose loads are loops of each lane: the products have a meaning in
// order before the state is a kernel, too.
TEST(Mma, OwnProductsOfTf32ComputeTheFunctionInEachState) {
  intrin::Library library = intrinsics();
  ASSERT_TRUE(library.add(tests::programText("tf32_intrinsics"), "own.py"));
  const std::string function = matmul(32, 32, 32);
  const auto [state, calls] = unscheduled(function, tests::scheduleText("own_tf32_product"));
  const schedule::Replay replay = schedule::replay(state, calls, schedule::Environment{&library});
  expectNoRefusal(replay.refusal);
  Options options;
  options.sample = false;
  auto checker = Checker::create(parse(function), options).value();
  bool inOrder = false;
  for (const auto& step : replay.steps) {
    auto report = checker.check(step.state.module().functions.front());
    ASSERT_TRUE(report) << step.source << "\n" << report.error().message.english();
    EXPECT_EQ(nameOf(report->status), std::string("verified")) << step.source << "\n" << describe(*report);
    inOrder |= report->inOrder && step.source.find("product_tf32") != std::string::npos;
  }
  EXPECT_TRUE(inOrder) << "the sums are still to be set to zero by lanes";
  const ir::Function last = replay.steps.back().state.module().functions.front();
  EXPECT_THAT(codegen::generate(lower::lower(last).value()).text, testing::HasSubstr("mma_m16n8k8_f32_tf32(&C_warp"));
}

// Eight products of 8×8×16 in place of two of 16×8×32, on the fragments that the same loads bring.
TEST(Mma, ProductsOfEightRowsComputeTheFunctionInEachState) {
  Options options;
  options.sample = false;
  for (const char* name : {"mma_i8i8i32", "mma_i8i8i32_trans_b"}) {
    SCOPED_TRACE(name);
    const std::string base = std::string("tests/oracle/cases/tensorize/") + name;
    const std::string function = readText(base + ".func.py");
    std::string lines = readText(base + ".sched.py");
    const std::size_t at = lines.find("\"mma_i8i8i32");
    ASSERT_NE(at, std::string::npos);
    lines.insert(at + std::string_view("\"mma_").size(), "m8n8k16_");
    auto checker = Checker::create(parse(function), options).value();
    bool inOrder = false;
    ir::Function last;
    for (const auto& step : replayed(function, lines).steps) {
      last = step.state.module().functions.front();
      auto report = checker.check(last);
      ASSERT_TRUE(report) << step.source << "\n" << report.error().message.english();
      EXPECT_EQ(nameOf(report->status), std::string("verified")) << step.source << "\n" << describe(*report);
      inOrder |= report->inOrder && step.source.find("m8n8k16") != std::string::npos;
    }
    EXPECT_TRUE(inOrder) << "the sums are still to be set to zero by lanes";
    EXPECT_THAT(codegen::generate(lower::lower(last).value()).text, testing::HasSubstr("mma_m8n8k16_s32_s8(&C_warp"));
  }
}

// A state that is no kernel and has no meaning in order either: both reasons are said.
TEST(Mma, WhyAStateCannotBeRunIsSaidOfBothWays) {
  const std::string base = "tests/oracle/cases/tensorize/mma_written_f16f16f32";
  std::string lines;
  std::istringstream all(readText(base + ".sched.py"));
  for (std::string line; std::getline(all, line);)
    if (line.find("mma_ldmatrix") == std::string::npos && line.find("mma_fill") == std::string::npos)
      lines += line + "\n";
  const std::string function = readText(base + ".func.py");
  Options options;
  auto report = Checker::create(parse(function), options).value().check(scheduled(function, lines));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "NotAKernel");
  EXPECT_THAT(report.error().message.english(),
              testing::ContainsRegex("that another lane may hold.*; nor can it be run in order on one thread, because "
                                     "no load says whether"));
}

// Copies past registers while the warp multiplies, and ldmatrix of the next step before the products of this one: the
// fragments have two versions, too.
TEST(Mma, PipelinesOfItsStagesComputeTheFunction) {
  const std::string copies = tests::scheduleText("mma_copies_ahead");
  const std::string fragments = tests::scheduleText("mma_fragments_ahead");
  Options options;
  options.sample = false;
  for (const auto& [name, lines, text] :
       {std::tuple{"mma_written_f16f16f32_trans_b", copies, "cp_async_wait<1>"},
        std::tuple{"mma_written_m16n8k8_f16f16f32", fragments, "A_frag[((ko + 1) & 1) * 8]"}}) {
    SCOPED_TRACE(name);
    const std::string base = std::string("tests/oracle/cases/tensorize/") + name;
    const std::string function = readText(base + ".func.py");
    const ir::Function f = scheduled(function, readText(base + ".sched.py") + lines);
    auto report = Checker::create(parse(function), options).value().check(f);
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(nameOf(report->status), std::string("verified")) << describe(*report);
    EXPECT_FALSE(report->inOrder);
    EXPECT_THAT(codegen::generate(lower::lower(f).value()).text, testing::HasSubstr(text));
  }
}

// An xor of the pieces of a row, which ldmatrix finds by its lanes' addresses; permuted_layout is TVM's own, which its
// schedules of mma.sync write on the copies and on the loads.
TEST(Mma, LdmatrixReadsSwizzledRows) {
  const std::string base = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const std::string function = readText(base + ".func.py");
  Options options;
  options.sample = false;
  auto checker = Checker::create(parse(function), options).value();
  for (const char* annotation : {"\"tileloom.swizzle\", 64", "\"permuted_layout\", \"g2s_A\""}) {
    const std::string swizzle = std::string("sch.annotate(sch.get_block(\"A_shared\"), ") + annotation +
                                ")\nsch.annotate(sch.get_block(\"B_shared\"), " + annotation + ")\n";
    const ir::Function f = scheduled(function, readText(base + ".sched.py") + swizzle);
    auto report = checker.check(f);
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(nameOf(report->status), std::string("verified")) << describe(*report);
    EXPECT_FALSE(report->inOrder);
    EXPECT_THAT(codegen::generate(lower::lower(f).value()).text,
                testing::ContainsRegex("ldmatrix_x4.*A_shared.* \\^ "));
  }
}

INSTANTIATE_TEST_SUITE_P(OfTheOracle, Programs,
                         testing::Values("mma_written_f16f16f32", "mma_written_f16f16f32_trans_b",
                                         "mma_written_f16f16f32_trans_a_trans_b", "mma_written_f16f16f16",
                                         "mma_written_f16f16f16_trans_a", "mma_written_i8i8i32",
                                         "mma_written_i8i8i32_trans_b", "mma_written_e4m3e4m3f32_trans_b",
                                         "mma_written_m16n8k8_f16f16f32", "mma_written_m16n8k8_f16f16f16",
                                         "mma_written_store_f32_shared_dyn", "mma_written_store_f32_shared_dyn_simple",
                                         "mma_written_store_f16_shared_dyn_simple"));

}  // namespace
}  // namespace loom::exec::mma_test
