// Legal values of a parameter, found by trying: a state is a value and a primitive costs microseconds.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/intrin/intrinsic.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"
#include "core/schedule/analysis.h"
#include "core/schedule/annotation_keys.h"
#include "core/schedule/combined_refusal.h"
#include "core/schedule/instruction.h"
#include "core/schedule/warnings.h"
#include "core/script/step_line.h"

namespace loom::schedule {

namespace {

constexpr std::string_view kThreadAxes[] = {"blockIdx.x",  "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",
                                            "threadIdx.z", "vthread.x",  "vthread.y",  "vthread.z"};
// The scopes that kernels can hold.
std::vector<std::string_view> scopes() {
  std::vector<std::string_view> all{"shared", "shared.dyn", "shared.cluster", "local", "global"};
  for (const layout::FragmentScope& fragment : layout::fragmentScopes()) all.push_back(fragment.name);
  all.push_back("warp");
  return all;
}
// Integers offered where a parameter is a bare number (factors of storage_align, indices of statements…).
constexpr std::int64_t kIntegers[] = {-2, -1, 0, 1, 2, 3, 4, 8, 16, 32, 64};

struct Choice {
  Value value;
  std::string text;
};

std::string nameOf(const Tree& tree, Id id) {
  const auto& node = tree.at(id);
  return node.isBlock ? ir::as<ir::BlockRealizeNode>(node.stmt)->block->name
                      : ir::as<ir::ForNode>(node.stmt)->var->name;
}

std::vector<Choice> nodes(const Tree& tree, bool blocks, bool loops) {
  std::vector<Choice> choices;
  for (const auto& node : tree.nodes()) {
    if (node.isBlock && blocks) choices.push_back({Value{Handle(BlockRef{node.id})}, nameOf(tree, node.id)});
    if (!node.isBlock && loops) choices.push_back({Value{Handle(LoopRef{node.id})}, nameOf(tree, node.id)});
  }
  return choices;
}

// Chains of directly nested loops, at least two, outermost first.
std::vector<Choice> chains(const Tree& tree) {
  std::vector<Choice> choices;
  for (const auto& node : tree.nodes()) {
    if (node.isBlock) continue;
    List list{Value{Handle(LoopRef{node.id})}};
    std::string text = nameOf(tree, node.id);
    for (ir::Stmt body = ir::as<ir::ForNode>(node.stmt)->body; auto* loop = ir::asFor(body); body = loop->body) {
      list.push_back(Value{Handle(LoopRef{loop->id})});
      text += ", " + loop->var->name;
      choices.push_back({Value{list}, text});
    }
  }
  return choices;
}

std::vector<Choice> factors(std::int64_t extent) {
  std::vector<Choice> choices;
  auto offer = [&](std::int64_t inner) {
    choices.push_back({Value{List{Value{}, Value{inner}}}, fmt::format("[None, {}]", inner)});
  };
  for (std::int64_t inner = 1; inner <= std::min<std::int64_t>(extent, 1024); ++inner) {
    if (extent % inner == 0) offer(inner);
  }
  for (std::int64_t inner = 2; inner <= 512 && inner < extent; inner *= 2) {
    if (extent % inner != 0) offer(inner);
  }
  return choices;
}

std::vector<Choice> buffers(const ir::BlockNode& block, bool reads, bool writes, bool pairs) {
  std::vector<Choice> choices;
  auto offer = [&](const std::vector<ir::BufferRegion>& regions, const char* side) {
    for (std::size_t i = 0; i < regions.size(); ++i) {
      Value index{static_cast<std::int64_t>(i)};
      choices.push_back({pairs ? Value{List{Value{std::string(side)}, index}} : index, regions[i].buffer->name});
    }
  };
  if (reads) offer(block.reads, "read");
  if (writes) offer(block.writes, "write");
  return choices;
}

// The buffer that an argument before names; null where none does.
ir::Buffer bufferOf(const ir::BlockNode& block, const Instruction& row, const std::vector<Value>& soFar) {
  for (std::size_t i = 0; i < soFar.size(); ++i) {
    const ParameterType type = row.parameters[i].type;
    const bool reads = type == ParameterType::ReadBuffer, writes = type == ParameterType::WriteBuffer;
    if (type != ParameterType::Buffer && !reads && !writes) continue;
    const Arguments arguments(row.parameters, soFar);
    const auto index = type == ParameterType::Buffer ? Result<std::int64_t>(0)
                                                     : arguments.bufferIndex(row.parameters[i].name, block, writes);
    const auto place = type == ParameterType::Buffer ? arguments.buffer(row.parameters[i].name, block)
                                                     : Result<Arguments::BufferPlace>(Arguments::BufferPlace{});
    const auto& regions = writes ? block.writes : block.reads;
    if (!index || !place) return nullptr;
    if (type == ParameterType::Buffer) return place->buffer;
    return *index >= 0 && *index < std::int64_t(regions.size()) ? regions[std::size_t(*index)].buffer : nullptr;
  }
  return nullptr;
}

// Maps that are often wanted: the other way round, and in tiles. A cache's map uses the iterators that index the
// buffer.
std::vector<Choice> indexMaps(const ir::BlockNode& block, const Instruction& row, const std::vector<Value>& soFar) {
  const ir::Buffer buffer = bufferOf(block, row, soFar);
  const bool ofBuffer = std::any_of(row.parameters.begin(), row.parameters.end(),
                                    [](const Parameter& p) { return p.type == ParameterType::Buffer; });
  if (ofBuffer && !buffer) return {};
  std::vector<std::string> names, used;
  for (std::size_t i = 0; i < (ofBuffer ? buffer->shape.size() : block.iters.size()); ++i) {
    names.push_back(i < 18 ? std::string(1, char('i' + i)) : fmt::format("i{}", i));
    bool isUsed = !buffer || ofBuffer;
    for (const auto* regions : {&block.reads, &block.writes}) {
      for (const ir::BufferRegion& region : *regions) {
        if (isUsed || region.buffer != buffer) continue;
        for (const ir::Range& range : region.region)
          isUsed =
              isUsed || ir::usesVar(range.min, [&](const ir::VarNode* v) { return v == block.iters[i].var.get(); });
      }
    }
    if (isUsed) used.push_back(names.back());
  }
  std::vector<Choice> choices;
  const auto offer = [&](const std::vector<std::string>& outputs) {
    const std::string text = fmt::format("lambda {}: ({}{})", fmt::join(names, ", "), fmt::join(outputs, ", "),
                                         outputs.size() == 1 ? "," : "");
    const auto lines = script::parseSchedule("x = " + text, "");
    if (lines) choices.push_back({Value{std::make_shared<const script::StepValue>(lines->front().value)}, text});
  };
  if (used.empty()) return {};
  offer({used.rbegin(), used.rend()});
  if (used.size() < 2) return choices;
  offer(used);
  for (int tile : {8, 16}) {
    const std::string &row = used[used.size() - 2], &column = used.back();
    std::vector<std::string> tiled(used.begin(), used.end() - 2);
    for (std::string_view part : {"//", "%"})
      for (const std::string& name : {row, column}) tiled.push_back(fmt::format("{} {} {}", name, part, tile));
    offer(tiled);
  }
  return choices;
}

// A multiple for each iterator, or the dimension at which a group begins.
std::vector<Choice> integers(const ir::BlockNode& block, const Instruction& row, const std::vector<Value>& soFar) {
  std::vector<Choice> choices;
  const auto offer = [&](const std::vector<std::int64_t>& numbers) {
    List list;
    for (std::int64_t number : numbers) list.push_back(Value{number});
    choices.push_back({Value{std::move(list)}, fmt::format("[{}]", fmt::join(numbers, ", "))});
  };
  if (const ir::Buffer buffer = bufferOf(block, row, soFar)) {
    for (std::size_t i = 1; i < buffer->shape.size(); ++i) offer({std::int64_t(i)});
    return choices;
  }
  for (std::int64_t multiple : {8, 16, 32, 64, 128}) offer(std::vector(block.iters.size(), multiple));
  return choices;
}

// All ways to write the loop's extent as a product of so many factors, those with the smallest inner ones first; at
// most 100 of them.
std::vector<Choice> tilings(const ir::For& loop, const Instruction& row, const std::vector<Value>& soFar) {
  std::vector<Choice> choices{{Value{}, "None"}};
  std::int64_t parts = 0;
  for (std::size_t i = 0; i < soFar.size(); ++i) {
    if (const auto* n = soFar[i].as<std::int64_t>(); n && row.parameters[i].name == "n") parts = *n;
  }
  const std::int64_t extent = loop ? ir::constantOr(loop->extent, 0) : 0;
  constexpr std::int64_t kMostParts = 16;
  if (extent < 1 || parts < 2 || parts > kMostParts) return choices;
  std::vector<std::int64_t> factors(std::size_t(parts), 1);
  const std::function<void(std::size_t, std::int64_t)> cut = [&](std::size_t part, std::int64_t left) {
    constexpr std::size_t kMost = 100;
    if (choices.size() > kMost) return;
    if (part == 0) {
      factors[0] = left;
      List list;
      for (std::int64_t factor : factors) list.push_back(Value{factor});
      choices.push_back({Value{std::move(list)}, fmt::format("[{}]", fmt::join(factors, ", "))});
      return;
    }
    for (std::int64_t factor = 1; factor <= left; ++factor) {
      if (left % factor != 0) continue;
      factors[part] = factor;
      cut(part - 1, left / factor);
    }
  };
  cut(std::size_t(parts - 1), extent);
  return choices;
}

template <class Range>
std::vector<Choice> strings(const Range& texts) {
  std::vector<Choice> choices;
  for (std::string_view text : texts) choices.push_back({Value{std::string(text)}, fmt::format("\"{}\"", text)});
  return choices;
}

std::string textOf(const Value& value) {
  if (const auto* number = value.as<std::int64_t>()) return std::to_string(*number);
  if (const auto* text = value.as<std::string>()) return fmt::format("\"{}\"", *text);
  const auto* list = value.as<List>();
  if (!list) return "None";
  std::vector<std::string> all;
  for (const Value& v : *list) all.push_back(textOf(v));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

// Keys that lowering follows on this loop or block and that it doesn't have, or, for unannotate, those that it has.
std::vector<Choice> annotationKeysFor(const Tree& tree, Id target, bool present) {
  const bool isLoop = tree.isLoop(target);
  const ir::Annotations& has = isLoop ? tree.loop(target)->annotations : tree.block(target)->annotations;
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : has)
    if (present) keys.push_back(key);
  for (const AnnotationKey& k : annotationKeys())
    if (!present && k.ofLoops == isLoop && !has.contains(std::string(k.key))) keys.push_back(k.key);
  return strings(keys);
}

std::vector<Choice> annotationValuesFor(const Tree& tree, Id target, std::string_view key) {
  const AnnotationKey* row = findAnnotationKey(key);
  if (!row) return {};
  int statements = 1;
  if (tree.isLoop(target))
    if (const auto* all = ir::asSeq(tree.loop(target)->body)) statements = int(all->stmts.size());
  std::vector<Choice> choices;
  for (Value& value : row->values(statements)) {
    std::string text = textOf(value);
    choices.push_back({std::move(value), std::move(text)});
  }
  return choices;
}

// The first argument that is a handle of the wanted kind.
template <class Ref>
const Ref* firstOf(const std::vector<Value>& values) {
  for (const auto& v : values) {
    if (auto* handle = v.as<Handle>()) {
      if (auto* ref = std::get_if<Ref>(handle)) return ref;
    }
  }
  return nullptr;
}

std::vector<Choice> choicesFor(const State& state, const Instruction& row, const std::vector<Value>& soFar,
                               const Environment& environment) {
  const Tree& tree = state.tree();
  auto* block = firstOf<BlockRef>(soFar);
  auto* loop = firstOf<LoopRef>(soFar);
  const ir::BlockNode* node = block && tree.isBlock(block->id) ? tree.block(block->id).get() : nullptr;
  const std::optional<Id> target = block && tree.isBlock(block->id) ? std::optional(block->id)
                                   : loop && tree.isLoop(loop->id)  ? std::optional(loop->id)
                                                                    : std::nullopt;
  switch (row.parameters[soFar.size()].type) {
    case ParameterType::Block: return nodes(tree, true, false);
    case ParameterType::Loop: return nodes(tree, false, true);
    case ParameterType::BlockOrLoop:
    case ParameterType::BlocksOrLoop:
      return nodes(tree, row.parameters[soFar.size()].type == ParameterType::BlockOrLoop, true);
    case ParameterType::Loops: return chains(tree);
    case ParameterType::Blocks: {
      std::vector<Choice> choices{{Value{}, "None"}};
      for (auto& choice : nodes(tree, true, false)) choices.push_back({Value{List{choice.value}}, choice.text});
      return choices;
    }
    case ParameterType::Bool: return {{Value{true}, "True"}, {Value{false}, "False"}};
    case ParameterType::ThreadAxis: return strings(kThreadAxes);
    case ParameterType::StorageScope: return strings(scopes());
    case ParameterType::Factors: {
      auto extent = loop && tree.isLoop(loop->id) ? ir::constantOr(tree.loop(loop->id)->extent, 0) : 0;
      return factors(extent);
    }
    case ParameterType::ReadBuffer: return node ? buffers(*node, true, false, false) : std::vector<Choice>{};
    case ParameterType::WriteBuffer: return node ? buffers(*node, false, true, false) : std::vector<Choice>{};
    case ParameterType::Buffer: return node ? buffers(*node, true, true, true) : std::vector<Choice>{};
    case ParameterType::Int: {
      std::vector<Choice> choices;
      for (auto number : kIntegers) choices.push_back({Value{number}, std::to_string(number)});
      return choices;
    }
    case ParameterType::Intrinsic:
      return environment.intrinsics ? strings(environment.intrinsics->names()) : std::vector<Choice>{};
    case ParameterType::String:
      if (!target || row.parameters[soFar.size()].name != "ann_key") return {};
      return annotationKeysFor(tree, *target, row.name == "unannotate");
    case ParameterType::Annotation: {
      const auto* key = soFar.size() > 1 ? soFar[1].as<std::string>() : nullptr;
      return target && key ? annotationValuesFor(tree, *target, *key) : std::vector<Choice>{};
    }
    case ParameterType::OptionalString: return {};
    case ParameterType::Floats: return {};
    case ParameterType::OptionalInt: {
      std::vector<Choice> choices{{Value{}, "None"}};
      for (std::int64_t number : {-2, -1, 0, 1, 2, 3}) choices.push_back({Value{number}, std::to_string(number)});
      return choices;
    }
    case ParameterType::OptionalIntegers:
      if (node) return integers(*node, row, soFar);
      return tilings(loop && tree.isLoop(loop->id) ? tree.loop(loop->id) : nullptr, row, soFar);
    case ParameterType::Integers: return node ? integers(*node, row, soFar) : std::vector<Choice>{};
    case ParameterType::IndexMap: return node ? indexMaps(*node, row, soFar) : std::vector<Choice>{};
    case ParameterType::PadValue: return {{Value{}, "None"}, {Value{std::int64_t{0}}, "0"}, {Value{0.0}, "0.0"}};
  }
  return {};
}

// A value with which the parameter hinders least, for those that come after the one in question.
std::optional<Value> stopgap(const Parameter& parameter) {
  if (parameter.fallback) return parameter.fallback;
  if (parameter.variadic) return Value{List{}};
  switch (parameter.type) {
    case ParameterType::Factors: return Value{List{Value{}, Value{std::int64_t{1}}}};
    case ParameterType::ThreadAxis: return Value{std::string("threadIdx.x")};
    case ParameterType::StorageScope: return Value{std::string("shared")};
    case ParameterType::ReadBuffer:
    case ParameterType::WriteBuffer: return Value{std::int64_t{0}};
    case ParameterType::String: return Value{std::string("note")};
    case ParameterType::Annotation: return Value{std::int64_t{1}};
    default: return std::nullopt;
  }
}

// What is tried for a later parameter that has no stopgap. Of integers the three of which one is legal wherever any is:
// an index of buffers or dimensions begins at 0, a factor at 1, a number of parts at 2.
std::vector<Choice> laterChoices(const State& state, const Instruction& row, const std::vector<Value>& soFar,
                                 const Environment& environment) {
  if (row.parameters[soFar.size()].type != ParameterType::Int) return choicesFor(state, row, soFar, environment);
  return {{Value{std::int64_t{0}}, "0"}, {Value{std::int64_t{1}}, "1"}, {Value{std::int64_t{2}}, "2"}};
}

// Tries the arguments given, the rest at their stopgaps. Where a later parameter has none (a loop, a block, an
// intrinsic, an integer), its choices are tried in turn: the value is legal if one of them is.
std::optional<Error> trial(const State& state, const Instruction& row, std::vector<Value> values,
                           const Environment& environment) {
  while (values.size() < row.parameters.size()) {
    const auto& parameter = row.parameters[values.size()];
    if (auto value = stopgap(parameter)) {
      values.push_back(std::move(*value));
      continue;
    }
    std::vector<Error> refusals;
    for (auto& choice : laterChoices(state, row, values, environment)) {
      std::vector<Value> more = values;
      more.push_back(std::move(choice.value));
      auto refusal = trial(state, row, std::move(more), environment);
      if (!refusal) return std::nullopt;
      refusals.push_back(std::move(*refusal));
    }
    if (refusals.empty())
      return fail("ValueError", message("There is nothing to choose for \"{}\"", parameter.name)).value();
    return combinedRefusal(refusals);
  }
  std::vector<std::pair<std::string, Value>> keywords;
  std::vector<Value> positional;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (row.parameters[i].variadic) {
      if (auto* list = values[i].as<List>()) positional = *list;
    } else {
      keywords.emplace_back(row.parameters[i].name, std::move(values[i]));
    }
  }
  auto arguments = bindArguments(state, row, std::move(positional), std::move(keywords));
  if (!arguments) return arguments.error();
  auto applied = apply(state, kTrialStep, row, *arguments, environment);
  if (!applied) return applied.error();
  return takesMeaning(state, applied->next);
}

}  // namespace

std::vector<Candidate> candidates(const State& state, const Instruction& row, const std::vector<Value>& soFar,
                                  const Environment& environment) {
  std::vector<Candidate> result;
  if (soFar.size() >= row.parameters.size()) return result;
  for (auto& choice : choicesFor(state, row, soFar, environment)) {
    std::vector<Value> values = soFar;
    values.push_back(choice.value);
    auto refusal = trial(state, row, std::move(values), environment);
    result.push_back({std::move(choice.value), std::move(choice.text), std::move(refusal)});
  }
  return result;
}

}  // namespace loom::schedule
