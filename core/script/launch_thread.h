// T.launch_thread, as lowered programs have it: a loop bound to a thread axis whose body is the rest of the statements.
// It differs from T.thread_binding by its text only.
#pragma once
#include "core/ir/stmt.h"

namespace loom::script {

// The annotation that marks such a loop; nothing of it is printed.
inline constexpr const char* kLaunchThread = "tileloom.launch_thread";

inline bool isLaunchThread(const ir::ForNode& loop) { return loop.annotations.contains(kLaunchThread); }

}  // namespace loom::script
