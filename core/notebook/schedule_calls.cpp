// Calls of primitives: what of a script becomes step lines.
#include <fmt/format.h>

#include <algorithm>

#include "core/notebook/interpreter.h"
#include "core/schedule/instruction.h"
#include "core/script/index_map_graph.h"
#include "core/script/step_text.h"

namespace loom::notebook {
namespace {

using script::NodeKind;
using script::StatementKind;
using script::StepValue;
using Kind = StepValue::Kind;

// Methods of a schedule that are no steps.
constexpr std::string_view kAsked[] = {"show",     "copy",  "get", "get_sref",  "trace",
                                       "validate", "state", "mod", "remove_rv", "assert_structural_equal"};
bool isAsked(std::string_view name) {
  return std::find(std::begin(kAsked), std::end(kAsked), name) != std::end(kAsked);
}

bool isIdentifier(std::string_view name) {
  auto isPart = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), isPart);
}

const schedule::Instruction* rowOf(const StepValue& v) {
  const StepValue* call = &v;
  while (call->is(Kind::Index) || call->is(Kind::Slice)) call = &call->items[0];
  return call->is(Kind::Call) ? schedule::findInstruction(call->text) : nullptr;
}

// What parameters were called in TVM before 0.22, as texts of that time write them.
struct Renamed {
  std::string_view primitive, before, now;
};
constexpr Renamed kRenamed[] = {{"blockize", "loop", "target"}};

// Whether anything had an old name.
bool takeNewNames(StepValue& v) {
  bool changed = false;
  for (script::StepKeyword& k : v.keywords) {
    for (const Renamed& r : kRenamed) {
      if (!v.is(Kind::Call) || v.text != r.primitive || k.name != r.before) continue;
      k.name = r.now;
      changed = true;
    }
    changed |= takeNewNames(k.value);
  }
  for (StepValue& i : v.items) changed |= takeNewNames(i);
  return changed;
}

StepValue item(const std::string& list, int index) {
  StepValue v;
  v.kind = Kind::Index;
  v.items = {script::stepName(list), script::stepInt(index)};
  return v;
}

}  // namespace

std::shared_ptr<Schedule> Interpreter::scheduleNamed(std::string_view name) {
  Value* v = lookup(name);
  auto* s = v ? v->get<std::shared_ptr<Schedule>>() : nullptr;
  return s ? *s : nullptr;
}

std::shared_ptr<Handle> Interpreter::handle(const std::shared_ptr<Schedule>& schedule, const std::string& name,
                                            int index) {
  auto h = std::make_shared<Handle>();
  h->text = index < 0 ? script::stepName(name) : item(name, index);
  h->schedule = schedule.get();
  auto& held = schedule->named[name];
  std::erase_if(held, [](const auto& weak) { return weak.expired(); });
  held.push_back(h);
  return h;
}

Value Interpreter::bound(const std::shared_ptr<Schedule>& schedule, const std::string& name) {
  const auto* binding = schedule->state.lookup(name);
  if (!binding) return {};
  if (!binding->isList) return {handle(schedule, name)};
  std::vector<Value> items;
  for (std::size_t i = 0; i < binding->handles.size(); ++i) items.push_back({handle(schedule, name, int(i))});
  return listOf(std::move(items));
}

std::string Interpreter::freeName(Schedule& schedule, const std::string& wanted,
                                  const std::vector<std::string>& given) {
  // Handles that nothing holds but the variables that are about to change.
  std::map<const Handle*, long> owned;
  for (const std::string& variable : given) {
    auto found = scope_->names.find(variable);
    if (found == scope_->names.end()) continue;
    if (auto* h = found->second.get<std::shared_ptr<Handle>>()) ++owned[h->get()];
    auto* list = found->second.get<std::shared_ptr<Sequence>>();
    if (!list || list->use_count() != 1) continue;
    for (const Value& v : (*list)->items) {
      if (auto* h = v.get<std::shared_ptr<Handle>>()) ++owned[h->get()];
    }
  }
  auto isFree = [&](const std::string& name) {
    if (name == "sch" || name == "T") return false;
    auto held = schedule.named.find(name);
    if (held == schedule.named.end()) {
      // Lines after the script may mean what stood there before it.
      return scope_ == module_ || !isGiven_ || !schedule.state.lookup(name);
    }
    return std::all_of(held->second.begin(), held->second.end(), [&](const auto& weak) {
      auto h = weak.lock();
      return !h || h.use_count() - 1 <= owned[h.get()];
    });
  };
  const std::string base = isIdentifier(wanted) ? wanted : "v";
  std::string name = base;
  for (int n = 1; !isFree(name); ++n) name = fmt::format("{}_{}", base, n);
  return name;
}

