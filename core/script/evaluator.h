// Evaluates expressions of TVMScript as TVM's script parser does: Python arithmetic on Python numbers, folding
// operators on program expressions. Internal to core/script.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/script/value.h"

namespace loom::script {

class Arguments;

// Evaluates Python expressions of TVMScript, given as nodes of a syntax tree, to values of TensorIR. Errors are thrown
// as Refusal, an exception that holds the error.
class Evaluator {
 public:
  // `source`, the text of all nodes, and `ids`, which numbers new buffers, must outlive the evaluator.
  Evaluator(const SourceText& source, ir::IdSource& ids) : source_(source), ids_(ids) { scopes_.emplace_back(); }
  virtual ~Evaluator() = default;

  // Throw a Refusal with a "ParseError" at a node, or at a line and column counted from 1.
  [[noreturn]] void refuse(const Node& at, Message message) const;
  [[noreturn]] void refuse(int line, int column, Message message) const;

  // Returns the value of a node.
  Value evaluate(const Node& node);
  // Returns the value as a program expression: Python numbers become int32 (int64 if they don't fit), float32 and bool,
  // a string a StringImm, and a buffer without dimensions a load of its element. A Refusal at the node for other
  // values.
  ir::Expr toExpr(const Value& value, const Node& at);
  // Evaluates a node to a program expression.
  ir::Expr expression(const Node& node) { return toExpr(evaluate(node), node); }
  // Return a value as an annotation's value, and a dictionary as annotations; a Refusal at the node for other values.
  ir::AnnotationValue toAnnotation(const Value& value, const Node& at);
  ir::Annotations toAnnotations(const Value& value, const Node& at);

  // Returns the dotted name of a TVMScript function in a module: "axis.spatial" for T.axis.spatial and `module` 'T',
  // "ir_module" for I.ir_module and 'I'; "" if the node names no function of that module, or if a value was defined
  // under the name that stands before the first dot.
  std::string scriptName(const Node& node, char module = 'T') const;
  // Makes `alias` another name of a module: 'T', 'I' or 'R' (Relax).
  void addAlias(const std::string& alias, char module) { aliases_[alias] = module; }

  // Open and close a scope of names inside the innermost one.
  void pushScope() { scopes_.emplace_back(); }
  void popScope() { scopes_.pop_back(); }
  // Defines a name in the innermost scope. If the name is defined there already, that is a Refusal at the line and
  // column, counted from 1, unless both values are the same program expression.
  void define(const std::string& name, Value value, int line, int column);
  // Assigns a value to a target: to a name, or the value's items to the names in a tuple, of which a starred one takes
  // the rest as a list. `bind` is called for each name, also for `_`, and returns the value to define under it, which
  // it may give the name; a second `_` in a scope is not defined anew. A Refusal if the numbers of names and items
  // differ.
  using Bind = std::function<Value(const std::string& name, Value value, const Node& at)>;
  void assign(const Node& target, const Value& value, const Bind& bind);

 protected:
  // Evaluates a call of the TVMScript function of that name, given as `scriptName` returns it, if the function makes a
  // statement or defines something in the current scope ("axis.spatial", "match_buffer"). The name is "Buffer[]", and
  // the node a subscript, for T.Buffer[…] with square brackets. Returns nothing for other functions, and in this class
  // for all; derived classes override this.
  virtual std::optional<Value> evaluateScopedCall(const std::string&, const Node&) { return std::nullopt; }

  // Returns the innermost definition of a name, until it is defined anew or its scope closes; null if there is none.
  const Value* find(const std::string& name) const;
  // Makes a buffer from the arguments that T.Buffer, T.match_buffer and T.alloc_buffer have in common, which begin at
  // position `first`. It has no name until the `bind` of a derived class gives it that of the assignment.
  std::shared_ptr<ir::BufferNode> declareBuffer(Arguments& arguments, std::size_t first);
  // Makes a variable without a name, which it gets in the same way.
  ir::Var unnamedVar(ir::DType dtype);
  bool isUnnamed(const ir::VarNode* v) const { return unnamedVars_.count(v) != 0; }
  // Returns the ranges of a subscript of the buffer; an index without a slice has extent 1. A Refusal unless there is
  // one for each dimension.
  std::vector<ir::Range> regionOf(const Node& subscript, const ir::Buffer& buffer);
  // Returns a value that is a region, or a load of one element, as a region; a Refusal at the node for other values.
  ir::BufferRegion toRegion(const Value& value, const Node& at);
  // Returns an expression simplified; a Refusal at the node if it divides by zero.
  ir::Expr simplified(const ir::Expr& e, const Node& at);
  // Returns the variable for an extent that is given as text, T.Buffer(("n", 16)); one variable for all uses of a name
  // in a function. In this class it is a Refusal; a derived class that reads functions overrides it.
  virtual ir::Expr symbolicExtent(const std::string& name, const Node& at);
  // Returns the folded operation on two operands brought to one dtype; a Refusal at the node if their dtypes don't
  // match or it divides by zero.
  ir::Expr binaryOperation(ir::ExprKind kind, ir::Expr a, ir::Expr b, const Node& at);
  // Return a value as a dtype (a type or its name; "" is void), a constant integer, or a string; a Refusal at the node
  // for other values.
  ir::DType dtypeOf(const Value& value, const Node& at) const;
  std::int64_t integerOf(const Value& value, const Node& at) const;
  std::string stringOf(const Value& value, const Node& at) const;

