#include "core/schedule/replay.h"

#include <algorithm>

#include "core/schedule/remedy.h"
#include "core/script/line_diff.h"

namespace loom::schedule {

namespace {

// The last step of which the program has a loop, a block or a buffer: 0 where it was parsed.
std::uint32_t lastStepOf(const State& state) {
  std::uint32_t last = 0;
  for (const Tree::Node& node : state.tree().nodes()) {
    last = std::max(last, node.id.step);
    if (!node.isBlock) continue;
    for (const ir::Buffer& buffer : state.tree().block(node.id)->allocs) last = std::max(last, buffer->id.step);
  }
  return last;
}

// Applies the calls one after the other; `told` of each with its number, the state before and what came of it.
template <typename Told>
ReplayEnd applyAll(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment,
                   Told told) {
  ReplayEnd end{initial, std::nullopt};
  // What steps make has their numbers: those of steps that led to the program are taken.
  const std::uint32_t before = lastStepOf(initial);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto applied = apply(end.last, before + static_cast<std::uint32_t>(i + 1), calls[i], environment);
    if (!applied) {
      end.refusal = withRemedy(applied.error(), end.last, calls[i], environment);
      return end;
    }
    told(i, end.last, *applied);
    end.last = std::move(applied->next);
  }
  return end;
}

}  // namespace

Replay replay(const State& initial, const std::vector<script::StepCall>& calls, const Environment& environment,
              script::Dialect dialect) {
  std::vector<ReplayedStep> steps;
  std::string before = script::print(initial.module(), dialect).text;
  ReplayEnd end = applyAll(initial, calls, environment, [&](std::size_t i, const State& last, const Applied& applied) {
    if (&applied.next.program() == &last.program()) return;
    auto script = script::print(applied.next.module(), dialect);
    if (script.text == before) return;
    before = script.text;
    const int step = static_cast<int>(steps.size()) + 1;
    steps.push_back(
        {step, calls[i].place.line, calls[i].source, applied.next, std::move(script), applied.milliseconds});
  });
  return {std::move(steps), std::move(end.last), std::move(end.refusal)};
}

ReplayEnd replayToEnd(const State& initial, const std::vector<script::StepCall>& calls,
                      const Environment& environment) {
  return applyAll(initial, calls, environment, [](std::size_t, const State&, const Applied&) {});
}

Message refusalWords(const Error& refusal, const std::string& lines) {
  const std::vector<std::string> all = script::splitLines(lines);
  const auto line = std::size_t(std::max(refusal.place.line, 0));
  if (line > 0 && line <= all.size()) return message("{} is refused: {}", all[line - 1], refusal.message);
  return refusal.primitive.empty() ? refusal.message : message("{} is refused: {}", refusal.primitive, refusal.message);
}

bool isUnreadable(const Error& error) {
  return error.code == "NameError" || error.code == "AttributeError" || error.code == "ParseError";
}

}  // namespace loom::schedule
