#include "core/tune/step_arguments.h"

#include <algorithm>

#include "core/schedule/value_text.h"
#include "core/schedule/warnings.h"
#include "core/tune/split_variants.h"
#include "core/tune/step_form.h"

namespace loom::tune {

using schedule::Parameter;
using schedule::ParameterType;
using script::StepValue;

namespace {

std::optional<script::StepCall> parsed(const std::string& line) {
  auto calls = script::parseSchedule(line, "");
  if (!calls || calls->size() != 1 || calls->front().call() == nullptr) return std::nullopt;
  return std::move(calls->front());
}

// What is indexed or sliced looked through.
StepValue& outermost(StepValue& value) {
  StepValue* v = &value;
  while (v->is(StepValue::Kind::Index) || v->is(StepValue::Kind::Slice)) v = &v->items[0];
  return *v;
}

std::string listed(const std::vector<StepValue>& values, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < values.size(); ++i) text += (i == from ? "" : ", ") + script::printValue(values[i]);
  return text;
}

std::string fallbackText(const Parameter& parameter) {
  if (!parameter.fallback) return "";
  return schedule::valueText(*parameter.fallback, [](ir::Id) { return Result<std::string>(""); }).value_or("");
}

Result<std::vector<StepValue>> parsedList(const std::string& text) {
  auto calls = script::parseSchedule("x = [" + text + "]", "");
  // Where in the line is of no use to a form.
  if (!calls) return fail(calls.error().code, calls.error().message, Forbids::Input);
  if (calls->size() != 1 || !calls->front().value.is(StepValue::Kind::List))
    return fail("ParseError", message("Write one value"), Forbids::Input);
  return calls->front().value.items;
}

// Without its value: `a, *b = `.
std::string targetsOf(const script::StepCall& call) {
  std::string text;
  for (const script::StepTarget& target : call.targets)
    text += (text.empty() ? "" : ", ") + std::string(target.starred ? "*" : "") + target.name;
  if (call.unpack && call.targets.size() == 1) text += ",";
  return text.empty() ? "" : text + " = ";
}

std::optional<Error> refusalOf(const schedule::State& state, const std::string& line,
                               const schedule::Environment& environment) {
  const auto call = parsed(line);
  if (!call) return fail("ParseError", message("Write one value"), Forbids::Input).value();
  auto applied = schedule::apply(state, schedule::kTrialStep, *call, environment);
  return applied ? schedule::takesMeaning(state, applied->next) : std::optional(applied.error());
}

}  // namespace

std::optional<StepArguments> stepArguments(const std::string& line) {
  const auto call = parsed(line);
  if (!call) return std::nullopt;
  const StepValue& value = *call->call();
  StepArguments made{schedule::findInstruction(value.text), {}};
  if (made.row == nullptr) return std::nullopt;
  bool named = false;  // what follows all further positional arguments goes by its name only
  const auto isStar = [](const StepValue& item) { return item.is(StepValue::Kind::Star); };
  for (const Parameter& parameter : made.row->parameters) {
    const std::size_t index = made.arguments.size();
    const bool single = !parameter.variadic;
    if (single && !named && index < value.items.size()) {
      if (std::any_of(value.items.begin(), value.items.begin() + std::ptrdiff_t(index) + 1, isStar))
        return std::nullopt;
      made.arguments.push_back({&parameter, script::printValue(value.items[index]), true});
      continue;
    }
    named |= !single;
    if (!single && index < value.items.size()) {
      made.arguments.push_back({&parameter, listed(value.items, index), true});
      continue;
    }
    const auto keyword = std::find_if(value.keywords.begin(), value.keywords.end(),
                                      [&](const script::StepKeyword& k) { return k.name == parameter.name; });
    const bool written = keyword != value.keywords.end();
    made.arguments.push_back(
        {&parameter, written ? script::printValue(keyword->value) : fallbackText(parameter), written});
  }
  return made;
}

