#include "tests/structure/unused_texts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace loom::structure {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view wordAt(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && isWord(line[end])) ++end;
  return line.substr(at, end - at);
}

std::string_view wordBefore(std::string_view line, std::size_t end) {
  std::size_t at = end;
  while (at > 0 && isWord(line[at - 1])) --at;
  return line.substr(at, end - at);
}

// "binding" of "namespace loom::text::binding {" or of "namespace words = text::binding;"; empty for other lines.
std::string areaOf(std::string_view line) {
  constexpr std::string_view kText = "text::";
  const std::size_t at = line.find(kText);
  return line.substr(std::min(line.size(), line.find_first_not_of(' '))).starts_with("namespace ") &&
                 at != std::string_view::npos
             ? std::string(wordAt(line, at + kText.size()))
             : std::string();
}

using Name = std::pair<std::string, std::string>;  // area and name

// Of one file: the texts that it declares, with their lines, and what it names.
class Texts {
 public:
  explicit Texts(const SourceFile& file) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string_view line = std::string_view(file.lines[i]).substr(0, file.lines[i].find("//"));
      if (const std::string area = areaOf(line); !area.empty()) {
        const std::size_t equals = line.find(" = ");
        if (equals == std::string_view::npos) {
          own_ = area;
        } else {
          (line.front() == ' ' ? ofFunction_ : aliases_)[std::string(wordBefore(line, equals))] = area;
        }
      }
      if (line.starts_with("}")) ofFunction_.clear();
      read(line, int(i) + 1);
    }
  }
  const std::map<Name, int>& declared() const { return declared_; }
  const std::set<Name>& named() const { return named_; }

 private:
  void read(std::string_view line, int number) {
    constexpr std::string_view kDeclares = "inline constexpr Text ";
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line[at] != 'k' || (at > 0 && isWord(line[at - 1]))) continue;
      const std::string name(wordAt(line, at));
      if (at >= 2 && line.substr(at - 2, 2) == "::") {
        const std::string before(wordBefore(line, at - 2));
        named_.emplace(meantBy(before), name);
      } else if (own_.empty()) {
        continue;
      } else if (line.substr(0, at) == kDeclares) {
        declared_.emplace(Name(own_, name), number);
      } else {
        named_.emplace(own_, name);
      }
    }
  }

  std::string meantBy(const std::string& qualifier) const {
    for (const auto* aliases : {&ofFunction_, &aliases_})
      if (const auto found = aliases->find(qualifier); found != aliases->end()) return found->second;
    return qualifier;
  }

  std::string own_;  // the area of the namespace that the file is in; empty: none
  std::map<std::string, std::string> aliases_, ofFunction_;  // areas by alias: of the file; of a function of it
  std::map<Name, int> declared_;
  std::set<Name> named_;
};

}  // namespace

std::vector<Breach> unusedTexts(const std::vector<SourceFile>& tree) {
  std::vector<std::pair<const SourceFile*, Texts>> files;
  std::set<Name> named;
  for (const SourceFile& file : tree) {
    if (!file.path.starts_with("app/") || !isCode(file.path)) continue;
    files.emplace_back(&file, Texts(file));
    named.insert(files.back().second.named().begin(), files.back().second.named().end());
  }
  std::vector<Breach> unused;
  for (const auto& [file, texts] : files)
    for (const auto& [text, line] : texts.declared())
      if (!named.contains(text)) unused.push_back({file->path, line, "nothing shows the text " + text.second});
  return unused;
}

}  // namespace loom::structure
