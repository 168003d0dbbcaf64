// Binding of arguments to the parameters of a row, with Python's and TVM's checks in their order.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/ir/build.h"
#include "core/schedule/instructions.h"

namespace loom::schedule {

namespace {

const Handle* handleOf(const Value& v) { return v.as<Handle>(); }
bool isBlock(const Value& v) { return handleOf(v) && std::holds_alternative<BlockRef>(*handleOf(v)); }
bool isLoop(const Value& v) { return handleOf(v) && std::holds_alternative<LoopRef>(*handleOf(v)); }
bool isExpr(const Value& v) {
  return v.as<ir::Expr>() || (handleOf(v) && std::holds_alternative<ExprRef>(*handleOf(v)));
}
bool isInt(const Value& v) { return v.as<std::int64_t>() || v.as<bool>(); }
bool isText(const Value& v) { return v.as<std::string>() != nullptr; }
bool isLambda(const Value& v) { return v.as<Lambda>() != nullptr; }

bool all(const Value& v, bool (*test)(const Value&)) {
  auto* list = v.as<List>();
  return list && std::all_of(list->begin(), list->end(), test);
}

bool isScalarNote(const Value& v) { return isText(v) || isInt(v) || v.as<double>() || isExpr(v); }
// TVM's check of types fails over an empty list.
bool isListNote(const Value& v) { return isScalarNote(v) || (all(v, isScalarNote) && !v.as<List>()->empty()); }
bool isNote(const Value& v) {
  if (isListNote(v)) return true;
  auto* dict = v.as<Dict>();
  return dict && std::all_of(dict->begin(), dict->end(), [](const auto& entry) { return isListNote(entry.value); });
}

bool fits(ParameterType type, const Value& v) {
  switch (type) {
    case ParameterType::Block: return isBlock(v) || isText(v);
    case ParameterType::Loop: return isLoop(v);
    case ParameterType::BlockOrLoop: return isBlock(v) || isLoop(v);
    case ParameterType::Blocks: return v.isNone() || all(v, [](const Value& x) { return isBlock(x) || isText(x); });
    case ParameterType::Loops: return all(v, isLoop);
    case ParameterType::BlocksOrLoop: return isLoop(v) || all(v, isBlock);
    case ParameterType::Bool: return v.as<bool>() != nullptr;
    case ParameterType::Int: return isInt(v);
    case ParameterType::String:
    case ParameterType::ThreadAxis:
    case ParameterType::StorageScope:
    case ParameterType::Intrinsic: return isText(v);
    case ParameterType::OptionalString: return isText(v) || v.isNone();
    case ParameterType::Factors: return all(v, [](const Value& x) { return x.isNone() || isInt(x) || isExpr(x); });
    case ParameterType::ReadBuffer:
    case ParameterType::WriteBuffer: return isInt(v) || isText(v);
    case ParameterType::Buffer: {
      auto* pair = v.as<List>();
      return isText(v) || (pair && pair->size() == 2 && isText((*pair)[0]) && isInt((*pair)[1]));
    }
    case ParameterType::Integers: return all(v, isInt);
    case ParameterType::Floats: return all(v, [](const Value& x) { return x.as<double>() != nullptr; });
    case ParameterType::OptionalInt: return v.isNone() || isInt(v);
    case ParameterType::OptionalIntegers: return v.isNone() || all(v, isInt);
    case ParameterType::IndexMap: return isLambda(v);
    case ParameterType::PadValue: return v.isNone() || isInt(v) || v.as<double>() || isExpr(v) || isLambda(v);
    case ParameterType::Annotation: return isNote(v);
  }
  return false;
}

// Truth values in a list of integers are integers, as in Python.
void makeNumbers(Value& v) {
  auto* list = std::get_if<List>(&v.value);
  if (!list) return;
  for (Value& x : *list)
    if (const auto* truth = x.as<bool>()) x = Value{std::int64_t{*truth}};
}

Message expected(ParameterType type) {
  switch (type) {
    case ParameterType::Block: return message("a block or its name");
    case ParameterType::Loop: return message("a loop");
    case ParameterType::BlockOrLoop: return message("a block or a loop");
    case ParameterType::Blocks: return message("a list of blocks or of their names");
    case ParameterType::Loops: return message("loops");
    case ParameterType::BlocksOrLoop: return message("a loop or a list of blocks");
    case ParameterType::Bool: return message("True or False");
    case ParameterType::Int: return message("an integer");
    case ParameterType::OptionalString: return message("a string or None");
    case ParameterType::Factors: return message("a list of integers, at most one None");
    case ParameterType::ReadBuffer:
    case ParameterType::WriteBuffer: return message("an index or a buffer's name");
    case ParameterType::Buffer: return message("a buffer's name, or a pair like (\"read\", 0)");
    case ParameterType::Integers: return message("a list of integers");
    case ParameterType::Floats: return message("a list of floats");
    case ParameterType::OptionalInt: return message("an integer or None");
    case ParameterType::OptionalIntegers: return message("a list of integers or None");
    case ParameterType::IndexMap: return message("a lambda");
    case ParameterType::PadValue: return message("None, a number or a lambda");
    case ParameterType::Annotation: return message("a number, string, expression, or a list or dict of them");
    default: return message("a string");
  }
}

Message kindOf(const Value& v) {
  if (v.isNone()) return verbatim("None");
  if (v.as<bool>()) return message("a bool");
  if (v.as<std::int64_t>()) return message("an integer");
  if (v.as<double>()) return message("a float");
  if (v.as<std::string>()) return message("a string");
  if (v.as<List>()) return message("a list");
  if (v.as<Dict>()) return message("a dict");
  if (isBlock(v)) return message("a block");
  if (isLoop(v)) return message("a loop");
  if (isLambda(v)) return message("a lambda");
  return message("an expression");
}

// Of a list where a list is expected, the element that doesn't fit.
Message found(ParameterType type, const Value& v) {
  auto* list = v.as<List>();
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const bool one = fits(type, Value{List{(*list)[i]}});
    if (!one) return message("a list with {} as number {}", kindOf((*list)[i]), i);
  }
  return kindOf(v);
}

tl::unexpected<Error> typeError(const Instruction& row, std::string_view parameter, Message message) {
  auto failure = fail("TypeError", std::move(message), Forbids::Input);
  failure.value().primitive = row.name;
  failure.value().parameter = parameter;
  return failure;
}

// Names of blocks become blocks; dead handles are refused, and a place that is no loop (sample_compute_location's) but
// for the primitives that move a block there.
Result<void> resolve(const State& state, const Instruction& row, ParameterType type, Value& v, std::vector<Id>& named) {
  if (auto* list = std::get_if<List>(&v.value)) {
    ParameterType element = type == ParameterType::Blocks ? ParameterType::Block : ParameterType::Loop;
    if (type == ParameterType::Blocks || type == ParameterType::Loops || type == ParameterType::BlocksOrLoop) {
      for (auto& x : *list) {
        if (auto ok = resolve(state, row, element, x, named); !ok) return ok;
      }
    }
    return {};
  }
  if (auto* name = v.as<std::string>(); name && type == ParameterType::Block) {
    if (!state.workingFunction()) {
      return fail("ValueError", message("There are several functions: call work_on before"), Forbids::Input);
    }
    auto found = findBlock(state.program(), *state.workingFunction(), *name);
    if (!found) return tl::unexpected(found.error());
    named.push_back(*found);
    v.value = Handle(BlockRef{*found});
    return {};
  }
  if (auto* handle = v.as<Handle>(); handle && !state.isAlive(*handle)) {
    return fail("ValueError",
                isBlock(v) ? message("The block no longer exists in the program")
                           : message("The loop no longer exists in the program"),
                Forbids::Input);
  }
  const auto* loop = isLoop(v) ? std::get_if<LoopRef>(handleOf(v)) : nullptr;
  if (loop && loop->marker != LoopRef::Marker::None && !row.name.ends_with("compute_at")) {
    return fail("InternalError", message("The place that was drawn for a block is no loop"), Forbids::Tvm);
  }
  return {};
}

}  // namespace

