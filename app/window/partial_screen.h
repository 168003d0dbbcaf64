#pragma once

#include <memory>

#include "app/window/shapes.h"

namespace loom::window {

/// Whether the thread's OpenGL context is drawn by Mesa on the processor.
bool processorDraws();

/// Puts parts of what was drawn on the screen, and leaves what was drawn in place: the next frame needs to draw only
/// what changed. (Exchanging buffers leaves nothing of the kind.) Of the thread's OpenGL context.
class PartialScreen {
 public:
  /// Null where frames are better drawn whole: by a GPU, or on a display that can't (GLX_MESA_copy_sub_buffer).
  static std::unique_ptr<PartialScreen> ofThisContext();

  /// To be called before a frame is compared; `whole`: all pixels of the window. Whether all of it must be drawn: the
  /// window has another size, and what was drawn in the old one is lost.
  bool follow(const Area& whole);
  /// Whether this frame is shown by parts. Otherwise it must be drawn whole and the buffers exchanged.
  bool keeps() const { return exchanges_ == 0; }
  /// Returns when the processor has drawn them.
  void show(const Area& area) const;

 private:
  using CopySubBuffer = void (*)(void* display, unsigned long drawable, int x, int y, int width, int height);

  PartialScreen(CopySubBuffer copy, void* display, unsigned long drawable)
      : copy_(copy), display_(display), drawable_(drawable) {}

  CopySubBuffer copy_;
  void* display_;           // Display*
  unsigned long drawable_;  // GLXDrawable
  Area whole_;
  // Mesa's software renderer learns a window's size when buffers are exchanged, and the frame after that has it.
  static constexpr int kExchanges = 3;
  int exchanges_ = kExchanges;  // still to be made
  bool kept_ = false;           // whether the last frame was shown by parts
};

}  // namespace loom::window
