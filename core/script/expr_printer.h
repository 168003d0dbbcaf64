// Prints expressions, regions and annotation values as TVMScript. Internal to core/script.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "core/script/definition_scope.h"
#include "core/script/script_writer.h"

namespace loom::script {

// How tightly the outermost operator of an expression binds in Python, in ascending order.
enum class Precedence { Lowest, Or, And, Not, Comparison, Sum, Product, Unary, Atom };

// Prints expressions and declarations of buffers as TVMScript. Names are looked up and defined in a ScriptWriter (the
// text being built, with the scopes in which names are defined), which must outlive the printer; `scope` is an index of
// one of the writer's scopes. The dialect is the TVM whose spelling is printed: Tir for 0.22, STir for the current one.
// Texts are appended to `out`.
class ExprPrinter {
 public:
  ExprPrinter(ScriptWriter& writer, Dialect dialect) : writer_(writer), dialect_(dialect) {}

  // Sets the function being printed, which must live until the next call: a variable or buffer that is used without a
  // definition is declared in the innermost open scope of the writer whose node contains all its uses
  // (DefinitionScopes). If it is null, as before the first call, such a variable is written by its name and declared
  // nowhere.
  void setFunction(const ir::FunctionNode* function) {
    function_ = function;
    scopes_.reset();
  }
  Dialect dialect() const { return dialect_; }

  // Prints the expression, in parentheses if it binds less tightly than `around` (or as tightly, with `strict`).
  void print(Text& out, const ir::Expr& e, Precedence around = Precedence::Lowest, bool strict = false);
  // Returns the text of an expression.
  Text text(const ir::Expr& e);
  // Append a load's or store's indices in their brackets, a region (`A[0:16, k]`), an annotation's value, annotations
  // as a dictionary, and expressions separated by commas. Each entry of the dictionary gets a Span::What::Annotation
  // with the id `owner`, unless that is Id{}.
  void index(Text& out, const std::vector<ir::Expr>& indices);
  void region(Text& out, const ir::BufferRegion& region);
  void annotation(Text& out, const ir::AnnotationValue& value);
  void annotations(Text& out, const ir::Annotations& values, ir::Id owner = {});
  void list(Text& out, const std::vector<ir::Expr>& exprs);

  // Define a variable or buffer in a scope and return its unique name. The reference is valid until the scope is
  // closed.
  const std::string& defineVar(const ir::VarNode& var, std::size_t scope);
  const std::string& defineBuffer(const ir::BufferNode& buffer, std::size_t scope);
  // Returns the expression that creates a variable: `T.int32()` or `T.handle("float16", "shared")`.
  std::string creation(const ir::VarNode& var);
  // Returns the buffer's name, valid until its scope is closed; a buffer that isn't defined is declared first.
  const std::string& name(const ir::BufferNode& buffer);
  // Prints a parameter's annotation, `T.Buffer((16, 16), "float16")`; the caller defines the buffer (defineBuffer) and
  // prints its name before. In the dialect STir the annotation has all arguments of a declaration, and a shape with
  // variables that aren't defined yet stands in quotes. `later` are variables that are parameters further on: no line
  // is printed that defines them.
  void annotateBuffer(Text& out, const ir::BufferNode& buffer, std::size_t scope,
                      const std::vector<const ir::VarNode*>& later);
  // Prints the line `name = T.method(first, shape, dtype, data=…, …)` into the scope, without `first` if that is empty,
  // where it defines the buffer, and before it lines that define the variables of its shape.
  void declareBuffer(const ir::BufferNode& buffer, std::string_view method, const Text& first, std::size_t scope);
  // Returns whether a string was printed that TVM moves to the script's metadata.
  bool usesMetadata() const { return !metadata_.empty(); }

 private:
  const std::string& name(const ir::VarNode& var);
  std::size_t scopeFor(const void* object);
  const DefinitionScopes& scopes();
  void binary(Text& out, const ir::BinaryNode& n, Precedence around, bool strict);
  void call(Text& out, const ir::CallNode& n);
  struct Declaration {
    Text first;                               // what stands before the shape
    bool isAnnotation = false;                // whether the dtype is printed even if float32, and new shapes in quotes
    std::vector<const ir::VarNode*> defined;  // variables that are defined elsewhere, so that no line defines them
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
