// Reads a trace in the form in which TVM prints it (`print(sch.trace)`, `sch.trace.show()`):
//
//     # from tvm import tir
//     def apply_trace(sch: tir.Schedule) -> None:
//       b0 = sch.get_block(name="C", func_name="main")
#pragma once
#include <string>

namespace loom::script {

// Returns the body of a printed trace, the calls of primitives, for parseSchedule (step_line.h): its lines without
// their indentation, each at the line number that it had. The header (comments, imports and the line
// `def apply_trace(sch…):`), later comments and `pass` become empty lines. Returns any other text as it is, also one in
// which unindented code follows the trace.
std::string withoutTraceHeader(std::string text);

}  // namespace loom::script
