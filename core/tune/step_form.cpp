#include "core/tune/step_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/ir/build.h"
#include "core/schedule/value_text.h"

namespace loom::tune {

using schedule::Handle;
using schedule::Value;
using script::StepValue;

namespace {

const ir::Id* idOf(const Handle& handle) {
  if (const auto* block = std::get_if<schedule::BlockRef>(&handle)) {
    return &block->id;
  }
  const auto* loop = std::get_if<schedule::LoopRef>(&handle);
  return loop != nullptr ? &loop->id : nullptr;
}

std::string printedName(const schedule::Tree& tree, ir::Id id) {
  return tree.isBlock(id) ? tree.block(id)->name : tree.loop(id)->var->name;
}

std::vector<std::string> targetsOf(const std::vector<std::string>& lines) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const auto calls = script::parseSchedule(line, "");
    if (!calls) continue;
    for (const script::StepCall& call : *calls)
      for (const script::StepTarget& target : call.targets) names.push_back(target.name);
  }
  return names;
}

// Names of handles: those that the schedule gave, and fresh ones with the lines that give them.
class Names {
 public:
  Names(const document::History& history, int node) : state_(history.node(node).state) {
    const std::vector<std::string> lines = linesTo(history, node);
    byId_ = namesGiven(state_, lines);
    for (std::string& name : targetsOf(lines)) taken_.insert(std::move(name));
  }

  Result<std::string> of(ir::Id id) {
    if (auto found = byId_.find(id); found != byId_.end()) {
      return found->second;
    }
    return state_.tree().isBlock(id) ? nameBlock(id) : nameLoop(id);
  }

  const std::string& lines() const { return lines_; }
  std::string fresh(std::string wish) {
    for (char& c : wish) {
      const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      c = word ? c : '_';
    }
    if (wish.empty() || (wish[0] >= '0' && wish[0] <= '9')) {
      wish = "_" + wish;
    }
    std::string name = wish;
    for (int i = 1; taken_.count(name) != 0; ++i) {
      name = fmt::format("{}_{}", wish, i);
    }
    taken_.insert(name);
    return name;
  }

 private:
  Result<std::string> nameBlock(ir::Id id) {
    const schedule::Tree& tree = state_.tree();
    const std::string printed = printedName(tree, id);
    int same = 0;
    for (const auto& node : tree.nodes()) {
      same += node.isBlock && node.function == tree.at(id).function && printedName(tree, node.id) == printed;
    }
    if (same != 1) {
      return fail("ValueError", message("{} blocks are called \"{}\"; name one in the console first", same, printed),
                  Forbids::Input);
    }
    const std::string name = fresh("b_" + printed);
    lines_ += fmt::format("{} = sch.get_block({})\n", name, script::printValue(script::stepString(printed)));
    byId_[id] = name;
    return name;
  }

  Result<std::string> nameLoop(ir::Id id) {
    const schedule::Tree& tree = state_.tree();
    // The first block that has the loop directly around it; one that can be named already is preferred.
    ir::Id block;
    for (const ir::Id child : tree.childBlocks(id)) {
      if (!block || (byId_.count(block) == 0 && byId_.count(child) != 0)) {
        block = child;
      }
    }
    if (!block) {
      return fail("ValueError", message("No block is under the loop \"{}\"", printedName(tree, id)), Forbids::Input);
    }
    auto blockName = of(block);
    if (!blockName) {
      return blockName;
    }
    std::string targets;
    std::vector<std::pair<ir::Id, std::string>> named;
    const std::vector<ir::Id> loops = tree.loopsAbove(block);
    for (const ir::Id loop : loops) {
      named.emplace_back(loop, fresh(printedName(tree, loop)));
      targets += (targets.empty() ? "" : ", ") + named.back().second;
    }
    lines_ += fmt::format("{}{} = sch.get_loops({})\n", targets, loops.size() == 1 ? "," : "", *blockName);
    for (const auto& [loop, name] : named) {
      byId_.emplace(loop, name);  // a name that the schedule gave stays
    }
    return byId_.at(id);
  }

  const schedule::State& state_;
  std::map<ir::Id, std::string> byId_;
  std::set<std::string> taken_;
  std::string lines_;
};

// How many loops a primitive's form gives, where the form alone says it.
std::size_t resultCount(const StepForm& form) {
  for (const auto& value : form.values) {
    if (value && form.row->name == "split") {
      if (const auto* list = value->as<schedule::List>()) {
        return list->size();
      }
    }
  }
  return 0;
}

