// What made a file, as files that the program writes name it.
#pragma once

namespace loom::document {

// "tileloom 0.1.0"
inline constexpr const char* kProgram = "tileloom " TILELOOM_VERSION;

}  // namespace loom::document
