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

/// Returns the paths, relative to `root`, of all files and folders below it, in no order. Left out are, with all that
/// is in them, the folder `build` of the root, folders named `__pycache__`, and those whose name begins with a dot,
/// except for `.ci` of the root.
std::vector<std::string> pathsOfTree(const std::filesystem::path& root);

/// Reads the files among `pathsOfTree` that are text by their ending (source code, Markdown, JSON, …, or no ending),
/// and returns them by path in ascending order. Throws std::filesystem::filesystem_error without a folder `root`.
std::vector<SourceFile> readTree(const std::filesystem::path& root);

/// A place that breaks a rule of the repository.
struct Breach {
  std::string path;
  int line = 0;      ///< from 1; 0: the breach is about the whole file
  std::string what;  ///< what is wrong, for the test to print
};

/// Returns breaches as text, "PATH:LINE: WHAT", or "PATH: WHAT" about a whole file, one a line; "" if there are none.
std::string describe(const std::vector<Breach>& breaches);

/// Returns the room (the layer of the program) of a path: `core/ir/expr.h` → "ir", `app/cli/verb.h` → "app". Returns
/// nothing for paths outside of rooms of core and app.
std::optional<std::string> roomOf(const std::string& path);

/// Returns whether a file of room `from` may include one of room `to`: of its own room, or of one that stands before it
/// in the list ir, arith, layout, script, intrin, schedule, notebook, device, lower, codegen, process, compile, exec,
/// sass, model, gpu, profile, document, tune, app, except that `model` and `sass` may not include `exec`. False for
/// unknown rooms.
bool mayInclude(const std::string& from, const std::string& to);

/// Returns the places of includes that break a rule, in a source file of core or app (none for other files). Not
/// allowed are:
/// - those that `mayInclude` forbids, that include a test, or that name a file of the project by another path than from
///   the root;
/// - in a file of words (all of app/text, and each words.h in app, which have the GUI's phrases): includes of any
///   file of the project that is neither one of words nor core/ir/message.h;
/// - in a file that is built without a window (app/text, session, notation, report, cli, the folders `view` of panels,
///   and each words.h): includes of a file of app that isn't built so.
std::vector<Breach> includeBreaches(const SourceFile& file);

/// Returns the places of texts that may not be committed: paths of one machine, hosts of package registries.
std::vector<Breach> forbiddenTexts(const SourceFile& file);

/// Returns the places of Chinese words for which the list of terms of app/text/README.md, which is built in here, has
/// another word, in the GUI's phrases (words.h), the schedule primitives' help and the lessons. Empty for other files,
/// as the two functions below.
std::vector<Breach> termBreaches(const SourceFile& file);

/// Returns the phrases of the GUI about work in progress that aren't punctuated like "Opening…" and "正在打开……".
std::vector<Breach> ellipsisBreaches(const SourceFile& file);

/// Returns the string literals of app/ that mix placeholders with and without numbers ("{}: {1}"). Formatting such a
/// text throws, but only once it is drawn in that language.
std::vector<Breach> placeholderBreaches(const SourceFile& file);

bool isCode(const std::string& path);    ///< returns whether the path ends in .h or .cpp
bool isOracle(const std::string& path);  ///< returns whether it is under tests/oracle, which may have long files

}  // namespace loom::structure
