#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>

namespace loom::window {

/// Remembers a hash of the draw lists of the frame that is on the screen, so that a frame that would look the same
/// isn't drawn again. What textures contain isn't looked at.
class DrawnFrame {
 public:
  /// Returns whether the frame `data`, drawn over the colour `clear` (0xRRGGBB), differs from the frame of the last
  /// call, and remembers it. The first frame differs. Two different frames are taken for the same with a chance of
  /// 2⁻⁶⁴.
  bool differs(const ImDrawData& data, unsigned clear);
  /// Forgets the last frame, because the screen no longer shows it: the next frame differs.
  void forget() { hash_.reset(); }

 private:
  std::optional<std::uint64_t> hash_;  // empty: nothing is on the screen
};

}  // namespace loom::window
