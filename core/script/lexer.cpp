#include "core/script/lexer.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace loom::script {
namespace {

constexpr std::size_t kMaxBytes = 32u << 20;
constexpr std::size_t kMaxNesting = 100;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }

constexpr std::array<std::string_view, 47> kOperators{
    "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=", "-=",
    "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "@=", ":=", "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":",
    ".",   ";",   "@",   "=",   "+",   "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",  "~"};

// The operators by their first characters, longer ones first; each list ends with an empty one.
constexpr auto kOperatorsOf = [] {
  std::array<std::array<std::string_view, 5>, 128> lists{};
  std::array<std::size_t, 128> sizes{};
  for (const std::string_view op : kOperators) {
    const auto first = static_cast<std::size_t>(op.front());
    lists[first][sizes[first]++] = op;
  }
  return lists;
}();

class Lexer {
 public:
  explicit Lexer(const SourceText& source) : source_(source), text_(source.text) {}

  Result<std::vector<Token>> runPart(std::size_t begin, std::size_t end, int line, int column) {
    text_ = text_.substr(0, end);
    at_ = begin;
    lineStart_ = begin - static_cast<std::size_t>(column - 1);
    line_ = line;
    lineBegins_ = false;
    isPart_ = true;
    while (at_ < text_.size()) {
      if (auto r = step(); !r) return Failure(r.error());
    }
    return finish();
  }

  Result<std::vector<Token>> run() {
    if (text_.size() > kMaxBytes) return source_.error(1, 1, message("the text is larger than 32 MB"));
    tokens_.reserve(text_.size() / 3 + 16);
    if (text_.starts_with("\xef\xbb\xbf")) lineStart_ = at_ = 3;
    while (at_ < text_.size()) {
      if (lineBegins_ && open_.empty()) {
        if (auto r = indentation(); !r) return Failure(r.error());
        if (at_ >= text_.size()) break;
      }
      if (auto r = step(); !r) return Failure(r.error());
    }
    return finish();
  }

