// Where a step's meaning is from.
#pragma once
#include <string_view>

namespace loom::schedule {

// Exact: one of TVM's primitives, with TVM's meaning. Annotated: an annotation of Tileloom's own ("tileloom.swizzle").
// Its program computes the same in order and TVM applies and prints it, but only Tileloom's kernels follow it.
enum class StepKind { Exact, Annotated };

// Returns the kind of a step line: sch.annotate(block, "tileloom.…", value) is Annotated, everything else is Exact.
StepKind stepKind(std::string_view line);

}  // namespace loom::schedule