Result<Arguments> bindArguments(const State& state, const Instruction& row, std::vector<Value> positional,
                                std::vector<std::pair<std::string, Value>> keywords) {
  const auto& parameters = row.parameters;
  std::vector<std::optional<Value>> given(parameters.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < parameters.size() && next < positional.size(); ++i) {
    if (parameters[i].variadic) {
      List rest(std::make_move_iterator(positional.begin() + next), std::make_move_iterator(positional.end()));
      given[i] = Value{std::move(rest)};
      next = positional.size();
      break;
    }
    given[i] = std::move(positional[next++]);
  }
  if (next < positional.size()) {
    return typeError(row, "",
                     message("{} takes {} arguments, {} were given", row.name, parameters.size(), positional.size()));
  }
  for (auto& [name, value] : keywords) {
    std::size_t i = 0;
    while (i < parameters.size() && (parameters[i].name != name || parameters[i].variadic)) ++i;
    if (i == parameters.size()) return typeError(row, name, message("{} has no parameter \"{}\"", row.name, name));
    if (given[i]) return typeError(row, name, message("{} got \"{}\" twice", row.name, name));
    given[i] = std::move(value);
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!given[i]) {
      if (parameters[i].variadic) {
        given[i] = Value{List{}};
      } else if (parameters[i].fallback) {
        given[i] = parameters[i].fallback;
      } else {
        return typeError(row, parameters[i].name, message("{} needs \"{}\"", row.name, parameters[i].name));
      }
    }
    values.push_back(std::move(*given[i]));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterType type = parameters[i].byNumber ? ParameterType::Int : parameters[i].type;
    if (!fits(type, values[i])) {
      return typeError(
          row, parameters[i].name,
          message("\"{}\" of {} is {}, not {}", parameters[i].name, row.name, expected(type), found(type, values[i])));
    }
    if (type == ParameterType::Integers || type == ParameterType::OptionalIntegers) makeNumbers(values[i]);
  }
  std::vector<Id> named;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (auto ok = resolve(state, row, parameters[i].type, values[i], named); !ok) {
      Error error = ok.error();
      error.primitive = row.name;
      error.parameter = parameters[i].name;
      return tl::unexpected(std::move(error));
    }
  }
  return Arguments(parameters, std::move(values), std::move(named));
}

