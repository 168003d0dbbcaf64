#include "core/schedule/step_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/value_text.h"
#include "core/schedule/warnings.h"
#include "core/script/step_line.h"

namespace loom::schedule {
namespace {

// How many blocks of the module have the name.
std::ptrdiff_t blocksNamed(const Tree& tree, const std::string& name) {
  return std::count_if(tree.nodes().begin(), tree.nodes().end(),
                       [&](const Tree::Node& n) { return n.isBlock && tree.block(n.id)->name == name; });
}

}  // namespace

std::optional<std::string> StepRecorder::blockText(Id block) const {
  const Tree& tree = state_.tree();
  if (!tree.isBlock(block) || blocksNamed(tree, tree.block(block)->name) != 1) return std::nullopt;
  return fmt::format("sch.get_block({})", script::printValue(script::stepString(tree.block(block)->name)));
}

std::string StepRecorder::freeName(const std::string& wanted, Id id) const {
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
bool StepRecorder::nameLoops(Id loop) {
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

Result<std::string> StepRecorder::nameOf(Id id) {
  const auto unnamed = [&] {
    return fail("ValueError", message("A loop or block can't be told from others by its name"));
  };
  if (!state_.tree().isLoop(id)) {
    const auto block = blockText(id);
    return block ? Result<std::string>(*block) : unnamed();
  }
  if (!names_.contains(id) && !nameLoops(id)) return unnamed();
  return names_.at(id);
}

bool StepRecorder::append(const std::string& line, Handles* outputs) {
  auto calls = script::parseSchedule(line, "");
  if (!calls || calls->size() != 1) return false;
  auto applied = schedule::apply(state_, step_++, calls->front(), *environment_);
  // What TVM accepts and nobody can run is nothing to propose.
  if (!applied || takesMeaning(state_, applied->next)) return false;
  if (outputs) *outputs = applied->outputs;
  state_ = std::move(applied->next);
  text_ += (text_.empty() ? "" : "\n") + line;
  return true;
}

std::optional<Handles> StepRecorder::apply(std::string_view name, const std::vector<Value>& values,
                                           const std::vector<std::string>& results, const std::string& targets) {
  StepRecorder tried = *this;
  const Instruction* row = findInstruction(name);
  if (!row) return std::nullopt;
  const auto list = argumentsText(*row, values, [&](Id id) { return tried.nameOf(id); });
  if (!list) return std::nullopt;
  std::string left = targets;
  std::vector<std::string> names;
  for (const std::string& wanted : results) {
    names.push_back(tried.freeName(wanted, Id{}));
    left += (left.empty() ? "" : ", ") + names.back();
  }
  Handles outputs;
  if (!tried.append(fmt::format("{}{}sch.{}({})", left, left.empty() ? "" : " = ", name, *list), &outputs))
    return std::nullopt;
  for (std::size_t i = 0; i < outputs.size() && i < names.size(); ++i)
    if (auto* loop = std::get_if<LoopRef>(&outputs[i])) tried.names_[loop->id] = names[i];
  *this = std::move(tried);
  return outputs;
}

}  // namespace loom::schedule
