// A test fixture with a session at the end of a lesson, its cost model from machine code, and the search for proposals
// (faster schedule steps).
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/session/proposals.h"
#include "tests/session/with_workbench.h"

namespace loom::session {

// The fixture compiles by the built program `tileloom` as a worker, if it is built and there is a CUDA toolkit;
// otherwise tests should skip (whyNoMachineCode). If that gives a reason, `microseconds`, `advice` and `searched` must
// not be called. All that waits gives up after 10 minutes.
class EndOfLesson : public WithWorkbench {
 protected:
  // Opens the lesson with this name, which must exist, and goes to the end of its last chapter. (The base first opens
  // a product of 64 × 48 × 32, and waits 600,000 ms at most.)
  explicit EndOfLesson(const char* lesson) : WithWorkbench({64, 48, 32}, 600000, program() + " worker") {
    open(lesson);
    goToChapter(int(bench_.documents().target()->chapterNodes.size()) - 1);
  }
  // Returns the path of the built program.
  static std::string program() { return std::string(TILELOOM_BINARY_DIR) + "/tileloom"; }

  // Opens a lesson and waits until it is open.
  void open(const char* lesson) {
    bench_.documents().open(lesson);
    wait([&] { return bench_.documents().target()->lesson && !bench_.documents().isOpening(); });
  }
  // Goes to the last state of a chapter, given by its index, and waits until the state's model is final.
  void goToChapter(int chapter) {
    bench_.navigation().goToChapter(chapter);
    settle();
  }
  // Waits until the model of the current state is final, and returns whether it is.
  bool settle() {
    return wait([&] { return model() != nullptr && bench_.models().isFinal(bench_.navigation().current()); });
  }
  // Returns why there is no model from machine code here, as the reason to skip a test; empty if there is one.
  std::string whyNoMachineCode() {
    if (!std::filesystem::exists(program())) return "the program isn't built";
    if (bench_.compilations().hasNoCompiler()) return "no compiler here";
    if (model()->sassProblem) return model()->sassProblem->message.english();
    EXPECT_EQ(model()->basis, ModelBasis::kMachineCode);
    return {};
  }

  // Returns the most detailed model of the current state made so far; null if there is none.
  std::shared_ptr<const StateModel> model() {
    return bench_.models().of(bench_.navigation().current(), ModelBasis::kMachineCode);
  }
  // Returns the predicted time of the current state in µs.
  double microseconds() { return model()->estimate()->microseconds; }

  // Returns the model's advice on the current state with this code; null if there is none. It is part of the model, so
  // it is valid until the session replaces or drops that: for a final model, until another target is opened.
  const model::Advice* advice(const char* code) {
    for (const model::Advice& a : model()->advice)
      if (a.code == code) return &a;
    return nullptr;
  }
  // Starts the search at the current state, unless there was one, waits until it has a proposal against the advice with
  // this code, and returns it; nothing if the search ends without one, or after 10 minutes.
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
  // Returns, as a proposal without times, the first of the candidate steps `of` that makes exactly these moves of a
  // pipeline; nothing if none does.
  static std::optional<Proposal> stepWith(const std::vector<tune::PipelineMove>& moves,
                                          std::vector<tune::CandidateStep> of) {
    for (tune::CandidateStep& step : of)
      if (step.moves == moves) return Proposal{std::move(step)};
    return std::nullopt;
  }
};

}  // namespace loom::session