const Value& Arguments::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].name == name) return values_[i];
  }
  throw std::logic_error("no such parameter");
}

Id Arguments::block(std::string_view name) const { return std::get<BlockRef>(*(*this)[name].as<Handle>()).id; }
Id Arguments::loop(std::string_view name) const { return std::get<LoopRef>(*(*this)[name].as<Handle>()).id; }

Id Arguments::node(std::string_view name) const {
  auto& handle = *(*this)[name].as<Handle>();
  auto* block = std::get_if<BlockRef>(&handle);
  return block ? block->id : std::get<LoopRef>(handle).id;
}

std::vector<Id> Arguments::loops(std::string_view name) const {
  std::vector<Id> ids;
  for (const auto& v : *(*this)[name].as<List>()) ids.push_back(std::get<LoopRef>(*v.as<Handle>()).id);
  return ids;
}

std::vector<Id> Arguments::blocks(std::string_view name) const {
  std::vector<Id> ids;
  auto* list = (*this)[name].as<List>();
  if (!list) return ids;
  for (const auto& v : *list) ids.push_back(std::get<BlockRef>(*v.as<Handle>()).id);
  return ids;
}

bool Arguments::flag(std::string_view name) const { return *(*this)[name].as<bool>(); }

std::int64_t Arguments::integer(std::string_view name) const {
  const Value& v = (*this)[name];
  if (auto* truth = v.as<bool>()) return *truth;
  return *v.as<std::int64_t>();
}

const std::string& Arguments::text(std::string_view name) const { return *(*this)[name].as<std::string>(); }

