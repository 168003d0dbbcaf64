#include "core/script/printer.h"

#include <algorithm>

#include "core/script/literal.h"
#include "core/script/stmt_printer.h"

namespace loom::script {

using namespace ir;

Script print(const Module& module, Dialect dialect) {
  std::vector<const FunctionNode*> functions;
  for (const Function& f : module.functions) functions.push_back(f.get());
  // TVM's order: by name, main last.
  std::stable_sort(functions.begin(), functions.end(), [](const FunctionNode* a, const FunctionNode* b) {
    if ((a->name == "main") != (b->name == "main")) return b->name == "main";
    return a->name < b->name;
  });

  ScriptWriter writer;
  StmtPrinter printer(writer, dialect);
  for (const char* keyword : {"I", "T", "R", "cls"}) writer.reserve(keyword);
  writer.emit("# from tvm.script import ir as I");
  if (!functions.empty()) {
    if (dialect == Dialect::Tir) {
      writer.emit("# from tvm.script import tir as T");
    } else {
      writer.emit("# from tvm.script import tirx as T");
      writer.emit("# from tvm.tirx.layout import Axis");
    }
  }
  writer.blankLine();
  writer.open(&module, 1);
  writer.define(&module, "Module", writer.innermost());
  writer.header("@I.ir_module", false);
  writer.header("class Module:");
  if (!module.attrs.empty()) {
    Text line = "I.module_attrs(";
    printer.exprs().annotations(line, module.attrs);
    writer.emit(line << ")");
  }
  for (const FunctionNode* f : functions) {
    if (f != functions.front()) writer.blankLine();
    printer.function(*f);
  }
  if (functions.empty() && module.attrs.empty()) writer.emit("pass");
  writer.close();
  if (printer.exprs().usesMetadata()) {
    if (!functions.empty()) writer.blankLine();
    writer.emit("# Metadata omitted. Use show_meta=True in script() method to show it.");
  }
  return writer.finish();
}

std::string printExpr(const Expr& expr, Dialect dialect) {
  ScriptWriter writer;
  return ExprPrinter(writer, dialect).text(expr).text;
}

std::string printStmt(const Stmt& stmt, Dialect dialect) {
  ScriptWriter writer;
  StmtPrinter(writer, dialect).statement(stmt);
  return writer.finish().text;
}

std::string printRegion(const BufferRegion& region) {
  ScriptWriter writer;
  Text out;
  ExprPrinter(writer, Dialect::Tir).region(out, region);
  return out.text;
}

std::string printAnnotation(const AnnotationValue& value, Dialect dialect) {
  ScriptWriter writer;
  Text out;
  ExprPrinter(writer, dialect).annotation(out, value);
  return out.text;
}

}  // namespace loom::script
