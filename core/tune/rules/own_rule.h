#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/document/lesson.h"
#include "core/tune/rules/rule.h"

namespace loom::tune {

/// R20: a rule that a user wrote, a file each; `assets/rules/README.md` says how. It makes a schedule of a block by
/// step lines with open places, beside those of the other rules.
struct OwnRule {
  enum class Kind : std::uint8_t { Any, Elementwise, Reduction, Product };
  struct Range {
    std::int64_t least = 0, most = 64;
  };
  struct Values {
    std::string decision;
    std::string words;                 ///< what is decided, in the user's language; "": its name
    std::vector<std::int64_t> values;  ///< empty: the divisors of `divided`
    std::string divided;               ///< an expression over facts of the block
    std::int64_t most = 1024;          ///< the largest divisor
  };
  struct Relation {
    Constraint::Kind kind = Constraint::Kind::Equal;
    std::string first, second;  ///< expressions: a product and its value, a sum and its limit, a divisor and a product
    std::vector<std::string> columns;
    std::vector<std::vector<std::int64_t>> rows;
    std::string words;  ///< "": the relation itself
  };

  std::string file;  ///< where it was read from
  std::string name;
  document::Translated sentence;  ///< in both languages
  Kind kind = Kind::Any;
  std::vector<std::string> dtypes;  ///< of what the block writes; empty: any
  Range spatial, reduced;           ///< how many iterators it has
  std::int64_t capability = 0;      ///< of the oldest device: 80
  std::vector<Values> decisions;
  std::vector<Relation> constraints;
  std::vector<SketchLine> lines;
};

/// The rules of some folders, and what is wrong with those that can't be read.
struct OwnRules {
  std::vector<OwnRule> rules;
  std::vector<Error> problems;
};

/// Reads a rule. Fails with `RuleError`, whose message names the field and what is expected there, and whose place has
/// the file and, where it is known, the line.
Result<OwnRule> readOwnRule(const std::string& text, const std::string& file);
/// Reads a file. Fails as `readOwnRule` does, and where the file can't be read.
Result<OwnRule> readOwnRuleFile(const std::filesystem::path& file);
/// Reads all *.json of the folders by name. A bad file is a problem, and the others go on; so is one whose rule has the
/// name of an earlier one. Folders that don't exist have no rules.
OwnRules readOwnRules(const std::vector<std::filesystem::path>& folders);
/// Returns where rules are: the folder `rules` of the assets and that of the user's own data.
std::vector<std::filesystem::path> ownRuleFolders(const std::filesystem::path& assets);

/// Applies a rule to a block: its lines as a fold, its decisions and constraints. Says in numbers why it doesn't.
RuleOutcome applyOwnRule(const OwnRule& rule, const RuleInput& input, const SketchDraft& draft);

}  // namespace loom::tune
