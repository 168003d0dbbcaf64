#pragma once

#include "tests/structure/source_tree.h"

namespace loom::structure {

/// Returns a breach for each string literal of a test that holds step lines of a schedule, or TVMScript, and more than
/// two `\n`: that contains "sch.", "T.block(" or "@T.prim_func". Literals side by side count as one, and raw strings
/// not at all. Such a text should be a file of tests/schedules or tests/programs, or a raw string if the test is about
/// the text itself. Files in tests/script, and files outside tests, have no breaches.
std::vector<Breach> scheduleTextBreaches(const SourceFile& file);

}  // namespace loom::structure
