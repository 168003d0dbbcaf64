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

/// A rule that a user wrote, read from a JSON file; `assets/rules/README.md` describes the format and names the facts
/// of a block that expressions may have. The rule schedules a block, a computation with iterators as in TensorIR, by
/// step lines with open places for decisions, as an alternative to the rules that the program has (rule.h).
struct OwnRule {
  /// A kind of blocks: any; blocks without reduced iterators; blocks with reduced iterators; sums of products.
  enum class Kind : std::uint8_t { Any, Elementwise, Reduction, Product };
  /// The numbers from `least` to `most`, both included.
  struct Range {
    std::int64_t least = 0, most = 64;
  };
  /// A decision that the rule leaves open, and its possible values.
  struct Values {
    std::string decision;  ///< name of the decision
    std::string words;     ///< what is decided, as the user wrote it, in one language; "": the decision's name
    std::vector<std::int64_t> values;  ///< the possible values; empty: the divisors of `divided`
    std::string divided;       ///< an expression over facts of the block, such as extents; "": `values` has some
    std::int64_t most = 1024;  ///< the largest divisor that is a value; not used if `values` has any
  };
  /// A constraint on the decisions.
  struct Relation {
    Constraint::Kind kind = Constraint::Kind::Equal;
    /// Expressions over decisions and facts of the block. Equal: `first`, a product, equals `second`. AtMost: `first`,
    /// a sum of products, is at most `second`. In both, `second` has facts only. Divides: `first` divides `second`, and
    /// both are products. Table: both are "".
    std::string first, second;
    std::vector<std::string> columns;             ///< of a table: names of decisions
    std::vector<std::vector<std::int64_t>> rows;  ///< of a table: the allowed combinations, a value for each column
    std::string words;  ///< the constraint in words; "": the expressions with =, ≤ or | between them, or
                        ///< a table's columns
  };

  std::string file;                 ///< path of the file that the rule was read from
  std::string name;                 ///< name of the rule, which no other rule of OwnRules has
  document::Translated sentence;    ///< what the rule does, in English and in Chinese
  Kind kind = Kind::Any;            ///< the kind of blocks that the rule applies to
  std::vector<std::string> dtypes;  ///< element types of the buffer that the block writes; empty: any
  Range spatial, reduced;           ///< how many spatial and how many reduced iterators the block has
  std::int64_t capability = 0;      ///< compute capability, times ten, of the oldest device: 80; 0: any
  std::vector<Values> decisions;
  std::vector<Relation> constraints;
  std::vector<SketchLine> lines;  ///< step lines (calls of scheduling primitives), with "{block}" for the block's name
};

/// The rules of some folders, and the errors of files that can't be read as rules or repeat the name of one.
struct OwnRules {
  std::vector<OwnRule> rules;
  std::vector<Error> problems;
};

/// Reads a rule from the text of a file; `file` is its path, for errors. Fails with `ParseError` if the text is no JSON
/// or an object has a key twice, and else with `RuleError`, whose message names the field and what is expected there;
/// names in expressions that are neither decisions nor facts are among these errors. The error's place has the file
/// and, if it is known, the line.
Result<OwnRule> readOwnRule(const std::string& text, const std::string& file);
/// Reads a rule from a file. Fails as `readOwnRule` does, and with `NoSuchFile`, `CantRead` or `TooLarge`.
Result<OwnRule> readOwnRuleFile(const std::filesystem::path& file);
/// Reads all *.json files that lie in the folders themselves, in the order of `folders` and within each by file name. A
/// file that can't be read, or whose rule has the name of an earlier one (`RuleError`), adds an error to `problems`;
/// the other files are read all the same. Folders that don't exist have no rules.
OwnRules readOwnRules(const std::vector<std::filesystem::path>& folders);
/// Returns the folders with rules: `rules` in the assets, and in the user's data folder if the user has one.
std::vector<std::filesystem::path> ownRuleFolders(const std::filesystem::path& assets);

/// Applies a user's rule to the block of `input`, which also has the program and the device: adds the rule's lines, as
/// one group that the list of steps can fold, its decisions and its constraints to a copy of `draft`, a sketch (a
/// schedule with open decisions) while rules write it. If the rule doesn't apply, the outcome says why.
RuleOutcome applyOwnRule(const OwnRule& rule, const RuleInput& input, const SketchDraft& draft);

}  // namespace loom::tune