  // Evaluates an operand or argument, where a slice of a buffer means a vector and not a region.
  Value operand(const Node& node);
  // Returns the value of `a op b`, where `op` is Python's operator, "//": in Python's arithmetic for two Python
  // numbers, strings or lists, else as a program expression.
  Value operate(const std::string& op, const Value& a, const Value& b, const Node& at);
  // Returns a Python number as a constant of a scalar dtype; a Refusal at the node if the number is outside the dtype's
  // range.
  ir::Expr typedConstant(ir::DType dtype, const Value& value, const Node& at);

  const SourceText& source_;
  ir::IdSource& ids_;
  std::vector<std::unordered_map<std::string, Value>> scopes_;
  std::unordered_set<const ir::VarNode*> unnamedVars_;
  std::unordered_map<const ir::BufferNode*, std::shared_ptr<ir::BufferNode>> unnamedBuffers_;
  std::unordered_set<const ir::VarNode*> declared_;  // variables made by `name = T.int32()`, in no buffer's shape yet
  std::vector<ir::Expr> kept_;  // unnamed variables stay alive, so that their addresses stay theirs

 private:
  friend class Arguments;
  Value name(const Node& node);
  Value unary(const Node& node);
  Value binary(const Node& node);
  Value compare(const Node& node);
  Value logic(const Node& node);
  Value conditional(const Node& node);
  Value attribute(const Node& node);
  Value subscript(const Node& node, bool vectorSlices);
  Value compareTwo(const std::string& op, const Value& a, const Value& b, const Node& at);
  Value pythonArithmetic(const std::string& op, const Value& a, const Value& b, const Node& at) const;
  ir::Expr combine(ir::ExprKind kind, const Value& a, const Value& b, const Node& at);
  // Returns an operand of a bit operation as an expression: a Python integer gets the other operand's dtype.
  ir::Expr adopted(const Value& v, const Value& other, const Node& at);
  ir::Expr bitwise(const std::string& op, ir::Expr a, ir::Expr b, const Node& at);
  Value sliceLoad(const Node& at, const Node& index, const ir::Buffer& buffer);
  Value argument(const Node& call, const Node& node);
  Value call(const Node& node);
  Value typedCall(ir::DType dtype, Arguments& arguments);
  Value method(const Node& node);
  std::optional<Value> constructorCall(const std::string& name, Arguments& arguments);
  std::optional<Value> mathCall(const std::string& name, Arguments& arguments);
  std::optional<Value> intrinsicCall(const std::string& name, Arguments& arguments);

  std::unordered_map<std::string, char> aliases_{{"T", 'T'}, {"I", 'I'}, {"R", 'R'}};
};

// The arguments of a call, taken by position or by name. Who evaluates the call takes every argument that the called
// function has, and then calls `finish`, which refuses the call if it has any other argument. Each of the functions
// below that return an argument takes it.
class Arguments {
 public:
  // Evaluates the arguments in order; both parameters must outlive the object. `call` may also be a subscript, whose
  // indices are then the arguments: T.Buffer[(16, 16), "float32"].
  Arguments(Evaluator& evaluator, const Node& call);

  std::size_t count() const { return positional_.size(); }  // number of positional arguments
  // Returns the argument at the position or of the name, which lives as long as the object; null if it isn't given or
  // is None.
  const Value* find(std::size_t position, std::string_view name);
  // Return the argument at the position or of the name, converted to the result's type. If it isn't given or is None,
  // they return `fallback`; without a `fallback` that is a Refusal.
  const Value& need(std::size_t position, std::string_view name);
  ir::Expr expr(std::size_t position, std::string_view name);
  std::string string(std::size_t position, std::string_view name);
  std::string string(std::size_t position, std::string_view name, std::string fallback);
  std::int64_t integer(std::size_t position, std::string_view name, std::int64_t fallback);
  ir::DType dtype(std::size_t position, std::string_view name);
  // Returns all positional arguments from position `from` on, as expressions.
  std::vector<ir::Expr> rest(std::size_t from);
  // Returns the argument given by keyword `name`; null if it isn't given so or is None.
  const Value* keyword(std::string_view name);
  void drop(std::string_view name);  // takes a keyword argument that TVM ignores, if it is given
  // Throws a Refusal at the first argument that wasn't taken.
  void finish();

  const Node& node;
  // Returns the node of an argument, for messages; the node of the call if the argument isn't given.
  const Node& where(std::size_t position, std::string_view name) const;

 private:
  Evaluator& evaluator_;
  std::vector<Value> positional_;
  std::vector<const Node*> nodes_;
  std::vector<std::pair<const Keyword*, Value>> keywords_;
  std::vector<bool> positionUsed_, keywordUsed_;
};

}  // namespace loom::script
