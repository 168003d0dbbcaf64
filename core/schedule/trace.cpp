#include "core/schedule/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/index_map.h"
#include "core/schedule/layout_padding.h"
#include "core/script/index_map_graph.h"
#include "core/script/printed_trace.h"
#include "core/script/step_text.h"

namespace loom::schedule {

namespace {

using script::StepValue;
using script::TraceField;
using FieldPlace = TraceField::Place;

constexpr std::string_view kDecision = "decision";

// As an argument of a line.
StepValue valueOf(const Decision& decision) {
  if (!decision.isList) return script::stepInt(decision.numbers.at(0));
  StepValue list = script::stepList({});
  for (std::int64_t number : decision.numbers) list.items.push_back(script::stepInt(number));
  return list;
}

FieldPlace placeOf(const Parameter& parameter, const Instruction& row) {
  switch (parameter.type) {
    case ParameterType::Block:
    case ParameterType::Loop:
    case ParameterType::BlockOrLoop:
    case ParameterType::BlocksOrLoop:
    case ParameterType::Annotation: return FieldPlace::Input;
    case ParameterType::Blocks: return FieldPlace::OptionalList;
    case ParameterType::Loops: return FieldPlace::SpreadInputs;
    case ParameterType::Factors: return FieldPlace::RestInputs;
    // TVM keeps the flags of split as truth values, those of all others as integers. That of reindex, skip_simplify,
    // only the TVM that is our judge has.
    case ParameterType::Bool:
      if (row.name == "reindex") return FieldPlace::LastFlag;
      return row.name == "split" ? FieldPlace::BoolFlag : FieldPlace::IntFlag;
    case ParameterType::Buffer: return FieldPlace::BufferSide;
    case ParameterType::IndexMap:
      return row.name == "transform_block_layout" ? FieldPlace::Attribute : FieldPlace::Input;
    default: return FieldPlace::Attribute;
  }
}

std::string functionName(const State& state, int function) {
  return state.module().functions[std::size_t(function)]->name;
}

const Instruction* rowOfKind(const std::string& kind) {
  const auto& rows = instructions();
  auto it = std::find_if(rows.begin(), rows.end(), [&](const Instruction& row) { return row.traceKind == kind; });
  return it == rows.end() || kind.empty() ? nullptr : &*it;
}

// The index map that a lambda, or a value of padding, stands for; nothing for None.
std::optional<IndexMap> mapOf(const State& before, const Parameter& parameter, const Arguments& arguments) {
  const ir::Block block = before.tree().block(arguments.block("block"));
  const ir::DType type = indexTypeOf(*block);
  const auto parameters = arguments.parameters();
  const bool ofBuffer = std::any_of(parameters.begin(), parameters.end(),
                                    [](const Parameter& p) { return p.type == ParameterType::Buffer; });
  const ir::Buffer buffer = ofBuffer ? arguments.buffer("buffer", *block).value().buffer : nullptr;
  auto map = indexMapOf(**arguments["index_map"].as<Lambda>(),
                        buffer ? std::optional(buffer->shape.size()) : std::nullopt, type)
                 .value();
  if (parameter.type == ParameterType::PadValue)
    return padValueOf(arguments[parameter.name], buffer, map.outputs.size(), type).value();
  return map;
}

}  // namespace

script::TraceShape traceShape(const Instruction& row) {
  script::TraceShape shape{std::string(row.traceKind), std::string(row.name), {}, false};
  shape.listResult = row.results == Instruction::Results::Loops || row.results == Instruction::Results::Blocks ||
                     row.results == Instruction::Results::Exprs;
  for (const Parameter& p : row.parameters) {
    if (p.name == kDecision) continue;  // stands beside the instruction
    FieldPlace place = placeOf(p, row);
    shape.fields.push_back({place == FieldPlace::SpreadInputs ? "" : std::string(p.name), place});
  }
  return shape;
}

std::string Trace::nameOutput(Handle& handle) {
  int result = results_++;
  if (auto* block = std::get_if<BlockRef>(&handle)) {
    block->result = result;
    return fmt::format("b{}", result);
  }
  auto* loop = std::get_if<LoopRef>(&handle);
  if (loop) loop->result = result;
  if (auto* number = std::get_if<ExprRef>(&handle)) {
    if (!number->value) return "_";  // a factor that split infers is None where it is used
    number->result = result;
  }
  return fmt::format("{}{}", loop ? 'l' : 'v', result);
}

// The blocks that TVM's Python looks up by name are instructions of their own.
void Trace::getBlock(const State& before, Id block, const std::string& function) {
  script::TraceCall call{"get_block", {}, {}, false, {}};
  call.arguments.push_back({"name", script::stepString(before.tree().block(block)->name)});
  call.arguments.push_back({"func_name", script::stepString(function)});
  gotByName_[block] = results_;
  Handle handle = BlockRef{block};
  call.outputs.push_back(nameOutput(handle));
  calls_.push_back(std::move(call));
}

StepValue Trace::valueOf(const Value& value) const {
  if (auto* truth = value.as<bool>()) return script::stepBool(*truth);
  if (auto* number = value.as<std::int64_t>()) return script::stepInt(*number);
  if (auto* number = value.as<double>()) return script::stepFloat(*number);
  if (auto* text = value.as<std::string>()) return script::stepString(*text);
  auto constant = [](const ir::Expr& e) {
    StepValue typed;
    typed.kind = StepValue::Kind::Typed;
    typed.text = e->dtype.str();
    if (auto* number = ir::asInt(e)) typed.items.push_back(script::stepInt(number->value));
    if (auto* number = ir::as<ir::FloatImmNode>(e)) typed.items.push_back(script::stepFloat(number->value));
    return typed.items.empty() ? script::stepNone() : typed;
  };
  if (auto* e = value.as<ir::Expr>()) return constant(*e);
  if (auto* handle = value.as<Handle>()) {
    if (auto* e = std::get_if<ExprRef>(handle)) {
      if (e->result >= 0) return script::stepName(fmt::format("v{}", e->result));
      return e->value ? constant(e->value) : script::stepNone();
    }
    if (auto* loop = std::get_if<LoopRef>(handle)) return script::stepName(fmt::format("l{}", loop->result));
    auto& block = std::get<BlockRef>(*handle);
    return script::stepName(fmt::format("b{}", block.result >= 0 ? block.result : gotByName_.at(block.id)));
  }
  if (auto* list = value.as<List>()) {
    StepValue items = script::stepList({});
    for (const Value& item : *list) items.items.push_back(valueOf(item));
    return items;
  }
  if (auto* dict = value.as<Dict>()) {
    StepValue entries;
    entries.kind = StepValue::Kind::Dict;
    for (const auto& [key, item] : *dict) {
      entries.items.push_back(script::stepString(key));
      entries.items.push_back(valueOf(item));
    }
    return entries;
  }
  return script::stepNone();
}

StepValue Trace::argument(const State& before, const Parameter& parameter, const Value& value,
                          const Arguments& arguments) {
  bool write = parameter.type == ParameterType::WriteBuffer;
  if ((write || parameter.type == ParameterType::ReadBuffer) && value.as<std::string>()) {
    // The call was applied, so the buffer is there.
    const auto block = before.tree().block(arguments.block("block"));
    return script::stepInt(arguments.bufferIndex(parameter.name, *block, write).value());
  }
  // TVM's Python makes an empty list of no separators.
  if (parameter.type == ParameterType::OptionalIntegers && value.isNone()) return script::stepList({});
  if (parameter.type == ParameterType::Bool) return script::stepBool(arguments.flag(parameter.name));
  if (parameter.type == ParameterType::Buffer) {
    const auto place = arguments.buffer(parameter.name, *before.tree().block(arguments.block("block"))).value();
    return script::stepTuple({script::stepString(place.isWrite ? "write" : "read"), script::stepInt(place.index)});
  }
  if (parameter.type == ParameterType::IndexMap || parameter.type == ParameterType::PadValue) {
    const auto map = mapOf(before, parameter, arguments);
    return map ? lambdaOf(*map) : script::stepNone();
  }
  return valueOf(value);
}

namespace {

// Takes the separators out of the call's index map, as the numbers of outputs before each.
std::vector<StepValue> separatorsOf(script::TraceCall& call) {
  std::vector<StepValue> separators;
  for (script::StepKeyword& argument : call.arguments) {
    if (!argument.value.is(StepValue::Kind::Lambda)) continue;
    std::vector<StepValue> outputs;
    for (StepValue& item : argument.value.items[0].items) {
      if (script::isAxisSeparator(item)) {
        separators.push_back(script::stepInt(std::int64_t(outputs.size())));
      } else {
        outputs.push_back(std::move(item));
      }
    }
    argument.value.items[0].items = std::move(outputs);
  }
  return separators;
}

// Of arguments that a trace's call has only where they say something.
bool isLeftOut(FieldPlace place, const StepValue& argument) {
  return (place == FieldPlace::OptionalList && argument.items.empty()) ||
         (place == FieldPlace::LastFlag && argument.integer == 0);
}

}  // namespace

void Trace::record(const State& before, const Instruction& row, const Arguments& arguments, Handles& outputs,
                   const std::optional<Decision>& decision) {
  if (row.traceKind.empty()) return;
  std::string function = before.workingFunction() ? functionName(before, *before.workingFunction()) : "";
  for (Id block : arguments.namedBlocks()) getBlock(before, block, function);
  script::TraceCall call{std::string(row.name), {}, {}, traceShape(row).listResult, {}};
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    const Parameter& p = row.parameters[i];
    const Value& value = arguments.values()[i];
    if (p.name == kDecision) continue;
    if (p.type == ParameterType::OptionalString && value.isNone()) {
      call.arguments.push_back({std::string(p.name), script::stepString(function)});
      continue;
    }
    StepValue argument = this->argument(before, p, value, arguments);
    // A single function is "main" to get_block and work_on; in the module it has its own name.
    if (p.name == "func_name" && argument.text == "main") argument = script::stepString(function);
    if (p.variadic) {
      for (StepValue& item : argument.items) call.arguments.push_back({"", std::move(item)});
    } else if (!isLeftOut(placeOf(p, row), argument)) {
      call.arguments.push_back({std::string(p.name), std::move(argument)});
    }
  }
  if (decision) call.decision = schedule::valueOf(*decision);
  for (Handle& handle : outputs) call.outputs.push_back(nameOutput(handle));
  const auto separators = separatorsOf(call);
  calls_.push_back(call);
  if (separators.empty()) return;
  // TVM's Python makes two steps of a map with separators.
  script::TraceCall second{"set_axis_separator", {call.arguments[0], call.arguments[1]}, {}, false, {}};
  second.arguments.push_back({"axis_separators", script::stepList(separators)});
  calls_.push_back(std::move(second));
}

