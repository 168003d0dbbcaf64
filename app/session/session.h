#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/session/checks.h"
#include "app/session/comparison.h"
#include "app/session/compilations.h"
#include "app/session/documents.h"
#include "app/session/edits.h"
#include "app/session/model_device.h"
#include "app/session/models.h"
#include "app/session/navigation.h"
#include "app/session/options.h"
#include "app/session/preview.h"
#include "app/session/problems.h"
#include "app/session/programs.h"
#include "app/session/proposal_search.h"
#include "app/session/results.h"
#include "app/session/selection.h"
#include "app/session/stall_samples.h"
#include "app/session/step_edit.h"
#include "app/session/sweep_run.h"

namespace loom::session {

class SearchRun;

/// The background work that the status line names. If work of several kinds goes on, this is the first of them in the
/// order of `Kind`.
struct BackgroundStatus {
  enum class Kind { kNone, kOpening, kSearching, kMeasuring, kSweeping, kCompiling };
  Kind kind = Kind::kNone;
  bool busy = false;         ///< whether `kind` isn't kNone
  bool cancellable = false;  ///< whether Session::cancel ends this work
  Message text;              ///< progress of the work: "round 3 of 21", "state 4 of 50"; empty: not known
};

/// The open target (a lesson, a document or a function) and everything that is known of it, without a window. A step is
/// a call of a schedule primitive, written as a line of Python; a state is the program after the steps that lead to it;
/// the history is the tree of the target's states. A session owns one object of each of its parts; a part refers only
/// to parts that are made before it. Only one thread, the UI thread, may call a session and its parts. Every call
/// returns at once: slow work is done in the background, its results are null or empty until it is finished, and `poll`
/// takes them in. Plain pointers and references to results that the parts return are into these parts, and valid until
/// the next `poll` or call that changes the part.
class Session {
 public:
  /// Makes a session without a target, and starts looking for devices in the background.
  explicit Session(Options options);
  /// Cancels background work, waits for the jobs that run and for files that are being written, and removes the copy of
  /// unsaved changes that is kept for a recovery after a crash.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Returns the options that the session was made with. They are constant, and any thread may read them.
  const Options& options() const;

  /// Takes the results of finished background work: runs, on this thread, the functions that jobs have handed over
  /// (Jobs::finish, Jobs::finishFor), and makes `revision` grow if there were any. Also starts work that waits for its
  /// turn, such as that of Programs::makeSome. To be called once before each frame, as Workbench::frame does. Returns
  /// whether anything has changed.
  bool poll();
  /// Returns a number that grows with every change that a panel could show (Jobs::revision). Panels aren't told of
  /// changes: when one is drawn, it compares this number with the one that it saw last.
  std::uint64_t revision() const;
  /// Returns a number that grows when another target is opened, and when everything known of the states is dropped
  /// (Jobs::target).
  std::uint64_t opened() const;

  /// Chooses the device that predictions are for, by its name in ModelDevice::devices; an empty name undoes the choice.
  /// Nothing happens for other names, and if the device is chosen already. Otherwise all models are made anew, programs
  /// are compiled for that device's architecture, and a sweep and a search end and their results are dropped; measured
  /// times stay those of the device that they were taken on.
  void chooseDevice(const std::string& name);
  /// Returns what the background threads are doing, as of the last `poll`.
  const BackgroundStatus& activity() const;
  /// Cancels background work, except writing files. What has been made so far is kept.
  void cancel();

  // Each of these returns a part of the session, which lives as long as the session.
  Documents& documents() const;        ///< the open target and its file
  ModelDevice& modelDevice() const;    ///< the device that predictions are for
  Programs& programs() const;          ///< text and kernel of each state
  Compilations& compilations() const;  ///< machine code of each state
  Results& results() const;            ///< times of states
  Checks& checks() const;              ///< executions on the CPU
  Models& models() const;              ///< predictions
  StallSamples& stalls() const;        ///< sampled stalls of warps
  Comparison& comparison() const;      ///< the state compared with the current one
  Navigation& navigation() const;      ///< the history and its current state
  Selection& selection() const;        ///< what the user has selected in the panels
  Problems& problems() const;          ///< the entries of the panel Problems
  Preview& preview() const;            ///< the step that the user is about to apply
  ProposalSearch& proposals() const;   ///< faster next steps
  SweepRun& sweep() const;             ///< states at other matrix sizes
  SearchRun& search() const;           ///< a search over schedules
  StepEdit& stepEdit() const;          ///< an edit of an earlier step, not yet applied
  Edits& edits() const;                ///< changes of the history, with undo

 private:
  void adopt(Documents::Opened opened);
  void followDevice();
  void updateActivity();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::session
