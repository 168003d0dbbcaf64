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

/// The result of applying step lines (calls of schedule primitives, one a line).
struct ApplyOutcome {
  int node = 0;                  ///< index of the last state that was reached; the state before if no step was applied
  int made = 0;                  ///< number of new states
  std::optional<Error> refusal;  ///< why a line was refused, or why the text can't be parsed; nothing: all was applied
};

/// The operations that change the history of the open target (lesson, document or function) and the labels of its
/// states. A state is the program after some steps, given by its index in the history, which isn't checked. Each
/// operation that changes the history or a label leaves an entry in the undo log; `nameSizes` and `forget` leave none,
/// and keep the log. All but `nameSizes` and `sizeChoices` require an open target.
class Edits {
 public:
  /// The object keeps references to all arguments, which must outlive it.
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

  /// Applies step lines, or a Python text that contains step lines, to the current state. The last new state becomes
  /// current. A refusal is added to the entries of Problems; the lines before it stay applied. If `titles` has a title,
  /// the history shows several new states as one group under it.
  ApplyOutcome apply(const std::string& lines, const document::FoldTitles& titles = {});
  /// Applies a proposal that was made for the current state, as one undo entry and as one group in the history. The
  /// last state becomes current, and refusals are handled as for step lines. A proposal that edits an earlier step
  /// makes a branch there.
  ApplyOutcome apply(const Proposal& proposal);
  /// Applies the lines that are previewed (Preview). Without a preview nothing happens, and the outcome is the current
  /// state with no new one.
  ApplyOutcome applyPreview();
  /// Replaces the history by the one that the step edit under way leads to (StepEdit). The edited state becomes
  /// current, and steps that no longer apply are added to the problems. Returns false if the edit hasn't been computed
  /// yet or is refused.
  bool applyStepEdit();
  /// Keeps the history, and adds a branch with the edited step and the steps that follow it on the current path, up to
  /// the first that no longer applies, which is added to the problems. The state of the branch that corresponds to the
  /// current one becomes current, or else the last of the branch. Returns false as `applyStepEdit` does.
  bool branchStepEdit();

  /// Sets the name of a state; an empty one removes it. Changes of one state's name, one after another, are one undo
  /// entry.
  void rename(int node, std::string name);
  /// Sets the note on a state; an empty one removes it. Changes of one state's note, one after another, are one undo
  /// entry.
  void annotate(int node, std::string note);
  /// Sets whether a state is pinned: a mark by which the panel History makes it stand out.
  void pin(int node, bool pinned);
  /// Removes a state and all its descendants; if the current state is among them, the state before `node` becomes
  /// current. Nothing happens for the start, which can't be removed.
  void remove(int node);

  /// Returns what `undo` would take back: the last change of the history, of a label, or of the current state (which
  /// Navigation logs). Undoing an applied step only goes back to the state before it; the new state stays in the
  /// history. Returns nothing if there is nothing to undo.
  std::optional<UndoLabel> undoable() const;
  /// Returns what `redo` would do again; nothing if there is nothing to redo.
  std::optional<UndoLabel> redoable() const;
  /// Takes back the last entry of the undo log. Nothing happens if there is none.
  void undo();
  /// Does again what the last `undo` took back. Nothing happens if there is nothing to redo.
  void redo();

  /// Returns the values chosen for the function's symbolic sizes and scalars. The first choice is the one on show. A
  /// function without symbols, and a session without a target, has one choice without numbers.
  std::vector<document::SizeChoice> sizeChoices() const;
  /// Sets these values, written as "n = 1000, 1024; alpha = 0.5". Each combination of one value for each symbol is a
  /// choice (`sizeChoices`), at most Sizes::kMost of them; symbols that the text doesn't name get their defaults.
  /// Everything is recomputed for the first choice. Returns an error, and changes nothing, if the text can't be
  /// read or has a value that the function doesn't take. Without a target, nothing happens and there is no error.
  Result<void> nameSizes(const std::string& text);

  /// Drops what was computed of the states (programs, results, checks, …), because another target was opened or its
  /// history replaced.
  void forget();

 private:
  ApplyOutcome applyAt(int at, const std::string& lines, const document::FoldTitles& titles,
                       std::optional<int> number = {});
  void restore(document::History history);  // which replaces the current one, but for its sizes
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
