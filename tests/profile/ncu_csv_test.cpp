#include "core/profile/ncu_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/profile/recorded.h"

namespace loom::profile::ncu_csv_test {
namespace {

using testing::HasSubstr;

// A table of one kernel; rows are whole lines.
std::string table(const std::string& rows, const std::string& reasons = "\"stall_wait\",\"stall_wait (Not Issued)\"") {
  return "\"Kernel Name\",\"k\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\"," + reasons + "\n" +
         rows;
}

Error refused(const std::string& text) {
  auto read = readNcuCsv(text, "a.csv");
  EXPECT_FALSE(read);
  return read ? Error{} : read.error();
}

TEST(NcuCsv, ARealKernelIsReadWhole) {
  const StallProfile p = scaleProfile();
  EXPECT_EQ(p.kernel, "scale_kernel");
  ASSERT_EQ(p.instructions.size(), 64U);
  EXPECT_EQ(p.instructions[1].text, "S2R R0, SR_TID.X");
  EXPECT_EQ(p.instructions[13].offset, 0xd0);
  EXPECT_EQ(p.instructions[13].executed, 32768);
  EXPECT_EQ(p.instructions[13].stalls.of(StallReason::kLongScoreboard), 181);
  EXPECT_EQ(p.instructions[13].stalls.notIssued, 127);
  EXPECT_EQ(p.instructions[13].stalls.main(), StallReason::kLongScoreboard);
  // Sums of the file's columns.
  const StallCount all = p.total();
  EXPECT_EQ(all.samples, 367);
  EXPECT_EQ(all.notIssued, 237);
  EXPECT_EQ(all.of(StallReason::kLongScoreboard), 181);
  EXPECT_EQ(all.of(StallReason::kWait), 46);
  EXPECT_EQ(all.of(StallReason::kBranchResolving), 35);
  EXPECT_EQ(all.of(StallReason::kSelected), 14);
  EXPECT_EQ(all.of(StallReason::kUnknown), 0);
  EXPECT_EQ(all.ranked().front(), StallReason::kLongScoreboard);
  EXPECT_NEAR(all.share(StallReason::kLongScoreboard), 181.0 / 367, 1e-12);
}

TEST(NcuCsv, AddressesOfTheKernelAreOffsets) {
  const StallProfile p = scaleProfile();
  EXPECT_EQ(p.instructions[12].text, "BSSY B0, `(0x1a0)");
  EXPECT_EQ(p.instructions[16].text, "@!P0 BRA `(0x150)");
  EXPECT_EQ(p.instructions[17].text, "MOV R9, 0x130");
}

TEST(NcuCsv, WhatIsPrintedTwiceIsReadOnce) {
  const std::string text = recorded("scale.csv");
  auto twice = readNcuCsv(text + text, "scale.csv");
  ASSERT_TRUE(twice) << twice.error().message.english();
  EXPECT_EQ(twice->size(), 1U);
}

TEST(NcuCsv, TwoLaunchesAreTwo) {
  auto two = readNcuCsv(
      table("\"0x10\",\"EXIT\",\"2\",\"4\",\"1\",\"0\"\n") + table("\"0x10\",\"EXIT\",\"3\",\"4\",\"1\",\"0\"\n"),
      "a.csv");
  ASSERT_TRUE(two) << two.error().message.english();
  EXPECT_EQ(two->size(), 2U);
}

TEST(NcuCsv, WordsAroundALiveRunsTableArePassedOver) {
  auto live = readNcuCsv(recorded("live.csv"), "live.csv");
  ASSERT_TRUE(live) << live.error().message.english();
  ASSERT_EQ(live->size(), 1U);
  EXPECT_EQ(live->front().kernel, "main_kernel");
  ASSERT_EQ(live->front().instructions.size(), 40U);
  EXPECT_EQ(live->front().instructions[0].stalls.of(StallReason::kNoInstruction), 10);
  EXPECT_EQ(live->front().instructions[1].stalls.of(StallReason::kImcMiss), 7);
}

TEST(NcuCsv, ReasonsWithoutARowAreOther) {
  auto read = readNcuCsv(table("\"0x10\",\"EXIT\",\"7\",\"4\",\"2\",\"1\",\"5\"\n",
                               "\"stall_wait\",\"stall_wait (Not Issued)\",\"stall_of_the_future\""),
                         "a.csv");
  ASSERT_TRUE(read) << read.error().message.english();
  const StallCount& c = read->front().instructions[0].stalls;
  EXPECT_EQ(c.samples, 7);
  EXPECT_EQ(c.of(StallReason::kWait), 2);
  EXPECT_EQ(c.of(StallReason::kUnknown), 5);
}

TEST(NcuCsv, FieldsAreQuotedAsRfc4180Says) {
  auto read = readCsv("\"a \"\"b\"\", c\",,\"two\nlines\"\r\nplain,\"x\"\n");
  ASSERT_TRUE(read) << read.error().message.english();
  ASSERT_EQ(read->size(), 2U);
  EXPECT_THAT((*read)[0].fields, testing::ElementsAre("a \"b\", c", "", "two\nlines"));
  EXPECT_THAT((*read)[1].fields, testing::ElementsAre("plain", "x"));
  EXPECT_EQ((*read)[1].line, 3);
  EXPECT_TRUE((*read)[0].quoted);
  EXPECT_FALSE((*read)[1].quoted);
}

TEST(NcuCsv, AQuotedFieldThatNeverEndsIsRefused) {
  const std::string text = recorded("scale.csv");
  const Error e = refused(text.substr(0, text.rfind(',') + 2));  // behind the opening quote
  EXPECT_EQ(e.code, "ParseError");
  EXPECT_EQ(e.message.english(), "a quoted field never ends");
  EXPECT_EQ(e.place.line, 66);
}

TEST(NcuCsv, ARowThatIsCutIsRefused) {
  const std::string text = recorded("scale.csv");
  const Error e = refused(text.substr(0, text.rfind(',')));
  EXPECT_EQ(e.message.english(), "a row of 63 fields where the head has 64");
  EXPECT_EQ(e.place.line, 66);
}

TEST(NcuCsv, AnotherPageIsNoSourcePage) {
  EXPECT_THAT(refused("").message.english(), HasSubstr("holds no kernel"));
  EXPECT_THAT(refused("\"ID\",\"Process ID\",\"Kernel Name\"\n\"0\",\"1\",\"k\"\n").message.english(),
              HasSubstr("holds no kernel"));
  EXPECT_THAT(refused("\"Kernel Name\",\"k\",\n\"Address\",\"Source\"\n\"0x10\",\"EXIT\"\n").message.english(),
              HasSubstr("no columns"));
}

TEST(NcuCsv, ATableWithoutSamplesIsRefused) {
  EXPECT_THAT(
      refused("\"Kernel Name\",\"k\",\n\"Address\",\"Source\",\"Instructions Executed\"\n\"0x10\",\"EXIT\",\"4\"\n")
          .message.english(),
      HasSubstr("the kernel's table has no samples of stalls: ncu --section SourceCounters"));
}

TEST(NcuCsv, DamagedFieldsAreRefusedWithTheirLine) {
  EXPECT_EQ(refused(table("\"0x10\",\"EXIT\",\"many\",\"4\",\"1\",\"0\"\n")).message.english(), "\"many\" is no count");
  EXPECT_EQ(refused(table("\"0x10\",\"EXIT\",\"-2\",\"4\",\"1\",\"0\"\n")).message.english(), "\"-2\" is no count");
  EXPECT_EQ(refused(table("\"16\",\"EXIT\",\"2\",\"4\",\"1\",\"0\"\n")).message.english(), "\"16\" is no address");
  EXPECT_EQ(refused(table("\"0x10\",\"NOP\",\"2\",\"4\",\"1\",\"0\"\n\"0x10\",\"EXIT\",\"2\",\"4\",\"1\",\"0\"\n"))
                .message.english(),
            "addresses don't ascend");
  const Error e = refused(table("\"0x10\",\"EXIT\",\"2\",\"4\",\"3\",\"0\"\n"));
  EXPECT_EQ(e.message.english(), "its reasons add up to 3 samples of 2");
  EXPECT_EQ(e.place.line, 3);
}

TEST(NcuCsv, AKernelWithoutInstructionsIsRefused) {
  EXPECT_EQ(refused(table("")).message.english(), "a.csv holds no instruction of k");
  EXPECT_EQ(refused("\"Kernel Name\",\"k\",\n").message.english(), "the text ends after the kernel's name");
}

TEST(StallReason, EachIsFoundByAllItsNames) {
  for (const StallReasonRow& row : stallReasons()) {
    EXPECT_EQ(stallReasonOf(row.name), row.reason);
    for (const char* spelling : {row.column, row.other}) {
      if (*spelling != 0) {
        EXPECT_EQ(stallReasonOf(spelling), row.reason);
      }
    }
  }
  std::set<std::string> letters;
  for (const StallReasonRow& row : stallReasons()) letters.insert(row.letters);
  EXPECT_EQ(letters.size(), kStallReasons);
  EXPECT_FALSE(stallReasonOf(""));
  EXPECT_FALSE(stallReasonOf("stall_wait"));
}

// The raw page: a head, a row of units, a row for each launch; lines of the program that ran may come before it.
TEST(NcuCsv, ClocksOfLaunchesAreReadFromTheRawPage) {
  const auto real = readNcuClocks(recorded("raw_page.csv"));
  ASSERT_EQ(real.size(), 1U);
  EXPECT_EQ(real[0].kernel, "gemv_kernel");
  EXPECT_EQ(real[0].clocks, (WarpClocks{19637.38, 24657.32}));
  const std::string raw =
      "==PROF== a line of ncu\n"
      "\"ID\",\"Kernel Name\",\"Device\",\"smsp__cycles_active.avg\",\"smsp__cycles_elapsed.avg\"\n"
      "\"\",\"\",\"\",\"cycle\",\"cycle\"\n"
      "\"0\",\"scale_kernel(float *, int)\",\"0\",\"7,500.25\",\"10,000\"\n"
      "\"1\",\"none\",\"0\",\"n/a\",\"10,000\"\n"
      "\"2\",\"other\",\"0\",\"2000\",\"2000.5\"\n";
  const auto launches = readNcuClocks(raw);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].kernel, "scale_kernel");
  EXPECT_DOUBLE_EQ(launches[0].clocks.occupied, 7500.25);
  EXPECT_DOUBLE_EQ(launches[0].clocks.whole, 10000);
  EXPECT_EQ(launches[1].kernel, "other");
  EXPECT_TRUE(readNcuClocks("").empty());
  EXPECT_TRUE(readNcuClocks("\"ID\",\"Kernel Name\"\n\"0\",\"scale_kernel\"\n").empty());
}

}  // namespace
}  // namespace loom::profile::ncu_csv_test