std::string targetNames(Names& names, const schedule::State& state, const StepForm& form) {
  using Results = schedule::Instruction::Results;
  auto firstNode = [&]() -> std::string {
    for (const auto& value : form.values) {
      if (const auto* handle = value ? value->as<Handle>() : nullptr) {
        return printedName(state.tree(), *idOf(*handle));
      }
    }
    return "loops";
  };
  switch (form.row->results) {
    case Results::None: return "";
    case Results::Block: return names.fresh(fmt::format("b_{}", form.row->name)) + " = ";
    case Results::Loop: return names.fresh(form.row->name == "fuse" ? "fused" : "loop") + " = ";
    case Results::Blocks: return names.fresh("blocks") + " = ";
    case Results::Expr: return names.fresh("v") + " = ";
    case Results::Exprs: return names.fresh("factors") + " = ";
    case Results::Loops: {
      const std::size_t count = resultCount(form);
      if (count == 0) {
        return names.fresh("loops") + " = ";
      }
      std::string text;
      for (std::size_t i = 0; i < count; ++i) {
        text += (i == 0 ? "" : ", ") + names.fresh(fmt::format("{}_{}", firstNode(), i));
      }
      return text + (count == 1 ? ", = " : " = ");
    }
  }
  return "";
}

void forgetDeadIn(const schedule::State& state, std::optional<Value>& value) {
  auto dead = [&](const Value& v) {
    const auto* handle = v.as<Handle>();
    return handle != nullptr && !state.isAlive(*handle);
  };
  const auto* list = value ? value->as<schedule::List>() : nullptr;
  if (value && (dead(*value) || (list != nullptr && std::any_of(list->begin(), list->end(), dead)))) {
    value.reset();
  }
}

Result<Value> valueOf(const StepValue& v) {
  switch (v.kind) {
    case StepValue::Kind::None: return Value{};
    case StepValue::Kind::Bool: return Value{v.integer != 0};
    case StepValue::Kind::Int: return Value{v.integer};
    case StepValue::Kind::Float: return Value{v.real};
    case StepValue::Kind::String: return Value{v.text};
    case StepValue::Kind::List:
    case StepValue::Kind::Tuple: {
      schedule::List list;
      for (const StepValue& item : v.items) {
        auto one = valueOf(item);
        if (!one) {
          return one;
        }
        list.push_back(std::move(*one));
      }
      return Value{std::move(list)};
    }
    case StepValue::Kind::Lambda: return Value{std::make_shared<const StepValue>(v)};
    default:
      return fail("ValueError", message("Write a number, a string, True, False, None, or a list of them"),
                  Forbids::Input);
  }
}

}  // namespace

StepForm::StepForm(const schedule::Instruction& instruction) : row(&instruction) {
  for (const schedule::Parameter& parameter : instruction.parameters) {
    values.push_back(parameter.fallback);
  }
}

int StepForm::missing() const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::optional<std::vector<Value>> StepForm::before(int parameter) const {
  std::vector<Value> given;
  for (int i = 0; i < parameter; ++i) {
    const auto& value = values[static_cast<std::size_t>(i)];
    if (!value) {
      return std::nullopt;
    }
    given.push_back(*value);
  }
  return given;
}

bool StepForm::take(const schedule::State& state, const std::vector<ir::Id>& selected) {
  using Type = schedule::ParameterType;
  if (row == nullptr || values.empty() || values.front()) return false;
  const Type type = row->parameters.front().type;
  schedule::List handles;
  std::size_t blocks = 0;
  for (const ir::Id id : selected) {
    if (state.tree().find(id) == schedule::Tree::kNone) return false;
    const bool block = state.tree().isBlock(id);
    blocks += block ? 1 : 0;
    handles.push_back(Value{block ? Handle{schedule::BlockRef{id}} : Handle{schedule::LoopRef{id}}});
  }
  const bool one = handles.size() == 1;
  if (type == Type::Loops && handles.size() > 1 && blocks == 0) {
    values.front() = Value{std::move(handles)};
  } else if (one && (type == Type::BlockOrLoop || type == (blocks == 1 ? Type::Block : Type::Loop))) {
    values.front() = std::move(handles.front());
  } else {
    return false;
  }
  return true;
}

void StepForm::forgetDead(const schedule::State& state) {
  for (auto& value : values) {
    forgetDeadIn(state, value);
  }
}

