// Splits Python text into tokens: what TVMScript and step lines have in common.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::script {

// A text and what it is called in messages. Both views must outlive it and every token taken from it.
struct SourceText {
  std::string_view text;
  std::string_view file;

  // Returns the place of a line and a column, which count from 1, columns in bytes. Places asked for in ascending order
  // take one pass over the text together.
  Place place(int line, int column) const;
  // Returns a "ParseError" at that place; the message says what was expected.
  Failure error(int line, int column, Message message) const;

  // Where the line that was asked for last starts. Not for several threads at once.
  mutable int lastLine = 1;
  mutable std::size_t lastStart = 0;
};

// The kinds of tokens.
enum class TokenKind : std::uint8_t {
  Name,      // keywords too
  Integer,   // 12, 0x1f, 1_000
  Float,     // 1.5, 1e-3
  String,    // with its prefix and quotes; see stringValue
  Operator,  // brackets and punctuation, one operator each: "(", "**", "->", "+=" …
  Newline,   // ends a logical line; none inside brackets or on empty and comment lines
  Indent,
  Dedent,
  End,
};

// A token of a Python text.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // as written; empty for Indent, Dedent and End
  int line = 1;
  int column = 1;
  // Parsers ask this of each token many times: one character answers most often.
  bool is(std::string_view t) const {
    return (kind == TokenKind::Name || kind == TokenKind::Operator) && text.front() == t.front() && text == t;
  }
};

// Returns all tokens of the text. The last is End, preceded by a Newline unless the text has no tokens, and by the
// Dedents still open. Comments are dropped. Errors "ParseError": texts over 32 MB, brackets or indentation nested over
// 100 deep, unbalanced brackets, strings that don't end, characters outside ASCII in names, and inconsistent
// indentation.
Result<std::vector<Token>> tokenize(const SourceText& source);
// Returns the tokens of a part of the text that stands as if in brackets, `{…}` of an f-string: line ends mean nothing
// there. The part begins at byte `begin`, which is at the line and column.
Result<std::vector<Token>> tokenizePart(const SourceText& source, std::size_t begin, std::size_t end, int line,
                                        int column);

// Returns whether a String token is a format string, f"…".
bool isFormat(const Token& token);
// Returns the characters of a piece of a string without its quotes; `raw` has no escapes.
Result<std::string> unescaped(const SourceText& source, const Token& token, std::string_view piece, bool raw);
// Returns the characters that a String token stands for, escapes decoded; as TVM prints them, `\xC3\xA9` are the two
// bytes of é. Errors "ParseError": byte and format strings, unknown escapes, and such bytes if they are no UTF-8.
Result<std::string> stringValue(const SourceText& source, const Token& token);
// Returns the value of an Integer token, at most 2^64 - 1.
Result<std::uint64_t> integerValue(const SourceText& source, const Token& token);
// Returns the value of a Float token.
Result<double> floatValue(const SourceText& source, const Token& token);

}  // namespace loom::script
