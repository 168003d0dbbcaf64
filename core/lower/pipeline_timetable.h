// When the statements of a loop whose iterations overlap are executed, and how long the copies that they start may be
// on their way. Numbers alone: pipeline.cpp makes statements of them.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace loom::lower {

// Time goes in turns. In turn t, each step is executed for the iteration t - stage, if the loop has it, one step after
// the other in their order.
class Timetable {
 public:
  // A statement of the loop's body.
  struct Step {
    int part = 0;  // which statement
    int stage = 0, order = 0;
    bool async = false;  // whether its copies are only started
  };
  // Whom a wait is for: by step, who started the copies and who reads them, `later` turns after the wait.
  struct Use {
    int writer = 0, reader = 0, later = 0;
    bool operator==(const Use&) const = default;
  };
  // A wait before a step: all groups of copies have landed but the latest `allow`.
  struct Wait {
    int allow = 0;
    std::vector<Use> uses;
    bool operator==(const Wait&) const = default;
  };
  // What happens at a step in one turn: the wait, the statement, the commit, each where there is one.
  struct Act {
    int step = 0;
    std::optional<Wait> wait;
    bool active = false;
    bool commit = false;
    bool operator==(const Act&) const = default;
  };
  using Turn = std::vector<Act>;

  // `steps` are in their order; `needs` has, for each step, the steps whose copies it reads. `extent` is the number of
  // iterations, at least one; nothing if it isn't known.
  Timetable(std::vector<Step> steps, std::vector<std::vector<int>> needs, std::optional<std::int64_t> extent);

  // Returns turn `t` of the prologue, the turns before the first one in which every step is executed. If the extent
  // isn't known, the loop is taken to have enough iterations.
  Turn first(int t) const;
  // Returns the steady state: any turn in which every step is executed.
  Turn steady() const;
  // Returns whether something is executed between a step that starts copies and each wait for them. Other steps that
  // only start copies don't count. True where nobody waits.
  bool isCovered(int writer) const;
  // Returns turn `n` of the epilogue, the turns after the last one in which every step is executed; empty if `first`
  // has it already.
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
  // How many turns after a step another one is executed for the same iteration.
  int turnsUntil(int writer, int reader) const;
  // Calls `use` with each step that is executed after the group of `writer` and before `reader` has its iteration, and
  // the number of turns since.
  void forEachBetween(int writer, int reader, const std::function<void(int step, int turn)>& use) const;

  std::vector<Step> steps_;
  std::vector<std::vector<int>> needs_;
  std::optional<std::int64_t> extent_;
  int last_ = 0;  // the last stage
};

}  // namespace loom::lower
