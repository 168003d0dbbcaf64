// Vectors that virtual threads read and write in memory of their own: aligned in each one's.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::virtual_vectors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Expects the kernel to be right and returns its text.
std::string rightText(const std::string& function) {
  const auto program = lower::lower(parse(function));
  if (!program) throw std::runtime_error(program.error().message.english());
  const std::string text = codegen::generate(*program).text;
  const Report report = check(parse(function), parse(function)).value();
  EXPECT_EQ(report.status, Report::Status::Verified) << describe(report).english() << text;
  return text;
}

// Virtual threads, `outer` of them in each of two, that have `size` registers each, of which `loop` copies the first
// four.
std::string registers(const std::string& type, const std::string& loop, int size, int outer = 1) {
  return rightText(tests::programText("registers_of_virtual_threads",
                                      {{"TYPE", type}, {"FIRST", loop}, {"SIZE", size}, {"OUTER", outer}}));
}
const std::string kOneByOne = "range(4)", kTogether = "T.vectorized(4)";

TEST(VirtualVectors, OfBytesThatBecomeWordsHaveWholeWordsEach) {
  for (const char* type : {"int8", "uint8"})
    for (int size : {5, 6, 7})
      EXPECT_THAT(registers(type, kOneByOne, size), AllOf(HasSubstr("alignas(16) "), HasSubstr(" L[16];"),
                                                          HasSubstr("*reinterpret_cast<unsigned*>(&L[")));
}

TEST(VirtualVectors, OfOneAnotherHaveWholeWordsEach) {
  EXPECT_THAT(registers("int8", kOneByOne, 6, 3), HasSubstr("signed char L[48];"));
}

TEST(VirtualVectors, ThatAreAskedForAreAligned) {
  EXPECT_THAT(registers("float16", kTogether, 6), HasSubstr("half L[16];"));
  EXPECT_THAT(registers("float32", kTogether, 5), HasSubstr("float L[16];"));
  EXPECT_THAT(registers("int8", kTogether, 7, 2), HasSubstr("signed char L[32];"));
}

TEST(VirtualVectors, ArePaddedOnlyWhereTheyWouldNotBeAligned) {
  EXPECT_THAT(registers("int8", kOneByOne, 8), HasSubstr("signed char L[16];"));
  EXPECT_THAT(registers("int8", kOneByOne, 12), HasSubstr("signed char L[24];"));
  EXPECT_THAT(registers("float16", kOneByOne, 5), AllOf(HasSubstr("half L[10];"), Not(HasSubstr("reinterpret_cast"))));
}

TEST(VirtualVectors, InSharedMemoryAreAligned) {
  for (const char* type : {"float16", "int8", "uint4"})
    for (int rest : {2, 6, 8})
      EXPECT_THAT(rightText(tests::programText("shared_row_of_virtual_threads", {{"TYPE", type}, {"REST", rest}})),
                  HasSubstr(type == std::string("uint4") ? " S[136];" : " S[272];"))
          << type << rest;
}

}  // namespace
}  // namespace loom::exec::virtual_vectors_test
