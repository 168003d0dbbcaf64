#include "app/window/background_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/gui/script.h"

namespace loom::window::background_writer_test {
namespace {

class Writer : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tileloom-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(Writer, WritesInOrderAndMakesFolders) {
  {
    BackgroundWriter writer([] {});
    writer.write(folder_ / "a" / "b.txt", std::string("old"));
    writer.write(folder_ / "a" / "b.txt", std::string("new"));
  }
  EXPECT_EQ(contents(folder_ / "a" / "b.txt"), "new");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a" / "b.txt.tmp"));
}

TEST_F(Writer, ReportsWhatCannotBeWrittenAndKeepsTheOldFile) {
  ASSERT_EQ(writeWhole(folder_ / "file", "old"), "");
  EXPECT_NE(writeWhole(folder_ / "file" / "below", "x"), "");
  EXPECT_NE(writeWhole("/proc/nowhere/file", "x"), "");
  EXPECT_EQ(contents(folder_ / "file"), "old");
}

}  // namespace
}  // namespace loom::window::background_writer_test
