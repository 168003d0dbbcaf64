#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/structure/source_tree.h"

namespace loom::structure::structure_test {
namespace {

const std::vector<SourceFile>& tree() {
  static const std::vector<SourceFile> files = readTree(TILELOOM_SOURCE_DIR);
  return files;
}

template <typename Check>
std::vector<Breach> everywhere(Check check) {
  std::vector<Breach> all;
  for (const SourceFile& file : tree()) {
    const std::vector<Breach> found = check(file);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

TEST(Includes, PointDownwardOnly) {
  const auto breaches = everywhere(includeBreaches);
  EXPECT_TRUE(breaches.empty()) << describe(breaches);
}

TEST(Includes, UpwardIsFound) {
  const SourceFile file{"core/arith/simplify.h", {"#pragma once", "#include \"core/script/print.h\""}};
  ASSERT_EQ(includeBreaches(file).size(), 1U);
  EXPECT_EQ(includeBreaches(file)[0].line, 2);
}

TEST(Includes, SidewaysIsFound) {
  EXPECT_FALSE(mayInclude("model", "exec"));
  EXPECT_FALSE(mayInclude("exec", "model"));
  EXPECT_TRUE(mayInclude("gpu", "exec"));
}

TEST(Includes, OfTheProgramFromTheEngineAreFound) {
  EXPECT_EQ(includeBreaches({"core/document/job.cpp", {"#include \"app/text/text.h\""}}).size(), 1U);
  EXPECT_EQ(includeBreaches({"app/cli/steps.cpp", {"#include \"app/window/open.h\""}}).size(), 1U);
  EXPECT_EQ(includeBreaches({"app/report/svg.h", {"#include \"app/ui/palette.h\""}}).size(), 1U);
  EXPECT_EQ(includeBreaches({"app/cli/export.cpp", {"#include \"app/report/report.h\""}}).size(), 0U);
  EXPECT_EQ(includeBreaches({"core/ir/expr.cpp", {"#include \"expr.h\""}}).size(), 1U);
  EXPECT_EQ(includeBreaches({"core/ir/expr.cpp", {"#include \"tests/ir/build.h\""}}).size(), 1U);
}

TEST(Includes, OfUnknownRoomsAreFound) { EXPECT_FALSE(mayInclude("app", "utils")); }

TEST(Files, AreShort) {
  std::vector<Breach> breaches;
  std::vector<std::size_t> lengths;
  for (const SourceFile& file : tree()) {
    const bool counts = roomOf(file.path) || file.path.rfind("tests/", 0) == 0 || file.path.rfind("shaders/", 0) == 0;
    if (!counts || isOracle(file.path)) {
      continue;
    }
    if (isCode(file.path)) {
      lengths.push_back(file.lines.size());
    }
    const bool data = file.path.ends_with(".json") || file.path.ends_with(".txt") || file.path.ends_with(".csv");
    if (file.lines.size() > 800 && !data) {
      breaches.push_back({file.path, 0, std::to_string(file.lines.size()) + " lines, more than 800"});
    }
  }
  EXPECT_TRUE(breaches.empty()) << describe(breaches);
  ASSERT_FALSE(lengths.empty());
  std::sort(lengths.begin(), lengths.end());
  EXPECT_LT(lengths[lengths.size() / 2], 200U) << "the median file";
  const auto over = std::count_if(lengths.begin(), lengths.end(), [](std::size_t lines) { return lines > 400; });
  EXPECT_LT(static_cast<std::size_t>(over) * 10, lengths.size()) << "most files stay under 400 lines";
}

TEST(Files, HoldNoMachinePathsOrRegistryHosts) {
  const auto breaches = everywhere(forbiddenTexts);
  EXPECT_TRUE(breaches.empty()) << describe(breaches);
}

TEST(Files, MachinePathIsFound) {
  EXPECT_EQ(forbiddenTexts({"core/ir/expr.cpp", {std::string("// see /wo") + "rk/notes"}}).size(), 1U);
  EXPECT_EQ(forbiddenTexts({"app/install", {std::string("pip install -i https://py") + "pi.org/simple"}}).size(), 1U);
}

TEST(Terms, OneThingHasOneChineseWord) {
  const auto breaches = everywhere(termBreaches);
  EXPECT_TRUE(breaches.empty()) << describe(breaches);
}

TEST(Terms, AnotherWordIsFound) {
  EXPECT_EQ(
      termBreaches({"app/panels/step/words.h", {"{\"Blocks\", \"块\"}", "{\"blocks\", \"线程块与计算块、分块\"}"}})
          .size(),
      1U);
  EXPECT_EQ(termBreaches({"assets/lessons/x/zh.md", {"软件流水线让执行管线不空闲", "张量流水线"}}).size(), 1U);
  EXPECT_EQ(termBreaches({"core/schedule/annotation_keys.cpp", {"\"一个多处理器\"", "\"流式多处理器（SM）\""}}).size(),
            1U);
  EXPECT_EQ(termBreaches({"tests/text/text_test.cpp", {"\"载入\""}}).size(), 0U);
}

TEST(Texts, WhatGoesOnEndsAlike) {
  const auto breaches = everywhere(ellipsisBreaches);
  EXPECT_TRUE(breaches.empty()) << describe(breaches);
  const char* const kFile = "app/panels/step/words.h";
  EXPECT_EQ(ellipsisBreaches({kFile, {"{\"Opening …\", \"正在打开……\"}"}}).size(), 1U);
  EXPECT_EQ(ellipsisBreaches({kFile, {"{\"Opening…\", \"正在打开…\"}"}}).size(), 1U);
  EXPECT_EQ(ellipsisBreaches({kFile, {"{\"Edit…\", \"修改…\"}"}}).size(), 0U);
}

TEST(Texts, NumberAllPlacesOfArgumentsOrNone) {
  const auto breaches = everywhere(placeholderBreaches);
  EXPECT_TRUE(breaches.empty()) << describe(breaches);
  EXPECT_EQ(placeholderBreaches({"app/panels/step/words.h", {"{\"{}: {} on {}\", \"{}：在 {2} 上 {1}\"}"}}).size(), 1U);
  EXPECT_EQ(placeholderBreaches({"app/panels/step/words.h", {"{\"{}\", \"{0}：{1:.1f}\"}"}}).size(), 0U);
}

// Folders that hold one thing of many alike (a lesson, a golden case) are described by the folder around them.
bool isOneOfMany(const std::string& folder) {
  static const std::vector<std::string> kCollections = {"tests/oracle/cases", "assets/lessons/", "app/panels/",
                                                        "tests/panels/"};
  return folder.find("/golden") != std::string::npos ||
         std::any_of(kCollections.begin(), kCollections.end(),
                     [&](const std::string& collection) { return folder.rfind(collection, 0) == 0; });
}

// Some words beside a title.
bool holdsAParagraph(const SourceFile& file) {
  std::size_t characters = 0;
  for (const std::string& line : file.lines) {
    characters += line.rfind("#", 0) == 0 ? 0 : line.size();
  }
  return characters >= 60;
}

TEST(Folders, TitleAloneIsNoParagraph) { EXPECT_FALSE(holdsAParagraph({"core/ir/README.md", {"# core/ir", ""}})); }

TEST(Folders, EachHasItsReadme) {
  std::set<std::string> folders;
  std::set<std::string> described;
  for (const SourceFile& file : tree()) {
    const auto end = file.path.rfind('/');
    if (end == std::string::npos || file.path.front() == '.') {
      continue;
    }
    const std::string folder = file.path.substr(0, end);
    if (!isOneOfMany(folder)) {
      folders.insert(folder);
    }
    if (file.path.ends_with("/README.md") && holdsAParagraph(file)) {
      described.insert(folder);
    }
  }
  EXPECT_THAT(folders, testing::IsSubsetOf(described)) << "a folder lacks the README paragraph that says what is in it";
}

// A formatter for code that was let loose on a text leaves "#core / ir".
TEST(Folders, ReadmesBeginWithATitle) {
  for (const SourceFile& file : tree()) {
    if (!file.path.ends_with("README.md")) continue;
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_TRUE(file.lines.front().starts_with("# ")) << file.path << ": " << file.lines.front();
  }
}

TEST(Root, HoldsWhatTheDesignNames) {
  const std::set<std::string> allowed = {
      "app",    "core", "shaders", "assets", "tests", "build", "CMakeLists.txt", "README.md", "CMakePresets.json",
      "LICENSE"};
  for (const auto& entry : std::filesystem::directory_iterator(TILELOOM_SOURCE_DIR)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name.front() == '.' || allowed.count(name) != 0) << name << " does not belong in the root";
  }
}

TEST(Readme, IsShort) {
  for (const SourceFile& file : tree()) {
    if (file.path == "README.md") {
      EXPECT_LE(file.lines.size(), 120U);
      return;
    }
  }
  FAIL() << "there is no README.md";
}

TEST(Scripts, AreExecutable) {
  for (const char* script : {"app/run", "app/install", "tests/run", ".ci/run", "tests/oracle/setup"}) {
    const auto status = std::filesystem::status(std::filesystem::path(TILELOOM_SOURCE_DIR) / script);
    EXPECT_NE(status.permissions() & std::filesystem::perms::owner_exec, std::filesystem::perms::none) << script;
  }
}

}  // namespace
}  // namespace loom::structure::structure_test
