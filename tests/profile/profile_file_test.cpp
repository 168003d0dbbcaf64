#include "core/profile/profile_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/profile/recorded.h"

namespace loom::profile::profile_file_test {
namespace {

using testing::HasSubstr;

ProfileFile file() {
  ProfileFile f;
  f.target = "A \"lesson\"";
  f.date = "2026-11-22";
  f.program = "tileloom 0.1.0";
  f.device = "NVIDIA H200";
  f.driver = "13.0";
  f.compiler = "NVRTC 13.0";
  f.tool = verbatim("ncu 2025.3.1.0");
  f.how = verbatim("second execution");
  f.states = {{"0123456789abcdef", "12 split", {scaleProfile()}}, {"fedcba9876543210", "", {scaleProfile()}}};
  return f;
}

TEST(ProfileFile, IsReadAsItWasWritten) {
  const ProfileFile before = file();
  auto read = readProfiles(writeProfiles(before), "a.json");
  ASSERT_TRUE(read) << read.error().message.english();
  EXPECT_EQ(read->target, before.target);
  EXPECT_EQ(read->date, before.date);
  EXPECT_EQ(read->device, before.device);
  EXPECT_EQ(read->tool, before.tool);
  EXPECT_EQ(read->how, before.how);
  ASSERT_EQ(read->states.size(), 2U);
  EXPECT_EQ(read->states[0].label, "12 split");
  EXPECT_EQ(read->states[0].kernels, before.states[0].kernels);
  EXPECT_EQ(read->find("fedcba9876543210"), &read->states[1]);
  EXPECT_EQ(read->find("x"), nullptr);
  EXPECT_FALSE(read->shipped);
}

TEST(ProfileFile, HasAStateALine) {
  const std::string text = writeProfiles(file());
  const auto at = text.find("{\"source\":\"0123456789abcdef\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(text.find('\n', at) + 1, 13), "  {\"source\":\"");
}

TEST(ProfileFile, ReasonsGoByNameAndUnknownOnesAreOther) {
  std::string text = writeProfiles(file());
  const std::string name = "\"long scoreboard\"";
  text.replace(text.find(name), name.size(), "\"some new reason\"");
  auto read = readProfiles(text, "a.json");
  ASSERT_TRUE(read) << read.error().message.english();
  EXPECT_EQ(read->states[0].kernels[0].total().of(StallReason::kUnknown), 181);
  EXPECT_EQ(read->states[0].kernels[0].total().samples, 367);
}

TEST(ProfileFile, WhatIsNoneIsRefused) {
  for (const char* text : {"", "[]", "{}", "{\"profiles\": 2}", "{\"profiles\": \"one\"}"}) {
    auto read = readProfiles(text, "a.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, "ParseError");
    EXPECT_THAT(read.error().message.english(), HasSubstr("a.json is no file of profiles"));
  }
  std::string cut = writeProfiles(file());
  EXPECT_FALSE(readProfiles(cut.substr(0, cut.size() / 2), "a.json"));
  // A reason beyond the list.
  std::string list = writeProfiles(file());
  list.replace(list.find("\"reasons\""), 9, "\"rosters\"");
  EXPECT_FALSE(readProfiles(list, "a.json"));
}

TEST(ProfileFile, ANewerOrAnOlderOneIsSaidToBe) {
  for (const auto& [version, code] : {std::pair{"3", "NewerVersion"}, {"1", "OlderVersion"}}) {
    std::string text = writeProfiles(file());
    text.replace(text.find("\"profiles\": 2") + 12, 1, version);
    auto read = readProfiles(text, "a.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, code);
  }
}

TEST(ProfileFolder, IsTheUsers) {
  setenv("XDG_DATA_HOME", "/somewhere", 1);
  EXPECT_EQ(profileFolder(), "/somewhere/tileloom/profiles");
  EXPECT_EQ(profileFileName("0123", "NVIDIA H200"), "0123_NVIDIA_H200.json");
}

}  // namespace
}  // namespace loom::profile::profile_file_test
