// Reads a trace in the form in which TVM prints it (`print(sch.trace)`, `sch.trace.show()`):
//
//     # from tvm import tir
//     def apply_trace(sch: tir.Schedule) -> None:
//       b0 = sch.get_block(name="C", func_name="main")
#pragma once
#include <string>

namespace loom::script {

// Returns the body of a printed trace for parseSchedule: each line has the line number that it had, and lines of the
// header are empty. Returns any other text as it is.
std::string withoutTraceHeader(std::string text);

}  // namespace loom::script
