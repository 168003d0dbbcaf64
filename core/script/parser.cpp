#include "core/script/parser.h"

#include <algorithm>

#include "core/script/definition.h"
#include "core/script/function_reader.h"

namespace loom::script {
namespace {

class ModuleReader {
 public:
  ModuleReader(const SourceText& source, bool several) : ids_(0), reader_(source, ids_), several_(several) {}

  // The module of one definition among other Python.
  ir::Module definition(const Statement& s, const Surroundings& around, std::vector<RelaxFunction>& passedOver) {
    for (const auto& [alias, module] : around.aliases) reader_.addAlias(alias, module);
    for (const auto& [name, value] : around.constants) reader_.define(name, constantOf(value), s.line, s.column);
    topLevel(s);
    passedOver.insert(passedOver.end(), passedOver_.begin(), passedOver_.end());
    if (module_.functions.empty() && !passedOver_.empty()) {
      reader_.refuse(s.line, s.column, message("the module has no function with @T.prim_func, only of Relax"));
    }
    return sorted();
  }

  std::vector<ir::Function> functions(const std::vector<StatementPtr>& statements) {
    for (const auto& s : statements) topLevel(*s);
    if (module_.functions.empty() && !sawModule_) {
      reader_.refuse(1, 1,
                     message("expected a function decorated with @T.prim_func or a class decorated with @I.ir_module"));
    }
    return module_.functions;
  }

  ir::Module module(const std::vector<StatementPtr>& statements) {
    functions(statements);
    return sorted();
  }

 private:
  ir::Module sorted() {
    // TVM prints by name, main last
    std::stable_sort(module_.functions.begin(), module_.functions.end(), [](const auto& a, const auto& b) {
      bool mainA = a->name == "main", mainB = b->name == "main";
      return mainA != mainB ? mainB : a->name < b->name;
    });
    return std::move(module_);
  }

  static Value constantOf(const StepValue& value) {
    switch (value.kind) {
      case StepValue::Kind::Bool: return {value.integer != 0};
      case StepValue::Kind::Int: return {value.integer};
      case StepValue::Kind::Float: return {value.real};
      case StepValue::Kind::String: return {value.text};
      case StepValue::Kind::List:
      case StepValue::Kind::Tuple: {
        std::vector<Value> items;
        for (const StepValue& item : value.items) items.push_back(constantOf(item));
        return sequence(std::move(items), value.is(StepValue::Kind::Tuple));
      }
      default: return {};
    }
  }

  void topLevel(const Statement& s) {
    switch (s.kind) {
      case StatementKind::Import: return imports(s);
      case StatementKind::Pass: return;
      case StatementKind::Assign: return reader_.defineConstant(s);
      case StatementKind::Function:
        if (sawModule_ || (!module_.functions.empty() && !several_)) {
          reader_.refuse(s.line, s.column,
                         message("expected one function; several belong into a class with @I.ir_module"));
        }
        return function(s);
      case StatementKind::Class: return moduleClass(s);
      case StatementKind::Expression:
        if (s.value->is(NodeKind::String)) return;
        break;
      default: break;
    }
    reader_.refuse(s.line, s.column, message("expected an import, a constant, @T.prim_func or @I.ir_module"));
  }

  void imports(const Statement& s) {
    for (const auto& i : s.imports) {
      const std::string& what = i.name.empty() ? i.module : i.name;
      auto last = what.substr(what.rfind('.') + 1);
      bool named = !i.name.empty() || i.alias != i.module;
      if (named && last == "relax") reader_.addAlias(i.alias, 'R');
      if (named && (last == "tir" || last == "tirx")) reader_.addAlias(i.alias, 'T');
      if (named && last == "ir") reader_.addAlias(i.alias, 'I');
    }
  }

