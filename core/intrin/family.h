// The text of one file of intrinsics, taken apart: a table of names and parameters, and two functions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

struct FamilyMember {
  std::string name;
  // TVMScript of one function each, parameters replaced by their values; lines stand where they stand in the file.
  std::string description, implementation;
};

struct Family {
  ExecutionGroup group = ExecutionGroup::Thread;
  std::vector<FamilyMember> members;  // in the order of the table
};

// "ParseError" with the place when the file isn't as assets/intrinsics/README.md says.
Result<Family> readFamily(std::string_view text, std::string_view file);

}  // namespace loom::intrin
