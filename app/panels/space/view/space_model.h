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

/// The decisions of a sketch as the user's own schedule has made them.
struct OwnSchedule {
  /// Values of the decisions that can be read from it, by name; empty: it doesn't follow the sketch.
  std::map<std::string, std::int64_t> values;
  tune::Membership membership;  ///< whether the space has a schedule with these values; not set if there are none
};

/// The state of the panel Space: the sketches of a program (schedules with open decisions) with their counted spaces,
/// the sketch shown, and the values that the user has pinned its decisions to. Spaces are counted, and explanations
/// found, on other threads; the effect of a pin is counted at once. All functions must be called from the same thread.
/// Pointers and references that they return are valid until the next call of a function that isn't const, so also until
/// that of `waterfall`, `whyDead` or `draw`. A space that is too large is never counted (CountedSketch::diagram: null).
class SpaceModel {
 public:
  ~SpaceModel() { stop(); }

  /// Makes the sketches of a program; called on another thread.
  using MakeSketches = std::function<Result<std::vector<tune::Sketch>>()>;
  /// Starts to make the sketches of another program by `make`, and to count them, on another thread, in place of what
  /// an earlier call started. `wake` (may be empty) is called from other threads whenever `poll` has something to take
  /// over. Until the sketches are there, the earlier ones stay.
  void explore(MakeSketches make, std::function<void()> wake);
  /// Takes over the results of other threads. To be called once a frame. New sketches replace the earlier ones; the
  /// first of them is shown, with no decision pinned.
  void poll();

  /// Returns true from `explore` until its sketches are there, or there is a problem.
  bool isExploring() const { return explored_.isAwaited(); }
  /// Returns why there are no sketches; nothing while there are some, or none are known yet.
  const std::optional<Error>& problem() const { return problem_; }
  /// Returns all sketches; empty until the first ones are made, and where there is a problem.
  const std::vector<std::shared_ptr<const CountedSketch>>& sketches() const { return sketches_; }
  /// Returns the index in `sketches` of the sketch that is shown.
  int chosen() const { return chosen_; }
  /// Shows the sketch with this index in `sketches`, none for an index that isn't there, with no decision pinned.
  void choose(int sketch);
  /// Returns the sketch that is shown; null if there is none.
  const CountedSketch* sketch() const;

  /// Returns the view of the sketch under the pins, which is counted anew after each change of the pins. This function
  /// and those below, except for `setOwn` and `own`, require that `sketch()` isn't null.
  const SpaceView& view() const { return view_; }
  /// Returns the values that decisions are pinned to.
  const tune::Pins& pins() const { return *pins_; }
  /// Pins a decision, given by its index in the space, to a value, or releases it if it is pinned to this value alone.
  /// With `extends`, the value is added to those that the decision is pinned to, or removed from them. Does nothing for
  /// a value that is dead in `view` (SpaceValue::isDead).
  void click(int decision, std::int64_t value, bool extends);
  /// Releases a decision, or all: any value is then allowed again.
  void release(int decision);
  void releaseAll();
  /// Pins decisions to the values of the user's own schedule, in the order of the decisions, leaving out values that
  /// the decision can't have, and, if the space is counted, those with which no schedule would be left. Earlier pins
  /// are released. Does nothing while `own()` is null.
  void pinToOwn();

  /// The program before any step, and after all steps of the user's own schedule.
  struct Scheduled {
    schedule::State begin, now;
  };
  /// Sets the user's own schedule: `lines` are the step lines from the first to the current state, and `states` returns
  /// these two states; it is called at once, and only if the lines have changed. Values of decisions are read from the
  /// lines and from the states; where they differ, those of the states count, which don't depend on the names of loops,
  /// blocks and steps. If `states` is empty, only the lines are read.
  void setOwn(const std::vector<std::string>& lines, const std::function<Scheduled()>& states = {});
  /// Returns the decisions of the user's own schedule for the shown sketch; null until they have been found.
  const OwnSchedule* own() const { return own_ ? &*own_ : nullptr; }

  /// Returns how many schedules each constraint removes from the space. The first call starts counting; null until it
  /// is done.
  const tune::Waterfall* waterfall();
  /// Returns why no schedule that the pins allow has a value of a decision (WhyDead::isAlive: one has it, and there is
  /// nothing to explain). Pins on that decision itself are ignored. The first call for a value starts the search; null
  /// until it is done. The value that was queried last is explained first.
  const tune::WhyDead* whyDead(int decision, std::int64_t value);

  /// Draws a schedule at random among those that the pins allow and that no call has returned since the pins changed.
  /// Returns nothing if there is none left. If the space isn't counted, a schedule may be returned again; returns an
  /// error of Descent::draw if none is found within 10 ms.
  Result<std::optional<tune::Assignment>> draw();

 private:
  // What `explore` has made: the sketches, or why there are none.
  struct Explored {
    std::vector<std::shared_ptr<const CountedSketch>> sketches;
    std::optional<Error> problem;
  };
  // Results of other threads on a sketch, `of`, which may not be the shown one any more.
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

  // The decisions of the user's own schedule, as read from `lines` for the sketch `of`.
  struct ReadBack {
    std::shared_ptr<const CountedSketch> of;
    std::vector<std::string> lines;
    OwnSchedule own;
  };

  void stop();         // stops the jobs on other threads
  void pinsChanged();  // counts the view again and drops what was found under the earlier pins
  void readOwn();      // starts to read the user's own schedule in terms of the shown sketch

  std::function<void()> wake_;
  BackgroundValue<Explored> explored_;
  std::optional<Error> problem_;
  std::vector<std::shared_ptr<const CountedSketch>> sketches_;
  int chosen_ = 0;
  std::optional<tune::Pins> pins_;
  SpaceView view_;

  // Tells the running jobs to stop. Each generation of jobs has a flag of its own, so that stopped jobs stay stopped.
  std::shared_ptr<std::atomic<bool>> stopped_ = std::make_shared<std::atomic<bool>>(false);
  BackgroundValue<CountedWaterfall> counted_;
  bool countsWaterfall_ = false;  // whether counting was started for the shown sketch
  std::optional<tune::Waterfall> waterfall_;
  BackgroundValue<Explained> explained_;
  // The decision and the value that are being explained; nothing: none.
  std::optional<std::pair<int, std::int64_t>> explaining_;
  // Explanations found under the current pins, by decision and value.
  std::map<std::pair<int, std::int64_t>, tune::WhyDead> why_;

  std::vector<std::string> ownLines_;
  std::optional<Scheduled> ownStates_;
  BackgroundValue<ReadBack> readBack_;
  std::optional<OwnSchedule> own_;

  std::unique_ptr<tune::PinnedCounts> counts_;  // counts that `draws_` draws by; null until the first draw
  std::unique_ptr<tune::ShuffledSchedules> draws_;
  std::uint64_t seed_ = 1;
};

}  // namespace loom::session
