// What a primitive needs besides the program. It is passed as an argument and is never global.
#pragma once

namespace loom::intrin {
class Library;
}

namespace loom::schedule {

// What primitives need besides the state.
struct Environment {
  const intrin::Library* intrinsics = nullptr;  // tensor intrinsics by name, used during calls; null: none are known
};

}  // namespace loom::schedule
