#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/iteration_space/view/space.h"

namespace loom::session {

/// How the box is looked at. Its first axis points down, its second to the right, its third away from the viewer, so
/// that the corner of all zeros is in sight at first.
struct SpaceCamera {
  static constexpr float kYaw = 0.52F, kPitch = 0.46F, kMostPitch = 1.5F;  ///< radians
  float yaw = kYaw, pitch = kPitch;
  float zoom = 1;                     ///< of the user, times what brings a small piece near
  float explode = 0;                  ///< gaps, in sizes of the pieces
  std::array<std::int64_t, 3> cut{};  ///< what lies before along each axis is taken away
  friend bool operator==(const SpaceCamera&, const SpaceCamera&) = default;
};

/// Turns by a drag of so many px, and keeps the top up.
void turn(SpaceCamera& camera, float right, float down);

/// A box in the world: x right, y up, z to the viewer, the whole box of side 1 around the origin.
struct SceneBox {
  enum class Role : std::uint8_t {
    kVeil,    ///< what is not chosen at an outer level
    kPiece,   ///< of the level that is shown
    kChosen,  ///< the chosen piece of it
  };
  std::array<float, 3> from{}, to{};
  Role role = Role::kVeil;
  std::uint8_t hidden = 0;  ///< a bit for each axis of the world along which the face to the viewer is covered
  int level = -1;           ///< that it is a piece of; -1: the whole
  std::int64_t child = 0;   ///< the first that it stands for
};

/// What is to be drawn, and from where.
struct SpaceScene {
  std::vector<SceneBox> boxes;  ///< farthest first: each may cover those before it
  std::array<float, 9> rotation{};
  std::array<float, 3> centre{};
  float radius = 1;     ///< of a sphere around the centre that the picture should show
  arith::Cuboid range;  ///< what fills the picture: the box, or the piece that is cut when it came near
  std::array<std::array<float, 3>, 8> corners{};  ///< of the range in the world; a bit for each axis' end

  /// World to the picture: x right, y up in world units from the picture's middle, z to the viewer.
  std::array<float, 3> seen(const std::array<float, 3>& world) const;
  /// The nearest box under a place of the picture; -1: none.
  int at(float x, float y) const;
};

/// Of the view's cuts down to `level` (-1: none). A pure function; some 0.1 ms for a thousand pieces.
SpaceScene sceneOf(const IterationSpace& space, const IterationView& view, int level, const SpaceCamera& camera);

}  // namespace loom::session
