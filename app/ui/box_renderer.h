#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loom::views {

/// The factor, 0 to 1, by which the renderer darkens the colour of faces perpendicular to x, y and z.
constexpr float kFaceShade[3] = {0.80F, 1.0F, 0.90F};

/// An axis-aligned box in world coordinates with flat faces and lines along its edges.
struct Box {
  std::array<float, 3> from{}, to{};  ///< the corners with the least and the greatest x, y and z
  std::uint32_t fill = 0, edge = 0;   ///< opaque colours of the faces and of the edges, as ImU32
  /// Bits 0, 1, 2: the face perpendicular to x, y, z that looks at the viewer isn't drawn.
  std::uint8_t hidden = 0;
  friend bool operator==(const Box&, const Box&) = default;
};

/// The orthographic view of the boxes: direction, position and scale.
struct BoxView {
  std::array<float, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< world to view, by rows: x right, y up, z to the viewer
  std::array<float, 3> centre{};                             ///< world point in the middle of the picture
  float pixels = 100;                                        ///< px per world unit
  float depth = 2;            ///< world units before and behind the centre that are drawn; the rest is clipped
  float line = 1;             ///< half the width of an edge, px
  int width = 1, height = 1;  ///< size of the picture, px
  bool smooth = true;         ///< whether four samples a pixel smooth the edges
  std::uint32_t ground = 0;   ///< colour of the background, as ImU32
  friend bool operator==(const BoxView&, const BoxView&) = default;
};

/// A renderer that draws pictures of boxes to textures by OpenGL. Two textures are used in turns, so that a comparison
/// of Dear ImGui draw lists notices a new picture. `draw`, `warm`, `finish` and the destructor need the same current
/// OpenGL context, 3.3 or later.
class BoxPicture {
 public:
  BoxPicture();
  /// Makes a renderer with the source texts of other vertex and fragment shaders, for tests.
  BoxPicture(std::string vertex, std::string fragment);
  ~BoxPicture();
  BoxPicture(const BoxPicture&) = delete;
  BoxPicture& operator=(const BoxPicture&) = delete;

  /// Draws a new picture: the boxes `lit` are solid; the boxes `veiled` are translucent where a lit box lies behind
  /// them, and solid elsewhere. In `veiled`, no box may cover one that comes before it in the list, or else the colour
  /// is wrong where they overlap; `lit` is drawn faster in such an order, but may have any. Both may be empty. Restores
  /// the framebuffer, the texture, the program and the viewport. Returns false if the driver refused something, now or
  /// in an earlier call; `problem` then says what, and `texture` may have no picture.
  bool draw(std::span<const Box> lit, std::span<const Box> veiled, const BoxView& view);
  /// Draws small pictures with and without smoothing, which nobody sees, so that the driver compiles its shaders before
  /// the first picture needs them. `drawn` is 0 afterwards, and `texture` is a picture of no use.
  void warm();
  /// Waits until the last picture is complete, for measurements.
  static void finish();
  /// Returns the area, in square px, of all faces of the last picture that look at the viewer, also of covered ones.
  /// With a software renderer a picture takes about 20 ms per million.
  float area() const { return area_; }
  /// Returns the last picture, its rows from the bottom up; 0 before the first one. It stays valid during one further
  /// `draw` of the same size.
  ImTextureID texture() const { return ImTextureID(textures_[std::size_t(front_)]); }
  /// Returns the driver's error; nothing if there was none.
  const std::optional<std::string>& problem() const { return problem_; }
  /// Returns how many pictures `draw` has drawn since the last `warm`.
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
