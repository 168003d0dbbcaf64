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

/// What the background is doing.
struct BackgroundStatus {
  enum class Kind { kNone, kOpening, kMeasuring, kSweeping, kCompiling };
  Kind kind = Kind::kNone;
  bool busy = false;  ///< measuring, compiling or opening
  bool cancellable = false;
  Message text;  ///< "round 3 of 21", "compile 12"; from the worker
};

/// What is open and what is known of it. A session owns one of each part; a part refers to parts that were made before
/// it. One thread (the UI's) calls everything, and every call returns at once: `poll` brings in what the background has
/// finished; until then values are null or empty.
class Session {
 public:
  explicit Session(Options options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// As given. Constant: other threads may read them while the session lives.
  const Options& options() const;

  /// Takes in finished work. To be called once before each frame. Returns true when anything changed.
  bool poll();
  /// Grows with every change that panels could show: for their caches.
  std::uint64_t revision() const;
  /// Grows with every newly opened target, and whenever all that is known of states is forgotten.
  std::uint64_t opened() const;

  /// Has the model answer for one of `ModelDevice::devices`, as `ModelDevice::choose`. All models are made anew and
  /// programs are compiled for that device's architecture; times stay those of the device that they were taken on.
  void chooseDevice(const std::string& name);
  const BackgroundStatus& activity() const;
  /// Gives up what the background is doing.
  void cancel();

  Documents& documents() const;
  ModelDevice& modelDevice() const;
  Programs& programs() const;
  Compilations& compilations() const;
  Results& results() const;
  Checks& checks() const;
  Models& models() const;
  StallSamples& stalls() const;
  Comparison& comparison() const;
  Navigation& navigation() const;
  Selection& selection() const;
  Problems& problems() const;
  Preview& preview() const;
  ProposalSearch& proposals() const;
  SweepRun& sweep() const;
  StepEdit& stepEdit() const;
  Edits& edits() const;

 private:
  void adopt(Documents::Opened opened);
  void followDevice();
  void updateActivity();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::session
