#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loom::structure {

/// A text file of the repository: its path from the root, with `/`, and its lines without line breaks.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;
};

/// Returns the paths, relative to `root`, of all files and folders below it, except for the folders `build`,
/// `__pycache__` and those whose name begins with a dot (but `.ci` is included), with their contents.
std::vector<std::string> pathsOfTree(const std::filesystem::path& root);

/// Reads the files among `pathsOfTree` that are text by their ending (source code, Markdown, JSON, …, or no ending),
/// and returns them by path in ascending order.
std::vector<SourceFile> readTree(const std::filesystem::path& root);

/// A place that breaks a rule of the repository.
struct Breach {
  std::string path;
  int line = 0;      ///< from 1; 0: the breach is about the whole file
  std::string what;  ///< what is wrong, for the test to print
};

/// Returns breaches as text, "PATH:LINE: WHAT", one a line; "" if there are none.
std::string describe(const std::vector<Breach>& breaches);

/// Returns the room (the layer of the program) of a path: `core/ir/expr.h` → "ir", `app/cli/verb.h` → "app". Returns
/// nothing for paths outside of rooms of core and app.
std::optional<std::string> roomOf(const std::string& path);

/// Returns whether a file of room `from` may include one of room `to`: its own room or a lower one, except that `model`
/// and `sass` may not include `exec`. False for unknown rooms.
bool mayInclude(const std::string& from, const std::string& to);

/// Returns the includes of a source file of core or app that break the order of rooms, name a file of the project by
/// another path than from the root, or include a test; those of words that aren't words or messages; and those of
/// windowless parts (cli, report, session, …) that need the window.
std::vector<Breach> includeBreaches(const SourceFile& file);

/// Returns the places of texts that may not be committed: paths of one machine, hosts of package registries.
std::vector<Breach> forbiddenTexts(const SourceFile& file);

/// Returns the places of Chinese words for which the list of terms in app/text/README.md has another word, in the GUI's
/// phrases (words.h), the schedule primitives' help and the lessons.
std::vector<Breach> termBreaches(const SourceFile& file);

/// Returns the phrases of the GUI about work in progress that aren't punctuated like "Opening…" and "正在打开……".
std::vector<Breach> ellipsisBreaches(const SourceFile& file);

/// Returns the string literals of app/ that mix placeholders with and without numbers ("{}: {1}"). Formatting such a
/// text throws, but only once it is drawn in that language.
std::vector<Breach> placeholderBreaches(const SourceFile& file);

bool isCode(const std::string& path);    ///< returns whether the path ends in .h or .cpp
bool isOracle(const std::string& path);  ///< returns whether it is under tests/oracle, which may have long files

}  // namespace loom::structure
