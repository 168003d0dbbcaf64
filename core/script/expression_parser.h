#pragma once

#include "core/script/python_ast.h"
#include "core/script/token_reader.h"

/// Parses expressions of the Python subset from tokens. Internal to core/script; others use python_ast.h.
namespace loom::script {

/// An expression reader parses tokens into trees by recursive descent, with one function for each level of Python's
/// grammar. Each function begins at the current token and uses up those of its expression; the one after them is then
/// the current token. After a failure (`failed()`), what its functions return has no meaning and may be null.
class ExpressionReader : public TokenReader {
 public:
  using TokenReader::TokenReader;

  NodePtr expression();      ///< parses one expression, without commas outside brackets
  NodePtr expressionList();  ///< parses expressions separated by commas: the expression if it is one, else a Tuple
  /// Parses what stands left of `in` in a for statement or a comprehension, without the `in`: a target, or a Tuple of
  /// several.
  NodePtr targetList();
  /// Parses an expression list after which, but for one Newline token, the tokens must end; fails if more follow.
  NodePtr whole();

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
  // Appends the pieces of an f-string between the bytes `at` and `end` of the source to the children of `into`. With
  // isSpecification, which is for the text after a value's `:`, stops at the `}`. Returns the byte where it stopped.
  std::size_t formatText(const Token& token, std::size_t at, std::size_t end, bool isSpecification, Node& into);
  // Parses a value of an f-string, which begins at byte `at`, after its `{`. Returns the byte after its `}`.
  std::size_t formatValue(const Token& token, std::size_t at, std::size_t end, Node& into);
  std::size_t offsetOf(const Token& token) const;  // returns the byte of the source where the token begins
  NodePtr comprehension(NodeKind kind, NodePtr item, NodePtr value = nullptr);
  NodePtr parenthesized();
  NodePtr dictionary();
  void callArguments(Node& call);
  NodePtr subscriptIndex();
  NodePtr starredOr(NodePtr (ExpressionReader::*parse)());
  bool startsExpression() const;

  // Counts how deeply brackets, prefix operators and lambdas are nested while it lives; too deep nesting is a failure.
  struct Nesting {
    explicit Nesting(ExpressionReader& reader) : reader_(reader) {
      if (++reader_.nesting_ > kMaxExpressionDepth) {
        reader_.failAt(reader_.current().line, reader_.current().column,
                       message("the expression is nested too deeply"));
      }
    }
    ~Nesting() { --reader_.nesting_; }
    ExpressionReader& reader_;
  };
  int nesting_ = 0;
};

}  // namespace loom::script
