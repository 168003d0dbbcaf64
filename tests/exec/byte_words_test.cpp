// Bytes that a loop brings from memory to registers come as words.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::byte_words_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A product whose threads bring `columns` elements of a row of B to registers. Expects the kernel to be right and
// returns its text.
std::string rightText(const std::string& type, int columns) {
  const std::string function = matmul(16, 8 * columns, 16, type);
  const std::string schedule = tests::scheduleText("registers_of_a_row", {{"COLUMNS", columns}});
  const auto program = lower::lower(scheduled(function, schedule));
  if (!program) throw std::runtime_error(program.error().message.english());
  auto reference = Reference::create(parse(function), 1).value();
  const Execution made = executionOf(*program, reference);
  const std::string text = codegen::generate(*program).text;
  EXPECT_EQ(made.wrong, 0) << text;
  EXPECT_THAT(made.faults, IsEmpty()) << text;
  return text;
}
// The store of a word of so many bytes into the registers.
std::string wordOf(const char* type) { return fmt::format("*reinterpret_cast<{}*>(B_shared_local) = ", type); }

TEST(ByteWords, AreAsWideAsTheRow) {
  EXPECT_THAT(rightText("int8", 4), HasSubstr(wordOf("unsigned")));
  EXPECT_THAT(rightText("uint8", 8), HasSubstr(wordOf("uint2")));
  EXPECT_THAT(rightText("int8", 16), HasSubstr(wordOf("uint4")));
}

TEST(ByteWords, AreSeveralWhereOneIsTooWide) {
  EXPECT_THAT(rightText("int8", 12), HasSubstr("*reinterpret_cast<unsigned*>(&B_shared_local["));
}

TEST(ByteWords, AreOfNoRowThatEndsInsideOne) { EXPECT_THAT(rightText("int8", 6), Not(HasSubstr("*>(B_shared_local"))); }

TEST(ByteWords, AreOfBytesAlone) { EXPECT_THAT(rightText("float16", 8), Not(HasSubstr("*>(B_shared_local"))); }

}  // namespace
}  // namespace loom::exec::byte_words_test
