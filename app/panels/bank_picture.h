#pragma once

#include "app/workbench/thread_binding.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// How high a wavefront of the request is drawn, so that all of them have room: two requests of one height can be held
/// against each other as times.
float wavefrontHeight(const window::Look& look, const workbench::RequestPicture& request);

/// The replay of a shared memory request: across the 32 banks, down one wavefront after the other, `height` each; lit
/// where a bank gives a word, in red the wavefronts that only a conflict makes. Right of lanes that go together stands
/// how many ways they conflict.
///
///         0       8       16      24     31
///        ┌████████        ·       ·       ·┐ 4×
///        │████████                         │
///        │████████                         │
///        └████████─────────────────────────┘
///
void banks(const window::Look& look, const char* id, const workbench::RequestPicture& request, float width,
           float height);

}  // namespace loom::panels::pictures
