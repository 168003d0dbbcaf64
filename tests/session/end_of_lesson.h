// A workbench that stands at the end of a lesson, with the model's answer by machine code and the search for proposals.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/session/proposals.h"
#include "tests/session/with_workbench.h"

namespace loom::session {

// Compiles with the program itself, where it is built and there is a toolkit.
class EndOfLesson : public WithWorkbench {
 protected:
  explicit EndOfLesson(const char* lesson) : WithWorkbench({64, 48, 32}, 600000, program() + " worker") {
    open(lesson);
    goToChapter(int(bench_.documents().target()->chapterNodes.size()) - 1);
  }
  static std::string program() { return std::string(TILELOOM_BINARY_DIR) + "/tileloom"; }

  void open(const char* lesson) {
    bench_.documents().open(lesson);
    wait([&] { return bench_.documents().target()->lesson && !bench_.documents().isOpening(); });
  }
  // To the last state of a chapter, and until the model has its last word on it.
  void goToChapter(int chapter) {
    bench_.navigation().goToChapter(chapter);
    settle();
  }
  bool settle() {
    return wait([&] { return model() != nullptr && bench_.models().isFinal(bench_.navigation().current()); });
  }
  // Why there is no model by machine code here, for a test to be skipped; empty: there is one.
  std::string whyNoMachineCode() {
    if (!std::filesystem::exists(program())) return "the program isn't built";
    if (bench_.compilations().hasNoCompiler()) return "no compiler here";
    if (model()->sassProblem) return model()->sassProblem->message.english();
    EXPECT_EQ(model()->basis, ModelBasis::kMachineCode);
    return {};
  }

  std::shared_ptr<const StateModel> model() {
    return bench_.models().of(bench_.navigation().current(), ModelBasis::kMachineCode);
  }
  double microseconds() { return model()->estimate()->microseconds; }

  // What the model says of the state under a code; null: nothing.
  const model::Advice* advice(const char* code) {
    for (const model::Advice& a : model()->advice)
      if (a.code == code) return &a;
    return nullptr;
  }
  // The proposal against that advice, as soon as the search has one; nothing where it ends without one.
  std::optional<Proposal> searched(const char* code) {
    const auto found = [&]() -> const Proposal* {
      const auto made = bench_.proposals().proposals();
      const model::Advice* against = advice(code);
      const AdviceTrial* trial = made && against ? made->against(*against) : nullptr;
      return trial && trial->proposal >= 0 ? &made->offered[std::size_t(trial->proposal)] : nullptr;
    };
    wait([&] {
      const auto made = bench_.proposals().proposals();
      return found() != nullptr || (made && made->done);
    });
    const Proposal* proposal = found();
    return proposal ? std::optional(*proposal) : std::nullopt;
  }
  // The candidate that makes these moves; nothing where none does.
  static std::optional<Proposal> stepWith(const std::vector<tune::PipelineMove>& moves,
                                          std::vector<tune::CandidateStep> of) {
    for (tune::CandidateStep& step : of)
      if (step.moves == moves) return Proposal{std::move(step)};
    return std::nullopt;
  }
};

}  // namespace loom::session
