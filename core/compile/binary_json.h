// A compiled kernel as JSON, all but its bytes: in files of the cache and in a worker's answers.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/compile/compile.h"

namespace loom::compile {

nlohmann::json toJson(const Binary& binary);
// Throws nlohmann::json exceptions on what doesn't fit. The bytes stay empty.
Binary binaryFrom(const nlohmann::json& j);

}  // namespace loom::compile