namespace {

Failure noSuchBuffer(std::string_view parameter, const ir::BlockNode& block, Message message) {
  auto failure = fail("AssertionError", std::move(message), Forbids::Input);
  failure.value().subjects = {block.id};
  failure.value().parameter = parameter;
  return failure;
}

// The one buffer of the name; of its places in the block the last counts.
Result<Arguments::BufferPlace> placeOf(std::string_view parameter, const std::string& name,
                                       const ir::BlockNode& block) {
  std::vector<Arguments::BufferPlace> places;
  auto look = [&](const std::vector<ir::BufferRegion>& regions, bool write) {
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const ir::Buffer& buffer = regions[i].buffer;
      if (buffer->name != name) continue;
      auto it = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.buffer == buffer; });
      if (it == places.end()) it = places.emplace(places.end());
      *it = {write, static_cast<std::int64_t>(i), buffer};
    }
  };
  look(block.reads, false);
  look(block.writes, true);
  if (places.empty())
    return noSuchBuffer(parameter, block, message("The block \"{}\" has no buffer \"{}\"", block.name, name));
  if (places.size() > 1)
    return noSuchBuffer(parameter, block, message("The block \"{}\" has several buffers \"{}\"", block.name, name));
  return places[0];
}

}  // namespace

Result<std::int64_t> Arguments::bufferIndex(std::string_view name, const ir::BlockNode& block, bool isWrite) const {
  auto* text = (*this)[name].as<std::string>();
  if (!text) return integer(name);
  const auto place = placeOf(name, *text, block);
  if (!place) return Failure(place.error());
  if (place->isWrite != isWrite) {
    return noSuchBuffer(name, block,
                        isWrite ? message("The block \"{}\" only reads \"{}\"", block.name, *text)
                                : message("The block \"{}\" writes \"{}\"", block.name, *text));
  }
  return place->index;
}

Result<Arguments::BufferPlace> Arguments::buffer(std::string_view name, const ir::BlockNode& block) const {
  const Value& value = (*this)[name];
  if (const auto* text = value.as<std::string>()) return placeOf(name, *text, block);
  const List& pair = *value.as<List>();
  const std::string& side = *pair[0].as<std::string>();
  const auto* truth = pair[1].as<bool>();
  const std::int64_t index = truth ? *truth : *pair[1].as<std::int64_t>();
  if (side != "read" && side != "write")
    return noSuchBuffer(name, block, message("A buffer is named by \"read\" or \"write\", not by \"{}\"", side));
  const bool isWrite = side == "write";
  const auto& regions = isWrite ? block.writes : block.reads;
  if (index < 0 || index >= static_cast<std::int64_t>(regions.size())) {
    return noSuchBuffer(name, block,
                        isWrite ? message("The block \"{}\" writes {} buffer regions; there is no number {}",
                                          block.name, regions.size(), index)
                                : message("The block \"{}\" reads {} buffer regions; there is no number {}", block.name,
                                          regions.size(), index));
  }
  return BufferPlace{isWrite, index, regions[static_cast<std::size_t>(index)].buffer};
}

Result<ir::AnnotationValue> annotationValue(const Value& value) {
  if (auto* truth = value.as<bool>()) return ir::AnnotationValue{ir::boolImm(*truth)};
  if (auto* number = value.as<std::int64_t>()) return ir::AnnotationValue{ir::intImm(*number)};
  if (auto* number = value.as<double>()) return ir::AnnotationValue{ir::floatImm(*number, ir::DType::Float(32))};
  if (auto* text = value.as<std::string>()) return ir::AnnotationValue{ir::stringImm(*text)};
  if (auto* expr = value.as<ir::Expr>()) return ir::AnnotationValue{*expr};
  if (auto* handle = value.as<Handle>(); handle && std::holds_alternative<ExprRef>(*handle)) {
    return ir::AnnotationValue{std::get<ExprRef>(*handle).value};
  }
  if (auto* list = value.as<List>()) {
    ir::AnnotationList result;
    for (const auto& x : *list) {
      auto element = annotationValue(x);
      if (!element) return element;
      result.push_back(std::move(*element));
    }
    return ir::AnnotationValue{std::move(result)};
  }
  if (auto* dict = value.as<Dict>()) {
    ir::Annotations result;
    for (const auto& [key, x] : *dict) {
      auto element = annotationValue(x);
      if (!element) return element;
      result[key] = std::move(*element);
    }
    return ir::AnnotationValue{std::move(result)};
  }
  return fail("TypeError", message("An annotation is a number, a string, an expression, or a list or dict of them"),
              Forbids::Input);
}

}  // namespace loom::schedule
