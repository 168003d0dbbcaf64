#pragma once

#include <set>
#include <string>

namespace loom::schedule {

/// Returns the names of all primitives that TVM's trace records, which TVM listed in tests/oracle/primitives.txt; an
/// empty set if the file can't be read.
std::set<std::string> primitivesOfTvm();

/// Returns the names of those of TVM's primitives that Tileloom's table of primitives (core/schedule) lacks.
std::set<std::string> missingPrimitives();

}  // namespace loom::schedule
