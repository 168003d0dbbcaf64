#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/iteration_space/view/space.h"

namespace loom::session {

/// The picture of an IterationSpace, which shows the iterations of one block of the program as a box of three axes. The
/// box is partitioned level by level; a level is a group of loops. A level partitions the box, or the child that is
/// chosen at the level before, into children; a piece is one child, or several neighbouring ones drawn as one.

/// From where the box is looked at. Without rotation the box's first axis points down, the second to the right and the
/// third away from the viewer; with the default rotation the corner of all zeros faces the viewer.
struct SpaceCamera {
  static constexpr float kYaw = 0.52F, kPitch = 0.46F, kMostPitch = 1.5F;  ///< radians
  float yaw = kYaw, pitch = kPitch;                                        ///< radians; |pitch| is at most kMostPitch
  float zoom = 1;                     ///< the user's magnification; the scene has a further one for small pieces
  float explode = 0;                  ///< pieces are moved apart so that their centres are 1 + explode times as far
                                      ///< from each other
  std::array<std::int64_t, 3> cut{};  ///< iterations with a smaller coordinate along an axis are not drawn
  friend bool operator==(const SpaceCamera&, const SpaceCamera&) = default;
};

/// Rotates the camera as a drag by `right` and `down` px to the right and down does. The pitch is clamped.
void turn(SpaceCamera& camera, float right, float down);

/// An axis-aligned box in world coordinates: x to the right, y up, z towards the viewer. The world is scaled so that
/// the longest axis of the iteration space has length 1, and the middle of the space is the origin. Short axes are
/// drawn longer than to scale, with a length of at least 0.16.
struct SceneBox {
  enum class Role : std::uint8_t {
    kVeil,    ///< a piece that wasn't chosen at a level before the one that is shown; drawn in a faint colour
    kPiece,   ///< a piece of the level that is shown
    kChosen,  ///< the chosen piece of the level that is shown
  };
  std::array<float, 3> from{}, to{};
  Role role = Role::kVeil;
  /// Bit d: of the two faces across world axis d (x, y, z), a neighbour covers the one on the viewer's side.
  std::uint8_t hidden = 0;
  int level = -1;          ///< index into IterationSpace::levels; -1 if the box is the whole iteration space
  std::int64_t child = 0;  ///< number of the first child, at that level, that the box stands for
};

/// The boxes to draw and the projection to draw them with.
struct SpaceScene {
  std::vector<SceneBox> boxes;      ///< farthest first: each may cover those before it
  std::array<float, 9> rotation{};  ///< matrix from world to view coordinates, row by row
  std::array<float, 3> centre{};    ///< the world point in the middle of the picture
  /// Radius, in world units, of the sphere around `centre` that the picture should show: the drawing code makes this
  /// length about half the picture's shorter side. It is already divided by SpaceCamera::zoom.
  float radius = 1;
  /// The iterations that fill the picture if SpaceCamera::zoom is 1: the whole box, or the piece that the level shown
  /// partitions if that piece would be small.
  Cuboid range;
  /// World coordinates of the corners of `range`, with the room that SpaceCamera::explode adds; bit d of the index is
  /// set for its end along axis d of the iteration space (not of the world).
  std::array<std::array<float, 3>, 8> corners{};

  /// Returns a world point in view coordinates: x to the right and y up from the middle of the picture, z towards the
  /// viewer, all in world units.
  std::array<float, 3> seen(const std::array<float, 3>& world) const;
  /// Returns the index of the nearest box under a point of the picture, given in view coordinates; -1 if there is none.
  int at(float x, float y) const;
};

/// Returns the scene of the partitions in `view` down to `level`, or to the last that `view` has; -1 shows the box as
/// one piece. Boxes that can't be seen, because others cover them or the camera cuts them away, are left out. `view`
/// must be of `space`. A pure function; takes about 0.1 ms for a thousand pieces.
SpaceScene sceneOf(const IterationSpace& space, const IterationView& view, int level, const SpaceCamera& camera);

}  // namespace loom::session
