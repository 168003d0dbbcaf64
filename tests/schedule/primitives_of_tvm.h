#pragma once

#include <set>
#include <string>

namespace loom::schedule {

/// Returns the names of all primitives that TVM's trace records: tests/oracle/primitives.txt, which TVM wrote.
std::set<std::string> primitivesOfTvm();

/// Returns TVM's primitives that the table of instructions has no row for.
std::set<std::string> missingPrimitives();

}  // namespace loom::schedule
