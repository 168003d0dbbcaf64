// Splits Python text into tokens, for TVMScript and for step lines (calls of schedule primitives).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::script {

// A text and its file name for messages. What both views refer to must outlive the SourceText and every token of it.
struct SourceText {
  std::string_view text;
  std::string_view file;

  // Returns the place of a line and a column, which count from 1, columns in bytes. Calls with ascending lines
  // take one pass over the text in all.
  Place place(int line, int column) const;
  // Returns a "ParseError" at that place with this message.
  Failure error(int line, int column, Message message) const;

  // The line of the last call of `place` and the byte where it starts; because of these, only one thread at a time may
  // use a SourceText.
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
  int line = 1;           // from 1
  int column = 1;         // from 1, in bytes
  // Returns whether the token is this name or operator. `t` must not be empty.
  bool is(std::string_view t) const {
    return (kind == TokenKind::Name || kind == TokenKind::Operator) && text.front() == t.front() && text == t;
  }
};

// Returns all tokens of the text. The last is End, preceded by a Newline unless the text has no tokens, and by a Dedent
// for each indentation that is still open. Comments are dropped. Errors "ParseError": texts over 32 MB, brackets or
// indentation nested over 100 deep, unbalanced brackets, strings that don't end, characters outside ASCII in names, and
// inconsistent indentation.
Result<std::vector<Token>> tokenize(const SourceText& source);
// Returns the tokens of the bytes from `begin` to before `end`, in which line ends mean nothing, as in brackets: the
// inside of `{…}` in an f-string. Byte `begin` is at `line` and `column`. Errors as `tokenize`.
Result<std::vector<Token>> tokenizePart(const SourceText& source, std::size_t begin, std::size_t end, int line,
                                        int column);

// Returns whether a String token is a format string, f"…".
bool isFormat(const Token& token);
// Returns the characters that `piece`, a view of text between the quotes in `token.text`, stands for: escapes are
// decoded unless `raw`. Error "ParseError" for an unknown or incomplete escape, and for text that is no UTF-8.
Result<std::string> unescaped(const SourceText& source, const Token& token, std::string_view piece, bool raw);
// Returns the characters that a String token stands for, escapes decoded; as TVM prints them, `\xC3\xA9` are the two
// bytes of é. Errors "ParseError": byte and format strings, unknown escapes, and such bytes if they are no UTF-8.
Result<std::string> stringValue(const SourceText& source, const Token& token);
// Returns the value of an Integer token. Error "ParseError" if it is more than 2^64 - 1, has no digits (0x), or is a
// decimal number other than 0 that begins with 0.
Result<std::uint64_t> integerValue(const SourceText& source, const Token& token);
// Returns the value of a Float token: infinity for numbers too large for a double, 0 for numbers too small, as in
// Python. Error "ParseError" if the token is no number.
Result<double> floatValue(const SourceText& source, const Token& token);

}  // namespace loom::script
