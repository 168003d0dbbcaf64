#include "core/document/resized.h"

#include "core/schedule/remedy.h"

namespace loom::document {

using schedule::State;
using Made = tl::expected<State, HistoryOnOtherFunction::Refusal>;

namespace {

Made after(State state, int node, const std::vector<Line>& lines, const schedule::Environment& environment) {
  for (const Line& line : lines) {
    auto refused = [&](Error error) {
      return tl::unexpected(HistoryOnOtherFunction::Refusal{node, line.source, std::move(error)});
    };
    auto calls = script::parseSchedule(line.source, "");
    if (!calls) return refused(calls.error());
    for (const script::StepCall& call : *calls) {
      auto applied = schedule::apply(state, line.uid, call, environment);
      if (!applied) return refused(schedule::withRemedy(applied.error(), state, call, environment));
      state = std::move(applied->next);
    }
  }
  return state;
}

}  // namespace

Result<HistoryOnOtherFunction> HistoryOnOtherFunction::create(const History& history, const ir::Function& function,
                                                              const schedule::Environment& environment) {
  ir::Module module = history.node(0).state.module();
  module.functions = {function};
  auto first = State::create(std::move(module));
  if (!first) return Failure(first.error());
  HistoryOnOtherFunction made(history, environment);
  made.made_.emplace(0, after(std::move(*first), 0, history.node(0).trailing, environment));
  return made;
}

Made HistoryOnOtherFunction::at(int node) {
  for (int at : history_->path(node)) {
    if (made_.count(at) != 0) continue;
    const Node& n = history_->node(at);
    Made state = made_.at(n.parent);
    if (state) state = after(std::move(*state), at, n.lines, environment_);
    if (state) state = after(std::move(*state), at, n.trailing, environment_);
    made_.emplace(at, std::move(state));
  }
  return made_.at(node);
}

}  // namespace loom::document
