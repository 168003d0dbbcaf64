#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/window/shapes.h"

namespace loom::window {

/// Remembers of the frame that is on the screen, for each tile of it, what was drawn there, to tell where the next one
/// looks different: what looks the same isn't drawn again. Where the processor draws, drawing costs five times what
/// building a frame and comparing it do.
class DrawnFrame {
 public:
  /// Where `data`, over a ground of colour `clear`, looks other than what was given last: areas that don't overlap, at
  /// most `kMostAreas`. Remembers it. Two frames that differ in a tile are taken for alike with a chance of 2⁻⁶⁴.
  std::vector<Area> changes(const ImDrawData& data, unsigned clear);
  /// Whether it looks other at all, for those who draw frames whole: a tenth of what `changes` costs. A frame is to be
  /// given to one of the two.
  bool differs(const ImDrawData& data, unsigned clear);
  /// What is on the screen is lost: all of the next frame differs.
  void forget() { tiles_.clear(), hash_.reset(); }

  static constexpr int kTile = 32;  ///< px; smaller ones cost more to compare than they save to draw
  static constexpr int kMostAreas = 12;

 private:
  Area whole_;
  std::optional<std::uint64_t> hash_;  // of all
  std::vector<std::uint64_t> tiles_;   // a hash of all that reaches a tile, in its order; row by row
};

}  // namespace loom::window
