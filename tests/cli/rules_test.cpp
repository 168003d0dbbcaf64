// `tileloom rules`: the table in both languages, and files of one's own checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace loom::cli::rules_test {
namespace {

using testing::HasSubstr;

constexpr const char* kRule = R"json({
  "rule": "mine",
  "sentence": {"en": "Rows to blocks.", "zh": "按行分给线程块。"},
  "when": {"block": "elementwise"},
  "lines": ["b = sch.get_block(\"{block}\")", "sch.bind(sch.get_loops(b)[0], \"blockIdx.x\")"]
})json";

TEST(RulesVerb, ListsTheTableInBothLanguages) {
  const Folder folder;
  const Ended said = folder.run({"rules", "--json"});
  EXPECT_EQ(said.status, 0) << said.err;
  const auto rules = objects(said.out);
  ASSERT_GE(rules.size(), 18U);
  EXPECT_EQ(rules.front()["rule"]["number"], "R1");
  for (const auto& one : rules) EXPECT_NE(one["rule"]["sentence"]["en"], one["rule"]["sentence"]["zh"]) << one;
  EXPECT_THAT(folder.run({"rules", "--lang", "zh"}).out, HasSubstr("multi-level tiling 多级分块"));
}

TEST(RulesVerb, ChecksFilesAndSaysWhatIsExpectedWhere) {
  const Folder folder;
  folder.file("good.json", kRule);
  std::string bad = kRule;
  folder.file("bad.json", bad.replace(bad.find("elementwise"), 11, "matmul"));
  EXPECT_THAT(folder.run({"rules", "good.json"}).out, HasSubstr("mine"));
  const Ended said = folder.run({"rules", "bad.json", "good.json"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("bad.json:4:"));
  EXPECT_THAT(said.err, HasSubstr("/when/block: expected any, elementwise, reduction or product"));
  EXPECT_THAT(said.out, HasSubstr("mine")) << "the others go on";
}

}  // namespace
}  // namespace loom::cli::rules_test
