#include "core/process/home.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace loom::process::home_test {
namespace {

// Sets a variable, or takes it away, until the test's end.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(HomeFolder, IsWhatTheVariableSays) {
  const Variable home("HOME", "/some/where");
  EXPECT_EQ(homeFolder(), std::filesystem::path("/some/where"));
}

TEST(HomeFolder, WithoutTheVariableIsTheUsersOwn) {
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const Variable home("HOME", value);
    const auto folder = homeFolder();
    if (folder) {
      EXPECT_TRUE(folder->is_absolute());
    }
  }
}

TEST(UserFolder, IsWhereTheVariableSaysAbsolutelyElseUnderHome) {
  const Variable home("HOME", "/some/where");
  {
    const Variable data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(userFolder("XDG_DATA_HOME", ".local/share"), std::filesystem::path("/data/tileloom"));
  }
  for (const char* value : {static_cast<const char*>(nullptr), "", "rel", "./rel"}) {
    const Variable data("XDG_DATA_HOME", value);
    EXPECT_EQ(userFolder("XDG_DATA_HOME", ".local/share"), std::filesystem::path("/some/where/.local/share/tileloom"));
  }
}

}  // namespace
}  // namespace loom::process::home_test
