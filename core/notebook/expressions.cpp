// Expressions of a script.

#include <algorithm>
#include <array>
#include <limits>

#include "core/notebook/interpreter.h"

namespace loom::notebook {

using script::NodeKind;

namespace {

constexpr std::array<std::string_view, 30> kBuiltins = {
    "len",   "range", "list",   "tuple",    "dict", "set", "int",    "float",      "bool",      "str",
    "min",   "max",   "sum",    "abs",      "any",  "all", "zip",    "map",        "enumerate", "sorted",
    "print", "round", "divmod", "reversed", "repr", "pow", "filter", "isinstance", "hasattr",   "getattr"};

// Modules that scripts use around a schedule, known by the names that everyone gives them even where the import isn't
// pasted along.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kUsualNames = {{{"tvm", "tvm"},
                                                                                       {"tir", "tvm.tir"},
                                                                                       {"te", "tvm.te"},
                                                                                       {"relax", "tvm.relax"},
                                                                                       {"T", "tvm.script.tir"},
                                                                                       {"I", "tvm.script.ir"},
                                                                                       {"R", "tvm.script.relax"},
                                                                                       {"np", "numpy"},
                                                                                       {"numpy", "numpy"}}};

}  // namespace

Value Interpreter::evaluate(const Node& n) {
  spend(n.line, n.column);
  Level level(*this, n.line, n.column);
  switch (n.kind) {
    case NodeKind::Name: return name(n);
    case NodeKind::Integer:
      if (n.magnitude > std::uint64_t(std::numeric_limits<std::int64_t>::max())) {
        raise(n, "OverflowError", message("the number does not fit in 64 bits"));
      }
      return {std::int64_t(n.magnitude)};
    case NodeKind::Float: return {n.real};
    case NodeKind::String: return {n.text};
    case NodeKind::True: return {true};
    case NodeKind::False: return {false};
    case NodeKind::None: return {};
    case NodeKind::Ellipsis: raise(n, "ParseError", message("'...' means nothing here"));
    case NodeKind::Attribute: return attribute(n);
    case NodeKind::Call: return call(n);
    case NodeKind::Subscript: return subscript(n);
    case NodeKind::Slice: raise(n, "ParseError", message("a slice stands in brackets after a list"));
    case NodeKind::Tuple:
    case NodeKind::List:
    case NodeKind::Set: return display(n);
    case NodeKind::Dict: return dictionary(n);
    case NodeKind::Starred: raise(n, "ParseError", message("'*' stands in a list or among arguments"));
    case NodeKind::Unary: return unary(n.text, evaluateForced(*n.children[0]), n);
    case NodeKind::Binary: {
      Value a = evaluateForced(*n.children[0]);
      return binary(n.text, a, evaluateForced(*n.children[1]), n);
    }
    case NodeKind::Compare: return compare(n);
    case NodeKind::And:
    case NodeKind::Or: return logic(n);
    case NodeKind::Conditional: return conditional(n);
    case NodeKind::Lambda: {
      countFunction(n.line, n.column);
      auto f = std::make_shared<Function>();
      f->name = "lambda";
      f->lambda = &n;
      f->scope = scope_;
      for (const auto& d : n.defaults) {
        f->defaults.push_back(d ? std::optional<Value>(evaluateForced(*d)) : std::nullopt);
      }
      return {f};
    }
    case NodeKind::ListComprehension:
    case NodeKind::SetComprehension:
    case NodeKind::DictComprehension:
    case NodeKind::Generator: return comprehension(n);
    case NodeKind::Format:
    case NodeKind::FormatValue: return formatted(n);
  }
  raise(n, "ParseError", message("expected an expression"));
}

Value Interpreter::evaluateForced(const Node& n, const std::string& hint) { return force(evaluate(n), hint, n); }

