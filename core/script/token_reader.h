// Reads a list of Python tokens one after another; the base of the parsers in core/script.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/script/lexer.h"

namespace loom::script {

/// Returns whether the word is a keyword of Python, so that it can't be a name.
bool isKeyword(std::string_view text);

/// A token reader steps through one token list and keeps the first error. After an error `current` is the End token and
/// stays so: readers of expressions and statements return at once, and test `failed()` before they use what they read.
class TokenReader {
 public:
  /// Starts at the first of `tokens`, the tokens of `source`, of which the last is End. Both must outlive the reader.
  TokenReader(const SourceText& source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  bool failed() const { return error_.has_value(); }
  /// Returns the first error. May be called only if `failed()`.
  Failure failure() const { return Failure(*error_); }

 protected:
  const SourceText& source() const { return source_; }
  const Token& current() const { return tokens_[at_]; }
  /// Returns the token `n` after the current one, or End.
  const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  /// Return whether the current token is the name or operator `text`, or is of the kind.
  bool at(std::string_view text) const { return current().is(text); }
  bool at(TokenKind kind) const { return current().kind == kind; }
  /// Returns the current token and steps over it, unless it is End.
  const Token& take();
  /// Returns the line, counted from 1, on which the last taken token that isn't a Newline, Indent, Dedent or End ended;
  /// 0 if none was taken.
  int lastTaken() const { return lastTaken_; }
  /// Steps over the current token if it is the name or operator `text`, and returns whether it was.
  bool accept(std::string_view text);
  /// Steps over the current token if it is the name or operator `text`; fails otherwise.
  void expect(std::string_view text);
  /// Takes a name that is no keyword and returns it. If the current token is none, fails with "expected `what`" and
  /// returns "".
  std::string name(const Message& what);
  /// Fails at the current token with "expected `what`, found …".
  void unexpected(const Message& what);
  /// Fails, in any case, at the current token, where an indented line should begin.
  void missesIndentation();
  /// Moves to the End token and records an error at a line and column, counted from 1, unless there is one already.
  void failAt(int line, int column, Message message);

 private:
  const SourceText& source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int lastTaken_ = 0;
  std::optional<Error> error_;
};

}  // namespace loom::script
