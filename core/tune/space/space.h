#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::tune {

/// Something that a schedule leaves open, with the values that it may have.
struct Decision {
  std::string name;                  ///< unique in its space: letters, digits, `_` and `.`; `i.warps`
  Message words;                     ///< what is decided, for a person: "warps along i"
  std::vector<std::int64_t> values;  ///< ascending, each once, none negative; at least one
};

/// A coefficient times the values of some decisions.
struct Product {
  std::int64_t coefficient = 1;  ///< may be negative in a sum
  std::vector<int> decisions;    ///< indices in Space::decisions, ascending; one that stands n times is its nth power
};

/// What the values of some decisions must satisfy together.
struct Constraint {
  enum class Kind : std::uint8_t {
    Equal,    ///< terms[0] = limit
    AtMost,   ///< the sum of all terms ≤ limit
    Divides,  ///< terms[0] divides terms[1]; both are positive
    Table,    ///< the values of `columns` are one of `rows`
  };

  Kind kind = Kind::Equal;
  std::string name;                             ///< unique in its space, stable: `shared memory`
  Message words;                                ///< what it says and where it comes from, for a person
  Forbids forbids = Forbids::Program;           ///< who wants it
  std::vector<Product> terms;                   ///< one for Equal, two for Divides, none for Table
  std::int64_t limit = 0;                       ///< of Equal and AtMost
  std::vector<int> columns;                     ///< of Table: indices in Space::decisions
  std::vector<std::vector<std::int64_t>> rows;  ///< of Table: a value for each column
};

/// Decisions with finite domains, and constraints. A schedule of the space is a value for each decision that breaks no
/// constraint. Decisions come in the order in which they are best decided: those that many constraints name first.
struct Space {
  std::vector<Decision> decisions;
  std::vector<Constraint> constraints;
};

/// A value for each decision of a space, in the space's order.
using Assignment = std::vector<std::int64_t>;

}  // namespace loom::tune
