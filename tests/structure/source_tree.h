#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loom::structure {

/// A text file of the repository: its path from the root, with `/`, and its lines without their ends.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;
};

/// Returns the paths from `root` of all files and folders of the tree, without `build`, what Python compiled and
/// folders that begin with a dot (`.ci` apart).
std::vector<std::string> pathsOfTree(const std::filesystem::path& root);

/// All text files that git would keep, read from the tree: everything but dot-folders, `build` and what no text editor
/// would open. The dot-files and `.ci` of the root are among them.
std::vector<SourceFile> readTree(const std::filesystem::path& root);

/// A rule that is broken, where, and how: what a test prints.
struct Breach {
  std::string path;
  int line = 0;
  std::string what;
};

std::string describe(const std::vector<Breach>& breaches);

/// The room of a path: `core/ir/expr.h` → "ir", `app/cli/verb.h` → "app". None outside core and app.
std::optional<std::string> roomOf(const std::string& path);

/// Whether a file of room `from` may include one of room `to`: rooms include downward only.
bool mayInclude(const std::string& from, const std::string& to);

/// Includes that point upward or sideways, or that name a file of the project by another path than from the root.
std::vector<Breach> includeBreaches(const SourceFile& file);

/// Texts that may not be committed: paths of one machine, hosts of package registries.
std::vector<Breach> forbiddenTexts(const SourceFile& file);

/// Chinese words that the list of terms in app/text/README.md has another word for: in the window's words, the
/// primitives' and the lessons'.
std::vector<Breach> termBreaches(const SourceFile& file);

/// Words that say that something goes on otherwise than "Opening…" and "正在打开……" do.
std::vector<Breach> ellipsisBreaches(const SourceFile& file);

/// Texts of app/ in which some places of arguments have numbers and some don't ("{}: {1}"): to format them is an error,
/// which shows only where that text is drawn, in that language.
std::vector<Breach> placeholderBreaches(const SourceFile& file);

bool isCode(const std::string& path);    ///< .h or .cpp
bool isOracle(const std::string& path);  ///< under tests/oracle, exempt from the size rule

}  // namespace loom::structure