Value Interpreter::name(const Node& n) {
  if (Value* v = lookup(n.text)) return *v;
  if (isGiven_) {  // names of the lines before
    if (schedules_.front()->state.lookup(n.text)) return bound(schedules_.front(), n.text);
  }
  if (std::find(kBuiltins.begin(), kBuiltins.end(), n.text) != kBuiltins.end()) return {Builtin{n.text}};
  for (const auto& [known, path] : kUsualNames) {
    if (known == n.text) return path == "numpy" ? opaque(verbatim("numpy")) : Value{Foreign{std::string(path)}};
  }
  if (n.text == "__name__") return {std::string("__main__")};
  if (n.text == "display") return opaque(message("printing"));
  if (n.text == "sch" && !programs_.empty()) {  // the schedule of what the text defines
    CallArguments none;
    set("sch", makeSchedule(none, n));
    return *lookup("sch");
  }
  raise(n, "NameError", message("'{}' is not defined", n.text));
}

Value Interpreter::display(const Node& n) {
  std::vector<Value> items;
  for (const auto& c : n.children) {
    if (!c->is(NodeKind::Starred)) {
      items.push_back(evaluate(*c));
      continue;
    }
    for (Value& item : iterate(evaluateForced(*c->children[0]), *c)) items.push_back(std::move(item));
    if (items.size() > kMostItems) raise(n, "ValueError", message("the list grows too long"));
  }
  if (n.is(NodeKind::Tuple)) return listOf(std::move(items), Sequence::Kind::Tuple);
  if (n.is(NodeKind::List)) return listOf(std::move(items));
  return listOf(unique(std::move(items), n), Sequence::Kind::Set);
}

Value Interpreter::dictionary(const Node& n) {
  auto d = std::make_shared<Dictionary>();
  for (std::size_t i = 0; i + 1 < n.children.size(); i += 2) {
    Value key = evaluateForced(*n.children[i]);
    put(*d, std::move(key), evaluateForced(*n.children[i + 1]), n);
  }
  return {d};
}

namespace {
// What Python's slice takes of `size` items.
std::vector<std::size_t> sliced(std::int64_t size, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                                std::int64_t step) {
  auto clamp = [&](std::int64_t i, std::int64_t low, std::int64_t high) {
    if (i < 0) i = i < -size ? -1 : i + size;
    return std::clamp(i, low, high);
  };
  std::vector<std::size_t> picked;
  if (step > 0) {
    const std::int64_t from = start ? clamp(*start, 0, size) : 0, to = stop ? clamp(*stop, 0, size) : size;
    for (std::int64_t i = from; i < to; i += step) {
      picked.push_back(std::size_t(i));
      if (step > size) break;
    }
  } else {
    const std::int64_t from = start ? clamp(*start, -1, size - 1) : size - 1;
    const std::int64_t to = stop ? clamp(*stop, -1, size - 1) : -1;
    for (std::int64_t i = from; i > to; i += step) {
      picked.push_back(std::size_t(i));
      if (step < -size) break;
    }
  }
  return picked;
}
}  // namespace