std::string Trace::json() const {
  std::vector<script::TraceInstruction> list;
  for (const script::TraceCall& call : calls_) {
    // The call was made from its row.
    list.push_back(script::toInstruction(call, traceShape(*findInstruction(call.primitive))).value());
  }
  return script::writeTraceJson(list);
}

std::string Trace::python() const {
  std::string text;
  for (const script::TraceCall& call : calls_) text += script::printCall(call) + "\n";
  return text;
}

std::optional<script::StepCall> decided(const script::StepCall& call, const Decision& decision) {
  if (!isSampling(call) || !call.value.is(StepValue::Kind::Call)) return std::nullopt;
  const auto& parameters = findInstruction(call.primitive())->parameters;
  const auto& items = call.value.items;
  const auto named = std::find_if(call.value.keywords.begin(), call.value.keywords.end(),
                                  [](const script::StepKeyword& k) { return k.name == kDecision; });
  // The decision is the last parameter: where all stand by position, the last of them is it.
  const bool byPosition = items.size() == parameters.size() && !items.back().is(StepValue::Kind::None);
  const bool byName = named != call.value.keywords.end() && !named->value.is(StepValue::Kind::None);
  const bool hasStar =
      std::any_of(items.begin(), items.end(), [](const StepValue& v) { return v.is(StepValue::Kind::Star); });
  if (byPosition || byName || hasStar) return std::nullopt;
  script::StepCall told = call;
  std::erase_if(told.value.keywords, [](const script::StepKeyword& k) { return k.name == kDecision; });
  if (items.size() == parameters.size()) {
    told.value.items.back() = schedule::valueOf(decision);
  } else {
    told.value.keywords.push_back({std::string(kDecision), schedule::valueOf(decision)});
  }
  told.source = script::printLine(told);
  return told;
}

