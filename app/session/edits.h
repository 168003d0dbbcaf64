#pragma once

#include <optional>
#include <string>

#include "app/session/problems.h"
#include "app/session/proposal_search.h"
#include "app/session/stall_samples.h"
#include "app/session/step_edit.h"
#include "app/session/sweep_run.h"
#include "app/session/undo_log.h"

namespace loom::session {

/// What became of a line that was applied.
struct ApplyOutcome {
  int node = 0;                  ///< the last state
  int made = 0;                  ///< new states
  std::optional<Error> refusal;  ///< of parsing or of a primitive
};

/// What changes the tree and its labels. Each change leaves an entry, by which it is taken back and done again. All but
/// `nameSizes` need an open target.
class Edits {
 public:
  Edits(Jobs& jobs, Documents& documents, Programs& programs, Compilations& compilations, Results& results,
        Checks& checks, Models& models, StallSamples& stalls, Comparison& comparison, UndoLog& log,
        Navigation& navigation, Problems& problems, Preview& preview, ProposalSearch& proposals, SweepRun& sweep,
        StepEdit& stepEdit)
      : jobs_(jobs),
        documents_(documents),
        programs_(programs),
        compilations_(compilations),
        results_(results),
        checks_(checks),
        models_(models),
        stalls_(stalls),
        comparison_(comparison),
        log_(log),
        navigation_(navigation),
        problems_(problems),
        preview_(preview),
        proposals_(proposals),
        sweep_(sweep),
        stepEdit_(stepEdit) {}

  /// Applies lines of a schedule at the current state; the new state becomes current. What was refused joins the
  /// problems.
  ApplyOutcome apply(const std::string& lines);
  /// Applies a proposal of the current state, as one entry of undo; the last state becomes current. Another step of the
  /// past makes a branch there.
  ApplyOutcome apply(const Proposal& proposal);
  /// Applies the lines of the step in the making.
  ApplyOutcome applyPreview();
  /// Takes the edit of a step over; the edited state becomes current, and what broke joins the problems. Returns false
  /// where the edit isn't worked out or is refused.
  bool applyStepEdit();
  /// Keeps what is there and makes a branch of the edited step and what follows it on the path, up to the first that no
  /// longer applies, which joins the problems. The counterpart of the current state becomes current, else the branch's
  /// last. Returns false as `applyStepEdit`.
  bool branchStepEdit();

  void rename(int node, std::string name);
  void annotate(int node, std::string note);
  void pin(int node, bool pinned);
  /// Removes a state and what follows it; the start stays.
  void remove(int node);

  /// Returns what undo would take back: whatever was done to the tree and its labels, and where one went. Applied steps
  /// stay in the tree: undoing them goes back to where they were applied. None: nothing.
  std::optional<UndoLabel> undoable() const;
  std::optional<UndoLabel> redoable() const;
  void undo();
  void redo();

  /// Returns what the function's numbers are: the first choice is shown. One choice without numbers where it takes
  /// none.
  std::vector<document::SizeChoice> sizeChoices() const;
  /// Names them, "n = 1000, 1024; alpha = 0.5": everything is made anew at the first of these. Errors of
  /// document::Sizes; then nothing changes.
  Result<void> nameSizes(const std::string& text);

  /// Forgets all that is known of states; the target, or its history, is another one.
  void forget();

 private:
  ApplyOutcome applyAt(int at, const std::string& lines, std::optional<int> number = {});
  void replaceHistory(const document::History& by);
  StateLabels labelsOf(int node) const;
  void setLabels(int node, const StateLabels& labels);
  void label(int node, const StateLabels& labels);

  Jobs& jobs_;
  Documents& documents_;
  Programs& programs_;
  Compilations& compilations_;
  Results& results_;
  Checks& checks_;
  Models& models_;
  StallSamples& stalls_;
  Comparison& comparison_;
  UndoLog& log_;
  Navigation& navigation_;
  Problems& problems_;
  Preview& preview_;
  ProposalSearch& proposals_;
  SweepRun& sweep_;
  StepEdit& stepEdit_;
};

}  // namespace loom::session
