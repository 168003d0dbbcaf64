// Checks by execution that a scheduled function computes the same as the original one, at several choices of sizes
// (values of the symbols that the functions have as extents or scalars).
#pragma once
#include "core/document/sizes.h"
#include "core/exec/check.h"

namespace loom::document {

// Executes both functions on the CPU at one choice of sizes after another, and compares their results, until a choice
// fails: the two differ, or the executor finds a mistake, such as a race. Returns the report or error of that choice;
// if no choice fails, the report of the choice in which the smallest part of the outputs' elements was compared (a
// check may compare only as many as its budget allows). `options` says how to execute; each choice takes the place of
// its `numbers`, the values of the symbols. `at`, unless null, is set to the choice that the result belongs to, and
// stays as it is if `choices` is empty. Errors: "NotExecutable" if `choices` is empty or the executor can't run a
// function; "NotComparable" if the functions have different parameters or can't be compared; "NotAKernel" and
// "ValueError" as for exec::check; "Cancelled" by `options.stop`.
Result<exec::Report> checkAtAll(const ir::Function& original, const ir::Function& scheduled,
                                const exec::Options& options, const std::vector<SizeChoice>& choices,
                                SizeChoice* at = nullptr);

}  // namespace loom::document
