#pragma once

#include "app/panels/thread_binding/view/accesses.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// The position in the replay of a shared memory request, which shows its wavefronts one after the other. A wavefront
/// is one pass over the banks, in which each delivers at most one 4-byte word.
struct BankReplay {
  int wave = -1;         ///< index of the wavefront shown, in RequestPicture::wavefronts; −1: none
  bool playing = false;  ///< whether the replay moves on by itself
  double waited = 0;     ///< seconds since the replay came to that wavefront
};

/// Returns the height in px of one wavefront at which all wavefronts of the request together are at most 152 design px
/// (px at a scale of 1) high, but at least 3 and at most 14 design px. If two requests are drawn with the same height
/// per wavefront, their heights compare like the times that they take.
float wavefrontHeight(const window::Look& look, const session::RequestPicture& request);

/// Returns whether a picture with wavefronts of `height` names each row of ldmatrix by the lane that gives its address.
/// False for requests without such rows, and if `height` is too low for text.
bool namesRows(const window::Look& look, const session::RequestPicture& request, float height);

/// Draws a shared memory request: the 32 banks from left to right, and its wavefronts below each other, `height` px
/// each. A bank that delivers a word in a wavefront is lit; wavefronts that only exist because of a bank conflict are
/// red. To the right of each phase (the lanes that hardware serves together) stands its number of ways, "4×", if it
/// has a bank conflict. `id` is the ImGui id.
///
///      0       8       16      24     31
///     ┌████████        ·       ·       ·┐ 4×
///     │████████                         │
///     │████████                         │
///     └████████─────────────────────────┘
///
/// If `replay` isn't null, its wavefront is outlined, a row of the 32 lanes below shows which of them that wavefront
/// serves, and a click on a wavefront chooses it; a wavefront that the request lacks is set to −1 (none). The picture
/// is at most `width` px wide, unless 4 design px per bank, the least, take more.
void banks(const window::Look& look, const char* id, const session::RequestPicture& request, float width, float height,
           BankReplay* replay = nullptr);

/// Draws buttons to step through the wavefronts of a request or to play them one after the other, and a sentence on
/// what the chosen wavefront does. To be called after `banks` has been called with the same request and `replay` in
/// this frame. Returns true while the replay plays; the caller must then have another frame drawn.
bool drawReplay(const window::Look& look, const session::RequestPicture& request, float width, BankReplay& replay);

}  // namespace loom::panels::pictures
