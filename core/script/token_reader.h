#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/script/lexer.h"

namespace loom::script {

/// Returns whether Python keeps the word for itself, so that it can't be a name.
bool isKeyword(std::string_view text);

/// A token reader steps through one token list and keeps the first error. After an error `current` is the End token and
/// stays so: readers of expressions and statements return at once, and test `failed()` before they use what they read.
class TokenReader {
 public:
  /// `source` and `tokens`, which are the source's, must outlive the reader.
  TokenReader(const SourceText& source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  bool failed() const { return error_.has_value(); }
  /// Returns the first error. Only after a failure.
  Failure failure() const { return Failure(*error_); }

 protected:
  const SourceText& source() const { return source_; }
  const Token& current() const { return tokens_[at_]; }
  /// Returns the token `n` after the current one, or End.
  const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  bool at(std::string_view text) const { return current().is(text); }
  bool at(TokenKind kind) const { return current().kind == kind; }
  /// Returns the current token and steps over it.
  const Token& take();
  /// Returns the line on which the last token with a text ended; 0: none was taken.
  int lastTaken() const { return lastTaken_; }
  /// Steps over the current token if it is this one, and returns whether it was.
  bool accept(std::string_view text);
  /// Steps over the current token, which must be this one.
  void expect(std::string_view text);
  /// Takes a name that is no keyword; fails with "expected `what`" where there is none, and returns "".
  std::string name(const Message& what);
  /// Fails with "expected …, found …" at the current token.
  void unexpected(const Message& what);
  /// Fails because the current token should begin an indented line.
  void missesIndentation();
  /// Records an error, counted from 1 in lines and columns, unless there is one already.
  void failAt(int line, int column, Message message);

 private:
  const SourceText& source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int lastTaken_ = 0;
  std::optional<Error> error_;
};

}  // namespace loom::script
