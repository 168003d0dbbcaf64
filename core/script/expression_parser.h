#pragma once

#include "core/script/python_ast.h"
#include "core/script/token_reader.h"

/// Expressions of the Python subset, from tokens. Private to the room: python_ast.h is the way in.
namespace loom::script {

/// An expression reader makes trees of tokens by recursive descent, a function a level of Python's grammar. The
/// pointers that its functions return may be null after a failure.
class ExpressionReader : public TokenReader {
 public:
  using TokenReader::TokenReader;

  NodePtr expression();      ///< one expression without commas
  NodePtr expressionList();  ///< one, or a Tuple of several
  NodePtr targetList();      ///< left of `in` in a for statement
  /// Returns what `expressionList` does, of tokens that end with it.
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
  NodePtr starredOr(NodePtr (ExpressionReader::*parse)());
  bool startsExpression() const;

  // Counts the recursion of the descent itself: brackets, prefix operators and lambdas.
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
