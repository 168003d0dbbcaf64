// Parses the part of Python in which TVMScript, step lines (calls of schedule primitives) and scripts are written into
// a syntax tree.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/script/lexer.h"

namespace loom::script {

// The kinds of expressions, and the members of Node that each uses.
enum class NodeKind : std::uint8_t {
  Name,     // text
  Integer,  // magnitude
  Float,    // real
  String,   // text, escapes decoded, adjacent literals joined
  True,
  False,
  None,
  Ellipsis,
  Attribute,    // children[0].text
  Call,         // children[0](children[1…], keywords)
  Subscript,    // children[0][children[1]]; several indices are one Tuple
  Slice,        // children: start, stop, step; null where left out
  Tuple,        // children
  List,         // children
  Dict,         // children: key, value, key, value …
  Starred,      // *children[0]
  Unary,        // text is "-", "+", "~" or "not"
  Binary,       // children[0] text children[1]
  Compare,      // children[0] operators[0] children[1] operators[1] …
  And,          // children, at least two
  Or,           // children, at least two
  Conditional,  // children[0] if children[1] else children[2]
  Lambda,       // parameters and children[0]
  Set,          // children
  // Comprehensions: children[0] is the item, or the key in a DictComprehension, whose value is children[1]; clauses are
  // the `for … in … if …` parts.
  ListComprehension,
  SetComprehension,
  DictComprehension,
  Generator,
  Format,       // an f-string: children, each a String or a FormatValue
  FormatValue,  // {children[0]!text:children[1]}; text is "", "r", "s" or "a", children[1] a Format or null
};

struct Node;
using NodePtr = std::unique_ptr<Node>;

// An argument that is given by its name.
struct Keyword {
  std::string name;  // "**" for a dictionary unpacked into keywords
  NodePtr value;
};

// `for target in iterable if condition if …`
struct Clause {
  NodePtr target, iterable;
  std::vector<NodePtr> conditions;
};

// An expression.
struct Node {
  NodeKind kind = NodeKind::None;
  // Where the node starts, from 1, columns in bytes; a binary operation starts with its left operand.
  int line = 0, column = 0;
  int depth = 1;  // 1 + the depth of the deepest node in children, keywords, defaults and clauses
  std::string text;
  std::uint64_t magnitude = 0;
  double real = 0;
  std::vector<NodePtr> children;
  std::vector<Keyword> keywords;
  std::vector<std::string> operators;   // for Compare: "<", "==", "in", "not in", "is", …
  std::vector<std::string> parameters;  // for Lambda; "*name" takes the remaining positional arguments
  std::vector<NodePtr> defaults;        // for Lambda: one for each parameter; null for one without a default
  std::vector<Clause> clauses;          // for comprehensions
  bool is(NodeKind k) const { return kind == k; }
};

// A parameter of a function. (Those of a lambda are in its Node.)
struct Parameter {
  // "*name" takes the remaining positional arguments, "**name" the remaining keyword arguments; "*" and "/" separate
  // positional-only, ordinary and keyword-only parameters, as in Python.
  std::string name;
  int line = 0, column = 0;
  NodePtr annotation;  // may be null
  NodePtr fallback;    // the default value; may be null
};

// The kinds of statements, and the members of Statement that each uses.
enum class StatementKind : std::uint8_t {
  Function,    // text (its name), parameters, annotation (of what it returns, or null), decorators, body
  Class,       // text (its name), decorators, body
  Import,      // imports
  Expression,  // value
  Assign,      // targets = value; `a = b = value` has several targets
  Annotated,   // targets[0]: annotation = value (value may be null)
  Augmented,   // targets[0] text= value: text is the operator, "+"
  For,         // for targets[0] in value: body
  While,       // while value: body
  If,          // if value: body else: orelse; an elif is an If that is all of orelse
  With,        // with items: body
  Return,      // value may be null
  Assert,      // value; annotation is the message or null
  Pass,
  Break,
  Continue,
  Try,     // body, handlers, orelse (else), last (finally)
  Raise,   // value may be null
  Delete,  // targets
  Scope,   // text is "global" or "nonlocal"; names
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

// An item of a `with` statement.
struct WithItem {
  NodePtr context;
  NodePtr target;  // may be null
};

// An `except` clause.
struct Handler {
  NodePtr type;      // the type of the errors that it handles; null: all errors
  std::string name;  // the name after `as`; empty without one
  int line = 0, column = 0;
  std::vector<StatementPtr> body;
};

// A name that an import defines.
struct Import {
  // "tvm.script" in `from tvm.script import tir as T`; the module itself in `import module as alias`.
  std::string module;
  std::string name;   // "tir"; "*" in `from module import *`; empty for a plain `import`
  std::string alias;  // "T"; without `as`, it is `name`, or `module` ("a.b") for a plain `import`
};

// A statement.
struct Statement {
  StatementKind kind = StatementKind::Pass;
  int line = 0, column = 0;  // where the statement starts, from 1, columns in bytes
  std::string text;          // name of a function or class, operator of an augmented assignment, "global" or "nonlocal"
  NodePtr value, annotation;
  std::vector<NodePtr> targets;
  std::vector<NodePtr> decorators;
  std::vector<Parameter> parameters;
  std::vector<WithItem> items;
  std::vector<Import> imports;
  std::vector<StatementPtr> body, orelse, last;
  std::vector<Handler> handlers;
  std::vector<std::string> names;
  int lastLine = 0;  // the line, from 1, on which the statement ends, its body included
};

// The greatest Node::depth of an expression. Deeper ones are a parse error, so that no later recursion overflows the
// stack.
inline constexpr int kMaxExpressionDepth = 500;

// Parses the statements of a whole text. Error "ParseError" with its place.
Result<std::vector<StatementPtr>> parseStatements(const SourceText& source);
// Parses a text that is one expression. Error "ParseError" with its place.
Result<NodePtr> parseExpression(const SourceText& source);

}  // namespace loom::script
