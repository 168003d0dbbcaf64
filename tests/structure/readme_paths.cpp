#include "tests/structure/readme_paths.h"

#include <fnmatch.h>

#include <algorithm>
#include <regex>

namespace loom::structure {
namespace {

// A word in capitals stands for any name; those that are names of files stay.
std::string withoutPlaceholders(const std::string& word) {
  static const std::regex kCapitals("\\b(?!README\\b|LICENSE\\b)[A-Z][A-Z_]*\\b");
  return std::regex_replace(word, kCapitals, "*");
}

// "a.{h,cpp}" → "a.h", "a.cpp".
std::vector<std::string> alternatives(const std::string& word) {
  const auto open = word.find('{');
  const auto close = word.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {word};
  std::vector<std::string> all;
  for (auto from = open + 1; from <= close;) {
    const auto end = std::min(word.find(',', from), close);
    all.push_back(word.substr(0, open) + word.substr(from, end - from) + word.substr(close + 1));
    from = end + 1;
  }
  return all;
}

bool isThere(const std::string& pattern, const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
  });
}

// Some path beneath `folder` (with its "/" at the end; empty: the root) is `name` or ends in "/" and `name`.
bool isBeneath(const std::string& folder, const std::string& name, const std::vector<std::string>& paths) {
  const auto depth = std::count(name.begin(), name.end(), '/') + 1;
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    if (!path.starts_with(folder)) return false;
    std::size_t start = path.size();
    for (auto names = depth; names > 0 && start != std::string::npos; --names) {
      start = start == 0 ? std::string::npos : path.rfind('/', start - 1);
      if (start == std::string::npos && names > 1) return false;
    }
    const std::string end = start == std::string::npos ? path : path.substr(start + 1);
    return end.size() + folder.size() <= path.size() && fnmatch(name.c_str(), end.c_str(), FNM_PATHNAME) == 0;
  });
}

// "tests/fuzz/" → "tests/"; of the root itself the root.
std::string folderAround(const std::string& folder) {
  return folder.empty() ? "" : folder.substr(0, folder.find_last_of('/', folder.size() - 2) + 1);
}

}  // namespace

std::vector<Breach> missingPaths(const SourceFile& readme, const std::vector<std::string>& paths) {
  static const std::regex kWord("[A-Za-z0-9_.*{},/-]+");
  static const std::regex kRooted("(core|app|assets|shaders|tests)/.+");
  static const std::regex kFile(R"(.*[A-Za-z0-9_*]\.(h|cpp|py|md|txt|json|csv|sass|vert|frag|cmake))");
  const std::string folder = readme.path.substr(0, readme.path.find_last_of('/') + 1);
  std::vector<Breach> missing;
  for (std::size_t i = 0; i < readme.lines.size(); ++i) {
    const std::string& line = readme.lines[i];
    for (auto at = std::sregex_iterator(line.begin(), line.end(), kWord); at != std::sregex_iterator(); ++at) {
      const auto start = static_cast<std::size_t>(at->position());
      const auto end = start + static_cast<std::size_t>(at->length());
      std::string word = at->str();
      while (!word.empty() && std::string_view("./,-").find(word.back()) != std::string_view::npos) word.pop_back();
      const bool isQuoted = start > 0 && line[start - 1] == '`' && end < line.size() && line[end] == '`';
      const bool isRooted = std::regex_match(word, kRooted) && (start == 0 || line[start - 1] != '/');
      for (const std::string& name : alternatives(withoutPlaceholders(word))) {
        bool found = true;
        if (isRooted) {
          found = isThere(name, paths);
        } else if (isQuoted && name.starts_with("../")) {
          found = isThere(folderAround(folder) + name.substr(3), paths);
        } else if (isQuoted && std::regex_match(name, kFile)) {
          found = isBeneath(folderAround(folder), name, paths);
        }
        if (!found)
          missing.push_back({readme.path, static_cast<int>(i) + 1, "names a path that is not there: " + name});
      }
    }
  }
  return missing;
}

}  // namespace loom::structure
