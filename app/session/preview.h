#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/session/models.h"
#include "app/session/navigation.h"
#include "app/session/program.h"
#include "app/session/state_model.h"
#include "core/tune/candidate_steps.h"

namespace loom::session {

/// Predicted times, µs. Both are of one depth: what the model says of a program as written doesn't compare with what it
/// says of machine code.
struct PredictedEffect {
  std::string device;
  double before = 0, after = 0;
  ModelBasis depth = ModelBasis::kSource;  ///< else kMachineCode
};

/// Lines that are being chosen or filled in, and the program that they would give.
struct PreviewedStep {
  std::string lines;
  int node = 0;                                  ///< the state on show
  int at = 0;                                    ///< the state they would be applied to: `node`, or one before it
  std::string edit;                              ///< in that case, what they do otherwise; the others follow again
  std::optional<Error> refusal;                  ///< why they can't be
  schedule::Changes changes;                     ///< against the state, with `derived`
  std::shared_ptr<const Program> program;        ///< marks are against the state; null: not worked out yet, or refused
  std::shared_ptr<const schedule::State> state;  ///< the program; comes with `derived`
  /// Comes after `derived`, of the program as written, and again with its machine code where there is a compiler.
  std::shared_ptr<const StateModel> model;
  bool compiling = false;                 ///< the machine code is on its way
  std::optional<PredictedEffect> effect;  ///< as written; none where one of both is no kernel

  /// The last line: the step itself; or the edit.
  std::string step() const;
};

/// Applies the lines to the last state of `input`: its path gets that state and its lines. Ids of what they make are
/// those that the history would give. The refusal of the first line that can't be applied. `nextUid` is the history's.
/// `instead`: the lines that they stand in place of; where there are as many, each takes the id of its counterpart, so
/// that what both make is the same loop to all who look at it.
Result<ProgramInput> previewInput(ProgramInput input, std::uint32_t nextUid, const std::string& lines,
                                  const schedule::Environment& environment,
                                  const std::vector<document::Line>& instead = {});

/// A step in the making: what it would give is shown by all panels, and nothing of it is in the history.
class Preview {
 public:
  Preview(const Options& options, Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs,
          Compilations& compilations, Models& models, Comparison& comparison, Navigation& navigation,
          Documents& documents)
      : options_(options),
        jobs_(jobs),
        tools_(tools),
        device_(device),
        programs_(programs),
        compilations_(compilations),
        models_(models),
        comparison_(comparison),
        navigation_(navigation),
        documents_(documents) {}

  /// Works out in the background what the lines would make of the current state; the latest call wins. Nothing happens
  /// where the same lines are asked for again. Going to another state ends the preview.
  void show(const std::string& lines);
  /// The same for a step that was tried, an edit of the past too: what that and the steps after it would give is told
  /// against the current state.
  void show(const tune::CandidateStep& step);
  /// Returns the step in the making; null if there is none, and while the other side of a comparison is shown.
  const PreviewedStep* step() const;
  /// Returns the times before and after the step: by machine code where both have it, else as the programs are written.
  /// None where one of both is no kernel, and until the times are there.
  std::optional<PredictedEffect> effect();
  /// Leaves no trace.
  void end();

  /// Returns what panels show: the step's program where it is there, else the current state's; while two states are
  /// compared, with the marks of what differs from the other. Null until it is there.
  std::shared_ptr<const Program> shown();
  /// Returns the model of what `shown` shows: the step's, null until it is there; else that of the current state.
  std::shared_ptr<const StateModel> shownModel(ModelBasis depth = ModelBasis::kResources);
  /// Returns whether `shownModel` is as deep as it gets: no machine code is on its way that it hasn't seen.
  bool shownIsFinal();
  /// Returns the step's program, else the state's, for panels that work their view out in the background. `before`:
  /// what such a panel shows, null for nothing; while a step is being worked out, that stays.
  std::shared_ptr<const Program> shownProgram(const std::shared_ptr<const Program>& before);

  /// Ends the preview if the current state is another one than it was made for. To be called once a frame.
  void follow();
  /// Works the step out anew, for another device.
  void restart();

 private:
  void start(const std::string& lines, int at, const std::string& edit);
  void finish(std::uint64_t target, std::uint64_t order, std::function<void(PreviewedStep&)> take);
  void predict(std::uint64_t target, std::uint64_t order, int node, const schedule::State& before,
               const std::shared_ptr<const Program>& after, const std::string& deviceName);
  void compile(std::uint64_t target, std::uint64_t order, const std::shared_ptr<const Program>& program,
               const std::string& deviceName);

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  Compilations& compilations_;
  Models& models_;
  Comparison& comparison_;
  Navigation& navigation_;
  Documents& documents_;
  std::optional<PreviewedStep> step_;
  std::uint64_t shows_ = 0;               ///< Navigation::shows that `step_` is for
  std::atomic<std::uint64_t> order_ = 0;  ///< of the latest; jobs that find another one are out of date
  // The predictions' thread's.
  std::map<int, std::optional<double>> predicted_;  ///< µs by state
  std::uint64_t predictedFor_ = 0;                  ///< target that they are of
  std::string predictedOn_;                         ///< device that they are of
};

}  // namespace loom::session
