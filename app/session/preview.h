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

/// The predicted times before and after a step, in µs. Both have the same basis, since a prediction from the program as
/// written isn't comparable with one from machine code.
struct PredictedEffect {
  std::string device;                      ///< name of the device that the times are for
  double before = 0, after = 0;            ///< µs
  ModelBasis basis = ModelBasis::kSource;  ///< kSource or kMachineCode
};

/// Step lines (calls of schedule primitives) that a person is about to apply, and what they would lead to. A state is
/// the program after some steps. `refusal` and the fields below it are filled in one after another, as the background
/// jobs that find them out end. Session::poll writes them, on the UI thread, and nothing else does.
struct PreviewedStep {
  std::string lines;                             ///< the step lines to apply at `at`, separated by line breaks
  int node = 0;                                  ///< index in the history of the state that is current
  int at = 0;                                    ///< the state to apply the lines to: `node`, or an ancestor of it
  std::string edit;                              ///< if a step of the past is edited: the lines that replace it, which
                                                 ///< `lines` has with those of the later steps; otherwise empty
  std::optional<Error> refusal;                  ///< why the lines can't be applied
  schedule::Changes changes;                     ///< what differs from the current state; comes with `program`
  std::shared_ptr<const Program> program;        ///< marks what differs from the current state; null: not made, refused
  std::shared_ptr<const schedule::State> state;  ///< the state of `program`; comes with it
  /// The model of `program`, null until it is made: first of the program as written, and later, if there is a compiler,
  /// of its machine code.
  std::shared_ptr<const StateModel> model;
  bool compiling = false;  ///< whether the machine code is being made
  /// The effect by the programs as written; nothing if either can't be lowered to kernels, and while it isn't known.
  /// Panels show Preview::effect, which prefers machine code.
  std::optional<PredictedEffect> effect;

  /// Returns the step itself: `edit`, or else the last line of `lines`.
  std::string step() const;
};

/// Applies the lines to the last state of `input`, and returns `input` with the new state and its lines at the end of
/// the path. Returns the refusal of the first line that can't be applied, or "ParseError" if the lines can't be read or
/// have no step. The ids of new loops and blocks follow from a number (uid) that each line takes: from `nextUid` on,
/// which is History::nextUid, so that the ids are those that the history would give. In an edit of the past, `input`
/// ends before the edited step, and `instead` has the lines from that step on, which `lines` replace: if both are
/// equally many, each line takes the uid of its counterpart, so that the loops that it makes keep their ids.
Result<ProgramInput> previewInput(ProgramInput input, std::uint32_t nextUid, const std::string& lines,
                                  const schedule::Environment& environment,
                                  const std::vector<document::Line>& instead = {});

/// The preview of a step: while one is on, all panels show the program that it would lead to. The history doesn't
/// change. Only the UI thread may call the functions.
class Preview {
 public:
  /// The object keeps references to all arguments, which must outlive it. Its jobs use the object itself: before it is
  /// destroyed, Jobs::end must be called, as Session does.
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

  /// Previews `lines` at the current state. The program is made in the background; a later call replaces an earlier
  /// one, and repeating the same lines has no effect. Going to another state ends the preview. Nothing happens while
  /// the other side of a comparison is drawn.
  void show(const std::string& lines);
  /// Previews a candidate: step lines that can be applied to the current state, or an edit of an earlier step. After an
  /// edit, the program that the edited step and all later steps give is compared with the current state.
  void show(const tune::CandidateStep& step);
  /// Returns the previewed step; null if there is none, and while the other side of a comparison is drawn. The pointer
  /// is valid until `show`, `end`, `follow` or `restart` is called (Session::poll calls `follow`).
  const PreviewedStep* step() const;
  /// Returns the predicted times before and after the step: by machine code if both programs have a single kernel and
  /// its machine code, or else as the programs are written, over all their kernels. Returns nothing if `step` is null,
  /// until the times are known, while the machine code of either program is being made, and if either can't be lowered
  /// to kernels.
  std::optional<PredictedEffect> effect();
  /// Ends the preview; panels show the current state again.
  void end();

  /// Returns the program that panels show: that of the previewed step once it has been made, or else that of the
  /// current state, marked against the other state while two are compared (Comparison::shown). Null until the program
  /// is made.
  std::shared_ptr<const Program> shown();
  /// Returns the model of the program that panels show. Once the previewed step's program has been made, it is that
  /// program's model, null until it is made; `basis` then has no effect. Otherwise it is the most detailed model of the
  /// current state made so far, null if there is none; a model with `basis` is then made in the background.
  std::shared_ptr<const StateModel> shownModel(ModelBasis basis = ModelBasis::kResources);
  /// Returns whether `shownModel` will not become more detailed, because no machine code is awaited.
  bool shownIsFinal();
  /// Returns the program to show for a panel that makes its view in the background: that of the previewed step, or else
  /// that of the current state. While the step's program is being made, returns `before`, the program that the panel
  /// shows now (null for none), so that the panel doesn't flicker.
  std::shared_ptr<const Program> shownProgram(const std::shared_ptr<const Program>& before);

  /// Ends the preview if the current state is another one than it was made for. To be called once a frame.
  void follow();
  /// Makes the preview anew for another device of the model, which has just been chosen; does nothing without a
  /// preview.
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
  std::uint64_t shows_ = 0;               ///< Navigation::shows when the preview began
  std::atomic<std::uint64_t> order_ = 0;  ///< number of the latest preview; jobs of an earlier one are out of date
  // Only the thread of Queue::kPredictions uses these.
  std::map<int, std::optional<double>> predicted_;  ///< predicted times in µs, by index of the state
  std::uint64_t predictedFor_ = 0;                  ///< Jobs::target that `predicted_` is of
  std::string predictedOn_;                         ///< name and version of the device that `predicted_` is for
};

}  // namespace loom::session
