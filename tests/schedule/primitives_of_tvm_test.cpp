// The list of TVM's primitives that are there and missing, in core/schedule/primitives/README.md: written from the
// table of instructions when TILELOOM_REFERENCES is set, and otherwise held to it.
#include "tests/schedule/primitives_of_tvm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/schedule/instruction.h"

namespace loom::schedule {

std::set<std::string> primitivesOfTvm() {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/oracle/primitives.txt");
  return {std::istream_iterator<std::string>(in), {}};
}

std::set<std::string> missingPrimitives() {
  std::set<std::string> names = primitivesOfTvm();
  for (const Instruction& row : instructions()) names.erase(std::string(row.name));
  return names;
}

}  // namespace loom::schedule

namespace loom::schedule::primitives_of_tvm_test {
namespace {

const std::string kReadme = std::string(TILELOOM_SOURCE_DIR) + "/core/schedule/primitives/README.md";
constexpr std::string_view kTitle = "## Which of TVM's primitives are there\n";

// One name a line, so that a change of the table is a change of one line.
std::string listed() {
  const auto lines = [](const std::set<std::string>& names) {
    return fmt::format("- `{}`\n", fmt::join(names, "`\n- `"));
  };
  std::set<std::string> there = primitivesOfTvm();
  const std::set<std::string> missing = missingPrimitives();
  for (const std::string& name : missing) there.erase(name);
  return fmt::format(
      "{}\n`test_schedule` writes this list when TILELOOM_REFERENCES is set, from the table of instructions and from\n"
      "`tests/oracle/primitives.txt`.\n\nThere ({}):\n\n{}\nMissing ({}):\n\n{}",
      kTitle, there.size(), lines(there), missing.size(), lines(missing));
}

}  // namespace

TEST(PrimitivesOfTvm, AreListedAsTheTableHasThem) {
  ASSERT_GT(primitivesOfTvm().size(), 50u);
  std::ifstream in(kReadme);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t start = text.find(kTitle);
  if (std::getenv("TILELOOM_REFERENCES") != nullptr) {
    std::ofstream(kReadme) << text.substr(0, start) << listed();
    return;
  }
  ASSERT_NE(start, std::string::npos);
  EXPECT_EQ(text.substr(start), listed()) << "write it anew: TILELOOM_REFERENCES=1 test_schedule --gtest_filter=Primi*";
}

// Rows that TVM's trace doesn't record: work_on chooses the function, seed and fork_seed what is drawn.
TEST(PrimitivesOfTvm, HaveEveryRowOfTheTable) {
  const std::set<std::string> tvm = primitivesOfTvm();
  for (const Instruction& row : instructions()) {
    EXPECT_TRUE(row.name == "work_on" || row.name.ends_with("seed") || tvm.contains(std::string(row.name))) << row.name;
  }
}

}  // namespace loom::schedule::primitives_of_tvm_test
