// The name and version of this program in the files that it writes. The build defines TILELOOM_VERSION.
#pragma once

namespace loom::document {

// The program's name and version, "tileloom 0.1.0".
inline constexpr const char* kProgram = "tileloom " TILELOOM_VERSION;

}  // namespace loom::document
