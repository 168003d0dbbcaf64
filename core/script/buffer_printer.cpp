// Declarations of buffers: the arguments that differ from the defaults, and the variables that a declaration brings
// with it.
#include <algorithm>

#include "core/ir/visit.h"
#include "core/script/expr_printer.h"
#include "core/script/literal.h"

namespace loom::script {

using namespace ir;

namespace {

int occurrences(const BufferNode& b, const VarNode* var) {
  int count = 0;
  auto add = [&](const Expr& e) { forEachExpr(e, [&](const Expr& x) { count += x.get() == var; }); };
  add(b.elemOffset);
  add(b.data);
  for (const Expr& e : b.strides) add(e);
  for (const Expr& e : b.shape) add(e);
  return count;
}

}  // namespace

Text ExprPrinter::bufferArguments(const BufferNode& buffer, Declaration declaration, std::size_t scope) {
  std::string names, creations;  // of the variables that get a line of their own
  int created = 0;
  auto create = [&](const Expr& e) {
    const auto* var = as<VarNode>(e);
    const auto& known = declaration.defined;
    if (std::find(known.begin(), known.end(), var) != known.end()) {
      defineVar(*var, scope);
      return;
    }
    if (created++) {
      names += ", ";
      creations += ", ";
    }
    names += defineVar(*var, scope);
    creations += creation(*var);
  };
  // A variable that occurs once is the field itself (`A.strides[0]`).
  auto inlined = [&](const Expr& e, std::string field) {
    if (occurrences(buffer, as<VarNode>(e)) != 1) {
      create(e);
      return false;
    }
    writer_.defineAs(e.get(), name(buffer) + field, scope);
    return true;
  };

  Text out = std::move(declaration.first);
  auto keyword = [&](std::string_view key) -> Text& { return out << (out.text.empty() ? "" : ", ") << key << "="; };
  auto tuple = [&](const std::vector<Expr>& items, auto item) {
    out << "(";
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i) out << ", ";
      item(i);
    }
    out << (items.size() == 1 ? ",)" : ")");
  };

  if (!out.text.empty()) out << ", ";
  auto shown = [&](const Expr& e) {
    bool quoted = declaration.isAnnotation && usesVar(e, [&](const VarNode* v) { return !writer_.find(v); });
    if (isNew(e)) create(e);
    if (quoted) {
      for (const VarNode* v : declaration.defined) {
        if (usesVar(e, [&](const VarNode* used) { return used == v; })) defineVar(*v, scope);
      }
    }
    Text shape = text(e);
    if (quoted) shape = Text(stringLiteral(shape.text));
    out << shape;
  };
  tuple(buffer.shape, [&](std::size_t i) { shown(buffer.shape[i]); });
  if (declaration.isAnnotation || buffer.dtype != DType::Float(32)) out << ", \"" << buffer.dtype.str() << "\"";
  if (!isNew(buffer.data) || !inlined(buffer.data, ".data")) print(keyword("data"), buffer.data);
  if (!buffer.strides.empty()) {
    keyword("strides");
    tuple(buffer.strides, [&](std::size_t i) {
      const Expr& e = buffer.strides[i];
      if (isNew(e) && inlined(e, ".strides[" + std::to_string(i) + "]")) {
        out << stringLiteral(as<VarNode>(e)->name);
      } else {
        print(out, e);
      }
    });
  }
  bool printFactor = buffer.offsetFactor != 1;
  if (isNew(buffer.elemOffset)) {
    inlined(buffer.elemOffset, ".elem_offset");
    printFactor = true;
  } else if (!isConst(buffer.elemOffset, 0)) {
    print(keyword("elem_offset"), buffer.elemOffset);
  }
  if (buffer.scope != "global") keyword("scope") << stringLiteral(buffer.scope);
  if (buffer.dataAlignment != 64) keyword("align") << std::to_string(buffer.dataAlignment);
  if (printFactor) keyword("offset_factor") << std::to_string(buffer.offsetFactor);
  if (!buffer.axisSeparators.empty()) {
    keyword("axis_separators") << "[";
    for (std::size_t i = 0; i < buffer.axisSeparators.size(); ++i) {
      out << (i ? ", " : "") << std::to_string(buffer.axisSeparators[i]);
    }
    out << "]";
  }
  if (created) writer_.emitIn(scope, names + " = " + creations);
  return out;
}

void ExprPrinter::annotateBuffer(Text& out, const BufferNode& buffer, std::size_t scope,
                                 const std::vector<const VarNode*>& later) {
  out << "T.Buffer(" << bufferArguments(buffer, {{}, true, later}, scope) << ")";
}

void ExprPrinter::declareBuffer(const BufferNode& buffer, std::string_view method, const Text& first,
                                std::size_t scope) {
  Text line;
  line << defineBuffer(buffer, scope);
  line.mark(0, Span::What::Buffer, buffer.id);
  Text arguments = bufferArguments(buffer, {first, false, {}}, scope);
  line << " = T." << method << "(" << arguments << ")";
  writer_.emitIn(scope, std::move(line));
}

}  // namespace loom::script
