// Several small files in one text, as input of a fuzzer: each begins with a line "=== NAME".
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace loom::fuzz {

// Returns the content of each file by its name; text before the first name is dropped. Of two files of one name, the
// contents are joined.
inline std::map<std::string, std::string> unpack(std::string_view text) {
  constexpr std::string_view kMark = "=== ";
  std::map<std::string, std::string> files;
  std::string* current = nullptr;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    text.remove_prefix(line.size());
    if (line.starts_with(kMark)) {
      std::string name(line.substr(kMark.size()));
      while (!name.empty() && (name.back() == '\n' || name.back() == '\r')) name.pop_back();
      current = &files[name];
    } else if (current) {
      *current += line;
    }
  }
  return files;
}

}  // namespace loom::fuzz