Value Interpreter::subscript(const Node& n) {
  Value object = evaluate(*n.children[0]);
  const Node& index = *n.children[1];
  std::optional<std::int64_t> bounds[3];
  const bool isSlice = index.is(NodeKind::Slice);
  Value key;
  if (isSlice) {
    for (int i = 0; i < 3; ++i) {
      if (!index.children[std::size_t(i)]) continue;
      Value bound = evaluateForced(*index.children[std::size_t(i)]);
      if (object.get<Opaque>()) continue;
      mustKnow(bound, index, message("the slice"));
      if (bound.isNone()) continue;
      bounds[i] = bound.integer();
      if (!bounds[i]) raise(index, "TypeError", message("expected integers in the slice"));
    }
    if (bounds[2] == 0) raise(index, "ValueError", message("a slice's step is not 0"));
  } else if (!object.get<Opaque>()) {
    key = evaluateForced(index);
  }
  if (object.get<Opaque>()) return object;
  if (auto* f = object.get<Foreign>()) return opaque(verbatim(f->path));
  if (auto* pending = object.get<Pending>()) {  // sch.get_loops(b)[-2:] stays part of its line
    auto number = [&](std::optional<std::int64_t> i) { return i ? script::stepInt(*i) : script::stepNone(); };
    script::StepValue v;
    v.line = n.line;
    v.column = n.column;
    v.kind = isSlice ? script::StepValue::Kind::Slice : script::StepValue::Kind::Index;
    v.items.push_back(pending->call);
    if (isSlice) {
      for (const auto& b : bounds) v.items.push_back(number(b));
    } else {
      auto i = key.integer();
      if (!i) raise(index, "TypeError", message("expected an integer as the index"));
      v.items.push_back(script::stepInt(*i));
    }
    return {Pending{std::move(v), pending->schedule}};
  }
  if (auto* m = object.get<ScheduledModule>()) return {*m};          // sch.mod["main"]
  if (object.get<std::shared_ptr<ScriptedModule>>()) return object;  // Module["main"]
  mustKnow(key, index, message("the index"));
  if (auto* d = object.dictionary()) {
    if (const auto item = find(*d, key, index); item != d->items.end()) return item->second;
    raise(index, "KeyError", verbatim(representation(key)));
  }
  const std::string* text = object.get<std::string>();
  const Sequence* list = object.sequence();
  if (!text && (!list || list->kind == Sequence::Kind::Set)) {
    raise(n, "TypeError", message("{} has no items", object.describe()));
  }
  const auto size = std::int64_t(text ? text->size() : list->items.size());
  if (isSlice) {
    std::string part;
    std::vector<Value> items;
    for (std::size_t i : sliced(size, bounds[0], bounds[1], bounds[2].value_or(1))) {
      if (text) {
        part += (*text)[i];
      } else {
        items.push_back(list->items[i]);
      }
    }
    return text ? Value{part} : listOf(std::move(items), list->kind);
  }
  auto i = key.integer();
  if (!i) raise(index, "TypeError", message("expected an integer as the index"));
  if (*i < -size || *i >= size) {
    raise(index, "IndexError", message("index {} of {} with {} items", *i, object.describe(), size));
  }
  const auto at = std::size_t(*i < 0 ? *i + size : *i);
  return text ? Value{std::string(1, (*text)[at])} : list->items[at];
}

Value Interpreter::attribute(const Node& n) {
  Value object = evaluate(*n.children[0]);
  if (object.get<Opaque>()) return object;
  if (auto* f = object.get<Foreign>()) return foreignAttribute(f->path, n.text);
  if (auto* s = object.get<std::shared_ptr<Schedule>>()) return scheduleAttribute(*s, n.text);
  if (object.get<ScheduledModule>()) return {Method{std::make_shared<Value>(std::move(object)), n.text}};
  if (object.get<Pending>()) object = force(std::move(object), "", n);
  if (auto* loop = object.get<LoopView>(); loop && n.text == "extent") {
    return loop->extent ? Value{*loop->extent} : opaque(message("an extent that is no number"));
  }
  if (object.get<std::int64_t>() && n.text == "value") return object;  // of TVM's constants
  if (object.get<std::string>() || object.sequence() || object.dictionary() ||
      object.get<std::shared_ptr<ScriptedModule>>()) {
    return {Method{std::make_shared<Value>(std::move(object)), n.text}};
  }
  raise(n, "AttributeError", message("{} has no attribute '{}'", object.describe(), n.text));
}

Value Interpreter::conditional(const Node& n) {
  Value condition = evaluateForced(*n.children[1]);
  if (condition.get<Opaque>()) return condition;
  return evaluate(*n.children[truth(condition, *n.children[1]) ? 0 : 2]);
}

Value Interpreter::logic(const Node& n) {
  const bool isOr = n.is(NodeKind::Or);
  Value v;
  for (const auto& c : n.children) {
    v = evaluateForced(*c);
    if (v.get<Opaque>() || truth(v, *c) == isOr) return v;
  }
  return v;
}

Value Interpreter::compare(const Node& n) {
  Value left = evaluateForced(*n.children[0]);
  for (std::size_t i = 0; i < n.operators.size(); ++i) {
    Value right = evaluateForced(*n.children[i + 1]);
    for (const Value* side : {&left, &right}) {
      if (auto* o = side->get<Opaque>()) return opaque(o->what);
    }
    auto holds = compareTwo(n.operators[i], left, right, n);
    if (!holds) {
      raise(n, "TypeError",
            message("{} and {} can't be compared by '{}'", left.describe(), right.describe(), n.operators[i]));
    }
    if (!*holds) return {false};
    left = std::move(right);
  }
  return {true};
}

