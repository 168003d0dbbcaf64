#pragma once

#include "app/notation/quantity_text.h"

// The functions of app/notation/quantity_text.h that panels use most. Each takes a double and returns a std::string.
namespace loom::panels {

// axisText writes a number beside a tick of an axis: "0.001", "10 000", "1 M"; bytesText bytes, with a unit of a power
// of 1024: "1.5 MiB"; countText a count: all its digits below 100 000, else at most three and a prefix: "1.07 G";
// flopsText a number of FLOP, with a unit of a power of 1000: "2.15 GFLOP"; numberText all digits of a number, rounded
// to a whole one: "1 073 741 824".
using notation::axisText;
using notation::bytesText;
using notation::countText;
using notation::flopsText;
using notation::numberText;

}  // namespace loom::panels
