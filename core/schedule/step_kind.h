// Whether a step of a schedule means the same to TVM as to Tileloom.
#pragma once
#include <string_view>

namespace loom::schedule {

// Exact: the step is one of TVM's primitives, with TVM's meaning. Annotated: the step is an annotation of Tileloom's
// own ("tileloom.swizzle"); TVM applies and prints it, and the program's result stays the same, but only Tileloom's
// kernels follow it. Foreign: the step names memory or an operation that only Tileloom has; TVM refuses it, or its
// kernel computes something else or can't be built.
enum class StepKind { Exact, Annotated, Foreign };

// Returns the kind of a step line: a line with a storage scope of Tileloom's own ("shared.cluster" or "local.wgmma") or
// a name that begins with "wgmma_" among its arguments is Foreign; another sch.annotate(…) of a block or loop with a
// key "tileloom.…" is Annotated; any other line is Exact, also one that can't be parsed.
StepKind stepKind(std::string_view line);

}  // namespace loom::schedule
