#include "core/notebook/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "core/script/python_ast.h"

namespace loom::notebook {
namespace {

using script::NodeKind;
using script::StatementKind;

bool isWordPart(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool isBlank(std::string_view line) { return line.find_first_not_of(" \t\r\f") == std::string_view::npos; }
std::size_t indentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

bool isKeyword(std::string_view word) {
  static const std::set<std::string_view> kWords = {
      "and",   "as",     "assert",   "async", "await", "class",    "def",   "del",    "elif",
      "else",  "except", "finally",  "for",   "from",  "global",   "if",    "import", "in",
      "is",    "lambda", "nonlocal", "not",   "or",    "pass",     "raise", "return", "try",
      "while", "with",   "yield",    "print", "break", "continue", "None",  "True",   "False"};
  return kWords.contains(word);
}

// Whether strings and brackets are open at the end of a line, and what of it is neither text in quotes nor a comment.
struct Scanner {
  int depth = 0;
  char quote = '\0';
  bool triple = false, continued = false;

  bool open() const { return depth > 0 || triple || continued; }
  std::string bare(std::string_view line) {
    std::string out;
    continued = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote != '\0') {
        if (c == '\\') {
          ++i;
        } else if (c == quote && (!triple || line.substr(i, 3) == std::string(3, quote))) {
          if (triple) i += 2;
          quote = '\0';
          triple = false;
          out += "\"\"";
        }
        continue;
      }
      if (c == '#') break;
      if (c == '"' || c == '\'') {
        // An apostrophe within a word is no quote: "we're".
        if (c == '\'' && i > 0 && isWordPart(line[i - 1]) && i + 1 < line.size() && isWordPart(line[i + 1]) &&
            !(i == 1 || !isWordPart(line[i - 2]))) {
          continue;
        }
        quote = c;
        triple = line.substr(i, 3) == std::string(3, c);
        if (triple) i += 2;
        continue;
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') depth = std::max(depth - 1, 0);
      if (c == '\\' && i + 1 == line.size()) continued = true;
      out += c;
    }
    if (!triple) quote = '\0';
    return out;
  }
};

struct Words {
  int run = 0;    // the most words in a row, with blanks only between them
  int pairs = 0;  // words that stand beside each other, neither a keyword
};
Words wordsOf(std::string_view bare) {
  Words w;
  int run = 0;
  bool lastPlain = false;
  std::size_t i = 0;
  while (i < bare.size()) {
    if (!isWordPart(bare[i])) {
      const bool separates = bare[i] != ' ';
      if (separates) run = 0, lastPlain = false;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < bare.size() && isWordPart(bare[end])) ++end;
    const bool plain = !isKeyword(bare.substr(i, end - i));
    if (plain && lastPlain) ++w.pairs;
    run = plain ? run + 1 : run;
    w.run = std::max(w.run, run);
    lastPlain = plain;
    i = end;
  }
  return w;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return text.starts_with(s); });
}

// What begins as only code does: `sch.split(`, `names = name.`, `names = name(`. An error behind that is an error.
bool beginsAsCode(std::string_view text) {
  if (text.starts_with("sch.")) return true;
  const auto isName = [](char c) { return isWordPart(c) || c == '.'; };
  std::size_t at = 0;
  while (at < text.size() && (isName(text[at]) || text[at] == ',' || text[at] == ' ')) {
    if (text[at] == ' ' && at > 0 && isName(text[at - 1]) && at + 1 < text.size() && isName(text[at + 1])) return false;
    ++at;
  }
  if (at == 0 || at + 1 >= text.size() || text[at] != '=' || text[at + 1] == '=') return false;
  for (++at; at < text.size() && text[at] == ' ';) ++at;
  const std::size_t name = at;
  while (at < text.size() && isWordPart(text[at])) ++at;
  return at > name && at + 1 < text.size() && (text[at] == '(' || (text[at] == '.' && isWordPart(text[at + 1])));
}

