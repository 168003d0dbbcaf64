// The reference against values worked out by hand, and its refusals.
#include <gtest/gtest.h>

#include "core/exec/definition.h"
#include "core/exec/whole_run.h"
#include "core/ir/build.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::reference_test {
namespace {

TEST(Reference, ElementOfAProductIsItsSum) {
  auto function = parse(matmul(6, 5, 7));
  auto reference = Reference::create(function, 3).value();
  EXPECT_EQ(reference.outputs(), std::vector<int>{2});
  EXPECT_TRUE(reference.isExact());
  InputValues a = reference.contents().at(0), b = reference.contents().at(1);
  for (int i : {0, 3, 5}) {
    for (int j : {0, 4}) {
      double sum = 0;
      for (int k = 0; k < 7; ++k) sum += a.at(i * 7 + k).f * b.at(k * 5 + j).f;
      EXPECT_EQ(reference.at(2, i * 5 + j)->f, sum);
    }
  }
}

TEST(Reference, DefinitionAndWholeRunAgree) {
  auto function = parse(matmul(9, 4, 5));
  ScalarCompiler compiler;
  ASSERT_TRUE(findDefinitions(function, compiler));
  auto reference = Reference::create(function, 1).value();
  auto result = interpret(function, reference.contents(), 1000000).value();
  for (int e = 0; e < 36; ++e) EXPECT_EQ(reference.at(2, e)->f, result.parameters.at(2).values[std::size_t(e)].f);
}

// Blocks that store at digits of a number, and one of two values or none.
TEST(Reference, DefinitionsAreFoundOfGroupsAndBranches) {
  const std::vector<std::pair<const char*, int>> programs = {{R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((5, 8), "float32"), W: T.Buffer((12, 4), "float32"), Y: T.Buffer((5, 12), "float32")):
    for i, g, o, c in T.grid(5, 2, 6, 4):
        with T.block("Y"):
            vi, vg, vo, vc = T.axis.remap("SSSR", [i, g, o, c])
            with T.init():
                Y[vi, vg * 6 + vo] = T.float32(0)
            Y[vi, vg * 6 + vo] = Y[vi, vg * 6 + vo] + X[vi, vg * 4 + vc] * W[vg * 6 + vo, vc]
)",
                                                              2},
                                                             {R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((5, 8), "float32"), Y: T.Buffer((5, 8), "float32")):
    padded = T.alloc_buffer((5, 10), "float32")
    for i, j in T.grid(5, 10):
        with T.block("padded"):
            vi, vj = T.axis.remap("SS", [i, j])
            if 1 <= vj and vj < 9:
                padded[vi, vj] = X[vi, vj - 1]
            else:
                padded[vi, vj] = T.float32(7)
    for i, j, k in T.grid(5, 8, 3):
        with T.block("Y"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Y[vi, vj] = T.float32(0)
            if vj + vk != 4:
                Y[vi, vj] = Y[vi, vj] + padded[vi, vj + vk]
)",
                                                              1}};
  for (const auto& [text, output] : programs) {
    const auto function = parse(text);
    ScalarCompiler compiler;
    EXPECT_TRUE(findDefinitions(function, compiler));
    auto reference = Reference::create(function, 1).value();
    auto result = interpret(function, reference.contents(), 1000000).value();
    const std::vector<Value>& values = result.parameters.at(output).values;
    for (std::size_t e = 0; e < values.size(); ++e)
      EXPECT_EQ(reference.at(output, std::int64_t(e))->f, values[e].f) << e;
  }
}

// Digits that leave out some numbers, or that overlap.
TEST(Reference, NumbersWithoutAllDigitsHaveNoDefinition) {
  for (const char* index : {"vg * 7 + vo", "vg * 5 + vo", "vo * 2 + vg + 1"}) {
    const auto function = parse(fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((2, 6), "float32"), Y: T.Buffer((14,), "float32")):
    for g, o in T.grid(2, 6):
        with T.block("Y"):
            vg, vo = T.axis.remap("SS", [g, o])
            Y[{0}] = X[vg, vo]
)",
                                            index));
    ScalarCompiler compiler;
    EXPECT_FALSE(findDefinitions(function, compiler)) << index;
  }
}

TEST(Reference, InputsAreSmallIntegersOfTheirType) {
  bool low = false, high = false;
  for (int e = 0; e < 1000; ++e) {
    double v = inputValues(1, 0, ir::DType::Float(16), false).at(e).f;
    EXPECT_EQ(v, std::floor(v));
    EXPECT_LE(std::abs(v), 2);
    low = low || v == -2;
    high = high || v == 2;
    EXPECT_LE(std::abs(inputValues(1, 0, ir::DType::Float(16), true).at(e).f), 1);
    EXPECT_GE(inputValues(1, 0, ir::DType::UInt(8), false).at(e).i, 0);
  }
  EXPECT_TRUE(low && high);
}

