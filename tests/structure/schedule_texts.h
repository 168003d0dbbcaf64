#pragma once

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// String literals of a test that hold a schedule or a function in TVMScript of more than two lines, written with `\n`
/// in one literal or in several side by side. Such a text is a file of tests/schedules or tests/programs, or a raw
/// string where it is what the test is about. The readers' own tests, in tests/script, may write ends of lines out.
std::vector<Breach> scheduleTextBreaches(const SourceFile& file);

}  // namespace loom::structure
