// What becomes of statements when more is known of their variables.
#pragma once
#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::lower {

// s with simplified expressions and without branches that are never taken; null when nothing is left. `analyzer` knows
// the variables around, and learns those of the loops inside.
device::Stmt withKnownValues(const device::Stmt& s, arith::Analyzer& analyzer);

}  // namespace loom::lower
