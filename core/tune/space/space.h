#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::tune {

/// A choice that a schedule leaves open, and its domain: the values among which to choose.
struct Decision {
  std::string name;                  ///< unique in its space: letters, digits, `_` and `.`; `i.warps`
  Message words;                     ///< what is decided, for a person: "warps along i"
  std::vector<std::int64_t> values;  ///< ascending, each once, none negative; at least one
  bool isYesOrNo = false;            ///< whether `words` ask "whether …": 0 is no, and 1 is yes
  /// Whether the model decides, and no formula, when a schedule is made without search: from the value that the
  /// construction begins with, neighbouring ones are tried as long as the model predicts less time for the program.
  bool leftToModel = false;
};

/// A coefficient times the values of some decisions.
struct Product {
  std::int64_t coefficient = 1;  ///< may be negative in a sum
  /// Indices in Space::decisions, ascending; an index listed n times stands for the nth power of the decision's value.
  /// Empty: the product is `coefficient`.
  std::vector<int> decisions;
};

/// What the values of some decisions must satisfy together.
struct Constraint {
  enum class Kind : std::uint8_t {
    Equal,    ///< terms[0] = limit
    AtMost,   ///< the sum of all terms ≤ limit
    Divides,  ///< terms[0] divides terms[1]; broken if either isn't positive
    Table,    ///< the values of `columns` are one of `rows`
  };

  Kind kind = Kind::Equal;
  std::string name;                             ///< unique in its space, stable: `shared memory`
  Message words;                                ///< meaning and origin of the constraint, for a person
  Forbids forbids = Forbids::Program;           ///< who demands the constraint: this program, the hardware, TVM …
  std::vector<Product> terms;                   ///< one for Equal, two for Divides, none for Table, any for AtMost
  std::int64_t limit = 0;                       ///< the right-hand side, for Equal and AtMost
  std::vector<int> columns;                     ///< indices in Space::decisions, for Table
  std::vector<std::vector<std::int64_t>> rows;  ///< allowed combinations, a value for each column, for Table
};

/// Decisions with finite domains, and constraints. A schedule of the space is a value for each decision that breaks no
/// constraint. Decisions come in the order in which they are best decided: those that many constraints name first.
struct Space {
  std::vector<Decision> decisions;
  std::vector<Constraint> constraints;
};

/// A value for each decision of a space, in the order of Space::decisions. It may break constraints.
using Assignment = std::vector<std::int64_t>;

/// Returns the first error in a space, as a `SpaceError`; nothing if none is found. Checks names, the values of
/// decisions, the number of terms of each constraint, indices of decisions, and the length of table rows. Doesn't check
/// that the indices of a product ascend, nor that the values in table rows are in their decisions' domains.
std::optional<Error> problemOf(const Space& space);

/// Returns the index of the decision of that name; -1 if there is none.
int decisionNamed(const Space& space, std::string_view name);
/// Returns the index of a value in the decision's values; -1 if it is none of them.
int valueIndexOf(const Decision& decision, std::int64_t value);

/// Returns the assignment in which each decision has the value with its index in `valueIndices`, an index in
/// Decision::values. `valueIndices` has an entry for each decision, in the space's order; none may be −1.
Assignment assignmentOf(const Space& space, const std::vector<int>& valueIndices);

/// Returns whether the values of an assignment satisfy the constraint; false if a product or the sum of the terms
/// doesn't fit in 64 bits. Here and below `problemOf` must have found nothing in the space.
bool holds(const Constraint& constraint, const Assignment& assignment);
/// Returns the first constraint of the space that the assignment breaks; null if it breaks none.
const Constraint* brokenBy(const Space& space, const Assignment& assignment);

/// Returns the constraint as a formula over the names of its decisions: `32·i.warps·j.warps ≤ 1024`.
std::string formulaOf(const Space& space, const Constraint& constraint);

}  // namespace loom::tune
