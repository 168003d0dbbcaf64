#include "core/schedule/replay.h"

#include "core/schedule/remedy.h"

namespace loom::schedule {

Replay replay(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment,
              script::Dialect dialect) {
  Replay result{{}, initial, std::nullopt};
  std::string before = script::print(initial.module(), dialect).text;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto applied = apply(result.last, static_cast<std::uint32_t>(i + 1), calls[i], environment);
    if (!applied) {
      result.refusal = withRemedy(applied.error(), result.last, calls[i], environment);
      return result;
    }
    bool same = &applied->next.program() == &result.last.program();
    result.last = std::move(applied->next);
    if (same) continue;
    auto script = script::print(result.last.module(), dialect);
    if (script.text == before) continue;
    before = script.text;
    int step = static_cast<int>(result.steps.size()) + 1;
    result.steps.push_back(
        {step, calls[i].place.line, calls[i].source, result.last, std::move(script), applied->milliseconds});
  }
  return result;
}

bool isUnreadable(const Error& error) {
  return error.code == "NameError" || error.code == "AttributeError" || error.code == "ParseError";
}

}  // namespace loom::schedule
