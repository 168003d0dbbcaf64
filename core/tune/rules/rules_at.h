#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/tune/rules/built.h"
#include "core/tune/space/diagram.h"

namespace loom::tune {

/// The order in which rules write: what is computed where it is read, then where data lies, then the rest.
enum class RuleStage : std::uint8_t { Inline, Memory, Rest };

/// A row of the table of all rules, for a person to read.
struct RuleTableRow {
  std::string number, name;  ///< "R4", "multi-level tiling"
  Message words;             ///< its name in words of each language
  Message sentence;          ///< what it does
  Message condition;         ///< where it applies
  RuleStage stage = RuleStage::Rest;
};
/// Returns all rules by number, without those of the user.
const std::vector<RuleTableRow>& ruleTable();
/// Returns the row of a rule by its number; null: it is none of the table's ("R20").
const RuleTableRow* ruleNumbered(std::string_view number);

/// What rules make of a plain program, with a schedule constructed from each sketch. Takes some tenths of a second.
struct BuiltPlan {
  RulePlan plan;
  std::vector<Built> built;  ///< the fastest first
  RuleChoices choices;       ///< that it was made with
};

/// A rule at a state.
struct RuleAt {
  PlanRow row;
  RuleStage stage = RuleStage::Rest;
  int fold = -1;               ///< index in Sketch::folds of what it wrote; -1: nothing
  bool isDone = false;         ///< whether its lines are on the path to the state
  bool makesStep = false;      ///< whether some line changes the program: others only name blocks and loops
  std::vector<int> decisions;  ///< indices in the space: those that its lines name first
};

/// The options of rules.
struct RulesRequest {
  std::string sketch;                          ///< by name; "": the one that the steps follow, or the fastest
  std::map<std::string, std::int64_t> wishes;  ///< values of decisions; those that exclude each other are left out
  bool counts = false;                         ///< whether `living` is wanted
  RuleChoices choices;                         ///< what the user allows
};

/// What rules make of the program at a state of a history, and which part of that the path to the state has already.
struct RulesAt {
  std::shared_ptr<const BuiltPlan> built;  ///< never null
  int base = 0;                            ///< index in the history of the plain program that lines begin at
  int node = 0;                            ///< the state
  int sketch = 0;                          ///< index in RulePlan::sketches
  Construction construction;               ///< with the values of the steps taken and those that are wished
  std::vector<std::string> folds;          ///< the lines of each fold with these values
  std::vector<RuleAt> rows;                ///< in the order in which rules were tried
  bool branches = false;                   ///< whether the path from `base` to the state has other steps than the lines
  bool isComplete = false;                 ///< whether all lines are on the path
  std::vector<std::vector<std::int64_t>> living;  ///< by decision: values that go with what is taken and wished
  std::optional<double> microseconds;             ///< predicted, of all lines
  std::shared_ptr<const Diagram> diagram;         ///< of the sketch's space; null: not counted, or not asked for

  const Sketch& shown() const { return built->plan.sketches[std::size_t(sketch)]; }
  /// Returns the lines from `base` up to a fold, without lines behind its last step that only name something.
  std::string linesUpTo(int fold) const;
  /// Returns titles for `linesUpTo`: the sentence of the rule, if it is the only one whose lines aren't on the path
  /// yet, or else what the rules make together, and a part for each rule.
  document::FoldTitles titlesUpTo(int fold) const;
};

/// Asks the rules about a state of a history: the plain program on the path to it whose rules' lines the path follows,
/// or else the last plain one. `before` is an earlier answer, whose work is used again where it is of the same program;
/// null: none. Fails with `NoRule`. Takes some tenths of a second without `before`, else some ms.
Result<RulesAt> rulesAt(const document::History& history, int node, const schedule::Environment& environment,
                        const model::Device& device, std::span<const OwnRule> own, const RulesRequest& request,
                        const RulesAt* before);

}  // namespace loom::tune
