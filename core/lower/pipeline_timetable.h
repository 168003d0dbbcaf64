// When the statements of a software-pipelined loop are executed, and how many groups of the asynchronous copies that
// they start may stay in flight at each wait. This computes numbers only; pipeline.cpp makes statements of them.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace loom::lower {

// The schedule of a pipelined loop in turns. A step is a statement of the loop's body. In turn t, each step is executed
// for iteration t - stage, if the loop has that iteration, one step after the other by their order.
class Timetable {
 public:
  // A statement of the loop's body.
  struct Step {
    int part = 0;              // index of the statement in the body
    int stage = 0, order = 0;  // software_pipeline_stage and software_pipeline_order, from 0
    bool async = false;        // whether the statement starts asynchronous copies
  };
  // What a wait is for: step `writer` started the copies, and step `reader` reads their results `later` turns after the
  // wait.
  struct Use {
    int writer = 0, reader = 0, later = 0;
    bool operator==(const Use&) const = default;
  };
  // A wait before a step, after which all groups of copies have landed but the latest `allow` groups.
  struct Wait {
    int allow = 0;
    std::vector<Use> uses;
    bool operator==(const Wait&) const = default;
  };
  // What happens at a step in one turn: the wait, then the step's statement, then the commit.
  struct Act {
    int step = 0;              // index of the step
    std::optional<Wait> wait;  // the wait before the statement; nothing if there is none
    bool active = false;       // whether the statement is executed
    bool commit = false;       // whether a group is made of the copies started so far
    bool operator==(const Act&) const = default;
  };
  using Turn = std::vector<Act>;  // by order of the steps, without those that neither are executed nor make a group

  // `steps` must be sorted by their order; from here on a step's index is that in `steps`. `needs` has, for each step,
  // the indices of the steps whose asynchronous copies it reads. `extent` is the number of iterations, at least one;
  // nothing if it isn't known: the loop is then taken to have enough iterations.
  Timetable(std::vector<Step> steps, std::vector<std::vector<int>> needs, std::optional<std::int64_t> extent);

  // Returns turn `t` of the prologue, the turns before the first one in which every step can be executed: t is from 0
  // to the largest stage less one.
  Turn first(int t) const;
  // Returns the steady state: any turn in which every step is executed, as a loop of enough iterations has it, whatever
  // the extent.
  Turn steady() const;
  // Returns whether some statement is executed between the step `writer`, which starts copies, and each wait for these
  // copies, so that it hides them; other steps that start copies don't count. True if no step waits for them.
  bool isCovered(int writer) const;
  // Returns turn `n` of the epilogue, the turns after the last one in which the steps of stage 0 are executed: n is
  // from 0 to the largest stage less one. Empty if it is one of the turns that `first` returns, as in a loop whose
  // iterations are fewer than the largest stage.
  Turn last(int n) const;

 private:
  Turn turn(std::int64_t t, std::int64_t extent) const;
  // The step that reads the same copies of an iteration in an earlier turn, so that its wait is enough; -1 for none.
  int readsBefore(int step) const;
  // The step after which what `step` started becomes a group.
  int groupOf(int step) const;
  // Returns whether a group is made after the step in this turn. A step that isn't executed yet makes empty ones, so
  // that groups can be counted; one that isn't executed any more makes none.
  bool commits(int step, std::int64_t t, std::int64_t extent) const;
  // The number of groups that are made after the one that `reader` waits for and before the reader itself.
  int groupsSince(int writer, int reader, std::int64_t t, std::int64_t extent) const;
  // Returns how many turns after step `writer` step `reader` is executed for the same iteration.
  int turnsUntil(int writer, int reader) const;
  // Calls `use` with each step that is executed after the group of `writer` is made and before `reader` is executed for
  // the same iteration, and with the number of turns since the group was made.
  void forEachBetween(int writer, int reader, const std::function<void(int step, int turn)>& use) const;

  std::vector<Step> steps_;
  std::vector<std::vector<int>> needs_;
  std::optional<std::int64_t> extent_;
  int last_ = 0;  // the last stage
};

}  // namespace loom::lower
