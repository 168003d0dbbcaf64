// An index of an access (the offset of its first element, in elements) as a sum of parts that have no variable in
// common. The elements that a block, a warp or a lane accesses are then found by adding short tables, without walking
// the iteration space. KernelAccesses lists a kernel's accesses and loops, and an Access is one of them.
#pragma once
#include <map>

#include "core/ir/result.h"
#include "core/model/access.h"

namespace loom::model {

// The kinds of variables: a component of blockIdx, a component of threadIdx, or the variable of a serial loop.
enum class Axis : std::uint8_t { Block, Thread, Loop };

// A variable of a kernel that takes the values 0 … extent - 1.
struct IndexVariable {
  Axis axis = Axis::Loop;
  int number = 0;  // 0, 1 or 2 for x, y or z of blockIdx or threadIdx; for a loop, its index in KernelAccesses::loops
  std::int64_t extent = 1;

  bool operator==(const IndexVariable&) const = default;
};

// The part of an index that depends on one variable.
struct Part {
  Axis axis = Axis::Loop;
  int number = 0;                  // 0, 1 or 2 for x, y or z, or a loop's index in KernelAccesses::loops
  std::vector<std::int64_t> adds;  // for each value of the variable: the number of elements that is added to the index
};

// An index as a sum of parts, each of which depends on one variable.
struct SeparatedIndex {
  std::int64_t constant = 0;  // elements
  std::vector<Part> parts;    // one for each variable on which the index depends
};

// The part of an index that depends on several variables together, such as the quotient `(turn * 132 + block) / 8` by
// which persistent blocks find their tiles.
struct JoinedPart {
  std::vector<IndexVariable> variables;  // sorted by axis (Block, Thread, Loop), then by number; at least one
  // For each combination of the variables' values: the number of elements that is added to the index. The value of the
  // last variable changes fastest.
  std::vector<std::int64_t> adds;
};

// An index as a sum of parts that have no variable in common.
struct JoinedIndex {
  std::int64_t constant = 0;  // elements
  std::vector<JoinedPart> parts;

  // Returns whether the index depends on the variable with this axis and number.
  bool dependsOn(Axis axis, int number) const;
};

// Variables with fixed values. Variables that aren't among them take all their values.
struct Chosen {
  std::map<int, std::int64_t> block, thread;  // 0, 1 or 2 for x, y or z → value of that component
  std::map<int, std::int64_t> loops;          // index in KernelAccesses::loops → value of the loop's variable
};

// Describes a variable of the kernel. Returns nothing if `var` is no component of blockIdx or threadIdx and not the
// variable of a loop around the access.
std::optional<IndexVariable> variableOf(const KernelAccesses& kernel, const Access& access, const ir::VarNode* var);

// Separates the index of an access into one part for each variable. Variables that `chosen` fixes have no part; their
// contribution is added to the constant. Errors: "NotSeparable" if a term of the index joins two variables or reads
// memory, "TooMany" if one takes millions of values, "InvalidArgument" for a fixed value that a variable doesn't take.
Result<SeparatedIndex> separate(const KernelAccesses& kernel, const Access& access, const Chosen& chosen = {});

// Separates the index of an access into parts, where variables that occur together in a term, and that `chosen` doesn't
// fix, share one part. Errors as those of `separate`, but a term that joins variables is "NotSeparable" only if these
// have more than 65,536 combinations of values.
Result<JoinedIndex> separateJoined(const KernelAccesses& kernel, const Access& access, const Chosen& chosen = {});

}  // namespace loom::model