 private:
  Result<std::vector<Token>> finish() {
    if (!open_.empty()) {
      const Token& bracket = tokens_[open_.back()];
      return source_.error(bracket.line, bracket.column, message("expected a bracket that closes this one"));
    }
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline) push(TokenKind::Newline, 0);
    for (; indents_.size() > 1; indents_.pop_back()) push(TokenKind::Dedent, 0);
    push(TokenKind::End, 0);
    return std::move(tokens_);
  }

  int column(std::size_t at) const { return static_cast<int>(at - lineStart_) + 1; }
  Failure error(Message message) const { return source_.error(line_, column(at_), std::move(message)); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void push(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, text_.substr(at_, length), line_, column(at_)});
    at_ += length;
  }
  void nextLine() {
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    ++at_;
    ++line_;
    lineStart_ = at_;
  }
  void skipComment() {
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
  }

  // At the start of a line outside brackets: skips empty lines, then opens or closes indentation levels.
  Result<void> indentation() {
    lineBegins_ = false;
    std::size_t width = 0;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == ' ' || c == '\f') {
        ++width;
        ++at_;
      } else if (c == '\t') {
        width = (width / 8 + 1) * 8;
        ++at_;
      } else if (c == '#') {
        skipComment();
      } else if (c == '\n' || c == '\r') {
        nextLine();
        width = 0;
      } else {
        break;
      }
    }
    if (at_ >= text_.size()) return {};
    if (width > indents_.back()) {
      if (indents_.size() > kMaxNesting) return error(message("indented more than 100 levels deep"));
      indents_.push_back(width);
      push(TokenKind::Indent, 0);
    }
    while (width < indents_.back()) {
      indents_.pop_back();
      push(TokenKind::Dedent, 0);
    }
    if (width != indents_.back()) return error(message("this line's indentation matches no line above it"));
    return {};
  }

  Result<void> step() {
    char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      skipComment();
    } else if (c == '\n' || c == '\r') {
      if (open_.empty() && !isPart_) {
        push(TokenKind::Newline, 0);
        lineBegins_ = true;
      }
      nextLine();
    } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
      ++at_;
      nextLine();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      return number();
    } else if (auto prefix = stringPrefix()) {
      return string(*prefix);
    } else if (isNameStart(c)) {
      std::size_t n = 1;
      while (isNamePart(peek(n))) ++n;
      push(TokenKind::Name, n);
    } else {
      return punctuation();
    }
    return {};
  }

  Result<void> number() {
    std::size_t n = 0;
    bool isFloat = false;
    if (peek() == '0' &&
        (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'b' || peek(1) == 'B' || peek(1) == 'o' || peek(1) == 'O')) {
      n = 2;
      while (isNamePart(peek(n))) ++n;
    } else {
      auto digits = [&] {
        while (isDigit(peek(n)) || (peek(n) == '_' && isDigit(peek(n + 1)))) ++n;
      };
      digits();
      if (peek(n) == '.') {
        isFloat = true;
        ++n;
        digits();
      }
      std::size_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
      if ((peek(n) == 'e' || peek(n) == 'E') && isDigit(peek(n + 1 + sign))) {
        isFloat = true;
        n += 1 + sign;
        digits();
      }
    }
    if (isNamePart(peek(n))) {
      at_ += n;
      return error(message("expected the number to end here"));
    }
    push(isFloat ? TokenKind::Float : TokenKind::Integer, n);
    return {};
  }

  // The length of the prefix before a quote here (0 for a bare quote), or nothing when no string starts here.
  std::optional<std::size_t> stringPrefix() const {
    std::size_t n = 0;
    while (n < 3 && isNameStart(peek(n))) ++n;
    if (n > 2 || (peek(n) != '"' && peek(n) != '\'')) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
      if (std::string_view("rRbBfFuU").find(peek(i)) == std::string_view::npos) return std::nullopt;
    }
    return n;
  }

  Result<void> string(std::size_t prefix) {
    std::size_t start = at_;
    int line = line_, startColumn = column(at_);
    char quote = peek(prefix);
    bool triple = peek(prefix + 1) == quote && peek(prefix + 2) == quote;
    at_ += prefix + (triple ? 3 : 1);
    while (true) {
      char c = peek();
      if (at_ >= text_.size() || (!triple && (c == '\n' || c == '\r'))) {
        return source_.error(line, startColumn, message("expected a quote that ends this string"));
      }
      if (c == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (peek() == '\n' || peek() == '\r') {
          nextLine();
        } else {
          ++at_;
        }
      } else if (c == '\n' || c == '\r') {
        nextLine();
      } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        at_ += triple ? 3 : 1;
        break;
      } else {
        ++at_;
      }
    }
    tokens_.push_back({TokenKind::String, text_.substr(start, at_ - start), line, startColumn});
    return {};
  }

  Result<void> punctuation() {
    std::string_view rest = text_.substr(at_, 3);
    const auto c = static_cast<unsigned char>(text_[at_]);
    for (const std::string_view op : kOperatorsOf[c < 0x80 ? c : 0]) {
      if (op.empty()) break;
      if (!rest.starts_with(op)) continue;
      if (op == "(" || op == "[" || op == "{") {
        if (open_.size() >= kMaxNesting) return error(message("brackets nested more than 100 deep"));
        open_.push_back(tokens_.size());
      } else if (op == ")" || op == "]" || op == "}") {
        if (open_.empty()) return error(message("this bracket closes none"));
        std::string_view opening = tokens_[open_.back()].text;
        std::string_view wanted = opening == "(" ? ")" : opening == "[" ? "]" : "}";
        if (op != wanted) {
          return error(message("expected '{}' for the bracket in line {}", wanted, tokens_[open_.back()].line));
        }
        open_.pop_back();
      }
      push(TokenKind::Operator, op.size());
      return {};
    }
    if (c >= 0x80) return error(message("a character outside ASCII stands where code is expected"));
    if (c < 0x20 || c == 0x7f) return error(message("a control character stands where code is expected"));
    return error(message("'{}' is no operator here", text_[at_]));
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0, lineStart_ = 0;
  int line_ = 1;
  bool lineBegins_ = true;
  bool isPart_ = false;
  std::vector<std::size_t> indents_{0};
  std::vector<std::size_t> open_;  // tokens of the brackets still open
  std::vector<Token> tokens_;
};

}  // namespace

Place SourceText::place(int line, int column) const {
  if (line < lastLine) {
    lastLine = 1;
    lastStart = 0;
  }
  std::size_t begin = lastStart;
  for (int n = lastLine; n < line; ++n) {
    std::size_t end = text.find_first_of("\r\n", begin);
    if (end == std::string_view::npos) {
      begin = text.size();
      break;
    }
    begin = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  lastLine = std::max(line, 1);
  lastStart = begin;
  std::string_view rest = text.substr(begin);
  return {std::string(file), line, column, std::string(rest.substr(0, rest.find_first_of("\r\n")))};
}

Failure SourceText::error(int line, int column, Message message) const {
  Error e;
  e.code = "ParseError";
  e.message = std::move(message);
  e.forbids = Forbids::Input;
  e.place = place(line, column);
  return Failure(std::move(e));
}

Result<std::vector<Token>> tokenize(const SourceText& source) { return Lexer(source).run(); }
Result<std::vector<Token>> tokenizePart(const SourceText& source, std::size_t begin, std::size_t end, int line,
                                        int column) {
  return Lexer(source).runPart(begin, end, line, column);
}

bool isFormat(const Token& token) {
  const auto prefix = token.text.substr(0, token.text.find_first_of("\"'"));
  return token.kind == TokenKind::String && prefix.find_first_of("fF") != std::string_view::npos;
}

namespace {
bool isUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4) return false;
    // Longer forms than a character needs, halves of pairs, and what lies above U+10FFFF are none.
    const auto next = i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    if ((lead == 0xe0 && next < 0xa0) || (lead == 0xed && next > 0x9f) || (lead == 0xf0 && next < 0x90) ||
        (lead == 0xf4 && next > 0x8f)) {
      return false;
    }
    for (int k = 0; k < more; ++k, ++i) {
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
    }
  }
  return true;
}
}  // namespace

