// Expressions of the Python subset, from tokens. Private to the room: python_ast.h is the way in.
#pragma once
#include <algorithm>

#include "core/script/python_ast.h"

namespace loom::script {

// Recursive descent over one token list. After a failure `error` is set, `current` is the End token, and every function
// returns at once; callers test `failed()` before they use a node.
class TokenReader {
 public:
  TokenReader(const SourceText& source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  bool failed() const { return error_.has_value(); }
  Failure failure() const { return Failure(*error_); }

  NodePtr expression();      // one expression without commas
  NodePtr expressionList();  // one, or a Tuple of several
  NodePtr targetList();      // left of `in` in a for statement

 protected:
  const Token& current() const { return tokens_[at_]; }
  const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  bool at(std::string_view text) const { return current().is(text); }
  bool at(TokenKind kind) const { return current().kind == kind; }
  const Token& take();
  int lastTaken() const { return lastTaken_; }  // line of the last token with a text
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string name(std::string_view what);
  // Records "expected …, found …" at the current token unless an error is there already.
  void unexpected(std::string_view what);
  void missesIndentation();
  void failAt(int line, int column, Message message);

 private:
  NodePtr node(NodeKind kind, const Token& start);
  NodePtr finish(NodePtr n);
  NodePtr binaryLevel(int level);
  NodePtr binaryNode(NodePtr left, const Token& op, NodePtr right);
  NodePtr lambda();
  NodePtr disjunction();
  NodePtr conjunction();
  NodePtr inversion();
  NodePtr comparison();
  NodePtr unary();
  NodePtr power();
  NodePtr postfix();
  NodePtr atom();
  NodePtr strings();
  void formatString(const Token& token, Node& into);
  // Pieces of an f-string from a byte of the source on, up to its end, or, of what follows a value's `:`, up to the
  // `}`.
  std::size_t formatText(const Token& token, std::size_t at, std::size_t end, bool isSpecification, Node& into);
  // A value from the byte after its `{` on; the byte after the `}`.
  std::size_t formatValue(const Token& token, std::size_t at, std::size_t end, Node& into);
  std::size_t offsetOf(const Token& token) const;  // in the source, in bytes
  NodePtr comprehension(NodeKind kind, NodePtr item, NodePtr value = nullptr);
  NodePtr parenthesized();
  NodePtr dictionary();
  void callArguments(Node& call);
  NodePtr subscriptIndex();
  NodePtr starredOr(NodePtr (TokenReader::*parse)());
  bool startsExpression() const;

  // Counts the recursion of the descent itself: brackets, prefix operators and lambdas.
  struct Nesting {
    explicit Nesting(TokenReader& reader) : reader_(reader) {
      if (++reader_.nesting_ > kMaxExpressionDepth) {
        reader_.failAt(reader_.current().line, reader_.current().column, "the expression is nested too deeply");
      }
    }
    ~Nesting() { --reader_.nesting_; }
    TokenReader& reader_;
  };
  const SourceText& source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0, lastTaken_ = 0;
  std::optional<Error> error_;
};

}  // namespace loom::script
