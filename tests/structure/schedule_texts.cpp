#include "tests/structure/schedule_texts.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace loom::structure {
namespace {

// Literals that stand side by side, as one text: as it is written, without the quotes.
struct Literal {
  std::string text;
  std::size_t begin = 0;  // of the first quote
};

std::size_t past(const std::string& code, const std::string& end, std::size_t from) {
  const std::size_t found = code.find(end, from);
  return found == std::string::npos ? code.size() : found + end.size();
}

// The end of a literal or a character that begins with the quote at `at`.
std::size_t endOfQuoted(const std::string& code, std::size_t at) {
  const char quote = code[at];
  for (++at; at < code.size() && code[at] != quote; ++at) at += code[at] == '\\';
  return std::min(at + 1, code.size());
}

std::vector<Literal> literalsOf(const std::string& code) {
  std::vector<Literal> all;
  bool beside = false;  // a literal would go on with the last one
  for (std::size_t at = 0; at < code.size();) {
    if (code.compare(at, 2, "//") == 0) {
      at = past(code, "\n", at);
    } else if (code.compare(at, 2, "R\"") == 0) {
      const std::size_t open = std::min(code.find('(', at), code.size());
      at = past(code, ")" + code.substr(at + 2, open - at - 2) + "\"", open);
      beside = false;
    } else if (code[at] == '"') {
      const std::size_t end = endOfQuoted(code, at);
      if (!beside) all.push_back({"", at});
      all.back().text += code.substr(at + 1, end - at - 2);
      beside = true;
      at = end;
    } else if (code[at] == '\'' && (at == 0 || std::isalnum(static_cast<unsigned char>(code[at - 1])) == 0)) {
      at = endOfQuoted(code, at);
      beside = false;
    } else {
      beside = beside && std::isspace(static_cast<unsigned char>(code[at])) != 0;
      ++at;
    }
  }
  return all;
}

int endsOfLines(const std::string& text) {
  int n = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '\\') continue;
    n += text[at + 1] == 'n';
    ++at;
  }
  return n;
}

}  // namespace

std::vector<Breach> scheduleTextBreaches(const SourceFile& file) {
  const bool reader = file.path.rfind("tests/script/", 0) == 0;
  if (file.path.rfind("tests/", 0) != 0 || !isCode(file.path) || reader) return {};
  std::string code;
  for (const std::string& line : file.lines) code += line + "\n";
  std::vector<Breach> breaches;
  for (const Literal& literal : literalsOf(code)) {
    static constexpr std::array kMarks = {"sch.", "T.block(", "@T.prim_func"};
    const bool ofTvm = std::any_of(kMarks.begin(), kMarks.end(),
                                   [&](const char* mark) { return literal.text.find(mark) != std::string::npos; });
    if (!ofTvm || endsOfLines(literal.text) <= 2) continue;
    const auto line = std::count(code.begin(), code.begin() + std::ptrdiff_t(literal.begin), '\n') + 1;
    breaches.push_back({file.path, static_cast<int>(line), "a schedule or program of more than two lines is a file"});
  }
  return breaches;
}

}  // namespace loom::structure
