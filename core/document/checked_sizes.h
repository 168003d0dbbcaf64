// Is a state still its function at every size that is named?
#pragma once
#include "core/document/sizes.h"
#include "core/exec/check.h"

namespace loom::document {

// Checks at one choice of sizes after another until one fails. Returns the report or error of that choice, or else the
// report of the choice that compared the smallest part of its elements. `at`, unless null, is set to the choice that
// the result is of.
Result<exec::Report> checkAtAll(const ir::Function& original, const ir::Function& scheduled,
                                const exec::Options& options, const std::vector<SizeChoice>& choices,
                                SizeChoice* at = nullptr);

}  // namespace loom::document