  void function(const Statement& s) {
    if (s.decorators.size() != 1 || decoratorOf(s) != "prim_func") {
      reader_.refuse(s.line, s.column, message("expected the one decorator @T.prim_func"));
    }
    bool isPrivate = false;
    for (const auto& k : s.decorators[0]->keywords) {
      if (k.name == "private") isPrivate = k.value->is(NodeKind::True);
      if (k.name != "private" && k.name != "check_well_formed" && k.name != "s_tir") {
        reader_.refuse(*k.value, message("T.prim_func has no argument '{}'", k.name));
      }
    }
    if (s.annotation && !s.annotation->is(NodeKind::None)) {
      reader_.refuse(*s.annotation, message("a function that returns a value is not read"));
    }
    for (const auto& f : module_.functions) {
      if (f->name == s.text) reader_.refuse(s.line, s.column, message("the function '{}' is defined twice", s.text));
    }
    module_.functions.push_back(reader_.read(s, isPrivate));
  }

  void moduleClass(const Statement& s) {
    if (s.decorators.size() != 1 || decoratorOf(s) != "ir_module") {
      reader_.refuse(s.line, s.column, message("expected the one decorator @I.ir_module"));
    }
    if (sawModule_ || !module_.functions.empty()) reader_.refuse(s.line, s.column, message("expected one module"));
    sawModule_ = true;
    for (const auto& member : s.body) {
      if (member->kind == StatementKind::Function && decoratorOf(*member) == "function") {
        passedOver_.push_back({member->text, member->line});
      } else if (member->kind == StatementKind::Function) {
        function(*member);
      } else if (member->kind == StatementKind::Assign) {
        reader_.defineConstant(*member);
      } else if (member->kind == StatementKind::Expression && member->value->is(NodeKind::Call)) {
        moduleCall(*member->value);
      } else if (member->kind != StatementKind::Pass &&
                 !(member->kind == StatementKind::Expression && member->value->is(NodeKind::String))) {
        reader_.refuse(member->line, member->column, message("expected a function with @T.prim_func"));
      }
    }
  }

  void moduleCall(const Node& call) {
    if (reader_.scriptName(*call.children[0], 'I') == "module_global_infos") return;  // of Relax's devices
    if (reader_.scriptName(*call.children[0], 'I') != "module_attrs" || call.children.size() != 2) {
      reader_.refuse(call, message("expected I.module_attrs({{…}}) or a function"));
    }
    module_.attrs = reader_.toAnnotations(reader_.evaluate(*call.children[1]), call);
  }

  ir::IdSource ids_;
  FunctionReader reader_;
  std::vector<RelaxFunction> passedOver_;
  ir::Module module_;
  bool several_;  // functions at the top
  bool sawModule_ = false;
};

// Turns a refusal that unwound into a value.
template <class T, class Read>
Result<T> readText(std::string_view text, std::string_view file, Read read) {
  SourceText source{text, file};
  auto statements = parseStatements(source);
  if (!statements) return Failure(statements.error());
  try {
    return read(source, *statements);
  } catch (Refusal& refusal) {
    return Failure(std::move(refusal.error));
  }
}

}  // namespace

std::string decoratorOf(const Statement& definition) {
  if (definition.decorators.empty()) return "";
  const Node* node = definition.decorators.front().get();
  if (node->is(NodeKind::Call)) node = node->children[0].get();
  return node->is(NodeKind::Attribute) || node->is(NodeKind::Name) ? node->text : "";
}

Result<ir::Module> readDefinition(const SourceText& source, const Statement& definition, const Surroundings& around,
                                  std::vector<RelaxFunction>& passedOver) {
  try {
    return ModuleReader(source, false).definition(definition, around, passedOver);
  } catch (Refusal& refusal) {
    return Failure(std::move(refusal.error));
  }
}

Result<ir::Module> parseModule(std::string_view text, std::string_view file) {
  return readText<ir::Module>(text, file, [](const SourceText& source, const std::vector<StatementPtr>& statements) {
    return ModuleReader(source, false).module(statements);
  });
}

Result<std::vector<ir::Function>> parseFunctions(std::string_view text, std::string_view file) {
  return readText<std::vector<ir::Function>>(text, file,
                                             [](const SourceText& source, const std::vector<StatementPtr>& statements) {
                                               return ModuleReader(source, true).functions(statements);
                                             });
}

}  // namespace loom::script
