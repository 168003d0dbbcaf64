// An index as a sum of parts, each of which depends on variables of its own: what a block, a warp or a lane touches is
// then found by adding short tables, not by walking the iteration space.
#pragma once
#include <map>

#include "core/ir/result.h"
#include "core/model/access.h"

namespace loom::model {

enum class Axis : std::uint8_t { Block, Thread, Loop };

// A variable of a kernel that takes the values 0 … extent - 1.
struct IndexVariable {
  Axis axis = Axis::Loop;
  int number = 0;  // 0, 1, 2 of blockIdx or threadIdx; a loop's index in KernelAccesses::loops
  std::int64_t extent = 1;

  bool operator==(const IndexVariable&) const = default;
};

// What one variable adds to the element offset, for each of its values.
struct Part {
  Axis axis = Axis::Loop;
  int number = 0;  // as IndexVariable's
  std::vector<std::int64_t> adds;
};

// An index as a sum of parts, each of which depends on one variable.
struct SeparatedIndex {
  std::int64_t constant = 0;
  std::vector<Part> parts;  // variables on which the index depends
};

// What several variables add together, as a quotient of their sum does: blocks that stay and take tile after tile find
// theirs by `(turn * 132 + block) / 8`. `adds` has one value for each combination of theirs, the last variable's
// values following each other.
struct JoinedPart {
  std::vector<IndexVariable> variables;  // by axis, blocks' first, then by number; one at least
  std::vector<std::int64_t> adds;
};

// An index as a sum of parts that have no variable in common.
struct JoinedIndex {
  std::int64_t constant = 0;
  std::vector<JoinedPart> parts;

  // Returns whether the index depends on the variable with this axis and number.
  bool dependsOn(Axis axis, int number) const;
};

// Values that are fixed; what is left open takes all its values.
struct Chosen {
  std::map<int, std::int64_t> block, thread;  // by axis
  std::map<int, std::int64_t> loops;          // by index in KernelAccesses::loops
};

// Returns the variable of the kernel, or nothing where it's neither a block's or thread's number nor one of the loops
// around the access.
std::optional<IndexVariable> variableOf(const KernelAccesses& kernel, const Access& access, const ir::VarNode* var);

// Separates an index into one part for each variable. What `chosen` fixes is added to the constant. Errors:
// "NotSeparable" if a term of the index joins two variables or reads memory, "TooMany" if one takes millions of values,
// "InvalidArgument" for a fixed value that a variable doesn't take.
Result<SeparatedIndex> separate(const KernelAccesses& kernel, const Access& access, const Chosen& chosen = {});

// The same with variables joined that a term joins and `chosen` leaves open. Errors as above, but "NotSeparable" for
// joined variables only where they have more than 65,536 combinations.
Result<JoinedIndex> separateJoined(const KernelAccesses& kernel, const Access& access, const Chosen& chosen = {});

}  // namespace loom::model
