#pragma once

#include "app/panels/thread_binding/view/accesses.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// The position in the replay of a request.
struct BankReplay {
  int wave = -1;  ///< of RequestPicture::wavefronts; −1: none
  bool playing = false;
  double waited = 0;  ///< s, since it came to that wavefront
};

/// Returns the height of a wavefront of the request, in px, at which all of them have room. Requests drawn with the
/// same height can be compared as times.
float wavefrontHeight(const window::Look& look, const session::RequestPicture& request);

/// Returns whether a picture with wavefronts of `height` names each row of ldmatrix by the lane that gives its address.
/// False for requests without such rows.
bool namesRows(const window::Look& look, const session::RequestPicture& request, float height);

/// Draws the replay of a shared memory request: across the 32 banks, one wavefront below the other, `height` px each. A
/// bank that gives a word is lit; wavefronts that only a conflict makes are red. At the right of lanes that go together
/// stands how many ways they conflict.
///
///      0       8       16      24     31
///     ┌████████        ·       ·       ·┐ 4×
///     │████████                         │
///     │████████                         │
///     └████████─────────────────────────┘
///
/// With a `replay` its wavefront is outlined, a row of the 32 lanes below shows whom it serves, and a click chooses
/// one.
void banks(const window::Look& look, const char* id, const session::RequestPicture& request, float width, float height,
           BankReplay* replay = nullptr);

/// Buttons to go through the wavefronts of a request, by hand or one after the other, and what the one chosen does.
/// Returns true while the replay plays: another frame is needed then.
bool drawReplay(const window::Look& look, const session::RequestPicture& request, float width, BankReplay& replay);

}  // namespace loom::panels::pictures