bool Interpreter::standsAsItself(const std::string& name) {
  Value* v = lookup(name);
  if (!v) return isGiven_ && schedules_.front()->state.lookup(name) && scheduleNamed("sch") == schedules_.front();
  const auto schedule = scheduleNamed("sch");
  auto is = [&](const Value& value, const StepValue& text) {
    auto* h = value.get<std::shared_ptr<Handle>>();
    return h && (*h)->text == text && (*h)->schedule == schedule.get();
  };
  if (is(*v, script::stepName(name))) return true;
  const auto* list = v->sequence();
  const auto* binding = schedule ? schedule->state.lookup(name) : nullptr;
  if (!list || !binding || !binding->isList || list->items.size() != binding->handles.size()) return false;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    if (!is(list->items[i], item(name, int(i)))) return false;
  }
  return !list->items.empty();
}

bool Interpreter::isPlain(const StepValue& v, std::set<std::string> lambdaNames, bool& sawHandle) {
  if (v.is(Kind::Name)) {
    if (lambdaNames.contains(v.text) || script::isAxisSeparator(v)) return true;
    sawHandle = true;
    return standsAsItself(v.text);
  }
  if (v.is(Kind::Call) && isAsked(v.text)) return false;
  for (std::string p : v.parameters) lambdaNames.insert(p.starts_with('*') ? p.substr(1) : p);
  for (const StepValue& i : v.items) {
    if (!isPlain(i, lambdaNames, sawHandle)) return false;
  }
  return std::all_of(v.keywords.begin(), v.keywords.end(),
                     [&](const auto& k) { return isPlain(k.value, lambdaNames, sawHandle); });
}

// A line as step lines are written is taken as it stands.
bool Interpreter::plainLine(const Statement& s) {
  if (s.kind == StatementKind::Annotated || s.targets.size() > 1) return false;
  const auto schedule = scheduleNamed("sch");
  if (!schedule) return false;
  auto line = reader_.read(s);
  if (!line || line->source.empty()) return false;
  bool sawHandle = false;
  if (!isPlain(line->value, {}, sawHandle)) return false;
  const bool isCall = line->call() != nullptr;
  if (!isCall) {
    const Kind kind = line->value.kind;
    const bool isSelection = kind == Kind::Name || kind == Kind::Index || kind == Kind::Slice || kind == Kind::List;
    if (!sawHandle || !isSelection) return false;
  }
  std::vector<std::string> names;
  for (const auto& t : line->targets) names.push_back(t.name);
  for (const auto& t : line->targets) {
    if (freeName(*schedule, t.name, names) != t.name) return false;
  }
  emit(*schedule, std::move(*line));
  for (const std::string& name : names) {
    Value v = bound(schedule, name);
    set(name, std::move(v));
  }
  return true;
}

void Interpreter::emit(Schedule& schedule, script::StepCall line) {
  if (takeNewNames(line.value) || line.source.empty()) line.source = script::printLine(line);
  if (++lines_ > kMostLines) {
    raise(line.place.line, line.place.column, "TooLong", message("the script makes more than {} lines", kMostLines));
  }
  auto applied = schedule::apply(schedule.state, ++schedule.step, line, environment_);
  auto& lines = read_.runs.at(std::size_t(schedule.run)).lines;
  if (!applied) {
    Error error = applied.error();
    error.place = line.place;
    if (tries_ == 0) lines.push_back(std::move(line));
    throw Raised{std::move(error), true};
  }
  schedule.state = std::move(applied->next);
  lines.push_back(std::move(line));
}

