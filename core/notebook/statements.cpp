// Statements of a script.

#include <algorithm>

#include "core/notebook/interpreter.h"

namespace loom::notebook {

using script::NodeKind;
using script::StatementKind;

Interpreter::Interpreter(const script::SourceText& source, const schedule::Environment& environment)
    : source_(source), reader_(source), given_(environment), module_(newScope(nullptr)), scope_(module_) {
  if (environment.intrinsics) library_ = *environment.intrinsics;
  environment_.intrinsics = &library_;
}

Interpreter::~Interpreter() {
  for (const std::weak_ptr<Scope>& made : scopes_) {
    if (const auto scope = made.lock()) std::exchange(scope->names, {});
  }
}

std::shared_ptr<Scope> Interpreter::newScope(std::shared_ptr<Scope> outer) {
  auto scope = std::make_shared<Scope>();
  scope->outer = std::move(outer);
  // Most are gone as soon as their call ends; what is left of a long loop's is dropped from time to time.
  if (scopes_.size() >= 1024 && scopes_.size() % 1024 == 0)
    std::erase_if(scopes_, [](const std::weak_ptr<Scope>& made) { return made.expired(); });
  scopes_.push_back(scope);
  return scope;
}

void Interpreter::raise(int line, int column, const std::string& code, Message message) const {
  Error error = source_.error(line, column, std::move(message)).value();
  error.code = code;
  throw Raised{std::move(error)};
}
void Interpreter::raise(const Node& at, const std::string& code, Message message) const {
  raise(at.line, at.column, code, std::move(message));
}

void Interpreter::spend(int line, int column, std::int64_t steps) {
  steps_ += steps;
  if (steps_ > kMostSteps) {
    raise(line, column, "TooLong", message("the script takes more than {} steps and isn't at its end", kMostSteps));
  }
}

void Interpreter::countFunction(int line, int column) {
  if (++made_ > kMostFunctions) {
    raise(line, column, "TooLong", message("the script makes more than {} functions", kMostFunctions));
  }
}

void Interpreter::mustKnow(const Value& v, const Node& at, const Message& what) {
  if (auto* o = opaquePart(v)) {
    raise(at, "ValueError",
          message("{} comes of {}, which only Python knows; expected a value that stands in the text", what, o->what));
  }
}

Value* Interpreter::lookup(std::string_view name) {
  for (Scope* s = scope_.get(); s; s = s->outer.get()) {
    if (auto it = s->names.find(name); it != s->names.end()) return &it->second;
  }
  return nullptr;
}

void Interpreter::set(const std::string& name, Value value) {
  Scope* scope = scope_.get();
  if (auto declared = scope->declared.find(name); declared != scope->declared.end()) {
    if (declared->second == "global") {
      scope = module_.get();
    } else {
      for (scope = scope->outer.get(); scope && !scope->names.contains(name); scope = scope->outer.get()) {
      }
      if (!scope) scope = scope_.get();
    }
  }
  scope->names[name] = std::move(value);
}

void Interpreter::run(const Statements& statements) {
  try {
    if (runAll(statements) != Flow::Next) {
      raise(statement_->line, statement_->column, "ParseError",
            message("'return', 'break' or 'continue' outside of what they end"));
    }
  } catch (Raised& raised) {
    end(raised);
  }
}

// An error of the script is input that can't be read, by the name that Python gives it.
void Interpreter::end(Raised& raised) {
  Error& error = raised.error;
  if (!raised.isRefusal && error.code != "ParseError") {
    error.message = message("{}: {}", error.code, error.message);
    error.code = "ParseError";
  }
  read_.refusal = std::move(error);
}

void Interpreter::callUncalled(const Statements& statements) {
  const bool any = std::any_of(read_.runs.begin(), read_.runs.end(), [](const Run& r) { return !r.lines.empty(); });
  if (read_.refusal || any) return;
  std::vector<std::shared_ptr<Function>> entries;
  for (const auto& f : functions_) {
    if (!f->definition || f->wasCalled || f->scope != module_) continue;
    const auto& parameters = f->definition->parameters;
    std::size_t required = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      required += !parameters[i].fallback && parameters[i].name[0] != '*';
    // One that takes a schedule and nothing else that is needed.
    if (required == 1 && !parameters[0].fallback) entries.push_back(f);
  }
  if (entries.size() != 1 || statements.empty()) return;
  try {
    Value* sch = lookup("sch");
    script::Node at;
    at.line = entries[0]->definition->line;
    at.column = entries[0]->definition->column;
    if (!sch || !sch->get<std::shared_ptr<Schedule>>()) {
      CallArguments none;
      set("sch", makeSchedule(none, at));
      sch = lookup("sch");
    }
    statement_ = entries[0]->definition;
    callFunction(*entries[0], {{*sch}, {}}, at);
  } catch (Raised& raised) {
    end(raised);
  }
}

Interpreter::Flow Interpreter::runAll(const Statements& statements) {
  for (const auto& s : statements) {
    if (Flow flow = execute(*s); flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const Statement& s) {
  spend(s.line, s.column);
  Level level(*this, s.line, s.column);
  statement_ = &s;
  switch (s.kind) {
    case StatementKind::Pass: return Flow::Next;
    case StatementKind::Break: return Flow::Break;
    case StatementKind::Continue: return Flow::Continue;
    case StatementKind::Import: import(s); return Flow::Next;
    case StatementKind::Function:
    case StatementKind::Class: define(s); return Flow::Next;
    case StatementKind::Expression: expressionStatement(s); return Flow::Next;
    case StatementKind::Assign:
    case StatementKind::Annotated: assignment(s); return Flow::Next;
    case StatementKind::Augmented: augmented(s); return Flow::Next;
    case StatementKind::For: return forStatement(s);
    case StatementKind::While: return whileStatement(s);
    case StatementKind::If: return ifStatement(s);
    case StatementKind::With: return withStatement(s);
    case StatementKind::Try: return tryStatement(s);
    case StatementKind::Return: returned_ = s.value ? evaluateForced(*s.value) : Value{}; return Flow::Return;
    case StatementKind::Assert: assertStatement(s); return Flow::Next;
    case StatementKind::Raise: raiseStatement(s);
    case StatementKind::Delete: deleteStatement(s); return Flow::Next;
    case StatementKind::Scope:
      for (const auto& n : s.names) scope_->declared[n] = s.text;
      return Flow::Next;
  }
  return Flow::Next;
}

void Interpreter::expressionStatement(const Statement& s) {
  if (plainLine(s)) return;
  const Node& n = *s.value;
  Value v = evaluate(n);
  if (auto* pending = v.get<Pending>()) {
    script::StepCall line;
    line.value = pending->call;
    line.place = source_.place(s.line, s.column);
    emit(*pending->schedule, std::move(line));
    return;
  }
  if (auto* o = opaquePart(v)) {
    passed_.add(o->what, s.line, s.lastLine);
  } else if (auto* m = v.get<Method>(); m && m->object->get<std::shared_ptr<Schedule>>()) {
    raise(n, "ParseError", message("expected a call, `sch.{}(…)`", m->name));
  }
}

void Interpreter::assignment(const Statement& s) {
  if (!s.value) return;  // a name's type
  if (plainLine(s)) return;
  Value v = evaluate(*s.value);
  if (s.targets.size() == 1 && unpackCall(*s.targets[0], v)) return;
  const Node& first = *s.targets[0];
  v = force(std::move(v), first.is(NodeKind::Name) ? first.text : "", *s.value);
  if (auto* o = opaquePart(v)) passed_.add(o->what, s.line, s.lastLine);
  for (const auto& target : s.targets) assign(*target, v);
}

void Interpreter::augmented(const Statement& s) {
  const Node& target = *s.targets[0];
  Value before = evaluateForced(target), change = evaluateForced(*s.value);
  if (auto* list = before.get<std::shared_ptr<Sequence>>();
      list && (*list)->kind == Sequence::Kind::List && s.text == "+") {
    for (Value& item : iterate(change, *s.value)) (*list)->items.push_back(std::move(item));
    if ((*list)->items.size() > kMostItems) raise(target, "ValueError", message("the list grows too long"));
    return;
  }
  Value v = binary(s.text, before, change, target);
  if (auto* o = opaquePart(v)) passed_.add(o->what, s.line, s.lastLine);
  store(target, std::move(v));
}

void Interpreter::assign(const Node& target, Value value) {
  if (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List)) return store(target, std::move(value));
  if (auto* o = value.get<Opaque>()) {
    for (const auto& c : target.children) assign(c->is(NodeKind::Starred) ? *c->children[0] : *c, opaque(o->what));
    return;
  }
  const bool canUnpack = value.sequence() || value.dictionary() || value.get<std::string>();
  if (!canUnpack) raise(target, "TypeError", message("{} can't be unpacked", value.describe()));
  std::vector<Value> items = iterate(value, target);
  const std::size_t names = target.children.size();
  std::size_t star = names;
  for (std::size_t i = 0; i < names; ++i) {
    if (target.children[i]->is(NodeKind::Starred)) star = i;
  }
  if (star == names ? items.size() != names : items.size() + 1 < names) {
    raise(target, "ValueError", message("{} names are assigned {} values", names, items.size()));
  }
  for (std::size_t i = 0, at = 0; i < names; ++i) {
    if (i != star) {
      assign(*target.children[i], items[at++]);
      continue;
    }
    const std::size_t rest = items.size() + 1 - names;
    assign(*target.children[i]->children[0],
           listOf({items.begin() + std::ptrdiff_t(at), items.begin() + std::ptrdiff_t(at + rest)}));
    at += rest;
  }
}

void Interpreter::store(const Node& target, Value value) {
  if (target.is(NodeKind::Name)) return set(target.text, std::move(value));
  if (target.is(NodeKind::Subscript)) {
    Value object = evaluateForced(*target.children[0]), index = evaluateForced(*target.children[1]);
    if (object.get<Opaque>() || object.get<Foreign>()) return;
    if (auto* d = object.get<std::shared_ptr<Dictionary>>()) {
      mustKnow(index, *target.children[1], message("the key"));
      return put(**d, std::move(index), std::move(value), target);
    }
    auto* list = object.get<std::shared_ptr<Sequence>>();
    if (!list || (*list)->kind != Sequence::Kind::List) {
      raise(target, "TypeError", message("an item of {} can't be assigned", object.describe()));
    }
    mustKnow(index, *target.children[1], message("the index"));
    auto i = index.integer();
    if (!i) raise(target, "TypeError", message("expected an integer as the index"));
    const auto size = std::int64_t((*list)->items.size());
    if (*i < -size || *i >= size) raise(target, "IndexError", message("index {} of a list of {}", *i, size));
    (*list)->items[std::size_t(*i < 0 ? *i + size : *i)] = std::move(value);
    return;
  }
  if (target.is(NodeKind::Attribute)) {
    // What isn't known makes no step as an attribute either: T.name = functools.partial(…).
    if (value.get<Opaque>() || evaluate(*target.children[0]).get<Opaque>()) return;
    raise(target, "AttributeError", message("attributes can't be assigned"));
  }
  raise(target, "ParseError", message("expected a name, an item or several of them to assign to"));
}

namespace {
bool returns(const script::Statement& s) {
  auto anyOf = [](const std::vector<script::StatementPtr>& list) {
    return std::any_of(list.begin(), list.end(), [](const auto& inner) { return returns(*inner); });
  };
  if (s.kind == StatementKind::Function || s.kind == StatementKind::Class) return false;
  return s.kind == StatementKind::Return || anyOf(s.body) || anyOf(s.orelse) || anyOf(s.last) ||
         std::any_of(s.handlers.begin(), s.handlers.end(), [&](const auto& h) { return anyOf(h.body); });
}
}  // namespace

Interpreter::Flow Interpreter::passOver(const Statement& s, const Message& why) {
  std::set<const void*> seen;
  if (touchesSchedule(s, seen)) {
    raise(s.line, s.column, "ValueError",
          message("whether these steps are taken depends on {}, which only Python knows", why));
  }
  passed_.add(why, s.line, s.lastLine);
  forgetAssigned(s, why);
  if (!returns(s)) return Flow::Next;
  returned_ = opaque(why);
  return Flow::Return;
}

Interpreter::Flow Interpreter::forStatement(const Statement& s) {
  Value over = evaluateForced(*s.value, "items");
  if (auto* o = over.get<Opaque>()) return passOver(s, o->what);
  for (Value& item : iterate(std::move(over), *s.value)) {
    spend(s.line, s.column);
    assign(*s.targets[0], std::move(item));
    Flow flow = runAll(s.body);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return) return flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::whileStatement(const Statement& s) {
  while (true) {
    spend(s.line, s.column);
    Value condition = evaluateForced(*s.value);
    if (auto* o = opaquePart(condition)) return passOver(s, o->what);
    if (!truth(condition, *s.value)) return Flow::Next;
    Flow flow = runAll(s.body);
    if (flow == Flow::Break) return Flow::Next;
    if (flow == Flow::Return) return flow;
  }
}

Interpreter::Flow Interpreter::ifStatement(const Statement& s) {
  Value condition = evaluateForced(*s.value);
  if (auto* o = condition.get<Opaque>()) return passOver(s, o->what);
  return runAll(truth(condition, *s.value) ? s.body : s.orelse);
}

Interpreter::Flow Interpreter::withStatement(const Statement& s) {
  for (const auto& item : s.items) {
    Value v = evaluateForced(*item.context);
    const auto* o = opaquePart(v);
    if (!o && !v.get<Foreign>())
      raise(*item.context, "TypeError", message("only TVM's own contexts are entered by 'with'"));
    if (item.target) assign(*item.target, o ? v : opaque(verbatim(v.get<Foreign>()->path)));
  }
  return runAll(s.body);
}

bool Interpreter::handles(const script::Handler& handler, const std::string& code) {
  if (!handler.type) return true;
  std::vector<std::string> names;
  auto add = [&](const Node& n) {
    if (n.is(NodeKind::Name) || n.is(NodeKind::Attribute)) names.push_back(n.text);
  };
  if (handler.type->is(NodeKind::Tuple)) {
    for (const auto& c : handler.type->children) add(*c);
  } else {
    add(*handler.type);
  }
  const bool isPython = code == "NameError" || code == "TypeError" || code == "ValueError" || code == "IndexError" ||
                        code == "KeyError" || code == "AttributeError" || code == "AssertionError" ||
                        code == "ZeroDivisionError" || code == "InternalError" || code == "RuntimeError";
  for (const std::string& n : names) {
    if (n == code || n == "Exception" || n == "BaseException") return true;
    if (!isPython && (n == "ScheduleError" || n == "RuntimeError" || n == "TVMError")) return true;
    if (code == "InternalError" && n == "TVMError") return true;
    if ((code == "IndexError" || code == "KeyError") && n == "LookupError") return true;
    if (code == "ZeroDivisionError" && n == "ArithmeticError") return true;
  }
  return false;
}

Interpreter::Flow Interpreter::tryStatement(const Statement& s) {
  auto last = [&](Flow flow) {
    Value kept = returned_;
    if (Flow own = runAll(s.last); own != Flow::Next) return own;
    returned_ = std::move(kept);
    return flow;
  };
  const auto scope = scope_;
  const int calls = calls_;
  std::optional<Raised> error;
  Flow flow = Flow::Next;
  ++tries_;
  try {
    flow = runAll(s.body);
  } catch (Raised& raised) {
    error = std::move(raised);
    scope_ = scope;
    calls_ = calls;
  }
  --tries_;
  if (!error) return last(flow == Flow::Next ? runAll(s.orelse) : flow);
  const bool isOurs =
      error->error.code == "TooLong" || error->error.code == "RecursionError" || error->error.code == "ParseError";
  for (const auto& handler : s.handlers) {
    if (isOurs || !handles(handler, error->error.code)) continue;
    if (!handler.name.empty()) set(handler.name, opaque(message("an error's text")));
    return last(runAll(handler.body));
  }
  (void)last(Flow::Next);
  throw Raised{std::move(*error)};
}

void Interpreter::assertStatement(const Statement& s) {
  Value v = evaluateForced(*s.value);
  if (auto* o = opaquePart(v)) return passed_.add(o->what, s.line, s.lastLine);
  if (truth(v, *s.value)) return;
  if (!s.annotation) raise(s.line, s.column, "AssertionError", message("the assertion doesn't hold"));
  raise(s.line, s.column, "AssertionError",
        message("the assertion doesn't hold: {}", textOf(evaluateForced(*s.annotation))));
}

void Interpreter::raiseStatement(const Statement& s) {
  std::string code = "Exception", said;
  if (s.value) {
    const Node& n = *s.value;
    const Node& callee = n.is(NodeKind::Call) ? *n.children[0] : n;
    if (callee.is(NodeKind::Name) || callee.is(NodeKind::Attribute)) code = callee.text;
    if (n.is(NodeKind::Call) && n.children.size() > 1) said = textOf(evaluateForced(*n.children[1]));
  }
  raise(s.line, s.column, code, said.empty() ? message("the script raises {}", code) : verbatim(said));
}

void Interpreter::deleteStatement(const Statement& s) {
  auto one = [&](const Node& n) {
    if (n.is(NodeKind::Name)) {
      if (!scope_->names.erase(n.text)) raise(n, "NameError", message("'{}' is not defined", n.text));
      return;
    }
    raise(n, "ParseError", message("only names are deleted"));
  };
  if (s.targets[0]->is(NodeKind::Tuple)) {
    for (const auto& c : s.targets[0]->children) one(*c);
  } else {
    one(*s.targets[0]);
  }
}

void Interpreter::define(const Statement& s) {
  const std::string decorator = script::decoratorOf(s);
  const bool isClass = s.kind == StatementKind::Class;
  if (decorator == (isClass ? "ir_module" : "prim_func")) {
    auto p = std::make_shared<ScriptedModule>();
    p->name = s.text;
    p->definition = &s;
    p->isModule = isClass;
    p->around = surroundingsOf(s);
    programs_.push_back(p);
    return set(s.text, Value{p});
  }
  if (isClass) {
    passed_.add(message("the class {}", s.text), s.line, s.lastLine);
    return set(s.text, opaque(message("the class {}", s.text)));
  }
  if (!s.decorators.empty() && decorator == "function") {
    passed_.add(message("the Relax function {}", s.text), s.line, s.lastLine);
    return set(s.text, opaque(message("the Relax function {}", s.text)));
  }
  for (const auto& d : s.decorators) {
    Value v = evaluate(*d);
    if (!v.get<Opaque>() && !v.get<Foreign>())
      raise(*d, "ParseError", message("a function is decorated by TVM's names only"));
  }
  countFunction(s.line, s.column);
  auto f = std::make_shared<Function>();
  f->name = s.text;
  f->definition = &s;
  f->scope = scope_;
  for (const auto& p : s.parameters) {
    f->defaults.push_back(p.fallback ? std::optional<Value>(evaluateForced(*p.fallback)) : std::nullopt);
  }
  functions_.push_back(f);
  set(s.text, Value{f});
}

}  // namespace loom::notebook
