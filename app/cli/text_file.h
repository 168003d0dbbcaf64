#pragma once

#include <string>

#include "core/ir/result.h"

namespace loom::cli {

/// The whole file, or "NoSuchFile" with its name as place.
Result<std::string> readTextFile(const std::string& path);

/// `file:line:column: message`, then the line and a caret under the column where they are known; ends with a newline.
std::string describePlace(const Error& error);

}  // namespace loom::cli