Result<std::string> withArgument(const std::string& line, std::size_t index, const std::string& text) {
  auto call = parsed(line);
  const auto arguments = stepArguments(line);
  if (!call || !arguments || index >= arguments->arguments.size())
    return fail("ParseError", message("The line is no call of a primitive"), Forbids::Input);
  const Parameter& parameter = *arguments->arguments[index].parameter;
  auto values = parsedList(text);
  if (!values) return tl::unexpected(values.error());
  if (!parameter.variadic && values->size() > 1) return fail("ParseError", message("Write one value"), Forbids::Input);
  if (values->empty() && !parameter.fallback)
    return fail("TypeError", message("\"{}\" can't be left out", parameter.name), Forbids::Input);
  StepValue& value = outermost(call->value);
  const auto& all = arguments->row->parameters;
  const bool named =
      std::any_of(all.begin(), all.begin() + std::ptrdiff_t(index), [](const Parameter& p) { return p.variadic; });
  const bool positional = !named && index < value.items.size();
  if (parameter.variadic) {
    value.items.resize(std::min(value.items.size(), index));
    value.items.insert(value.items.end(), values->begin(), values->end());
  } else if (positional && (!values->empty() || index + 1 < value.items.size())) {
    auto fallback = parsedList(fallbackText(parameter));  // what follows keeps its place
    value.items[index] = values->empty() ? fallback->front() : values->front();
  } else if (positional) {
    value.items.pop_back();
  } else {
    const auto written = std::find_if(value.keywords.begin(), value.keywords.end(),
                                      [&](const script::StepKeyword& k) { return k.name == parameter.name; });
    if (written == value.keywords.end()) {
      if (!values->empty()) value.keywords.push_back({std::string(parameter.name), values->front()});
    } else if (values->empty()) {
      value.keywords.erase(written);
    } else {
      written->value = values->front();
    }
  }
  return targetsOf(*call) + script::printValue(call->value);
}

std::vector<ArgumentOffer> argumentOffers(const document::History& history, int node, const std::string& line,
                                          std::size_t index, const schedule::Environment& environment) {
  const document::Node& edited = history.node(node);
  const auto arguments = stepArguments(line);
  const auto call = parsed(line);
  if (edited.parent < 0 || !arguments || !call || index >= arguments->arguments.size()) return {};
  std::vector<std::string> sources = linesTo(history, edited.parent);
  std::string before;
  for (std::size_t i = 0; i + 1 < edited.lines.size(); ++i) {
    sources.push_back(edited.lines[i].source);
    before += edited.lines[i].source + "\n";
  }
  const auto state = previewLines(history, edited.parent, before, environment);
  if (!state) return {};
  std::vector<ArgumentOffer> offers;
  const auto offer = [&](std::string text, std::string name) {
    const bool again =
        std::any_of(offers.begin(), offers.end(), [&](const ArgumentOffer& o) { return o.text == text; });
    if (again) return;
    const auto changed = withArgument(line, index, text);
    if (changed) offers.push_back({std::move(text), std::move(name), refusalOf(*state, *changed, environment)});
  };
  const StepArguments::Argument& argument = arguments->arguments[index];
  if (argument.parameter->type == ParameterType::Factors) {
    const auto factors = factorsOf(argument.text);
    if (!factors.empty()) offer(argument.text, "");
    if (factors.size() > 1)
      for (const auto& nearby : factorsNearby(factors)) offer(factorsText(nearby), "");
    if (factors.size() != 2) return offers;
  }
  const auto bound = schedule::outermostCall(*state, *call, environment);
  if (!bound) return {};
  const auto names = namesGiven(bound->state, sources);
  const auto& values = bound->arguments.values();
  const schedule::NameOf nameOf = [&](ir::Id id) -> Result<std::string> {
    const auto found = names.find(id);
    if (found == names.end()) return fail("ValueError", message("The schedule has no name for it"), Forbids::Input);
    return found->second;
  };
  const auto candidates = schedule::candidates(bound->state, *bound->row,
                                               {values.begin(), values.begin() + std::ptrdiff_t(index)}, environment);
  for (const schedule::Candidate& candidate : candidates) {
    auto text = schedule::valueText(*argument.parameter, candidate.value, nameOf);
    if (!text) continue;
    if (argument.parameter->variadic) *text = text->substr(1, text->size() - 2);  // without the brackets
    const bool named = candidate.value.as<schedule::Handle>() || candidate.value.as<schedule::List>();
    offer(std::move(*text), named ? candidate.text : "");
  }
  return offers;
}

}  // namespace loom::tune