// A line that can be no code, whatever stands around it.
bool isProse(std::string_view line) {
  const std::string bare = Scanner().bare(line);
  const std::string_view text = std::string_view(bare).substr(indentOf(bare));
  if (isBlank(bare) || beginsAsCode(text)) return false;
  if (std::any_of(bare.begin(), bare.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) return true;
  if (startsWithAny(text, {"```", "~~~", "%", "!", "$", "|", "<", "===", "---", "* ", "- ", "Out["})) return true;
  return text.find("://") != std::string_view::npos || wordsOf(bare).run >= 3;
}

// `name, name =`, or what only code begins with: then it must be read, and an error in it is one.
bool isCode(std::string_view line) {
  const std::string bare = Scanner().bare(line);
  const std::string_view text = std::string_view(bare).substr(indentOf(bare));
  if (beginsAsCode(text)) return true;
  if (wordsOf(bare).run >= 3) return false;
  if (text.find("sch.") != std::string_view::npos || startsWithAny(text, {"@T.", "@I.", "@tvm.", "def "})) return true;
  if (startsWithAny(text, {"import tvm", "from tvm"})) return true;
  std::size_t at = 0;
  bool word = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (isWordPart(c) || c == '.' || c == '[' || c == ']' || c == '"') {
      word = true;
    } else if (c == '=') {
      return word && at + 1 < text.size() && text[at + 1] != '=';
    } else if (c == ' ' && at + 1 < text.size() && isWordPart(text[at + 1]) && word && text[at - 1] != ',') {
      return false;
    } else if (c != ' ' && c != ',' && c != '*' && c != '(' && c != ')' && c != '+' && c != '-' && c != '/') {
      return false;
    }
  }
  return false;
}

bool hasCall(const script::Node& n) {
  return n.is(NodeKind::Call) ||
         std::any_of(n.children.begin(), n.children.end(), [](const auto& c) { return c && hasCall(*c); });
}

// The name that a call goes out from: f of f(x), np of np.zeros(3).
std::string rootOf(const script::Node& n) {
  if (n.is(NodeKind::Name)) return n.text;
  if (n.is(NodeKind::Call) || n.is(NodeKind::Attribute) || n.is(NodeKind::Subscript)) return rootOf(*n.children[0]);
  return "";
}

void collectDefined(const script::Node& target, std::set<std::string>& names) {
  if (target.is(NodeKind::Name)) names.insert(target.text);
  for (const auto& c : target.children) {
    if (c) collectDefined(*c, names);
  }
}
void collectDefined(const script::Statement& s, std::set<std::string>& names) {
  if (s.kind == StatementKind::Function || s.kind == StatementKind::Class) {
    names.insert(s.text);
    return;
  }
  for (const auto& t : s.targets) collectDefined(*t, names);
  for (const auto& i : s.imports) names.insert(i.alias.substr(0, i.alias.find('.')));
  for (const auto& item : s.items) {
    if (item.target) collectDefined(*item.target, names);
  }
  for (const auto* list : {&s.body, &s.orelse, &s.last}) {
    for (const auto& inner : *list) collectDefined(*inner, names);
  }
}

// Statements that change nothing and name nothing: a heading of one word, a file's name, printed output.
bool saysNothing(const std::vector<script::StatementPtr>& statements) {
  return std::all_of(statements.begin(), statements.end(), [](const auto& s) {
    if (s->kind == StatementKind::Annotated) return !s->value;
    return s->kind == StatementKind::Expression && !hasCall(*s->value) && !s->value->is(NodeKind::String);
  });
}

