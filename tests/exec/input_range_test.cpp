// What the values of inputs may be where indices, divisors and shifts are computed from them.
#include "core/exec/input_ranges.h"

#include <gmock/gmock.h>

#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::input_range_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A function over X (16 × 8), more inputs and Y (32 × 8), whose block is given line by line.
std::string gather(const std::string& inputs, const std::vector<std::string>& body) {
  std::string text = tests::programText("gathered_rows", {{"INPUTS", inputs}});
  for (const std::string& line : body) text += "            " + line + "\n";
  return text;
}
const char* const kG = "G: T.Buffer((32,), \"int32\")";
const char* const kGH = "G: T.Buffer((32,), \"int32\"), H: T.Buffer((32,), \"int32\")";

// "1: 0 15", a phrase for each parameter that is drawn within bounds.
std::vector<std::string> rangesOf(const std::string& text) {
  std::vector<std::string> all;
  const InputRanges found = inputRanges(parse(text));
  for (const auto& [p, r] : found.ranges) {
    all.push_back(std::to_string(p) + ": " + std::to_string(r.low) + " " + std::to_string(r.high) +
                  (r.ascending ? " ascending" : ""));
  }
  for (const std::string& name : found.unknown) all.push_back("unknown " + name);
  return all;
}

// The unscheduled program is without fault, and so is one block a row.
void expectVerified(const std::string& text) {
  for (const std::string& lines : {std::string(), tests::scheduleText("blocks_of_rows", {{"BLOCK", "Y"}})}) {
    Options whole;
    whole.sample = false;
    whole.compareAtMost = 1 << 20;
    auto report = check(parse(text), scheduled(text, lines), whole);
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(report->status, Report::Status::Verified) << describe(*report) << "\n" << text;
  }
}

TEST(InputRanges, AnIndexStaysWithinWhatItIndexes) {
  const std::string text = gather(kG, {"Y[vi, vj] = X[G[vi], vj]"});
  EXPECT_THAT(rangesOf(text), ElementsAre("1: 0 15"));
  expectVerified(text);
}

TEST(InputRanges, ThroughArithmetic) {
  EXPECT_THAT(rangesOf(gather(kG, {"Y[vi, vj] = X[G[vi] * 2 + 1, vj]"})), ElementsAre("1: 0 7"));
  EXPECT_THAT(rangesOf(gather(kG, {"Y[vi, vj] = X[G[vi] - 100, vj]"})), ElementsAre("1: 100 115"));
  EXPECT_THAT(rangesOf(gather(kG, {"Y[vi, vj] = X[15 - G[vi], vj]"})), ElementsAre("1: 0 15"));
  EXPECT_THAT(rangesOf(gather(kG, {"Y[vi, vj] = X[G[vi] // 4, vj]"})), ElementsAre("1: 0 63"));
  EXPECT_THAT(rangesOf(gather(kG, {"Y[vi, vj] = X[G[vi] + vj, vj]"})), ElementsAre("1: 0 8"));
}

TEST(InputRanges, TwoInputsShareWhatThereIs) {
  const std::string text = gather(kGH, {"Y[vi, vj] = X[G[vi] + H[vi], vj]"});
  const InputRanges found = inputRanges(parse(text));
  ASSERT_EQ(found.ranges.size(), 2u);
  EXPECT_EQ(found.ranges.at(1).low + found.ranges.at(2).low, 0);
  EXPECT_EQ(found.ranges.at(1).high + found.ranges.at(2).high, 15);
  EXPECT_GE(std::min(found.ranges.at(1).high, found.ranges.at(2).high), 7);
  expectVerified(text);
}

TEST(InputRanges, ThroughCasts) {
  EXPECT_THAT(rangesOf(gather("G: T.Buffer((32,), \"uint8\")", {"Y[vi, vj] = X[T.Cast(\"int32\", G[vi]), vj]"})),
              ElementsAre("1: 0 15"));
  EXPECT_THAT(rangesOf(gather("G: T.Buffer((32,), \"int64\")", {"Y[vi, vj] = X[G[vi], vj]"})), ElementsAre("1: 0 15"));
  const std::string floats =
      gather("G: T.Buffer((32,), \"float32\")", {"Y[vi, vj] = X[T.Cast(\"int32\", T.floor(G[vi])), vj]"});
  EXPECT_THAT(rangesOf(floats), ElementsAre("1: 0 15"));
  expectVerified(floats);
  EXPECT_THAT(rangesOf(gather("G: T.Buffer((32,), \"float32\")",
                              {"Y[vi, vj] = X[T.Cast(\"int32\", G[vi] * T.float32(2) + T.float32(1)), vj]"})),
              ElementsAre("1: 0 7"));
}

TEST(InputRanges, AnIndexOfAnIndex) {
  const std::string text =
      gather("G: T.Buffer((20,), \"int32\"), H: T.Buffer((32,), \"int32\")", {"Y[vi, vj] = X[G[H[vi]], vj]"});
  EXPECT_THAT(rangesOf(text), ElementsAre("1: 0 15", "2: 0 19"));
  expectVerified(text);
}

TEST(InputRanges, ThroughABufferInBetween) {
  const std::string text = tests::programText("gather_through_a_buffer");
  EXPECT_THAT(rangesOf(text), ElementsAre("1: 0 5"));
}

