// The reference against values worked out by hand, and its refusals.
#include <gtest/gtest.h>

#include "core/exec/definition.h"
#include "core/exec/whole_run.h"
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

}  // namespace
}  // namespace loom::exec::reference_test
