// Evaluates expressions of TVMScript as TVM's script parser does: Python arithmetic on Python numbers, folding
// operators on program expressions. Private to the room.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/script/value.h"

namespace loom::script {

// Positional and keyword arguments of a call. Every argument must be asked for before `finish`.
class Arguments;

// Evaluates Python expressions of TVMScript to values of TensorIR.
class Evaluator {
 public:
  Evaluator(const SourceText& source, ir::IdSource& ids) : source_(source), ids_(ids) { scopes_.emplace_back(); }
  virtual ~Evaluator() = default;

  [[noreturn]] void refuse(const Node& at, Message message) const;
  [[noreturn]] void refuse(int line, int column, Message message) const;

  Value evaluate(const Node& node);
  // Returns the value as a program expression: Python numbers become int32 (int64 if they don't fit), float32 and bool.
  ir::Expr toExpr(const Value& value, const Node& at);
  ir::Expr expression(const Node& node) { return toExpr(evaluate(node), node); }
  ir::AnnotationValue toAnnotation(const Value& value, const Node& at);
  ir::Annotations toAnnotations(const Value& value, const Node& at);

  // Returns the dotted name of a TVMScript function ("axis.spatial" for T.axis.spatial); "" if the node is none. `I.…`
  // gives "ir_module" with `module` = 'I'.
  std::string scriptName(const Node& node, char module = 'T') const;
  void addAlias(const std::string& alias, char module) { aliases_[alias] = module; }

  void pushScope() { scopes_.emplace_back(); }
  void popScope() { scopes_.pop_back(); }
  // Defines a name in the innermost scope, where it must be new.
  void define(const std::string& name, Value value, int line, int column);
  // Binds the targets of an assignment to the parts of the value; `bind` may replace each part and names it.
  using Bind = std::function<Value(const std::string& name, Value value, const Node& at)>;
  void assign(const Node& target, const Value& value, const Bind& bind);

 protected:
  // Calls that make statements or name things; false when the name is none of them.
  virtual std::optional<Value> evaluateScopedCall(const std::string&, const Node&) { return std::nullopt; }

  // The innermost definition, or null.
  const Value* find(const std::string& name) const;
  // T.Buffer, T.match_buffer and T.alloc_buffer take the same arguments from `first` on.
  std::shared_ptr<ir::BufferNode> declareBuffer(Arguments& arguments, std::size_t first);
  // Named by the assignment it stands in.
  ir::Var unnamedVar(ir::DType dtype);
  bool isUnnamed(const ir::VarNode* v) const { return unnamedVars_.count(v) != 0; }
  std::vector<ir::Range> regionOf(const Node& subscript, const ir::Buffer& buffer);
  ir::BufferRegion toRegion(const Value& value, const Node& at);
  ir::Expr simplified(const ir::Expr& e, const Node& at);
  // The variable for a shape given as text, T.Buffer(("n", 16)): one for all uses of a name in a function.
  virtual ir::Expr symbolicExtent(const std::string& name, const Node& at);
  ir::Expr binaryOperation(ir::ExprKind kind, ir::Expr a, ir::Expr b, const Node& at);
  ir::DType dtypeOf(const Value& value, const Node& at) const;
  std::int64_t integerOf(const Value& value, const Node& at) const;
  std::string stringOf(const Value& value, const Node& at) const;

  // An operand or argument: slices of a buffer mean a vector there, not a region.
  Value operand(const Node& node);
  Value operate(const std::string& op, const Value& a, const Value& b, const Node& at);
  // A Python number in the scalar dtype; refused outside its range.
  ir::Expr typedConstant(ir::DType dtype, const Value& value, const Node& at);

  const SourceText& source_;
  ir::IdSource& ids_;
  std::vector<std::unordered_map<std::string, Value>> scopes_;
  std::unordered_set<const ir::VarNode*> unnamedVars_;
  std::unordered_map<const ir::BufferNode*, std::shared_ptr<ir::BufferNode>> unnamedBuffers_;
  std::unordered_set<const ir::VarNode*> declared_;  // by `name = T.int32()`, and no part of a buffer's shape
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
  // The operand of a bit operation: a Python integer takes the other's dtype.
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

// The arguments of a call, taken by position or name.
class Arguments {
 public:
  // Evaluates them in order. Of a subscript, its indices are the arguments: T.Buffer[(16, 16), "float32"].
  Arguments(Evaluator& evaluator, const Node& call);

  std::size_t count() const { return positional_.size(); }
  // Returns the argument at the position or of the name; null if it isn't given.
  const Value* find(std::size_t position, std::string_view name);
  const Value& need(std::size_t position, std::string_view name);
  ir::Expr expr(std::size_t position, std::string_view name);
  std::string string(std::size_t position, std::string_view name);
  std::string string(std::size_t position, std::string_view name, std::string fallback);
  std::int64_t integer(std::size_t position, std::string_view name, std::int64_t fallback);
  ir::DType dtype(std::size_t position, std::string_view name);
  // Returns all positional arguments from there on.
  std::vector<ir::Expr> rest(std::size_t from);
  // Returns a keyword argument, whatever stands at any position; null if it isn't given.
  const Value* keyword(std::string_view name);
  void drop(std::string_view name);  // a keyword that TVM ignores
  // Refuses arguments that nobody asked for.
  void finish();

  const Node& node;
  // Returns the node of an argument, for messages.
  const Node& where(std::size_t position, std::string_view name) const;

 private:
  Evaluator& evaluator_;
  std::vector<Value> positional_;
  std::vector<const Node*> nodes_;
  std::vector<std::pair<const Keyword*, Value>> keywords_;
  std::vector<bool> positionUsed_, keywordUsed_;
};

}  // namespace loom::script
