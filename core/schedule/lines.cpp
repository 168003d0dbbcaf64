#include "core/schedule/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/schedule/analysis.h"
#include "core/script/step_line.h"

namespace loom::schedule {
namespace {

// How many blocks of the module have the name.
std::ptrdiff_t blocksNamed(const Tree& tree, const std::string& name) {
  return std::count_if(tree.nodes().begin(), tree.nodes().end(),
                       [&](const Tree::Node& n) { return n.isBlock && tree.block(n.id)->name == name; });
}

// Are two values the same, as far as fallbacks go?
bool isFallback(const Parameter& parameter, const Value& value) {
  if (!parameter.fallback) return false;
  const Value& other = *parameter.fallback;
  if (value.isNone() || other.isNone()) return value.isNone() && other.isNone();
  if (auto* a = value.as<List>(), *b = other.as<List>(); a && b) return a->empty() && b->empty();
  auto equal = [&](auto* a, auto* b) { return a && b && *a == *b; };
  return equal(value.as<bool>(), other.as<bool>()) || equal(value.as<std::int64_t>(), other.as<std::int64_t>()) ||
         equal(value.as<std::string>(), other.as<std::string>());
}

}  // namespace

std::optional<std::string> Lines::blockText(Id block) const {
  const Tree& tree = state_.tree();
  if (!tree.isBlock(block) || blocksNamed(tree, tree.block(block)->name) != 1) return std::nullopt;
  return fmt::format("sch.get_block({})", script::printValue(script::stepString(tree.block(block)->name)));
}

std::string Lines::freeName(const std::string& wanted, Id id) const {
  auto isFree = [&](const std::string& name) {
    for (const auto& [other, taken] : names_)
      if (taken == name && other != id) return false;
    return state_.lookup(name) == nullptr;
  };
  std::string name = wanted;
  for (int n = 1; !isFree(name); ++n) name = fmt::format("{}_{}", wanted, n);
  return name;
}

// `i, j, k = sch.get_loops(sch.get_block("C"))` of a block below the loop.
bool Lines::nameLoops(Id loop) {
  const Tree& tree = state_.tree();
  for (Id block : tree.childBlocks(loop)) {
    const auto text = blockText(block);
    if (!text) continue;
    std::string left;
    std::map<Id, std::string> names = names_;
    for (Id above : tree.loopsAbove(block)) {
      if (!names_.contains(above)) names_[above] = freeName(tree.loop(above)->var->name, above);
      left += names_[above] + ", ";
    }
    left.resize(left.size() - (tree.loopsAbove(block).size() > 1 ? 2 : 1));  // one loop is unpacked, too: `i, = …`
    if (append(fmt::format("{} = sch.get_loops({})", left, *text), nullptr)) return true;
    names_ = std::move(names);
  }
  return false;
}

std::optional<std::string> Lines::print(const Value& value) {
  if (value.isNone()) return "None";
  if (auto* b = value.as<bool>()) return *b ? "True" : "False";
  if (auto* n = value.as<std::int64_t>()) return std::to_string(*n);
  if (auto* d = value.as<double>()) return script::printValue(script::stepFloat(*d));
  if (auto* s = value.as<std::string>()) return script::printValue(script::stepString(*s));
  if (auto* handle = value.as<Handle>()) {
    if (auto* block = std::get_if<BlockRef>(handle)) return blockText(block->id);
    auto* loop = std::get_if<LoopRef>(handle);
    if (!loop || !state_.tree().isLoop(loop->id)) return std::nullopt;
    if (!names_.contains(loop->id) && !nameLoops(loop->id)) return std::nullopt;
    return names_.at(loop->id);
  }
  if (auto* list = value.as<List>()) {
    std::string text;
    for (const Value& item : *list) {
      auto one = print(item);
      if (!one) return std::nullopt;
      text += (text.empty() ? "" : ", ") + *one;
    }
    return "[" + text + "]";
  }
  return std::nullopt;  // expressions and dictionaries are written by people
}

bool Lines::append(const std::string& line, Handles* outputs) {
  auto calls = script::parseSchedule(line, "");
  if (!calls || calls->size() != 1) return false;
  auto applied = apply(state_, step_++, calls->front(), *environment_);
  if (!applied) return false;
  if (outputs) *outputs = applied->outputs;
  state_ = std::move(applied->next);
  text_ += (text_.empty() ? "" : "\n") + line;
  return true;
}

std::optional<Handles> Lines::take(std::string_view name, const std::vector<Value>& values,
                                   const std::vector<std::string>& results, const std::string& targets) {
  Lines tried = *this;
  const Instruction* row = findInstruction(name);
  std::string list;
  bool positional = true;  // until one is left out
  for (std::size_t i = 0; row && i < values.size(); ++i) {
    const Parameter& parameter = row->parameters[i];
    if (isFallback(parameter, values[i])) {
      positional = false;
      continue;
    }
    auto text = tried.print(values[i]);
    if (!text) return std::nullopt;
    if (parameter.variadic) *text = text->substr(1, text->size() - 2);  // without brackets
    list += (list.empty() ? "" : ", ") + (positional ? *text : fmt::format("{}={}", parameter.name, *text));
  }
  std::string left = targets;
  std::vector<std::string> names;
  for (const std::string& wanted : results) {
    names.push_back(tried.freeName(wanted, Id{}));
    left += (left.empty() ? "" : ", ") + names.back();
  }
  Handles outputs;
  if (!row || !tried.append(fmt::format("{}{}sch.{}({})", left, left.empty() ? "" : " = ", name, list), &outputs))
    return std::nullopt;
  for (std::size_t i = 0; i < outputs.size() && i < names.size(); ++i)
    if (auto* loop = std::get_if<LoopRef>(&outputs[i])) tried.names_[loop->id] = names[i];
  *this = std::move(tried);
  return outputs;
}

}  // namespace loom::schedule
