#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>

namespace loom::window {

/// Remembers what the frame that is on the screen was drawn from, as a hash, so that a frame that would look the same
/// isn't drawn again: where the processor draws, drawing costs ten times what building a frame does.
class DrawnFrame {
 public:
  /// Returns whether `data`, drawn over a ground of colour `clear` (0xRRGGBB), differs from what was given last, and
  /// remembers it. The first frame differs. Two frames that differ are taken for alike with a chance of 2⁻⁶⁴.
  bool differs(const ImDrawData& data, unsigned clear);
  /// Says that what is on the screen is lost: the next frame differs.
  void forget() { hash_.reset(); }

 private:
  std::optional<std::uint64_t> hash_;  // empty: nothing is on the screen
};

}  // namespace loom::window
