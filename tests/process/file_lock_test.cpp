#include "core/process/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace loom::process::file_lock_test {
namespace {

class FileLocks : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "lockXXXXXX";
    folder = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

TEST_F(FileLocks, BelongToOneUntilItEnds) {
  auto first = FileLock::take(folder / "a.lock");
  ASSERT_TRUE(first);
  EXPECT_FALSE(FileLock::take(folder / "a.lock"));
  EXPECT_TRUE(FileLock::isTaken(folder / "a.lock"));
  EXPECT_TRUE(FileLock::take(folder / "b.lock"));
  EXPECT_FALSE(FileLock::isTaken(folder / "b.lock"));
  EXPECT_FALSE(FileLock::isTaken(folder / "c.lock"));
  EXPECT_FALSE(std::filesystem::exists(folder / "c.lock"));
  FileLock moved = std::move(*first);
  first.reset();
  EXPECT_FALSE(FileLock::take(folder / "a.lock"));
  { const FileLock last = std::move(moved); }
  EXPECT_TRUE(FileLock::take(folder / "a.lock"));
}

TEST_F(FileLocks, OfAProcessThatIsGoneAreFree) {
  const pid_t child = fork();
  if (child == 0) {
    auto lock = FileLock::take(folder / "a.lock");
    _exit(lock ? 0 : 1);  // without a destructor
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(FileLock::take(folder / "a.lock"));
}

TEST_F(FileLocks, NeedAFolder) { EXPECT_FALSE(FileLock::take(folder / "none" / "a.lock")); }

}  // namespace
}  // namespace loom::process::file_lock_test
