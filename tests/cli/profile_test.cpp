// `tileloom profile`: what a state's warps wait for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/profile/made_up.h"

namespace loom::cli::profile_test {
namespace {

using testing::HasSubstr;

class ProfileVerb : public testing::Test {
 protected:
  void SetUp() override {
    folder.file("f.py", product());
    folder.file("s.py", kSchedule);
  }
  Ended profile(std::vector<std::string> words) {
    words.insert(words.begin(), {"profile", "f.py", "s.py", "--device", "none"});
    return folder.run(words, {.environment = {{"XDG_DATA_HOME", (folder.path() / "data").string()}}, .seconds = 120});
  }
  // A table with made-up samples of the state's own machine code; the kernel's name comes back. Nothing where this
  // machine can't make machine code.
  std::optional<std::string> madeUp(const std::string& name) {
    const Ended sass = folder.run({"export", "f.py", "s.py", "--as", "sass", "-o", "-"}, {.seconds = 120});
    if (sass.status != 0) return std::nullopt;
    auto read = sass::parse(sass.out);
    EXPECT_TRUE(read);
    folder.file(name, profile::madeUpCsv(read->front()));
    return read->front().name;
  }
  Folder folder;
};

TEST_F(ProfileVerb, ImportedSamplesAreToldByReasonLineAndLoopAndKept) {
  const auto kernel = madeUp("a.csv");
  if (!kernel) GTEST_SKIP() << "no compiler here";
  const Ended e = profile({"--import", "a.csv", "--model", "h200"});
  ASSERT_EQ(e.status, 0) << e.err;
  EXPECT_THAT(e.out, HasSubstr("Kernel " + *kernel));
  EXPECT_THAT(e.out, HasSubstr("ncu, imported from a.csv"));
  EXPECT_THAT(e.out, testing::ContainsRegex("\nlong scoreboard +[0-9.]+ % +100 %  Waits for data of a load"));
  EXPECT_THAT(e.out, HasSubstr("Against long scoreboard: "));
  EXPECT_THAT(e.out, HasSubstr("outside of loops"));
  // Kept: found without the file.
  const Ended again = profile({"--json"});
  ASSERT_EQ(again.status, 0) << again.err;
  const auto j = nlohmann::json::parse(again.out);
  EXPECT_EQ(j["kernel"], *kernel);
  EXPECT_EQ(j["origin"], "here");
  EXPECT_EQ(j["step"], 3);
  std::int64_t samples = 0, lines = 0, unissued = 0;
  for (const auto& i : j["instructions"]) {
    samples += i["samples"].get<std::int64_t>();
    unissued += i["not_issued"].get<std::int64_t>();
  }
  for (const auto& l : j["lines"]) lines += l["samples"].get<std::int64_t>();
  EXPECT_EQ(samples, j["samples"]);
  EXPECT_EQ(lines, j["samples"]);
  EXPECT_EQ(unissued, j["not_issued"]);
  EXPECT_EQ(j["reasons"]["long scoreboard"]["not_issued"], j["not_issued"]);
  EXPECT_GT(j["reasons"]["long scoreboard"]["samples"], j["reasons"]["wait"]["samples"]);
}

TEST_F(ProfileVerb, SamplesOfOtherCodeAreRefusedAndNotKept) {
  if (!madeUp("a.csv")) GTEST_SKIP() << "no compiler here";
  std::string csv = folder.read("a.csv");
  const auto at = csv.find("FFMA");
  ASSERT_NE(at, std::string::npos);
  folder.file("b.csv", csv.replace(at, 4, "FADD"));
  const Ended e = profile({"--import", "b.csv"});
  EXPECT_EQ(e.status, 2);
  EXPECT_THAT(e.err, HasSubstr("the profile is of other machine code: its instruction"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "data/tileloom/profiles"));
}

TEST_F(ProfileVerb, SamplesOfAnotherKernelAreRefused) {
  folder.file(
      "c.csv",
      "\"Kernel Name\",\"gemm\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\",\"stall_wait\"\n"
      "\"0x10\",\"EXIT\",\"2\",\"4\",\"1\"\n");
  const Ended e = profile({"--import", "c.csv"});
  EXPECT_EQ(e.status, 2);
  EXPECT_THAT(e.err, HasSubstr("c.csv has samples of gemm, none of which the state launches"));
}

TEST_F(ProfileVerb, ADamagedFileIsRefusedWithItsLine) {
  folder.file("d.csv", "\"Kernel Name\",\"k\",\n\"Address\",\"Source\"\n");
  const Ended e = profile({"--import", "d.csv"});
  EXPECT_EQ(e.status, 2);
  EXPECT_THAT(e.err, HasSubstr("d.csv:2"));
  EXPECT_EQ(profile({"--import", "none.csv"}).status, 2);
}

TEST_F(ProfileVerb, WithoutADeviceNothingIsSampled) {
  const Ended e = profile({});
  EXPECT_EQ(e.status, 4);
  EXPECT_THAT(e.err, HasSubstr("measuring is switched off"));
  EXPECT_EQ(profile({"--record", "r.json"}).status, 4);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "r.json"));
}

TEST_F(ProfileVerb, WordsThatDontGoTogetherAreRefused) {
  EXPECT_EQ(profile({"--import", "a.csv", "--keep", "b.csv"}).status, 64);
  EXPECT_EQ(profile({"--record", ""}).status, 64);
  EXPECT_EQ(profile({"--every-step"}).status, 64);
  EXPECT_EQ(profile({"--interval", "32"}).status, 64);
  EXPECT_EQ(profile({"--step", "99"}).status, 2);
}

TEST_F(ProfileVerb, AStateThatIsNoKernelIsSaidToBe) {
  const Ended e = profile({"--step", "0"});
  EXPECT_NE(e.status, 0);
  EXPECT_FALSE(e.err.empty());
}

}  // namespace
}  // namespace loom::cli::profile_test
