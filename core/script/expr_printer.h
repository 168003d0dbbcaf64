// Expressions, regions and annotation values as TVMScript, on top of a ScriptWriter. Private to the room.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "core/script/definition_scope.h"
#include "core/script/script_writer.h"

namespace loom::script {

// How tightly an expression binds, as in Python.
enum class Precedence { Lowest, Or, And, Not, Comparison, Sum, Product, Unary, Atom };

// Prints expressions and declarations of buffers as TVMScript.
class ExprPrinter {
 public:
  ExprPrinter(ScriptWriter& writer, Dialect dialect) : writer_(writer), dialect_(dialect) {}

  // Sets the function in which what is undefined is looked up and declared. Without one (null), it is written by its
  // name and declared nowhere.
  void setFunction(const ir::FunctionNode* function) {
    function_ = function;
    scopes_.reset();
  }
  Dialect dialect() const { return dialect_; }

  // Prints the expression, in parentheses if it binds less tightly than `around` (or as tightly, with `strict`).
  void print(Text& out, const ir::Expr& e, Precedence around = Precedence::Lowest, bool strict = false);
  Text text(const ir::Expr& e);
  void index(Text& out, const std::vector<ir::Expr>& indices);
  void region(Text& out, const ir::BufferRegion& region);
  void annotation(Text& out, const ir::AnnotationValue& value);
  void annotations(Text& out, const ir::Annotations& values, ir::Id owner = {});
  void list(Text& out, const std::vector<ir::Expr>& exprs);

  const std::string& defineVar(const ir::VarNode& var, std::size_t scope);
  const std::string& defineBuffer(const ir::BufferNode& buffer, std::size_t scope);
  // Returns `T.int32()` or `T.handle("float16", "shared")`, which creates a variable.
  std::string creation(const ir::VarNode& var);
  const std::string& name(const ir::BufferNode& buffer);
  // Prints `T.Buffer((16, 16), "float16")`, a parameter's annotation. In s_tir it says all that a declaration says, and
  // a shape that uses variables not yet met stands in quotes; those that are parameters too, `later`, get no line of
  // their own.
  void annotateBuffer(Text& out, const ir::BufferNode& buffer, std::size_t scope,
                      const std::vector<const ir::VarNode*>& later);
  // Prints `name = T.method(first, shape, dtype, data=…, …)`: defines the buffer in the scope, and before it the
  // variables of its shape.
  void declareBuffer(const ir::BufferNode& buffer, std::string_view method, const Text& first, std::size_t scope);
  // Returns whether a string was met that TVM prints as metadata.
  bool usesMetadata() const { return !metadata_.empty(); }

 private:
  const std::string& name(const ir::VarNode& var);
  std::size_t scopeFor(const void* object);
  const DefinitionScopes& scopes();
  void binary(Text& out, const ir::BinaryNode& n, Precedence around, bool strict);
  void call(Text& out, const ir::CallNode& n);
  struct Declaration {
    Text first;                               // what stands before the shape
    bool isAnnotation = false;                // with the dtype even if it is float32, new shapes in quotes
    std::vector<const ir::VarNode*> defined;  // elsewhere, so no line defines them
  };
  Text bufferArguments(const ir::BufferNode& buffer, Declaration declaration, std::size_t scope);
  bool isNew(const ir::Expr& e) const { return e->kind == ir::ExprKind::Var && !writer_.find(e.get()); }

  ScriptWriter& writer_;
  Dialect dialect_;
  const ir::FunctionNode* function_ = nullptr;
  std::unique_ptr<DefinitionScopes> scopes_;
  std::vector<std::string> metadata_;
};

}  // namespace loom::script
