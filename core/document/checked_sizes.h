// Is a state still its function at every size that is named?
#pragma once
#include "core/document/sizes.h"
#include "core/exec/check.h"

namespace loom::document {

// Executed at one choice after another until one isn't right: that one's report or error, else the report of the
// choice that compared the smallest part of its elements. `at`, if given, is told which choice it is.
Result<exec::Report> checkAtAll(const ir::Function& original, const ir::Function& scheduled,
                                const exec::Options& options, const std::vector<SizeChoice>& choices,
                                SizeChoice* at = nullptr);

}  // namespace loom::document
