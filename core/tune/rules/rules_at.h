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

/// The order in which rules write their step lines, which call scheduling primitives: first the rules that inline
/// blocks (computations with iterators) into their consumers, then those of the memory hierarchy, then the rest.
enum class RuleStage : std::uint8_t { Inline, Memory, Rest };

/// A row of the table of all rules, for a person to read.
struct RuleTableRow {
  std::string number, name;  ///< "R4", "multi-level tiling"
  Message words;             ///< the rule's name, translated
  Message sentence;          ///< what the rule does
  Message condition;         ///< where the rule applies
  RuleStage stage = RuleStage::Rest;
};
/// Returns all rules in the order of their numbers, without those that a user wrote.
const std::vector<RuleTableRow>& ruleTable();
/// Returns the row of a rule by its number; null if the table has none, as for users' rules ("R20").
const RuleTableRow* ruleNumbered(std::string_view number);

/// The sketches (schedules with open decisions) that rules write for a program without schedule, with a schedule
/// constructed from each. Making a plan takes some tenths of a second.
struct BuiltPlan {
  RulePlan plan;
  std::vector<Built> built;           ///< constructed schedules, fastest first by buildAll's estimate; at least one
  RuleChoices choices;                ///< the choices that the plan was made with
  std::vector<ir::Function> program;  ///< the functions that the plan was made for; others need another plan
  std::vector<NotBuilt> notBuilt;     ///< sketches of which `built` has none, in their order, with the reason
};

/// A rule that was tried on a block, and how far the path to a state follows its lines.
struct RuleAt {
  PlanRow row;
  RuleStage stage = RuleStage::Rest;
  int fold = -1;               ///< index in Sketch::folds (the sketch's lines, by rule and block); -1: it wrote none
  bool isDone = false;         ///< whether its lines are on the path, before that deviates; false if it wrote none
  int steps = 0;               ///< number of the rule's lines that change the program; the others only look up names
  std::vector<int> decisions;  ///< indices in Space::decisions of the decisions that occur first in the rule's lines
};

/// The options of a query to the rules.
struct RulesRequest {
  /// The name of a sketch. "": the sketch that the path follows, or else that of the first schedule in
  /// BuiltPlan::built; a name that no sketch has stands for the latter.
  std::string sketch;
  /// Wished values by the names of decisions; unknown names are ignored. In the order of the names, a value is left out
  /// if no schedule has it together with the values before it.
  std::map<std::string, std::int64_t> wishes;
  bool counts = false;  ///< whether RulesAt::living and RulesAt::diagram are to be computed
  RuleChoices choices;  ///< what the user allows
};

/// The answer of the rules at a state of a history: the lines that they write for the program, and which of these lines
/// the path to the state has already.
struct RulesAt {
  std::shared_ptr<const BuiltPlan> built;  ///< never null
  int base = 0;                            ///< index in the history of the unscheduled program that lines begin at
  int node = 0;                            ///< index in the history of the state
  int sketch = 0;                          ///< index in RulePlan::sketches
  /// A schedule with the wished values and, as far as they go together with these, the values of steps on the path.
  Construction construction;
  std::vector<std::string> folds;  ///< for each of Sketch::folds: its lines with these values
  std::vector<RuleAt> rows;        ///< in the order in which rules were tried
  bool branches = false;           ///< whether the path from `base` to the state deviates from the lines
  bool isComplete = false;         ///< whether all lines are on the path, and no other steps
  /// For each decision: the values that are possible with those on the path and those wished of the other decisions.
  /// Empty if they weren't requested or the space can't be counted.
  std::vector<std::vector<std::int64_t>> living;
  std::optional<double> microseconds;      ///< time predicted for `construction` from the program; nothing: not known
  std::shared_ptr<const Diagram> diagram;  ///< the sketch's space, counted; null: not requested, or it can't be counted

  /// Returns the sketch with index `sketch`.
  const Sketch& shown() const { return built->plan.sketches[std::size_t(sketch)]; }
  /// Returns the lines from `base` to the end of the fold with this index, without lines after the last step that only
  /// look up names; "" for -1.
  std::string linesUpTo(int fold) const;
  /// Returns the titles under which the history shows `linesUpTo`: a part for each rule, and as title the sentence of
  /// the rule if only one rule's lines aren't on the path yet, or else a title for all rules together.
  document::FoldTitles titlesUpTo(int fold) const;
};

/// Queries the rules at state `node` of a history, the tree of states (programs after some steps) of one program. The
/// lines begin at the unscheduled program on the path to `node` whose rules' lines the path follows, or else at the
/// last unscheduled program on it (a path has several if its first steps leave the rules applicable). `own` are the
/// user's rules. `before` is an earlier answer for the same history, device and users' rules, whose plan is used again
/// if it begins at the same state and was made with the same choices; null: none. `environment` must have tensor
/// intrinsics. Fails with `NoRule` if no rule fits the program, with `NoSchedule` if no schedule of the sketch is
/// constructed, and with `SketchError` if a line of the sketch can't be evaluated. Takes some tenths of a second
/// without `before`, else some ms.
Result<RulesAt> rulesAt(const document::History& history, int node, const schedule::Environment& environment,
                        const model::Device& device, std::span<const OwnRule> own, const RulesRequest& request,
                        const RulesAt* before);

}  // namespace loom::tune
