#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loom::views {

/// How bright the faces across x, y and z are.
constexpr float kFaceShade[3] = {0.80F, 1.0F, 0.90F};

/// Axis-aligned boxes in world coordinates with flat faces and lines along their edges.
struct Box {
  std::array<float, 3> from{}, to{};
  std::uint32_t fill = 0, edge = 0;  ///< as ImU32
  std::uint8_t hidden = 0;           ///< a bit for each axis along which the face to the viewer need not be drawn
  friend bool operator==(const Box&, const Box&) = default;
};

/// The orthographic view of the boxes: direction, position and scale.
struct BoxView {
  std::array<float, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< world to view, by rows: x right, y up, z to the viewer
  std::array<float, 3> centre{};                             ///< world point in the middle of the picture
  float pixels = 100;                                        ///< px per world unit
  float depth = 2;                                           ///< what is nearer or farther from the centre is cut off
  float line = 1;                                            ///< half the width of an edge, px
  int width = 1, height = 1;                                 ///< px
  bool smooth = true;                                        ///< four samples a pixel
  std::uint32_t ground = 0;                                  ///< as ImU32
  friend bool operator==(const BoxView&, const BoxView&) = default;
};

/// A picture of boxes. Every new picture has another texture than the one before, so that whoever compares draw lists
/// sees the change.
class BoxPicture {
 public:
  BoxPicture();
  /// Makes a picture with the texts of other shaders.
  BoxPicture(std::string vertex, std::string fragment);
  ~BoxPicture();
  BoxPicture(const BoxPicture&) = delete;
  BoxPicture& operator=(const BoxPicture&) = delete;

  /// Draws `lit` solid, and `veiled` around them: where one of these lies before a lit one, that shines through. Both
  /// nearest first. False when the driver refused something: then `problem` says what.
  bool draw(std::span<const Box> lit, std::span<const Box> veiled, const BoxView& view);
  /// Draws two boxes that nobody sees, in each way: the driver compiles for it, which the first picture would wait for.
  void warm();
  /// Waits until the last picture is there: to measure.
  static void finish();
  /// Pixels of all faces of the last picture, those that others cover included: what it costs where the processor
  /// draws, 20 ms a million.
  float area() const { return area_; }
  /// Returns the last picture, its rows from the bottom up.
  ImTextureID texture() const { return ImTextureID(textures_[std::size_t(front_)]); }
  const std::optional<std::string>& problem() const { return problem_; }
  /// Pictures drawn so far.
  int drawn() const { return drawn_; }

 private:
  bool prepare();
  bool allocate(int width, int height, bool smooth);
  void release();
  unsigned compile(unsigned kind, const std::string& text);

  std::string vertex_, fragment_;
  std::optional<std::string> problem_;
  bool prepared_ = false;
  unsigned program_ = 0, array_ = 0, buffer_ = 0;
  std::array<unsigned, 2> textures_{}, targets_{};  ///< drawn in turns
  unsigned samples_ = 0, sampleColour_ = 0, sampleDepth_ = 0, depth_ = 0;
  int width_ = 0, height_ = 0, front_ = 0, drawn_ = 0;
  bool smooth_ = false;
  float area_ = 0;
  struct Corner {
    std::array<float, 3> place{};
    std::array<float, 4> side{};
    std::uint32_t fill = 0, edge = 0;
  };
  void add(const Box& box, const BoxView& view);
  std::vector<Corner> corners_;
};

}  // namespace loom::views