TEST(Reference, InputsAreFilledInAsEachIs) {
  const auto expect = [](const InputValues& v) {
    std::array<Value, 21> values;
    v.fill(5, 3, std::int64_t(values.size()), values.data());
    for (int n = 0; n < int(values.size()); ++n) EXPECT_EQ(values[std::size_t(n)].i, v.at(5 + n * 3).i) << n;
  };
  for (const ir::DType type : {ir::DType::Float(16), ir::DType::Int(8), ir::DType::Bool(), ir::DType::Int(4)}) {
    InputValues v = inputValues(3, 1, type, false);
    expect(v);
    if (ir::isPacked(type)) v.packed = type;
    expect(v);
    drawFrom(v, {-7, 40, true}, 100);
    expect(v);
  }
}

TEST(Reference, FunctionsWrittenTwiceRunWhole) {
  auto function = parse(tests::programText("written_twice"));
  ScalarCompiler compiler;
  EXPECT_FALSE(findDefinitions(function, compiler));
  auto reference = Reference::create(function, 1).value();
  EXPECT_EQ(reference.at(1, 9)->f, 2 * reference.contents().at(0).at(1).f);
  EXPECT_FALSE(reference.at(1, 12)) << "the function doesn't write it";
}

// An initial value is read before a later block writes, as an update's operands are.
TEST(Reference, InitialValuesAreThoseOfBeforeTheyAreOverwritten) {
  const auto function = parse(tests::programText("init_from_what_is_overwritten"));
  ScalarCompiler compiler;
  EXPECT_FALSE(findDefinitions(function, compiler));
  auto reference = Reference::create(function, 1).value();
  const InputValues a = reference.contents().at(0), b = reference.contents().at(1);
  double sum = b.at(5).f;
  for (int k = 0; k < 16; ++k) sum += a.at(5 * 16 + k).f;
  EXPECT_EQ(reference.at(2, 5)->f, sum);
  EXPECT_EQ(reference.at(1, 5)->f, 0);
}

// What counts is how many values wait for an operation, not how many loads and conditions there are.
TEST(Reference, LongSumsAreNotDeep) {
  const auto sumOf = [](bool nested) {
    std::string sum, ends;
    for (int k = 0; k < 64; ++k) {
      sum += fmt::format("{}T.if_then_else(vi < 3, X[vi, {}], T.float32(2))", k == 0 ? "" : " + ", k);
      if (nested && k < 63) sum += " * (T.float32(1)", ends += ")";
    }
    return tests::programText("one_value_a_row", {{"VALUE", sum + ends}});
  };
  auto reference = Reference::create(parse(sumOf(false)), 1);
  ASSERT_TRUE(reference) << reference.error().message.english();
  const InputValues x = reference->contents().at(0);
  double sum = 0;
  for (int k = 0; k < 64; ++k) sum += x.at(2 * 64 + k).f;
  EXPECT_EQ(reference->at(1, 2)->f, sum);
  EXPECT_EQ(reference->at(1, 3)->f, 128);
  auto deep = Reference::create(parse(sumOf(true)), 1);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message.english(), "the expression is too deep");
}

TEST(Reference, IntegersWrapToTheirType) {
  auto function = parse(tests::programText("sums_that_wrap"));
  auto reference = Reference::create(function, 1).value();
  EXPECT_EQ(reference.at(1, 2)->i, reference.contents().at(0).at(2).i + 200 - 256);
}

TEST(Reference, UnknownCallsAreRefused) {
  auto reference = Reference::create(parse(tests::programText("unknown_call")), 1);
  ASSERT_FALSE(reference);
  EXPECT_EQ(reference.error().code, "NotExecutable");
}

TEST(Reference, TooLargeToRunWholeIsRefused) {
  auto function = parse(matmul(64, 64, 64));
  auto result = interpret(function, {}, 1000);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "NotExecutable");
}

// The numbers of statements are told apart up to 65535.
TEST(Reference, FunctionsOfTooManyStatementsAreRefused) {
  const ir::Function function = parse(tests::programText("one_store"));
  const auto repeated = [&](std::size_t times) {
    auto copy = std::make_shared<ir::FunctionNode>(*function);
    auto root = std::make_shared<ir::BlockRealizeNode>(*function->body);
    auto block = std::make_shared<ir::BlockNode>(*root->block);
    block->body = ir::seq(std::vector<ir::Stmt>(times, block->body));
    root->block = block;
    copy->body = root;
    return ir::Function(copy);
  };
  EXPECT_TRUE(interpret(repeated(1000), {}, 1 << 20));
  const auto refused = interpret(repeated(65536), {}, 1 << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.english(), "the function has more than 65535 statements");
}

}  // namespace
}  // namespace loom::exec::reference_test