class Page {
 public:
  Page(std::string_view text, std::string_view file) : file_(file) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string line(text.substr(begin, end - begin));
      if (!line.empty() && line.back() == '\r') line.pop_back();
      lines_.push_back(withoutPrompt(std::move(line)));
      begin = end + 1;
    }
    code_.resize(lines_.size());
  }

  // Whether there is a line that can only be prose.
  bool isPage() const { return hadPrompt_ || std::any_of(lines_.begin(), lines_.end(), isProse); }

  Result<Cells> read() {
    struct Chunk {
      std::size_t begin, end;
      std::string root;  // of a call whose value nobody takes; empty for other statements
    };
    std::vector<Chunk> chunks;
    std::set<std::string> defined = {"sch", "tvm", "tir", "T", "print"};
    for (std::size_t i = 0; i < lines_.size();) {
      if (isBlank(lines_[i]) || isProse(lines_[i])) {
        ++i;
        continue;
      }
      const std::size_t end = chunkEnd(i);
      const std::string code = std::string(i, '\n') + dedented(i, end);
      script::SourceText source{code, file_};
      auto statements = script::parseStatements(source);
      if (!statements) {
        if (isCode(lines_[i])) return Failure(statements.error());
        ++i;
        continue;
      }
      if (!statements->empty() && saysNothing(*statements)) {
        ++i;
        continue;
      }
      for (const auto& s : *statements) collectDefined(*s, defined);
      const bool isCall = statements->size() == 1 && (*statements)[0]->kind == StatementKind::Expression;
      chunks.push_back({i, end, isCall ? rootOf(*(*statements)[0]->value) : ""});
      i = end;
    }
    for (const Chunk& c : chunks) {
      if (!c.root.empty() && !defined.contains(c.root)) continue;  // printed output: Tensor(shape=…)
      take(c.begin, c.end);
    }
    hasCode_ = std::any_of(code_.begin(), code_.end(), [](const std::string& line) { return !line.empty(); });
    Cells cells;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      cells.code += code_[i] + (i + 1 < lines_.size() ? "\n" : "");
      if (code_[i].empty() && !isBlank(lines_[i])) cells.others.push_back(int(i) + 1);
    }
    return cells;
  }

  // Whether read() found any code.
  bool hasCode() const { return hasCode_; }

 private:
  // ">>> ", "... " and "In [3]: " in front of a line.
  std::string withoutPrompt(std::string line) {
    if (line.starts_with(">>> ") || (hadPrompt_ && line.starts_with("... "))) {
      hadPrompt_ = true;
      return line.substr(4);
    }
    if (line.starts_with("In [")) {
      const auto end = line.find("]:");
      if (end != std::string::npos && end < 10) {
        hadPrompt_ = true;
        return line.substr(std::min(end + 3, line.size()));
      }
    }
    return line;
  }

  // The line after the last one that belongs to the statement which begins at `begin`.
  std::size_t chunkEnd(std::size_t begin) const {
    const std::size_t indent = indentOf(lines_[begin]);
    Scanner scanner;
    scanner.bare(lines_[begin]);
    std::size_t end = begin + 1;
    bool decorator = lines_[begin].substr(indent).starts_with("@");
    while (end < lines_.size() && end - begin < 5000) {
      if (scanner.open()) {
        scanner.bare(lines_[end++]);
        continue;
      }
      std::size_t next = end;
      while (next < lines_.size() && isBlank(lines_[next])) ++next;
      if (next == lines_.size()) break;
      const std::string_view line = std::string_view(lines_[next]).substr(indentOf(lines_[next]));
      const bool deeper = indentOf(lines_[next]) > indent;
      const bool goesOn =
          indentOf(lines_[next]) == indent &&
          (decorator || startsWithAny(line, {"else:", "else ", "elif ", "except:", "except ", "finally:"}));
      if (!deeper && !goesOn) break;
      if (!deeper && decorator) decorator = line.starts_with("@");
      scanner.bare(lines_[next]);
      end = next + 1;
    }
    return end;
  }

  std::string dedented(std::size_t begin, std::size_t end) const {
    const std::size_t indent = indentOf(lines_[begin]);
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += lines_[i].substr(std::min(indent, indentOf(lines_[i]))) + "\n";
    return text;
  }
  void take(std::size_t begin, std::size_t end) {
    const std::size_t indent = indentOf(lines_[begin]);
    for (std::size_t i = begin; i < end; ++i) code_[i] = lines_[i].substr(std::min(indent, indentOf(lines_[i])));
  }

  std::string_view file_;
  std::vector<std::string> lines_, code_;
  bool hadPrompt_ = false, hasCode_ = false;
};

// A notebook's code cells, one after another; nothing where the text is no notebook.
std::optional<std::string> notebookCells(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return std::nullopt;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("cells") || !json["cells"].is_array()) {
    return std::nullopt;
  }
  std::string code;
  for (const auto& cell : json["cells"]) {
    if (!cell.is_object() || cell.value("cell_type", nlohmann::json()) != "code" || !cell.contains("source")) continue;
    const auto& source = cell["source"];
    if (source.is_string()) code += source.get<std::string>();
    if (source.is_array()) {
      for (const auto& line : source) {
        if (line.is_string()) code += line.get<std::string>();
      }
    }
    code += "\n";
  }
  return code;
}

}  // namespace

Result<Cells> codeOf(std::string_view text, std::string_view file) {
  std::string cells;
  if (auto notebook = notebookCells(text)) {
    cells = std::move(*notebook);
    text = cells;
  }
  auto whole = script::parseStatements(script::SourceText{text, file});
  if (whole) return Cells{std::string(text), {}};
  Page page(text, file);
  if (!page.isPage()) return Failure(whole.error());
  auto code = page.read();
  // A text of prose alone, or of bytes that are no text, says what is wrong with it.
  if (code && !page.hasCode()) {
    Error none = whole.error();
    none.message = message(
        "{}; a program is a function decorated with @T.prim_func or a class decorated with @I.ir_module", none.message);
    return Failure(std::move(none));
  }
  if (!code && code.error().message.id() == "expected an indented line, found {}") {
    Error lost = code.error();
    lost.message = message(
        "{}. Where a text has lost its indentation, as some pages give it, nothing says any more what "
        "stands in which loop",
        lost.message);
    return Failure(std::move(lost));
  }
  return code;
}

}  // namespace loom::notebook
