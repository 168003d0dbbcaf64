// Calls of a script's own functions.

#include <algorithm>

#include "core/notebook/interpreter.h"

namespace loom::notebook {

using script::NodeKind;

const Value* CallArguments::find(std::size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [keyword, value] : keywords) {
    if (keyword == name) return &value;
  }
  return nullptr;
}

CallArguments Interpreter::arguments(const Node& n) {
  CallArguments given;
  for (std::size_t i = 1; i < n.children.size(); ++i) {
    const Node& c = *n.children[i];
    if (!c.is(NodeKind::Starred)) {
      given.positional.push_back(evaluate(c));
      continue;
    }
    Value list = evaluateForced(*c.children[0]);
    if (list.get<Opaque>()) {
      given.positional.push_back(std::move(list));
      continue;
    }
    for (Value& item : iterate(std::move(list), c)) given.positional.push_back(std::move(item));
  }
  for (const auto& k : n.keywords) {
    Value v = evaluate(*k.value);
    if (k.name != "**") {
      given.keywords.emplace_back(k.name, std::move(v));
      continue;
    }
    auto* d = v.dictionary();
    if (!d && !v.get<Opaque>()) raise(*k.value, "TypeError", message("expected a dict after '**'"));
    if (!d) continue;
    for (const auto& [key, item] : d->items) {
      if (!key.get<std::string>())
        raise(*k.value, "TypeError", message("expected texts as the keys of keyword arguments"));
      given.keywords.emplace_back(*key.get<std::string>(), item);
    }
  }
  return given;
}

Value Interpreter::call(const Node& n) {
  Value callee = evaluate(*n.children[0]);
  CallArguments given = arguments(n);
  return callValue(callee, std::move(given), n);
}

Value Interpreter::callValue(const Value& callee, CallArguments given, const Node& at) {
  if (auto* o = callee.get<Opaque>()) {
    // What a class does with a schedule isn't known, so its steps aren't passed over in silence.
    const auto isSchedule = [](const Value& v) { return v.get<std::shared_ptr<Schedule>>() != nullptr; };
    if (o->what.id() == "the class {}" && (std::any_of(given.positional.begin(), given.positional.end(), isSchedule) ||
                                           std::any_of(given.keywords.begin(), given.keywords.end(),
                                                       [&](const auto& k) { return isSchedule(k.second); }))) {
      raise(at, "TypeError",
            message("{} is given the schedule, and classes of a script aren't run here; expected a function that "
                    "takes it",
                    o->what));
    }
    return callee;
  }
  if (auto* m = callee.get<Method>()) {
    if (auto* s = m->object->get<std::shared_ptr<Schedule>>()) return scheduleMethod(*s, m->name, given, at);
    for (Value& v : given.positional) v = force(std::move(v), "", at);
    for (auto& [key, v] : given.keywords) v = force(std::move(v), key, at);
    return method(*m, given, at);
  }
  if (auto* f = callee.get<std::shared_ptr<Function>>()) return callFunction(**f, std::move(given), at);
  for (Value& v : given.positional) v = force(std::move(v), "", at);
  for (auto& [key, v] : given.keywords) v = force(std::move(v), key, at);
  if (auto* b = callee.get<Builtin>()) return builtin(b->name, given, at);
  if (auto* f = callee.get<Foreign>()) return callForeign(f->path, given, at);
  if (callee.get<std::shared_ptr<ScriptedModule>>()) {
    raise(at, "TypeError", message("a program in TVMScript isn't run here; it is scheduled"));
  }
  raise(at, "TypeError", message("{} can't be called", callee.describe()));
}

Value Interpreter::callFunction(Function& f, CallArguments given, const Node& at) {
  f.wasCalled = true;
  Level level(*this, at.line, at.column);
  struct Calls {
    Calls(int& c) : count(c) { ++count; }
    ~Calls() { --count; }
    int& count;
  } calls(calls_);
  if (calls_ > kMostCalls) {
    raise(at, "RecursionError", message("more than {} functions of the script call each other", kMostCalls));
  }
  auto scope = newScope(f.scope);
  // What parameters there are: their names with stars, as written.
  std::vector<std::string> names;
  if (f.definition) {
    for (const auto& p : f.definition->parameters) names.push_back(p.name);
  } else {
    names = f.lambda->parameters;
  }
  std::size_t next = 0;
  bool keywordsOnly = false;
  std::vector<bool> used(given.keywords.size());
  auto keyword = [&](const std::string& name) -> Value* {
    for (std::size_t i = 0; i < given.keywords.size(); ++i) {
      if (given.keywords[i].first == name && !used[i]) {
        used[i] = true;
        return &given.keywords[i].second;
      }
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name == "/") continue;
    if (name.starts_with("**")) {
      auto rest = std::make_shared<Dictionary>();
      for (std::size_t k = 0; k < given.keywords.size(); ++k) {
        if (used[k]) continue;
        used[k] = true;
        rest->items.emplace_back(Value{given.keywords[k].first}, force(given.keywords[k].second, "", at));
      }
      scope->names[name.substr(2)] = {rest};
    } else if (name.starts_with("*")) {
      keywordsOnly = true;
      if (name == "*") continue;
      std::vector<Value> rest;
      for (; next < given.positional.size(); ++next) rest.push_back(force(std::move(given.positional[next]), "", at));
      scope->names[name.substr(1)] = listOf(std::move(rest), Sequence::Kind::Tuple);
    } else if (!keywordsOnly && next < given.positional.size()) {
      scope->names[name] = force(std::move(given.positional[next++]), name, at);
    } else if (Value* v = keyword(name)) {
      scope->names[name] = force(std::move(*v), name, at);
    } else if (i < f.defaults.size() && f.defaults[i]) {
      scope->names[name] = *f.defaults[i];
    } else {
      raise(at, "TypeError", message("{}() needs the argument '{}'", f.name, name));
    }
  }
  if (next < given.positional.size()) {
    raise(at, "TypeError", message("{}() is given {} arguments and takes {}", f.name, given.positional.size(), next));
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) raise(at, "TypeError", message("{}() has no argument '{}'", f.name, given.keywords[k].first));
  }
  given = {};
  const auto outer = std::exchange(scope_, scope);
  const Statement* statement = statement_;
  Value result;
  try {
    if (f.lambda) {
      result = evaluateForced(*f.lambda->children[0]);
    } else if (runAll(f.definition->body) == Flow::Return) {
      result = std::exchange(returned_, {});
    }
  } catch (...) {
    scope_ = outer;
    throw;
  }
  scope_ = outer;
  statement_ = statement;
  return result;
}

}  // namespace loom::notebook