TEST(InputRanges, AScatterToo) {
  EXPECT_THAT(rangesOf(gather(kG, {"Y[G[vi], vj] = X[vi % 16, vj]"})), ElementsAre("1: 0 31"));
}

TEST(InputRanges, BehindAConditionAlsoValuesThatItKeepsOut) {
  for (const std::vector<std::string>& body :
       {std::vector<std::string>{"Y[vi, vj] = T.if_then_else(0 <= G[vi] and G[vi] < 16, X[G[vi], vj], T.float32(0))"},
        {"Y[vi, vj] = T.float32(0)", "if 0 <= G[vi] and G[vi] < 16:", "    Y[vi, vj] = X[G[vi], vj]"},
        {"Y[vi, vj] = X[T.max(T.min(G[vi], 15), 0), vj]"},
        {"Y[vi, vj] = X[T.if_then_else(G[vi] < 0, 0, T.if_then_else(G[vi] > 15, 15, G[vi])), vj]"}}) {
    const std::string text = gather(kG, body);
    const InputRanges found = inputRanges(parse(text));
    ASSERT_TRUE(found.unknown.empty()) << text;
    ASSERT_EQ(found.ranges.size(), 1u) << text;
    EXPECT_LT(found.ranges.at(1).low, 0) << text;
    EXPECT_GT(found.ranges.at(1).high, 15) << text;
    expectVerified(text);
  }
}

TEST(InputRanges, WrappedNegativeIndices) {
  const std::string text = gather(kG, {"Y[vi, vj] = X[T.if_then_else(G[vi] < 0, G[vi] + 16, G[vi]), vj]"});
  EXPECT_THAT(rangesOf(text), ElementsAre("1: -16 15"));
  expectVerified(text);
}

TEST(InputRanges, RowsOfASparseMatrixBeginWhereTheLastOnesEnd) {
  const std::string text = tests::programText("sparse_rows");
  EXPECT_THAT(rangesOf(text), ElementsAre("1: 0 63", "2: 0 100 ascending"));
  auto report = check(parse(text), parse(text));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Report::Status::Verified) << describe(*report);
}

TEST(InputRanges, AnInputAsTheExtentOfALoop) {
  const std::string text =
      gather(kG, {"Y[vi, vj] = T.float32(0)", "for k in range(G[vi]):", "    Y[vi, vj] = Y[vi, vj] + X[k, vj]"});
  const InputRanges found = inputRanges(parse(text));
  ASSERT_EQ(found.ranges.size(), 1u);
  EXPECT_EQ(found.ranges.at(1).high, 16);
}

TEST(InputRanges, DivisorsAndShifts) {
  const std::string text = tests::programText("shifted_quotients");
  const InputRanges found = inputRanges(parse(text));
  ASSERT_EQ(found.ranges.size(), 2u);
  EXPECT_EQ(found.ranges.at(1).low, 1);
  EXPECT_EQ(found.ranges.at(2).low, 0);
  EXPECT_EQ(found.ranges.at(2).high, 31);
}

// --- nothing to bound, or no way to ---

TEST(InputRanges, OrdinaryProgramsNeedNone) { EXPECT_THAT(rangesOf(matmul(8, 8, 8)), IsEmpty()); }

TEST(InputRanges, WhatNoBoundFollowsFromIsNamed) {
  EXPECT_THAT(rangesOf(gather(kGH, {"Y[vi, vj] = X[T.bitwise_xor(G[vi], H[vi]), vj]"})),
              ElementsAre("unknown G", "unknown H"));
}

TEST(InputRanges, WhatThoseReadOutsideIsNoFaultOfTheSchedule) {
  const std::string text = gather(kGH, {"Y[vi, vj] = X[T.bitwise_xor(G[vi], H[vi]), vj]"});
  auto report = check(parse(text), parse(text));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Report::Status::Partly) << describe(*report);
  EXPECT_TRUE(report->findings.empty());
  EXPECT_THAT(report->unknownInputs, ElementsAre("G", "H"));
  EXPECT_THAT(describe(*report).english(), HasSubstr("what was drawn for G, H"));
  std::string outside = text;
  outside.replace(outside.find("Y[vi, vj]"), 9, "Y[vi + 1, vj]");
  report = check(parse(text), parse(outside));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_NE(report->status, Report::Status::Partly) << "what it writes outside is its own";
}

TEST(InputRanges, AnIndexThatIsNeverInsideIsNamed) {
  EXPECT_THAT(rangesOf(gather(kG, {"Y[vi, vj] = X[G[vi] * 0 + 16, vj]"})),
              testing::AnyOf(IsEmpty(), ElementsAre("unknown G")));
}

TEST(InputRanges, AScheduleThatReadsOutsideIsStillFound) {
  const std::string text = gather(kG, {"Y[vi, vj] = X[G[vi], vj]"});
  std::string outside = text;
  outside.replace(outside.find("X[G[vi]"), 7, "X[G[vi] + 1");
  auto report = check(parse(text), parse(outside));
  ASSERT_TRUE(report) << report.error().message.english();
  ASSERT_FALSE(report->findings.empty());
  EXPECT_EQ(report->findings[0].kind, Finding::Kind::OutOfBounds);
  EXPECT_THAT(describe(*report).english(), HasSubstr("with G from 0 to 15"));
}

}  // namespace
}  // namespace loom::exec::input_range_test
