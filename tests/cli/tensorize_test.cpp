// `tileloom tensorize`: the four passes to tensor cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::cli::tensorize_test {
namespace {

using testing::HasSubstr;

TEST(TensorizeVerb, SaysAndWritesTheScheduleThatReplays) {
  const Folder folder;
  folder.file("f.py", tests::programText("transposed_product", {{"M", 64}, {"N", 64}, {"K", 64}}));
  const Ended said = folder.run({"tensorize", "f.py", "--json"});
  EXPECT_EQ(said.status, 0) << said.err;
  const auto passes = objects(said.out);
  ASSERT_EQ(passes.size(), 4U);
  for (const auto& pass : passes) EXPECT_TRUE(pass["ok"]) << pass;
  EXPECT_EQ(passes[1]["operands"][1]["major"], "col");
  EXPECT_EQ(folder.run({"tensorize", "f.py", "-o", "s.py", "--model", "t4"}).status, 0);
  EXPECT_THAT(folder.run({"replay", "f.py", "s.py"}).out, HasSubstr("T.tvm_mma_sync("));
}

TEST(TensorizeVerb, TakesFromThePerformanceList) {
  const Folder folder;
  folder.file("f.py", tests::programText("transposed_product", {{"M", 64}, {"N", 64}, {"K", 64}}));
  const Ended said = folder.run({"tensorize", "f.py", "--tile", "32x8x16", "--model", "a100_80", "--json", "--with",
                                 "storage_align,double_buffer", "-o", "s.py"});
  EXPECT_EQ(said.status, 0) << said.err;
  const auto rows = objects(said.out);
  ASSERT_EQ(rows.size(), 4U + 5U);
  for (const auto& row : rows) {
    if (!row.contains("speedup") || (row["speedup"] != "storage_align" && row["speedup"] != "double_buffer")) continue;
    EXPECT_TRUE(row["done"]) << row;
  }
  const std::string text = folder.run({"replay", "f.py", "s.py"}).out;
  EXPECT_THAT(text, HasSubstr("software_pipeline_stage"));
  EXPECT_THAT(text, HasSubstr("buffer_dim_align"));
  EXPECT_EQ(folder.run({"tensorize", "f.py", "--with", "magic"}).status, 64);
}

TEST(TensorizeVerb, EndsWithTheRefusalOfAPass) {
  const Folder folder;
  folder.file("f.py", product());  // of float32
  const Ended said = folder.run({"tensorize", "f.py", "-o", "s.py"});
  EXPECT_EQ(said.status, 3);
  EXPECT_THAT(said.out, HasSubstr("✗ Types of the operands"));
  EXPECT_EQ(folder.run({"replay", "f.py", "s.py"}).status, 2) << "nothing is written";
  EXPECT_THAT(folder.run({"tensorize", "f.py", "--lang", "zh"}).out, HasSubstr("允许 tf32"));
  EXPECT_EQ(folder.run({"tensorize", "f.py", "--tile", "7x7x7"}).status, 64);
}

TEST(TensorizeVerb, SaysWhyTheEndIsNoKernel) {
  const Folder folder;
  folder.file("f.py", tests::programText("rows_that_lie_apart", {{"ROW", 65}}));
  const Ended apart = folder.run({"tensorize", "f.py"});
  EXPECT_EQ(apart.status, 3);
  EXPECT_THAT(apart.out, HasSubstr("✗ No kernel: The steps make no kernel: block "));
  EXPECT_THAT(apart.out, HasSubstr("rows of C that lie 65 elements apart"));
  EXPECT_EQ(apart.err, "");
}

TEST(TensorizeVerb, MultipliesFloatsAsTf32WhereThatIsAllowed) {
  const Folder folder;
  folder.file("f.py", tests::programText("product_of_type", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float32"}}));
  EXPECT_EQ(folder.run({"tensorize", "f.py", "--allow-tf32", "-o", "s.py"}).status, 0);
  EXPECT_THAT(folder.run({"replay", "f.py", "s.py"}).out, HasSubstr("T.tvm_mma_sync("));
}

}  // namespace
}  // namespace loom::cli::tensorize_test