bool isSampling(const script::StepCall& call) {
  const Instruction* row = findInstruction(call.primitive());
  return row && row->traceKind.starts_with("Sample");
}

Result<Trace> traceOf(const ir::Module& module, const std::vector<script::StepCall>& calls,
                      const Environment& environment) {
  auto state = State::create(module);
  if (!state) return Failure(state.error());
  Trace trace;
  std::uint32_t step = 0;
  for (const script::StepCall& call : calls) {
    auto applied = apply(*state, ++step, call, environment, &trace);
    if (!applied) return Failure(applied.error());
    *state = std::move(applied->next);
  }
  return trace;
}

bool isTraceJson(std::string_view text) {
  auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
}

Result<std::string> stepLines(std::string text, std::string_view file, std::optional<Error>* end) {
  if (!isTraceJson(text)) return script::withoutTraceHeader(std::move(text));
  auto instructions = script::readTraceJson(text, file);
  if (!instructions) return Failure(instructions.error());
  std::string lines;
  for (std::size_t i = 0; i < instructions->size(); ++i) {
    const script::TraceInstruction& instruction = (*instructions)[i];
    const Instruction* row = rowOfKind(instruction.kind);
    auto call =
        row ? script::toCall(instruction, traceShape(*row))
            : Result<script::TraceCall>(
                  fail("AttributeError", message("There is no primitive of the trace's kind \"{}\"", instruction.kind),
                       Forbids::Input));
    if (!call) {
      Error error = call.error();
      error.place.file = file;
      if (!end) return Failure(std::move(error));
      error.place.line = int(i) + 1;  // a line for each
      *end = std::move(error);
      return lines;
    }
    lines += script::printCall(*call) + "\n";
  }
  return lines;
}

}  // namespace loom::schedule
