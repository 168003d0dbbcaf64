#include "core/script/token_reader.h"

#include <array>

namespace loom::script {
namespace {

constexpr std::array<std::string_view, 35> kKeywords{
    "False",  "None",     "True",   "and", "as",       "assert", "async",  "await",   "break",
    "class",  "continue", "def",    "del", "elif",     "else",   "except", "for",     "from",
    "global", "if",       "import", "in",  "is",       "lambda", "not",    "finally", "or",
    "pass",   "raise",    "return", "try", "nonlocal", "while",  "with",   "yield"};

Message describe(const Token& t) {
  switch (t.kind) {
    case TokenKind::Newline: return message("the end of the line");
    case TokenKind::Indent: return message("an indented line");
    case TokenKind::Dedent: return message("the end of the indented lines");
    case TokenKind::End: return message("the end of the text");
    case TokenKind::String: return message("a string");
    default: return message("'{}'", t.text.substr(0, 40));
  }
}

}  // namespace

bool isKeyword(std::string_view text) { return std::find(kKeywords.begin(), kKeywords.end(), text) != kKeywords.end(); }

const Token& TokenReader::take() {
  const Token& t = tokens_[at_];
  if (!t.text.empty() && t.kind != TokenKind::Newline) {
    lastTaken_ = t.line + static_cast<int>(std::count(t.text.begin(), t.text.end(), '\n'));
  }
  if (at_ + 1 < tokens_.size()) ++at_;
  return t;
}

bool TokenReader::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

void TokenReader::expect(std::string_view text) {
  if (!accept(text)) unexpected(message("'{}'", text));
}

std::string TokenReader::name(const Message& what) {
  if (!at(TokenKind::Name) || isKeyword(current().text)) {
    unexpected(what);
    return "";
  }
  return std::string(take().text);
}

void TokenReader::unexpected(const Message& what) {
  failAt(current().line, current().column, message("expected {}, found {}", what, describe(current())));
}

void TokenReader::missesIndentation() {
  failAt(current().line, current().column, message("expected an indented line, found {}", describe(current())));
}

void TokenReader::failAt(int line, int column, Message message) {
  if (!error_) error_ = source_.error(line, column, std::move(message)).value();
  at_ = tokens_.size() - 1;
}

}  // namespace loom::script
