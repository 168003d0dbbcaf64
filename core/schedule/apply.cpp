// Applying a row, and whole lines of a schedule.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "core/ir/build.h"
#include "core/schedule/instruction.h"
#include "core/schedule/one_line.h"
#include "core/schedule/slices.h"
#include "core/schedule/trace.h"
#include "core/script/index_map_graph.h"
#include "core/script/step_line.h"

namespace loom::schedule {

namespace {

using script::StepValue;

Result<Applied> applyRow(const State& state, std::uint32_t step, ir::IdSource& ids, const Instruction& row,
                         const Arguments& arguments, const Environment& environment) {
  auto start = std::chrono::steady_clock::now();
  Draft draft(state, step, ids, row.name, environment);
  auto outputs = [&]() -> Result<Handles> {
    try {
      return row.apply(draft, arguments);
    } catch (const std::domain_error& e) {  // an extent of 0 as a divisor: TVM ends in a failed check, too
      return fail("InternalError", verbatim(e.what()), Forbids::Tvm);
    } catch (const std::exception& e) {  // whoever tried the step loses nothing by it
      return fail("InternalError", message("A mistake in Tileloom itself: {}", e.what()), Forbids::Tvm);
    }
  }();
  if (!outputs) {
    Error error = inOneLine(outputs.error());
    if (error.primitive.empty()) error.primitive = row.name;
    return tl::unexpected(std::move(error));
  }
  ids = draft.ids();
  auto decision = draft.decision();
  State next = std::move(draft).finish();
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  return Applied{std::move(next), std::move(*outputs), took.count(), std::move(decision)};
}

// Evaluates one line; what nested calls do is done before the call around them, as Python does it.
class Line {
 public:
  // `call` stays alive as long as the line: calls are told apart by where they stand in it.
  Line(const State& state, std::uint32_t step, const script::StepCall& call, const Environment& environment,
       Trace* trace)
      : call_(call), state_(state), step_(step), ids_(step), environment_(environment), trace_(trace) {}

  Result<Value> evaluate() { return evaluate(call_.value); }
  // The outermost call, and the one that its primitive refused; nothing where the line was refused before.
  std::optional<BoundCall> takeOutermost() { return std::move(outermost_); }
  std::optional<BoundCall> takeRefused() { return std::move(refused_); }
  Result<Applied> assign(Value value);

 private:
  Result<Value> evaluate(const StepValue& v);
  Result<Value> evaluateCall(const StepValue& v);
  Result<Value> evaluateName(const StepValue& v);
  Result<Value> evaluateIndex(const StepValue& v);
  Result<Value> evaluateSlice(const StepValue& v);
  Result<Value> evaluateTyped(const StepValue& v);
  Result<void> close(StepValue& body, const std::vector<std::string>& parameters);
  Result<List> evaluateAll(const std::vector<StepValue>& items);