std::vector<NamedNode> namedNodes(const schedule::State& state) {
  std::vector<NamedNode> named;
  std::vector<int> depths;
  for (const auto& node : state.tree().nodes()) {
    depths.push_back(node.parent == schedule::Tree::kNone ? 0 : depths[static_cast<std::size_t>(node.parent)] + 1);
    std::string extent;
    if (!node.isBlock) {
      const std::int64_t count = ir::constantOr(state.tree().loop(node.id)->extent, -1);
      extent = count < 0 ? "?" : std::to_string(count);
    }
    named.push_back({node.id, node.isBlock, depths.back(), printedName(state.tree(), node.id), std::move(extent)});
  }
  return named;
}

std::vector<std::string> linesTo(const document::History& history, int node) {
  std::vector<std::string> sources;
  for (const int index : history.path(node)) {
    for (const std::vector<document::Line>* lines : {&history.node(index).lines, &history.node(index).trailing})
      for (const document::Line& line : *lines) sources.push_back(line.source);
  }
  return sources;
}

std::map<ir::Id, std::string> namesGiven(const schedule::State& state, const std::vector<std::string>& lines) {
  std::map<ir::Id, std::string> given;
  for (const std::string& name : targetsOf(lines)) {
    const auto* binding = state.lookup(name);
    for (std::size_t i = 0; binding != nullptr && i < binding->handles.size(); ++i) {
      const ir::Id* id = idOf(binding->handles[i]);
      if (id == nullptr || !state.isAlive(binding->handles[i])) continue;
      given[*id] = binding->isList ? fmt::format("{}[{}]", name, i) : name;
    }
  }
  return given;
}

Result<std::string> stepLines(const document::History& history, int node, const StepForm& form) {
  if (form.row == nullptr || form.missing() >= 0) {
    return fail("ValueError",
                form.row == nullptr ? message("No primitive is chosen")
                                    : message("\"{}\" is not chosen", form.row->parameters[form.missing()].name),
                Forbids::Input);
  }
  Names names(history, node);
  std::vector<Value> values;
  for (const auto& value : form.values) values.push_back(*value);
  const auto arguments = schedule::argumentsText(*form.row, values, [&](ir::Id id) { return names.of(id); });
  if (!arguments) return arguments;
  const std::string targets = targetNames(names, history.node(node).state, form);
  return names.lines() + fmt::format("{}sch.{}({})", targets, form.row->name, *arguments);
}

Result<schedule::State> previewLines(const document::History& history, int node, const std::string& lines,
                                     const schedule::Environment& environment) {
  auto calls = script::parseSchedule(lines, "");
  if (!calls) {
    return tl::unexpected(calls.error());
  }
  schedule::State state = history.node(node).state;
  std::uint32_t uid = history.nextUid();
  for (const script::StepCall& call : *calls) {
    auto applied = schedule::apply(state, uid++, call, environment);
    if (!applied) {
      return tl::unexpected(applied.error());
    }
    state = std::move(applied->next);
  }
  return state;
}

Result<Value> parseValue(const std::string& text) {
  auto calls = script::parseSchedule("x = " + text, "");
  if (!calls) {
    return tl::unexpected(calls.error());
  }
  if (calls->size() != 1) {
    return fail("ValueError", message("Write one value"), Forbids::Input);
  }
  return valueOf(calls->front().value);
}

std::string printValue(const schedule::State& state, const Value& value) {
  if (const auto* handle = value.as<Handle>()) {
    const ir::Id* id = idOf(*handle);
    return id != nullptr && state.isAlive(*handle) ? printedName(state.tree(), *id) : "?";
  }
  if (const auto* list = value.as<schedule::List>()) {
    std::string text;
    for (const Value& item : *list) {
      text += (text.empty() ? "" : ", ") + printValue(state, item);
    }
    return "[" + text + "]";
  }
  if (value.isNone()) {
    return "None";
  }
  if (const bool* flag = value.as<bool>()) {
    return *flag ? "True" : "False";
  }
  if (const auto* number = value.as<std::int64_t>()) {
    return std::to_string(*number);
  }
  if (const auto* real = value.as<double>()) {
    return script::printValue(script::stepFloat(*real));
  }
  if (const auto* text = value.as<std::string>()) {
    return script::printValue(script::stepString(*text));
  }
  if (const auto* lambda = value.as<schedule::Lambda>()) {
    return script::printValue(**lambda);
  }
  return "…";
}

}  // namespace loom::tune
