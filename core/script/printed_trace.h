// A trace as TVM prints it whole (`print(sch.trace)`, `sch.trace.show()`):
//
//     # from tvm import tir
//     def apply_trace(sch: tir.Schedule) -> None:
//       b0 = sch.get_block(name="C", func_name="main")
#pragma once
#include <string>

namespace loom::script {

// Returns the lines of a printed trace's body, each at the line that it stood in, for parseSchedule; any other text as
// it is.
std::string withoutTraceHeader(std::string text);

}  // namespace loom::script
