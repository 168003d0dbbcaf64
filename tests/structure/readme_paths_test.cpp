// Paths that a README names exist.
#include "tests/structure/readme_paths.h"

#include <gtest/gtest.h>

namespace loom::structure::readme_paths_test {
namespace {

TEST(ReadmePaths, Exist) {
  const std::vector<std::string> paths = pathsOfTree(TILELOOM_SOURCE_DIR);
  std::vector<Breach> missing;
  int readmes = 0;
  for (const SourceFile& file : readTree(TILELOOM_SOURCE_DIR)) {
    if (!file.path.ends_with("README.md")) continue;
    ++readmes;
    const std::vector<Breach> found = missingPaths(file, paths);
    missing.insert(missing.end(), found.begin(), found.end());
  }
  EXPECT_GT(readmes, 50);
  EXPECT_TRUE(missing.empty()) << describe(missing);
}

TEST(ReadmePaths, ThatAreWrongAreFound) {
  const std::vector<std::string> paths = {
      "README.md", "app",     "app/ui",         "app/ui/look.h", "app/ui/look.cpp",      "app/panels",
      "core",      "core/ir", "core/ir/expr.h", "tests",         "tests/cases/a.func.py"};
  const auto missing = [&](const char* path, const char* line) { return missingPaths({path, {line}}, paths).size(); };
  // As they stand, in backticks or not.
  EXPECT_EQ(missing("README.md", "See `core/ir/expr.h`, app/ui and `app/panels/`."), 0U);
  EXPECT_EQ(missing("README.md", "See `core/ir/expression.h`."), 1U);
  EXPECT_EQ(missing("core/ir/README.md", "as app/widgets says, ![](app/docs/window.png)"), 2U);
  EXPECT_EQ(missing("app/README.md", "(`ui/look.h`)"), 0U);
  // Names of files: in the folder or beside it, not elsewhere.
  EXPECT_EQ(missing("app/ui/README.md", "`look.h`, `look.{h,cpp}`"), 0U);
  EXPECT_EQ(missing("app/ui/README.md", "`look.{h,vert}` and `gone.h`"), 2U);
  EXPECT_EQ(missing("core/ir/README.md", "`look.h`"), 1U);
  EXPECT_EQ(missing("app/ui/README.md", "`../panels` and `../gone`"), 1U);
  // Patterns.
  EXPECT_EQ(missing("tests/README.md", "`cases/NAME.func.py`, `*.func.py`, `tests/cases/N.func.py`"), 0U);
  EXPECT_EQ(missing("tests/README.md", "`cases/NAME.sched.py`"), 1U);
  // No paths: options, texts, programs, what a program is given.
  EXPECT_EQ(missing("README.md", "`T.exp`, `--size n=1`, `FUNC.py SCHEDULE.py`, either/or, `build/release/tileloom`"),
            0U);
}

}  // namespace
}  // namespace loom::structure::readme_paths_test
