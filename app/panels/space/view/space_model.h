#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/panels/space/view/space_view.h"
#include "app/session/background_value.h"
#include "core/schedule/state.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "core/tune/space/waterfall.h"
#include "core/tune/space/why_dead.h"

namespace loom::session {

/// The decisions of a person's own schedule in terms of a sketch.
struct OwnSchedule {
  std::map<std::string, std::int64_t> values;  ///< of decisions that it tells, by name; empty: it isn't of this kind
  tune::Membership membership;                 ///< whether the space has a schedule with these values
};

/// The spaces of a program while the user looks at them: which sketch, what is pinned, and what is known of it. Spaces
/// are counted, and explanations found, on other threads; a pin is counted at once. One thread calls everything.
class SpaceModel {
 public:
  ~SpaceModel() { stop(); }

  using MakeSketches = std::function<Result<std::vector<tune::Sketch>>()>;
  /// Has the sketches of another program made and counted. What is shown stays until they are there. `make` and `wake`,
  /// which may be empty, are called on another thread.
  void explore(MakeSketches make, std::function<void()> wake);
  /// Takes in what has been made; to be called once a frame.
  void poll();

  /// Returns true from `explore` until its sketches are there.
  bool isExploring() const { return exploring_; }
  /// Returns why there are no sketches; nothing while there are some, or none are known yet.
  const std::optional<Error>& problem() const { return problem_; }
  /// Returns all sketches; empty until they are made, and where there is a problem.
  const std::vector<std::shared_ptr<const CountedSketch>>& sketches() const { return sketches_; }
  /// Returns the index of the sketch that is shown.
  int chosen() const { return chosen_; }
  void choose(int sketch);
  /// Returns the sketch that is shown; null if there is none.
  const CountedSketch* sketch() const;

  /// Returns the view of the sketch under the pins, counted anew after each change of the pins. This and what follows
  /// need a sketch.
  const SpaceView& view() const { return view_; }
  const tune::Pins& pins() const { return *pins_; }
  /// Pins a decision to a value, or releases it if that is its only one. With `extends` the value joins those that are
  /// allowed, or leaves them. A value that no schedule has can't be pinned.
  void click(int decision, std::int64_t value, bool extends);
  void release(int decision);
  void releaseAll();
  /// Pins the values of the person's own schedule, as many as go together, first decisions first.
  void pinToOwn();

  /// The plain program and the one that the person's schedule has made of it.
  struct Scheduled {
    schedule::State begin, now;
  };
  /// Sets the person's own schedule: `lines` are the step lines from the program to the current state. Decisions are
  /// read from both states, which `states` returns, whatever loops, blocks and steps are called. Cheap while the lines
  /// stay the same: `states` is called only if they change.
  void setOwn(const std::vector<std::string>& lines, const std::function<Scheduled()>& states = {});
  /// Returns what it decides of the shown sketch; null until that has been found out.
  const OwnSchedule* own() const { return own_ ? &*own_ : nullptr; }

  /// Returns how constraints shrink the space; null until it is counted, which the first call starts.
  const tune::Waterfall* waterfall();
  /// Returns why no schedule has a value under the pins; null until that is found out, which the first call starts. Of
  /// several values the one that was asked for last is found out first.
  const tune::WhyDead* whyDead(int decision, std::int64_t value);

  /// Returns a schedule that the pins allow and that no earlier call has returned since they changed; nothing if there
  /// is none. Where the space isn't counted it may come again, and the search fails after some milliseconds.
  Result<std::optional<tune::Assignment>> draw();

 private:
  struct Explored {
    std::vector<std::shared_ptr<const CountedSketch>> sketches;
    std::optional<Error> problem;
  };
  // What was found out of a sketch, which may not be the shown one any more.
  struct CountedWaterfall {
    std::shared_ptr<const CountedSketch> of;
    tune::Waterfall waterfall;
  };
  struct Explained {
    std::shared_ptr<const CountedSketch> of;
    std::pair<int, std::int64_t> value;
    tune::Pins pins;
    tune::WhyDead why;
  };

  struct ReadBack {
    std::shared_ptr<const CountedSketch> of;
    std::vector<std::string> lines;
    OwnSchedule own;
  };

  void stop();
  void pinsChanged();
  void readOwn();

  std::function<void()> wake_;
  BackgroundValue<Explored> explored_;
  bool exploring_ = false;
  std::optional<Error> problem_;
  std::vector<std::shared_ptr<const CountedSketch>> sketches_;
  int chosen_ = 0;
  std::optional<tune::Pins> pins_;
  SpaceView view_;

  // Jobs look at a flag of their own, so that one that has been stopped stays so.
  std::shared_ptr<std::atomic<bool>> stopped_ = std::make_shared<std::atomic<bool>>(false);
  BackgroundValue<CountedWaterfall> counted_;
  bool countsWaterfall_ = false;
  std::optional<tune::Waterfall> waterfall_;
  BackgroundValue<Explained> explained_;
  std::optional<std::pair<int, std::int64_t>> explaining_;
  std::map<std::pair<int, std::int64_t>, tune::WhyDead> why_;  // under the pins as they are

  std::vector<std::string> ownLines_;
  std::optional<Scheduled> ownStates_;
  BackgroundValue<ReadBack> readBack_;
  std::optional<OwnSchedule> own_;

  std::unique_ptr<tune::PinnedCounts> counts_;  // of the draws; null until the first
  std::unique_ptr<tune::ShuffledSchedules> draws_;
  std::uint64_t seed_ = 1;
};

}  // namespace loom::session