Result<std::string> stringValue(const SourceText& source, const Token& token) {
  auto bad = [&](Message message) { return source.error(token.line, token.column, std::move(message)); };
  std::string_view text = token.text;
  bool raw = false;
  while (!text.empty() && text[0] != '"' && text[0] != '\'') {
    if (text[0] == 'r' || text[0] == 'R') raw = true;
    if (text[0] == 'b' || text[0] == 'B') return bad(message("expected a string, not bytes"));
    if (text[0] == 'f' || text[0] == 'F') return bad(message("expected a plain string, not a format string"));
    text.remove_prefix(1);
  }
  std::size_t quotes = text.size() >= 6 && text[1] == text[0] && text[2] == text[0] ? 3 : 1;
  return unescaped(source, token, text.substr(quotes, text.size() - 2 * quotes), raw);
}

namespace {

void appendUtf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
  constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kFirst[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

// The number that `digits` characters from `at` on write; nothing if there are fewer or others.
std::optional<std::uint32_t> hexadecimal(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return std::nullopt;
  std::uint32_t value = 0;
  const char* last = text.data() + at + digits;
  const auto [end, error] = std::from_chars(text.data() + at, last, value, 16);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace

Result<std::string> unescaped(const SourceText& source, const Token& token, std::string_view text, bool raw) {
  auto bad = [&](Message message) { return source.error(token.line, token.column, std::move(message)); };
  if (!isUtf8(text)) return bad(message("this string is no UTF-8"));
  if (raw || text.find('\\') == std::string_view::npos) return std::string(text);
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      value += text[i];
      continue;
    }
    char c = text[++i];
    constexpr std::string_view kNamed = "\\\\''\"\"n\nt\tr\ra\ab\bf\fv\v";
    if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') c = text[++i];
    if (c == '\n') continue;
    if (c == 'x') {
      const auto byte = hexadecimal(text, i + 1, 2);
      if (!byte) return bad(message("expected two hexadecimal digits after \\x"));
      value += static_cast<char>(*byte);  // TVM prints text outside ASCII as the bytes of its UTF-8
      i += 2;
      continue;
    }
    if (c == 'u' || c == 'U') {
      const std::size_t digits = c == 'u' ? 4 : 8;
      const auto code = hexadecimal(text, i + 1, digits);
      if (!code || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))
        return bad(message("expected the {} hexadecimal digits of a character after \\{}", digits, c));
      appendUtf8(value, *code);
      i += digits;
      continue;
    }
    if (c >= '0' && c <= '7') {  // one to three octal digits
      unsigned byte = static_cast<unsigned>(c - '0');
      for (int n = 0; n < 2 && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '7'; ++n)
        byte = byte * 8 + static_cast<unsigned>(text[++i] - '0');
      if (byte > 0xFF) return bad(message("an octal escape is \\377 at most"));
      value += static_cast<char>(byte);
      continue;
    }
    std::size_t known = std::string_view::npos;
    for (std::size_t k = 0; k + 1 < kNamed.size(); k += 2) {
      if (kNamed[k] == c) known = k;
    }
    if (known == std::string_view::npos) return bad(message("unknown escape '\\{}' in this string", c));
    value += kNamed[known + 1];
  }
  if (!isUtf8(value)) return bad(message("\\x escapes above 7f stand for the bytes of UTF-8 text; these are none"));
  return value;
}

Result<std::uint64_t> integerValue(const SourceText& source, const Token& token) {
  std::string digits;
  for (char c : token.text) {
    if (c != '_') digits += c;
  }
  int base = 10;
  std::size_t skip = 0;
  if (digits.size() > 1 && digits[0] == '0' && !isDigit(digits[1])) {
    char mark = digits[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    skip = 2;
  }
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data() + skip, digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range) {
    return source.error(token.line, token.column, message("this integer does not fit in 64 bits"));
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return source.error(token.line, token.column, message("expected a number"));
  }
  if (base == 10 && digits.size() > 1 && digits[0] == '0' && value != 0) {
    return source.error(token.line, token.column, message("a decimal number must not begin with 0"));
  }
  return value;
}

Result<double> floatValue(const SourceText& source, const Token& token) {
  std::string digits;
  for (char c : token.text) {
    if (c != '_') digits += c;
  }
  double value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    return std::strtod(digits.c_str(), nullptr);  // too large is infinity and too small is 0, as in Python
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return source.error(token.line, token.column, message("expected a number"));
  }
  return value;
}

}  // namespace loom::script
