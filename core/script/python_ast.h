// The part of Python that TVMScript and step lines are written in, as a tree. Nothing is evaluated here.
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
  Attribute,  // children[0].text
  Call,       // children[0](children[1…], keywords)
  Subscript,  // children[0][children[1]]; several indices are one Tuple
  Slice,      // children: start, stop, step, each possibly null
  Tuple,
  List,     // children
  Dict,     // children: key, value, key, value …
  Starred,  // *children[0]
  Unary,    // text is "-", "+", "~" or "not"
  Binary,   // children[0] text children[1]
  Compare,  // children[0] operators[0] children[1] operators[1] …
  And,
  Or,           // children, at least two
  Conditional,  // children[0] if children[1] else children[2]
  Lambda,       // parameters and children[0]
  Set,          // children
  // for comprehensions children[0] is the item (of a DictComprehension: key, then children[1], the value), and clauses
  // says over what
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
  int line = 0, column = 0;  // where the node starts, for messages; binary operators: where the left operand starts
  int depth = 1;             // 1 + the deepest child
  std::string text;
  std::uint64_t magnitude = 0;
  double real = 0;
  std::vector<NodePtr> children;
  std::vector<Keyword> keywords;
  std::vector<std::string> operators;   // of Compare: "<", "==", "in", "not in", "is", …
  std::vector<std::string> parameters;  // of Lambda; "*name" takes the rest
  std::vector<NodePtr> defaults;        // of Lambda: each parameter's, perhaps null
  std::vector<Clause> clauses;          // of comprehensions
  bool is(NodeKind k) const { return kind == k; }
};

// A parameter of a function or lambda.
struct Parameter {
  std::string name;  // "*name" takes the rest of the positional arguments, "**name" of those by keyword; "*" and "/"
                     // part the parameters by how they may be given
  int line = 0, column = 0;
  NodePtr annotation;  // may be null
  NodePtr fallback;    // the default value; may be null
};

// The kinds of statements, and the members of Statement that each uses.
enum class StatementKind : std::uint8_t {
  Function,    // name, parameters, decorators, body
  Class,       // name, decorators, body
  Import,      // imports
  Expression,  // value
  Assign,      // targets = value; several targets for a = b = value
  Annotated,   // targets[0]: annotation = value (value may be null)
  Augmented,   // targets[0] text= value
  For,         // for targets[0] in value: body
  While,       // while value: body
  If,          // if value: body else: orelse
  With,        // with items: body
  Return,      // value may be null
  Assert,      // value; annotation is the message or null
  Pass,
  Break,
  Continue,
  Try,     // body, handlers, orelse (else), last (finally)
  Raise,   // value may be null
  Delete,  // targets
  Scope,   // global and nonlocal (text): names
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
  NodePtr type;      // null where it takes everything
  std::string name;  // as name; empty without
  int line = 0, column = 0;
  std::vector<StatementPtr> body;
};

// A name that an import defines.
struct Import {
  std::string
      module;        // "tvm.script" in `from tvm.script import tir as T`; the module itself in `import module as alias`
  std::string name;  // "tir"; empty for a plain `import`
  std::string alias;  // "T"; what the name is when there is no `as`
};

// A statement.
struct Statement {
  StatementKind kind = StatementKind::Pass;
  int line = 0, column = 0;
  std::string text;  // name of a function or class, operator of an augmented assignment
  NodePtr value, annotation;
  std::vector<NodePtr> targets;
  std::vector<NodePtr> decorators;
  std::vector<Parameter> parameters;
  std::vector<WithItem> items;
  std::vector<Import> imports;
  std::vector<StatementPtr> body, orelse, last;
  std::vector<Handler> handlers;
  std::vector<std::string> names;
  int lastLine = 0;  // of the statement with all that belongs to it
};

// Expressions nested, or chained by operators, deeper than this are refused, so that no later recursion overflows.
inline constexpr int kMaxExpressionDepth = 500;

// Parses the statements of a whole text. Error "ParseError".
Result<std::vector<StatementPtr>> parseStatements(const SourceText& source);
// Parses one expression that is the whole text. Error "ParseError".
Result<NodePtr> parseExpression(const SourceText& source);

}  // namespace loom::script