Value Interpreter::force(Value v, const std::string& hint, const Node& at) {
  auto* pending = v.get<Pending>();
  if (!pending) {
    // Calls within a list are lines before it.
    auto* list = v.get<std::shared_ptr<Sequence>>();
    if (!list) return v;
    for (Value& i : (*list)->items) {
      if (i.get<Pending>()) i = force(std::move(i), hint, at);
    }
    return v;
  }
  const auto schedule = pending->schedule;
  script::StepCall line;
  line.value = pending->call;
  line.place = source_.place(statement_ ? statement_->line : at.line, statement_ ? statement_->column : at.column);
  const schedule::Instruction* row = rowOf(line.value);
  using Results = schedule::Instruction::Results;
  if (!row || row->results == Results::None) {
    emit(*schedule, std::move(line));
    return {};
  }
  const bool isAssigned = statement_ && statement_->kind == StatementKind::Assign && !statement_->targets.empty() &&
                          statement_->targets[0]->is(NodeKind::Name) && statement_->targets[0]->text == hint;
  const char* usual = row->results == Results::Block   ? "block"
                      : row->results == Results::Loop  ? "loop"
                      : row->results == Results::Loops ? "loops"
                      : row->results == Results::Expr  ? "v"
                      : row->results == Results::Exprs ? "factors"
                                                       : "blocks";
  const std::string name = freeName(*schedule, hint.empty() ? usual : hint,
                                    isAssigned ? std::vector<std::string>{hint} : std::vector<std::string>{});
  line.targets.push_back({name, false});
  emit(*schedule, std::move(line));
  return bound(schedule, name);
}

bool Interpreter::unpackCall(const Node& target, const Value& v) {
  auto* pending = v.get<Pending>();
  if (!pending || (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List))) return false;
  std::vector<std::string> names;
  script::StepCall line;
  for (const auto& c : target.children) {
    const bool starred = c->is(NodeKind::Starred);
    const Node& one = starred ? *c->children[0] : *c;
    if (!one.is(NodeKind::Name)) return false;
    names.push_back(one.text);
    line.targets.push_back({one.text, starred});
  }
  const auto schedule = pending->schedule;
  std::set<std::string> taken;
  for (auto& t : line.targets) {
    std::string name = freeName(*schedule, t.name, names);
    for (int n = 1; name != "_" && taken.contains(name); ++n) {
      name = freeName(*schedule, fmt::format("{}_{}", t.name, n), names);
    }
    taken.insert(name);
    t.name = name;
  }
  line.unpack = true;
  line.value = pending->call;
  line.place = source_.place(statement_->line, statement_->column);
  const std::vector<script::StepTarget> targets = line.targets;
  emit(*schedule, std::move(line));
  for (std::size_t i = 0; i < names.size(); ++i) set(names[i], bound(schedule, targets[i].name));
  return true;
}

Value Interpreter::scheduleAttribute(const std::shared_ptr<Schedule>& schedule, const std::string& name) {
  if (name == "mod") return {ScheduledModule{schedule}};
  if (name == "trace" || name == "state" || name == "func_working_on")
    return opaque(message("the schedule's {}", name));
  return {Method{std::make_shared<Value>(Value{schedule}), name}};
}

Value Interpreter::scheduleMethod(const std::shared_ptr<Schedule>& schedule, const std::string& name,
                                  CallArguments& given, const Node& at) {
  if (name == "show") return opaque(message("printing"));
  if (name == "copy") {
    auto copy = std::make_shared<Schedule>(*schedule);
    copy->run = int(read_.runs.size());
    read_.runs.push_back({schedule->run, read_.runs[std::size_t(schedule->run)].lines.size(), {}});
    runPrograms_.push_back(runPrograms_[std::size_t(schedule->run)]);
    schedules_.push_back(copy);
    return {copy};
  }
  if (name == "get" && !given.positional.empty()) {
    Value v = force(given.positional[0], "", at);
    auto* h = v.get<std::shared_ptr<Handle>>();
    if (!h) return opaque(verbatim("sch.get(…)"));
    const StepValue& text = (*h)->text;
    const auto* binding = schedule->state.lookup(text.is(Kind::Index) ? text.items[0].text : text.text);
    const std::size_t index = text.is(Kind::Index) ? std::size_t(text.items[1].integer) : 0;
    if (!binding || index >= binding->handles.size()) return opaque(verbatim("sch.get(…)"));
    const schedule::Handle& what = binding->handles[index];
    if (auto* loop = std::get_if<schedule::LoopRef>(&what); loop && schedule->state.tree().isLoop(loop->id)) {
      auto* extent = ir::as<ir::IntImmNode>(schedule->state.tree().loop(loop->id)->extent);
      return {LoopView{extent ? std::optional(extent->value) : std::nullopt}};
    }
    if (auto* number = std::get_if<schedule::ExprRef>(&what)) {
      if (auto* i = ir::as<ir::IntImmNode>(number->value)) return {i->value};
    }
    return opaque(verbatim("sch.get(…)"));
  }
  if (isAsked(name)) return opaque(verbatim("sch." + name));
  return pendingCall(schedule, name, std::move(given), at);
}

