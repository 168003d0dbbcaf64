// T.launch_thread, which lowered programs use for a loop that is bound to a thread axis. Its body is all statements
// that follow. It means the same as T.thread_binding and differs only in its text.
#pragma once
#include "core/ir/stmt.h"

namespace loom::script {

// The key of the annotation that marks a loop written as T.launch_thread; the annotation isn't printed.
inline constexpr const char* kLaunchThread = "tileloom.launch_thread";

inline bool isLaunchThread(const ir::ForNode& loop) { return loop.annotations.contains(kLaunchThread); }

}  // namespace loom::script
