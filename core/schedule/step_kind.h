// Where a step's meaning is from.
#pragma once
#include <string_view>

namespace loom::schedule {

// Exact: one of TVM's primitives, with TVM's meaning. Annotated: an annotation of Tileloom's own ("tileloom.swizzle").
// Its program computes the same in order and TVM applies and prints it, but only Tileloom's kernels follow it.
// Foreign: TVM takes the step and means something else by it, so that its kernel computes something else, or can't be
// built: memory, or an operation, that it doesn't have.
enum class StepKind { Exact, Annotated, Foreign };

// Returns the kind of a step line: sch.annotate(block, "tileloom.…", value) is Annotated; one with a scope of our own
// ("shared.cluster", "local.wgmma") or an operation of warpgroups ("wgmma_…") among its arguments is Foreign;
// everything else is Exact.
StepKind stepKind(std::string_view line);

}  // namespace loom::schedule