  const script::StepCall& call_;
  State state_;
  std::uint32_t step_;
  ir::IdSource ids_;
  const Environment& environment_;
  Trace* trace_;
  Handles outputs_;
  double milliseconds_ = 0;
  std::optional<Decision> decision_;  // of the last call
  std::optional<BoundCall> outermost_, refused_;
};

tl::unexpected<Error> input(std::string code, Message message) {
  return fail(std::move(code), std::move(message), Forbids::Input);
}

// A number that a trace has named stays a handle, so that the trace names it where it is used.
Value valueOf(const Handle& handle) {
  if (auto* expr = std::get_if<ExprRef>(&handle); expr && expr->result < 0) {
    if (!expr->value) return Value{};
    if (auto* number = ir::asInt(expr->value)) return Value{number->value};
  }
  return Value{handle};
}

Result<List> Line::evaluateAll(const std::vector<StepValue>& items) {
  List list;
  for (const auto& item : items) {
    bool star = item.is(StepValue::Kind::Star);
    auto value = evaluate(star ? item.items[0] : item);
    if (!value) return tl::unexpected(value.error());
    if (!star) {
      list.push_back(std::move(*value));
    } else if (auto* more = value->as<List>()) {
      list.insert(list.end(), more->begin(), more->end());
    } else {
      return input("TypeError", message("Only a list can follow *"));
    }
  }
  return list;
}

Result<Value> Line::evaluate(const StepValue& v) {
  switch (v.kind) {
    case StepValue::Kind::None: return Value{};
    case StepValue::Kind::Bool: return Value{v.integer != 0};
    case StepValue::Kind::Int: return Value{v.integer};
    case StepValue::Kind::Float: return Value{v.real};
    case StepValue::Kind::String: return Value{v.text};
    case StepValue::Kind::Name: return evaluateName(v);
    case StepValue::Kind::Typed: return evaluateTyped(v);
    case StepValue::Kind::Call: return evaluateCall(v);
    case StepValue::Kind::Index: return evaluateIndex(v);
    case StepValue::Kind::Slice: return evaluateSlice(v);
    case StepValue::Kind::List:
    case StepValue::Kind::Tuple: {
      auto list = evaluateAll(v.items);
      if (!list) return tl::unexpected(list.error());
      return Value{std::move(*list)};
    }
    case StepValue::Kind::Dict: {
      Dict dict;
      for (std::size_t i = 0; i + 1 < v.items.size(); i += 2) {
        if (!v.items[i].is(StepValue::Kind::String))
          return input("TypeError", message("The keys of a dict are strings"));
        auto value = evaluate(v.items[i + 1]);
        if (!value) return value;
        dict.push_back({v.items[i].text, std::move(*value)});
      }
      return Value{std::move(dict)};
    }
    case StepValue::Kind::Lambda: {
      StepValue closed = v;
      if (auto ok = close(closed.items[0], v.parameters); !ok) return tl::unexpected(ok.error());
      return Value{std::make_shared<const StepValue>(std::move(closed))};
    }
    case StepValue::Kind::Star:
    case StepValue::Kind::Binary:
    case StepValue::Kind::Negate: break;
  }
  return input("TypeError", message("Arithmetic on names stands in lambdas only"));
}

// Replaces what a lambda's body names beside its parameters by the numbers that those names stand for.
Result<void> Line::close(StepValue& body, const std::vector<std::string>& parameters) {
  const bool isParameter = std::any_of(parameters.begin(), parameters.end(), [&](const std::string& parameter) {
    return parameter == body.text || parameter == "*" + body.text;
  });
  if (body.is(StepValue::Kind::Name) && !isParameter && !script::isAxisSeparator(body)) {
    auto value = evaluateName(body);
    if (!value) return tl::unexpected(value.error());
    const auto* handle = value->as<Handle>();
    const auto* expr = handle ? std::get_if<ExprRef>(handle) : nullptr;
    const ir::IntImmNode* drawn = expr ? ir::asInt(expr->value) : nullptr;
    const auto* number = drawn ? &drawn->value : value->as<std::int64_t>();
    if (!number) return input("TypeError", message("The name \"{}\" in a lambda stands for no number", body.text));
    body = script::stepInt(*number);
  }
  for (StepValue& item : body.items)
    if (auto ok = close(item, parameters); !ok) return ok;
  return {};
}

Result<Value> Line::evaluateName(const StepValue& v) {
  auto* binding = state_.lookup(v.text);
  if (!binding) return input("NameError", message("The name \"{}\" is not defined", v.text));
  if (!binding->isList) return valueOf(binding->handles.at(0));
  List list;
  for (const auto& handle : binding->handles) list.push_back(valueOf(handle));
  return Value{std::move(list)};
}

Result<Value> Line::evaluateTyped(const StepValue& v) {
  auto dtype = ir::DType::parse(v.text);
  if (!dtype || v.items.size() != 1) return input("TypeError", message("T.{} is no element type", v.text));
  auto value = evaluate(v.items[0]);
  if (!value) return value;
  auto* integer = value->as<std::int64_t>();
  auto* real = value->as<double>();
  if (!integer && !real) return input("TypeError", message("T.{} takes a number", v.text));
  if (dtype->isFloat()) return Value{ir::floatImm(integer ? static_cast<double>(*integer) : *real, *dtype)};
  return Value{ir::intImm(integer ? *integer : static_cast<std::int64_t>(*real), *dtype)};
}

Result<Value> Line::evaluateIndex(const StepValue& v) {
  auto from = evaluate(v.items[0]);
  if (!from) return from;
  auto index = evaluate(v.items[1]);
  if (!index) return index;
  auto* list = from->as<List>();
  auto* number = index->as<std::int64_t>();
  if (!list || !number) return input("TypeError", message("Only a list can be indexed, and only by an integer"));
  const auto at = indexPosition(list->size(), *number);
  if (!at)
    return input("IndexError", message("The list has {} elements; there is no number {}", list->size(), *number));
  return (*list)[*at];
}

Result<Value> Line::evaluateSlice(const StepValue& v) {
  auto from = evaluate(v.items[0]);
  if (!from) return from;
  auto* list = from->as<List>();
  if (!list) return input("TypeError", message("Only a list can be sliced"));
  std::optional<std::int64_t> bounds[3];
  for (int i = 0; i < 3; ++i) {
    auto bound = evaluate(v.items[i + 1]);
    if (!bound) return bound;
    if (auto* number = bound->as<std::int64_t>()) bounds[i] = *number;
    if (!bounds[i] && !bound->isNone()) return input("TypeError", message("The bounds of a slice are integers"));
  }
  if (bounds[2] == 0) return input("ValueError", message("The step of a slice is not 0"));
  List result;
  for (std::size_t i : slicePositions(list->size(), bounds[0], bounds[1], bounds[2])) result.push_back((*list)[i]);
  return Value{std::move(result)};
}

// Primitives of TVM's tir.Schedule that have no row in the table: who writes one has not mistyped it.
constexpr std::string_view kOnlyInTvm[] = {"annotate_buffer_access", "cache_index",    "cache_inplace",
                                           "loop_partition",         "merge",          "read_at",
                                           "reorder_block_iter_var", "rolling_buffer", "unsafe_hide_buffer_access",
                                           "unsafe_set_dtype",       "write_at"};

// Whether the argument names a buffer by a list, which TVM's Python takes for no pair: that is a tuple.
bool isListForPair(const Parameter& parameter, const StepValue& argument) {
  return parameter.type == ParameterType::Buffer && argument.is(StepValue::Kind::List);
}

Result<Value> Line::evaluateCall(const StepValue& v) {
  auto* row = findInstruction(v.text);
  if (!row && std::find(std::begin(kOnlyInTvm), std::end(kOnlyInTvm), v.text) != std::end(kOnlyInTvm))
    return input("AttributeError", message("There is no primitive \"{}\" here; TVM has one", v.text));
  if (!row) return input("AttributeError", message("There is no primitive \"{}\"", v.text));
  auto positional = evaluateAll(v.items);
  if (!positional) return tl::unexpected(positional.error());
  std::vector<std::pair<std::string, Value>> keywords;
  for (const auto& keyword : v.keywords) {
    auto value = evaluate(keyword.value);
    if (!value) return value;
    keywords.emplace_back(keyword.name, std::move(*value));
  }
  for (std::size_t i = 0; i < row->parameters.size(); ++i) {
    const Parameter& parameter = row->parameters[i];
    const bool isList = (i < v.items.size() && isListForPair(parameter, v.items[i])) ||
                        std::any_of(v.keywords.begin(), v.keywords.end(), [&](const script::StepKeyword& k) {
                          return k.name == parameter.name && isListForPair(parameter, k.value);
                        });
    if (isList) return input("TypeError", message("A pair like (\"read\", 0) is a tuple, not a list"));
  }
  auto arguments = bindArguments(state_, *row, std::move(*positional), std::move(keywords));
  if (!arguments) return tl::unexpected(arguments.error());
  auto applied = applyRow(state_, step_, ids_, *row, *arguments, environment_);
  const bool isOutermost = &v == call_.call();
  if (isOutermost) outermost_ = BoundCall{state_, row, *arguments, true};
  if (!applied) {
    refused_ = BoundCall{state_, row, *arguments, isOutermost};
    return tl::unexpected(applied.error());
  }
  if (trace_) trace_->record(state_, *row, *arguments, applied->outputs, applied->decision);
  state_ = std::move(applied->next);
  outputs_ = applied->outputs;
  milliseconds_ += applied->milliseconds;
  decision_ = std::move(applied->decision);
  switch (row->results) {
    case Instruction::Results::None: return Value{};
    case Instruction::Results::Block:
    case Instruction::Results::Loop:
    case Instruction::Results::Expr: return valueOf(outputs_.at(0));
    case Instruction::Results::Blocks:
    case Instruction::Results::Loops:
    case Instruction::Results::Exprs: {
      List list;
      for (const auto& handle : outputs_) list.push_back(valueOf(handle));
      return Value{std::move(list)};
    }
  }
  return Value{};
}

// What a name can stand for; nothing for values that are no handles.
std::optional<State::Binding> bindingOf(const std::string& name, const Value& value) {
  auto handleOf = [](const Value& v) -> std::optional<Handle> {
    if (auto* handle = v.as<Handle>()) return *handle;
    if (auto* number = v.as<std::int64_t>()) return ExprRef{ir::intImm(*number)};
    if (auto* expr = v.as<ir::Expr>()) return ExprRef{*expr};
    return std::nullopt;
  };
  if (auto handle = handleOf(value)) return State::Binding{name, {*handle}, false};
  auto* list = value.as<List>();
  if (!list) return std::nullopt;
  State::Binding binding{name, {}, true};
  for (const auto& v : *list) {
    auto handle = v.isNone() ? std::optional<Handle>(ExprRef{}) : handleOf(v);
    if (!handle) return std::nullopt;
    binding.handles.push_back(*handle);
  }
  return binding;
}

Result<Applied> Line::assign(Value value) {
  std::vector<std::pair<std::string, Value>> assigned;
  if (!call_.targets.empty() && !call_.unpack) {
    assigned.emplace_back(call_.targets[0].name, std::move(value));
  } else if (call_.unpack) {
    auto* list = value.as<List>();
    if (!list) return input("TypeError", message("The result is no list that could be given several names"));
    std::size_t names = call_.targets.size();
    auto starred = std::find_if(call_.targets.begin(), call_.targets.end(), [](const auto& t) { return t.starred; });
    bool hasStar = starred != call_.targets.end();
    if (hasStar ? list->size() + 1 < names : list->size() != names) {
      return input("ValueError", message("There are {} results for {} names", list->size(), names));
    }
    std::size_t next = 0;
    for (const auto& target : call_.targets) {
      if (target.starred) {
        std::size_t many = list->size() + 1 - names;
        assigned.emplace_back(target.name, Value{List(list->begin() + next, list->begin() + next + many)});
        next += many;
      } else {
        assigned.emplace_back(target.name, (*list)[next++]);
      }
    }
  }
  std::vector<State::Binding> bindings;
  for (const auto& [name, what] : assigned) {
    if (auto binding = bindingOf(name, what)) bindings.push_back(std::move(*binding));
  }
  // Only the outermost call's: the line is not that of a call nested in it.
  if (!call_.call() || !call_.value.is(script::StepValue::Kind::Call)) decision_.reset();
  return Applied{state_.with(std::move(bindings)), std::move(outputs_), milliseconds_, std::move(decision_)};
}

}  // namespace

Result<Applied> apply(const State& state, std::uint32_t step, const Instruction& row, const Arguments& arguments,
                      const Environment& environment) {
  ir::IdSource ids(step);
  return applyRow(state, step, ids, row, arguments, environment);
}

Result<Applied> apply(const State& state, std::uint32_t step, const script::StepCall& call,
                      const Environment& environment, Trace* trace) {
  Line line(state, step, call, environment, trace);
  auto value = line.evaluate();
  auto applied = value ? line.assign(std::move(*value)) : Result<Applied>(tl::unexpected(value.error()));
  if (!applied) {
    Error error = inOneLine(applied.error());
    if (error.place.line == 0) error.place = call.place;
    return tl::unexpected(std::move(error));
  }
  return applied;
}

std::optional<BoundCall> refusedCall(const State& state, const script::StepCall& call, const Environment& environment) {
  Line line(state, kTrialStep, call, environment, nullptr);
  (void)line.evaluate();
  return line.takeRefused();
}

std::optional<BoundCall> outermostCall(const State& state, const script::StepCall& call,
                                       const Environment& environment) {
  Line line(state, kTrialStep, call, environment, nullptr);
  (void)line.evaluate();
  return line.takeOutermost();
}

}  // namespace loom::schedule
