#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/session/background_value.h"
#include "app/session/session.h"
#include "core/tune/rules/rules_at.h"

namespace loom::session {

/// The schedule steps that the rules of core/tune construct for the current state of a session (the program after some
/// steps), and the operations that apply them. A rule writes steps for blocks of a certain form, as in TVM's
/// MetaSchedule. The steps of one rule are a group, which the history shows under one title. Each panel that shows such
/// steps has an object of its own. The user may wish for values of decisions (tile sizes, numbers of pipeline stages,
/// …); the rules then construct the others around them.
class RuleSteps {
 public:
  /// Takes the result of a background job, and starts one that evaluates the rules if the state, the device or the
  /// wishes have changed. To be called once a frame before the other functions. `wake`, which may be empty, is called
  /// from another thread when a result is ready.
  void follow(Session& session, const std::function<void()>& wake);

  /// Returns what the rules make of the program, valid until the next `follow`; null until that is known, and if no
  /// rule fits. While `isCurrent` is false, the result is for an earlier state, device or wishes.
  const tune::RulesAt* rules() const { return rules_.get(); }
  /// Returns whether `rules` or `problem` is for the current state, device and wishes, as of the last `follow`.
  bool isCurrent() const { return answered_ && answered_ == askedFor_; }
  /// Returns why no rule fits the current state, or why the device has no description; nothing if a rule fits, or while
  /// that isn't known.
  const std::optional<Error>& problem() const { return problem_; }
  /// Returns the rules that users wrote, and what is wrong with their files; null until the files have been read. Valid
  /// until the next `follow` or `readOwnRules`, as is what `ownRule` returns.
  const tune::OwnRules* ownRules() const { return own_.get(); }
  /// Returns the user's rule, one of `ownRules`, that a row of the plan (the rules that were tried, in order) is about;
  /// null if the row is about one of Tileloom's own rules.
  const tune::OwnRule* ownRule(const tune::PlanRow& row) const;
  /// Makes the files of the user's own rules be read again.
  void readOwnRules() { own_.reset(), readsOwn_ = false; }

  /// Chooses a sketch, one of the schedules' general structures, by its name, and drops all wishes. The choice holds
  /// until another program is opened. An empty name stands for the sketch whose steps lead to the current state, if
  /// there is one. Otherwise, and for a name that no sketch has, the sketch that is usually the fastest is taken.
  void choose(const std::string& sketch);
  /// Wishes for a value of a decision, given by its name. The other decisions are then constructed around it. A wish
  /// that no schedule fulfils together with the wishes for decisions earlier in the alphabet is left out. `follow`
  /// drops all wishes when the user has gone to another state; `press` drops those for decisions that it applies.
  void wish(const std::string& decision, std::int64_t value) { request_.wishes[decision] = value; }

  /// Applies the steps of the sketch from the first group up to the group with the index `fold` (RulesAt::folds), as
  /// one undo entry. Nothing happens unless `isCurrent` and `rules` isn't null. A `choose` or `wish` since the last
  /// `follow` has no effect on what is applied.
  void press(Session& session, int fold);
  /// Applies the steps of all groups, as `press` does.
  void pressAll(Session& session);
  /// Makes the rules be evaluated again, without wishes and for the sketch that `choose("")` stands for.
  void restart();

 private:
  /// Everything that the result of the rules depends on.
  struct Key {
    std::uint64_t opened = 0;
    int node = -1;
    std::string device;
    std::shared_ptr<const tune::OwnRules> own;
    std::string sketch;
    std::map<std::string, std::int64_t> wishes;
    tune::RuleChoices choices;
    bool operator==(const Key&) const = default;
  };
  struct Answer {
    Key of;                                      ///< what the result was computed for
    std::shared_ptr<const tune::RulesAt> rules;  ///< null: `problem` says why
    std::optional<Error> problem;
  };

  BackgroundValue<tune::OwnRules> ownRead_;
  bool readsOwn_ = false;
  std::shared_ptr<const tune::OwnRules> own_;
  BackgroundValue<Answer> asked_;
  std::optional<Key> askedFor_, answered_;
  std::shared_ptr<const tune::RulesAt> rules_;
  std::optional<Error> problem_;
  tune::RulesRequest request_;
  int node_ = -1;  ///< index of the state that the wishes are for
};

}  // namespace loom::session
