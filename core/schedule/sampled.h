// Steps that sample, as a tuner's trace has them with what was drawn: the drawn numbers stand for the step.
#pragma once
#include <string>
#include <string_view>

#include "core/script/trace_json.h"

namespace loom::schedule {

// How sampling steps, and the mark before a tuner's last ones, stand in a trace's JSON; null for other kinds. No row of
// the table: nothing is ever drawn here.
const script::TraceShape* samplingShape(std::string_view kind);

// The text of step lines without the sampling steps whose decision it names, each line where it stood: their results
// are written as numbers where later lines name them, and a place that was drawn for a block (sample_compute_location)
// decides what becomes of its compute_at. A step without a decision stays, as does a text that can't be read.
//
//     v4, v5 = sch.sample_perfect_tile(loop=l1, n=2, max_innermost_factor=16, decision=[8, 16])
//     l6, l7 = sch.split(loop=l1, factors=[v4, v5])       →      l6, l7 = sch.split(loop=l1, factors=[8, 16])
std::string withSamplesDrawn(std::string text);

}  // namespace loom::schedule
