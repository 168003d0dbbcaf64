#include "app/panels/loop_nest/view/loop_names.h"

namespace loom::session {

using schedule::State;

std::map<ir::Id, std::string> printedNames(const script::Script& script) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < script.text.size(); ++i) {
    if (script.text[i] == '\n') starts.push_back(i + 1);
  }
  std::map<ir::Id, std::string> names;
  for (const script::Span& span : script.spans) {
    if (span.what != script::Span::What::Loop || span.line0 != span.line1) continue;
    names.emplace(span.id, script.text.substr(starts[std::size_t(span.line0)] + std::size_t(span.col0),
                                              std::size_t(span.col1 - span.col0)));
  }
  return names;
}

std::map<ir::Id, std::string> handleNames(const StatePath& input) {
  std::map<ir::Id, std::string> names;
  const State& state = input.path.back();
  for (const auto& lines : input.lines) {
    for (const document::Line& line : lines) {
      auto calls = script::parseSchedule(line.source, "");
      if (!calls) continue;
      for (const script::StepCall& call : *calls) {
        for (const script::StepTarget& target : call.targets) {
          const State::Binding* binding = state.lookup(target.name);
          for (std::size_t i = 0; binding != nullptr && i < binding->handles.size(); ++i) {
            const schedule::Handle& handle = binding->handles[i];
            const auto* block = std::get_if<schedule::BlockRef>(&handle);
            const auto* loop = std::get_if<schedule::LoopRef>(&handle);
            const ir::Id id = block != nullptr ? block->id : loop != nullptr ? loop->id : ir::Id{};
            if (id && state.tree().contains(id)) {
              names[id] = binding->isList ? target.name + "[" + std::to_string(i) + "]" : target.name;
            }
          }
        }
      }
    }
  }
  return names;
}

}  // namespace loom::session