Value Interpreter::pendingCall(const std::shared_ptr<Schedule>& schedule, const std::string& primitive,
                               CallArguments given, const Node& at) {
  StepValue v;
  v.kind = Kind::Call;
  v.text = primitive;
  v.line = at.line;
  v.column = at.column;
  auto ofSchedule = [&](const Value& argument) {
    if (auto* p = argument.get<Pending>(); p && p->schedule != schedule) {
      raise(at, "ValueError", message("this is of another schedule"));
    }
    if (auto* h = argument.get<std::shared_ptr<Handle>>(); h && (*h)->schedule != schedule.get()) {
      // A copy of a schedule has the names of what it is a copy of.
      const StepValue& text = (*h)->text;
      if (!schedule->state.lookup(text.is(Kind::Index) ? text.items[0].text : text.text)) {
        raise(at, "ValueError", message("this is of another schedule"));
      }
    }
  };
  for (const Value& argument : given.positional) {
    ofSchedule(argument);
    v.items.push_back(written(argument, at));
  }
  for (const auto& [key, argument] : given.keywords) {
    ofSchedule(argument);
    v.keywords.push_back({key, written(argument, at)});
  }
  return {Pending{std::move(v), schedule}};
}

StepValue Interpreter::written(const Value& v, const Node& at, int depth) {
  if (depth > 50) raise(at, "RecursionError", message("this is nested too deeply"));
  mustKnow(v, at, message("the argument"));
  auto placed = [&](StepValue value) {
    value.line = at.line;
    value.column = at.column;
    return value;
  };
  if (v.isNone()) return placed(script::stepNone());
  if (auto* b = v.get<bool>()) return placed(script::stepBool(*b));
  if (auto* i = v.get<std::int64_t>()) return placed(script::stepInt(*i));
  if (auto* d = v.get<double>()) return placed(script::stepFloat(*d));
  if (auto* s = v.get<std::string>()) return placed(script::stepString(*s));
  if (auto* h = v.get<std::shared_ptr<Handle>>()) return placed((*h)->text);
  if (auto* p = v.get<Pending>()) return p->call;
  if (auto* s = v.get<Symbol>()) return s->value;
  if (auto* f = v.get<Foreign>(); f && script::isAxisSeparator(script::stepName(f->path)))
    return placed(script::stepName(std::string(script::kAxisSeparator)));
  if (v.get<std::shared_ptr<Function>>()) return indexMap(v, at);
  if (auto* list = v.sequence()) {
    spend(at.line, at.column, std::int64_t(list->items.size()) * 10);
    std::vector<StepValue> items;
    for (const Value& i : list->items) items.push_back(written(i, at, depth + 1));
    return placed(list->kind == Sequence::Kind::Tuple ? script::stepTuple(std::move(items))
                                                      : script::stepList(std::move(items)));
  }
  if (auto* d = v.dictionary()) {
    StepValue dict;
    dict.kind = Kind::Dict;
    for (const auto& [key, i] : d->items) {
      dict.items.push_back(written(key, at, depth + 1));
      dict.items.push_back(written(i, at, depth + 1));
    }
    return placed(std::move(dict));
  }
  raise(at, "TypeError", message("{} is no argument of a step", v.describe()));
}

// A function of indices, as transform_layout takes it: it is called with symbols, so that what it computes with numbers
// of the script stands in the line.
StepValue Interpreter::indexMap(const Value& f, const Node& at) {
  Function& function = **f.get<std::shared_ptr<Function>>();
  std::vector<std::string> names;
  if (function.definition) {
    for (const auto& p : function.definition->parameters) names.push_back(p.name);
  } else {
    names = function.lambda->parameters;
  }
  StepValue lambda;
  lambda.kind = Kind::Lambda;
  lambda.line = at.line;
  lambda.column = at.column;
  CallArguments symbols;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < function.defaults.size() && function.defaults[i]) continue;
    if (names[i].find_first_of("*/") == 0)
      raise(at, "ParseError", message("an index map names its indices one by one here"));
    lambda.parameters.push_back(names[i]);
    symbols.positional.push_back({Symbol{script::stepName(names[i])}});
  }
  Value result = force(callFunction(function, std::move(symbols), at), "", at);
  lambda.items.push_back(written(result, at));
  return lambda;
}

}  // namespace loom::notebook
