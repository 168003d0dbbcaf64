// What becomes of statements when more is known of their variables.
#pragma once
#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::lower {

// Returns `s` with simplified expressions and without branches that are never taken; null if nothing is left.
// `analyzer` has the ranges of the variables around, and receives those of the loops inside.
device::Stmt withKnownValues(const device::Stmt& s, arith::Analyzer& analyzer);

}  // namespace loom::lower
