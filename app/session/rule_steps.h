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

/// The steps that the rules of core/tune make at the current state of a session, and the lines that they write when
/// they are pressed. Belongs to the panel that shows them.
class RuleSteps {
 public:
  /// Takes in what has been found out, and asks where the state, the device or what is wished is another than before.
  /// To be called once a frame before the other functions. `wake`, which may be empty, is called from another thread.
  void follow(Session& session, const std::function<void()>& wake);

  /// Returns what rules make of the program; null until it is known, and where no rule fits. Where `isCurrent` is false
  /// it is of the state before.
  const tune::RulesAt* rules() const { return rules_.get(); }
  /// Returns whether `rules` is of the current state and what is wished.
  bool isCurrent() const { return answered_ && answered_ == askedFor_; }
  /// Returns why there are no rules for the current state; nothing while there are some, or it isn't known.
  const std::optional<Error>& problem() const { return problem_; }
  /// Returns the rules that users wrote, and what is wrong with their files; null until they are read.
  const tune::OwnRules* ownRules() const { return own_.get(); }
  /// Returns the user's rule that a row is about; null if it is one of the table's.
  const tune::OwnRule* ownRule(const tune::PlanRow& row) const;
  /// Makes the files of the user's own rules be read again.
  void readOwnRules() { own_.reset(), readsOwn_ = false; }

  /// Chooses a sketch by its name.
  void choose(const std::string& sketch);
  /// Wishes a value of a decision. The others are constructed around it.
  void wish(const std::string& decision, std::int64_t value) { request_.wishes[decision] = value; }

  /// Appends the lines up to a fold of the sketch (RulesAt::folds), as one undo entry and under one fold of the
  /// history. Nothing happens unless `isCurrent`.
  void press(Session& session, int fold);
  /// Presses all lines.
  void pressAll(Session& session);
  /// Asks the rules anew, with no wishes and for the fastest sketch.
  void restart();

 private:
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
    Key of;
    std::shared_ptr<const tune::RulesAt> rules;  ///< null: `problem`
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
  int node_ = -1;  ///< that what is wished is for
};

}  // namespace loom::session
