// A compiled program as JSON, all but its bytes: in files of the cache and in a worker's answers.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/compile/compile.h"

namespace loom::compile {

// Returns the members of the binary but `cubin` and `cached`: {"log", "compiler", "ms", "kernels"}, where "ms" is the
// time of compilation in milliseconds, and "kernels" has a list [name, registers, spillStores, spillLoads, stack,
// staticShared, constant] for each kernel, as in KernelResources.
nlohmann::json toJson(const Binary& binary);
// Returns the binary that `toJson` wrote, with an empty `cubin` and `cached` false; the caller sets both. Throws a
// nlohmann::json exception for a member that is missing or of the wrong type, and for a kernel's list that is too
// short.
Binary binaryFrom(const nlohmann::json& j);

}  // namespace loom::compile