Value Interpreter::comprehension(const Node& n) {
  auto inner = newScope(scope_);
  std::vector<Value> items, values;
  const auto outer = std::exchange(scope_, inner);
  try {
    comprehend(n, 0, items, values);
  } catch (...) {
    scope_ = outer;
    throw;
  }
  scope_ = outer;
  if (n.is(NodeKind::DictComprehension)) {
    auto d = std::make_shared<Dictionary>();
    for (std::size_t i = 0; i < items.size(); ++i) put(*d, std::move(items[i]), std::move(values[i]), n);
    return {d};
  }
  if (n.is(NodeKind::SetComprehension)) return listOf(unique(std::move(items), n), Sequence::Kind::Set);
  return listOf(std::move(items));
}

void Interpreter::comprehend(const Node& n, std::size_t at, std::vector<Value>& items, std::vector<Value>& values) {
  if (at == n.clauses.size()) {
    items.push_back(evaluateForced(*n.children[0]));
    if (n.is(NodeKind::DictComprehension)) values.push_back(evaluateForced(*n.children[1]));
    if (items.size() > kMostItems) raise(n, "ValueError", message("the list grows too long"));
    return;
  }
  const script::Clause& clause = n.clauses[at];
  for (Value& item : iterate(evaluateForced(*clause.iterable, "items"), *clause.iterable)) {
    spend(n.line, n.column);
    assign(*clause.target, std::move(item));
    const bool fits = std::all_of(clause.conditions.begin(), clause.conditions.end(), [&](const auto& c) {
      Value v = evaluateForced(*c);
      mustKnow(v, *c, message("the condition"));
      return truth(v, *c);
    });
    if (fits) comprehend(n, at + 1, items, values);
  }
}

Value Interpreter::formatted(const Node& n) {
  std::string text;
  for (const auto& c : n.children) {
    if (c->is(NodeKind::String)) {
      text += c->text;
      continue;
    }
    Value v = evaluateForced(*c->children[0]);
    if (auto* o = opaquePart(v)) return opaque(o->what);
    std::string specification;
    if (c->children[1]) {
      Value s = formatted(*c->children[1]);
      if (s.get<Opaque>()) return s;
      specification = *s.get<std::string>();
    }
    if (c->text == "r" || c->text == "a") v = Value{representation(v)};
    if (c->text == "s") v = Value{textOf(v)};
    text += formatValue(v, specification, *c);
    if (text.size() > kMostText) raise(n, "ValueError", message("the text grows too long"));
  }
  spend(n.line, n.column, std::int64_t(text.size() / 64));
  return {text};
}

bool Interpreter::truth(const Value& v, const Node& at) {
  mustKnow(v, at, message("the condition"));
  if (v.isNone()) return false;
  if (auto number = v.number()) return *number != 0;
  if (auto* s = v.get<std::string>()) return !s->empty();
  if (auto* s = v.sequence()) return !s->items.empty();
  if (auto* d = v.dictionary()) return !d->items.empty();
  if (v.get<Symbol>()) raise(at, "ValueError", message("a condition on an index isn't known"));
  return true;
}

std::vector<Value> Interpreter::iterate(Value v, const Node& at, const std::string& hint) {
  v = force(std::move(v), hint, at);
  if (auto* o = v.get<Opaque>()) {
    raise(at, "ValueError", message("what is gone through comes of {}, which only Python knows", o->what));
  }
  if (auto* s = v.sequence()) {
    spend(at.line, at.column, std::int64_t(s->items.size() / 8));
    return s->items;
  }
  std::vector<Value> items;
  if (auto* d = v.dictionary()) {
    for (const auto& [key, item] : d->items) items.push_back(key);
    return items;
  }
  if (auto* text = v.get<std::string>()) {
    if (text->size() > kMostItems) raise(at, "ValueError", message("the text is too long to go through"));
    for (char c : *text) items.push_back({std::string(1, c)});
    return items;
  }
  raise(at, "TypeError", message("{} can't be gone through", v.describe()));
}

}  // namespace loom::notebook
