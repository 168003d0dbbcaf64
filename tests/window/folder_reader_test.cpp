#include "app/window/dialogs/folder_reader.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace loom::window::folder_reader_test {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tileloom-folder-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  void keep(const std::string& name) { std::ofstream(folder_ / name) << "x"; }
  std::vector<std::string> names(const std::vector<std::string>& endings) {
    std::vector<std::string> names;
    for (const auto& entry : readFolder(folder_, endings).entries) names.push_back(entry.name);
    return names;
  }
  fs::path folder_;
};

using Names = std::vector<std::string>;

TEST_F(Folder, HasFoldersFirstAndThenWhatEndsAsWanted) {
  for (const char* name : {"b.py", "A.tileloom", "c.txt", ".hidden.py", "a.py", ".py"}) keep(name);
  for (const char* name : {"zoo", "Barn", ".git"}) fs::create_directory(folder_ / name);
  fs::create_directory(folder_ / "folder.py");
  EXPECT_EQ(names({".tileloom", ".py"}), (Names{"Barn/", "folder.py/", "zoo/", "a.py", "A.tileloom", "b.py"}));
  EXPECT_EQ(names({}), (Names{"Barn/", "folder.py/", "zoo/", "a.py", "A.tileloom", "b.py", "c.txt"}));
}

TEST_F(Folder, LeavesOutWhatIsNeitherAFileNorAFolder) {
  fs::create_symlink(folder_ / "nowhere", folder_ / "broken.py");
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  EXPECT_EQ(names({".py"}), (Names{"link/", "real/"}));
}

TEST_F(Folder, SaysWhenAFileWasChanged) {
  keep("a.py");
  const auto entries = readFolder(folder_, {".py"}).entries;
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].changed.size(), std::string("2000-00-00 00:00").size());
  EXPECT_EQ(entries[0].changed, timeOfFile(folder_ / "a.py"));
  EXPECT_EQ(timeOfFile(folder_ / "nowhere"), "");
}

TEST_F(Folder, ThatIsNoneSaysWhy) {
  EXPECT_FALSE(readFolder(folder_ / "nowhere", {}).problem.empty());
  keep("file");
  EXPECT_FALSE(readFolder(folder_ / "file", {}).problem.empty());
  EXPECT_TRUE(readFolder(folder_, {}).problem.empty());
}

TEST_F(Folder, OfVeryManyFilesSaysHowManyAreLeftOut) {
  for (int i = 0; i < 2100; ++i) keep(std::to_string(i) + ".py");
  const FolderContents contents = readFolder(folder_, {".py"});
  EXPECT_EQ(contents.more + int(contents.entries.size()), 2100);
  EXPECT_GT(contents.more, 0);
}

}  // namespace
}  // namespace loom::window::folder_reader_test
