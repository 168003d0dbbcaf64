#include "core/script/saved_program.h"

#include <nlohmann/json.hpp>

#include "core/ir/build.h"
#include "core/script/lexer.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "core/script/saved_stmt.h"

namespace loom::script {
namespace {

using Json = nlohmann::ordered_json;

std::optional<Json> parsed(std::string_view text) {
  bool deep = false;
  Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > 20;  // a graph is flat
        return !deep;
      },
      false);
  if (json.is_discarded() || deep) return std::nullopt;
  return json;
}

// Of a function that stands alone: its name is what it is told to be called.
std::string symbolOf(const ir::Function& f) {
  const auto found = f->attrs.find("global_symbol");
  const ir::Expr* e = found == f->attrs.end() ? nullptr : std::get_if<ir::Expr>(&found->second.value);
  return e && (*e)->kind == ir::ExprKind::StringImm ? ir::as<ir::StringImmNode>(*e)->value : "main";
}

SavedProgram programOf(const SavedGraph& graph) {
  SavedProgram program;
  SavedStmts stmts(graph);
  const auto root = graph.root();
  if (graph.type(root) == "tir.PrimFunc") {
    ir::Function f = stmts.function(root, "main");
    f = ir::edit(*f, [&](ir::FunctionNode& n) { n.name = symbolOf(f); });
    program.module.functions.push_back(std::move(f));
    return program;
  }
  if (graph.type(root) != "IRModule")
    graph.unexpected(root, message("a module (IRModule) or a function of TIR (PrimFunc)"));
  for (const auto& [global, function] : graph.entries(graph.need(root, "functions"))) {
    if (graph.type(global) != "GlobalVar") graph.unexpected(global, message("a function's name"));
    std::string name = graph.text(global, "name_hint");
    if (graph.type(function) == "tir.PrimFunc") {
      program.module.functions.push_back(stmts.function(function, name));
    } else {
      program.passedOver.push_back(std::move(name));
    }
  }
  if (const auto attrs = graph.reference(root, "attrs")) {
    program.module.attrs = stmts.annotations(graph.reference(attrs, "__dict__"));
  }
  if (program.module.functions.empty()) throw NotAsSaved{message("the module has no function of TIR")};
  return program;
}

// What a tuner wrote that knows no TensorIR, a record a line; empty: none of these.
std::string_view tunerOf(std::string_view json) {
  const std::string_view line = json.substr(0, json.find('\n'));
  if (line.size() > 100'000) return "";  // theirs are short; TVM may save a program of megabytes as one
  const auto record = nlohmann::json::parse(line, nullptr, false);
  if (!record.is_object()) return "";
  if (record.contains("input") && record.contains("config")) return "AutoTVM";
  if (record.contains("i") && record.contains("r") && record.contains("v")) return "Ansor";
  return "";
}

}  // namespace

Result<SavedProgram> readSavedProgram(std::string_view json, std::string_view file) {
  const SourceText source{json, file};
  if (const auto tuner = tunerOf(json); !tuner.empty()) {
    return source.error(1, 1,
                        message("this is a log of {}, which schedules tensor expressions: no TensorIR program is in "
                                "it (a MetaSchedule database has one)",
                                tuner));
  }
  const auto tree = parsed(json);
  if (!tree) return source.error(1, 1, message("expected the JSON of a program that TVM saved"));
  const auto wrong = [&](const Message& what) {
    Error error =
        fail("ParseError", message("this JSON is no program that TVM saved: {}", what), Forbids::Input).value();
    error.place.file = file;
    return Failure(std::move(error));
  };
  SavedProgram program;
  try {
    program = programOf(SavedGraph(*tree));
  } catch (const NotAsSaved& why) {
    return wrong(why.what);
  }
  // By its text, whose reader checks what a program must be: a graph from elsewhere may be none.
  auto read = parseModule(print(program.module).text, file);
  if (!read) return wrong(message("its text can't be read: {}", read.error().message));
  program.module = std::move(*read);
  return program;
}

}  // namespace loom::script
