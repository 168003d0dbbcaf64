#include "app/panels/iteration_space/view/scene.h"

#include <algorithm>
#include <cmath>

namespace loom::session {

namespace {

using Vector = std::array<float, 3>;

constexpr float kRadiansPerPixel = 0.008F;
constexpr float kLeastSide = 0.16F;  // of the longest, so that short axes are seen
constexpr float kNear = 0.36F;       // of the picture's radius: how large a piece is at least that is cut further

// The axes' lengths in the world, and which way each one goes: (down, right, away).
struct Frame {
  Vector side{};  // by axis of the box
  explicit Frame(const IterationSpace& space) {
    float longest = 1;
    for (const SpaceAxis& axis : space.axes()) longest = std::max(longest, float(axis.extent));
    for (std::size_t d = 0; d < 3; ++d) side[d] = std::max(kLeastSide, float(space.axes()[d].extent) / longest);
  }
  // Of a point of the box, given as shares of its extents.
  Vector world(const Vector& share) const {
    return {(share[1] - 0.5F) * side[1], -(share[0] - 0.5F) * side[0], -(share[2] - 0.5F) * side[2]};
  }
};

std::array<float, 9> rotationOf(const SpaceCamera& camera) {
  const float cy = std::cos(camera.yaw), sy = std::sin(camera.yaw), cp = std::cos(camera.pitch),
              sp = std::sin(camera.pitch);
  return {cy, 0, sy, sp * sy, cp, -sp * cy, -cp * sy, sp, cp * cy};
}

Vector apply(const std::array<float, 9>& m, const Vector& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

Vector middle(const Cuboid& c, const std::array<SpaceAxis, 3>& axes) {
  Vector out{};
  for (std::size_t d = 0; d < 3; ++d) out[d] = float(c.from[d] + c.to[d]) / 2 / float(axes[d].extent);
  return out;
}

Vector plus(Vector a, const Vector& b, const Vector& minus, float times) {
  for (std::size_t d = 0; d < 3; ++d) a[d] += times * (b[d] - minus[d]);
  return a;
}

class SceneBuilder {
 public:
  SceneBuilder(const IterationSpace& space, const IterationView& view, std::size_t shown, const SpaceCamera& camera,
               SpaceScene& scene)
      : space_(space), view_(view), shown_(shown), camera_(camera), frame_(space), scene_(scene) {
    // Which way along an axis leads away from the viewer.
    const auto& m = scene.rotation;
    away_ = {m[7] > 0, m[6]<0, m[8]> 0};
    solid_ = camera.explode == 0;
    for (std::size_t l = 0; l < shown; ++l) solid_ = solid_ && view.partitions[l].fills;
  }

  void whole() {
    Cuboid all;
    for (std::size_t d = 0; d < 3; ++d) all.to[d] = space_.axes()[d].extent;
    add(all, {}, SceneBox::Role::kPiece, -1, 0, all);
  }

  // The pieces of a level in the chosen piece of the one before, farthest first; in its place, the chosen one's own.
  void level(std::size_t l, const Vector& shift, const Cuboid& parent) {
    const Partition& cut = view_.partitions[l];
    const bool last = l + 1 == shown_;
    struct Part {
      Cuboid box;
      const PartitionPart* piece;
    };
    std::vector<Part> parts;
    const bool opened = !last && !cut.chosenPart.parts.empty();
    for (const PartitionPart& piece : cut.pieces) {
      const bool mine = cut.chosen >= piece.first && cut.chosen < piece.first + piece.count;
      if (mine && (opened || piece.count == 1)) continue;
      for (const Cuboid& part : piece.parts) parts.push_back({part, &piece});
    }
    const Cuboid hole = cut.chosenPart.bounds;
    if (opened) parts.push_back({hole, nullptr});
    if (!opened) {
      for (const Cuboid& part : cut.chosenPart.parts) parts.push_back({part, &cut.chosenPart});
    }
    std::sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
      for (std::size_t d = 0; d < 3; ++d) {
        if (a.box.from[d] != b.box.from[d]) return (a.box.from[d] > b.box.from[d]) == away_[d];
      }
      return false;
    });
    const Vector origin = middle(parent, space_.axes());
    for (const Part& part : parts) {
      const Cuboid& bounds = part.piece ? part.piece->bounds : hole;
      const Vector moved = plus(shift, middle(bounds, space_.axes()), origin, camera_.explode);
      if (!part.piece) {
        level(l + 1, moved, hole);
        continue;
      }
      using Role = SceneBox::Role;
      add(part.box, moved,
          !last                           ? Role::kVeil
          : part.piece == &cut.chosenPart ? Role::kChosen
                                          : Role::kPiece,
          int(l), part.piece->first, parent);
    }
  }

 private:
  void add(Cuboid part, const Vector& shift, SceneBox::Role role, int level, std::int64_t child, const Cuboid& parent) {
    Vector from{}, to{};
    for (std::size_t d = 0; d < 3; ++d) {
      part.from[d] = std::max(part.from[d], camera_.cut[d]);
      if (part.from[d] >= part.to[d]) return;
      const auto extent = float(space_.axes()[d].extent);
      from[d] = float(part.from[d]) / extent + shift[d];
      to[d] = float(part.to[d]) / extent + shift[d];
    }
    const Vector a = frame_.world(from), b = frame_.world(to);
    SceneBox box;
    for (std::size_t d = 0; d < 3; ++d) {
      box.from[d] = std::min(a[d], b[d]);
      box.to[d] = std::max(a[d], b[d]);
    }
    if (solid_) {
      // Veils are seen at the box's surface; lit pieces through them, at the surface of what is cut.
      const bool veil = role == SceneBox::Role::kVeil;
      constexpr int kWorldAxis[3] = {1, 0, 2};
      for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t low = std::max(veil ? 0 : parent.from[d], camera_.cut[d]);
        const std::int64_t high = veil ? space_.axes()[d].extent : parent.to[d];
        const bool surface = away_[d] ? part.from[d] <= low : part.to[d] >= high;
        if (!surface) box.hidden |= std::uint8_t(1 << kWorldAxis[d]);
      }
      if (box.hidden == 7) return;
    }
    box.role = role;
    box.level = level;
    box.child = child;
    scene_.boxes.push_back(box);
  }

  const IterationSpace& space_;
  const IterationView& view_;
  std::size_t shown_;  // levels
  const SpaceCamera& camera_;
  Frame frame_;
  SpaceScene& scene_;
  std::array<bool, 3> away_{};
  bool solid_ = false;  // nothing can be seen between the pieces
};

}  // namespace

void turn(SpaceCamera& camera, float right, float down) {
  camera.yaw = std::remainder(camera.yaw + right * kRadiansPerPixel, 6.2831853F);
  camera.pitch = std::clamp(camera.pitch + down * kRadiansPerPixel, -SpaceCamera::kMostPitch, SpaceCamera::kMostPitch);
}

Vector SpaceScene::seen(const Vector& world) const {
  return apply(rotation, {world[0] - centre[0], world[1] - centre[1], world[2] - centre[2]});
}

int SpaceScene::at(float x, float y) const {
  // A line of sight: origin + t · direction, t growing to the viewer.
  const auto& m = rotation;
  Vector origin{}, direction{};
  for (std::size_t d = 0; d < 3; ++d) {
    origin[d] = centre[d] + m[d] * x + m[3 + d] * y;
    direction[d] = m[6 + d];
  }
  int found = -1;
  float best = -1e30F;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    float enter = -1e30F, leave = 1e30F;
    for (std::size_t d = 0; d < 3; ++d) {
      if (std::abs(direction[d]) < 1e-6F) {
        if (origin[d] < boxes[i].from[d] || origin[d] > boxes[i].to[d]) leave = -2e30F;
        continue;
      }
      const float a = (boxes[i].from[d] - origin[d]) / direction[d], b = (boxes[i].to[d] - origin[d]) / direction[d];
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    if (enter > leave || leave < best) continue;
    best = leave;
    found = int(i);
  }
  return found;
}

SpaceScene sceneOf(const IterationSpace& space, const IterationView& view, int level, const SpaceCamera& camera) {
  SpaceScene scene;
  scene.rotation = rotationOf(camera);
  const auto shown = std::size_t(std::clamp(level + 1, 0, int(view.partitions.size())));
  SceneBuilder builder(space, view, shown, camera, scene);
  Cuboid all;
  for (std::size_t d = 0; d < 3; ++d) all.to[d] = space.axes()[d].extent;
  if (shown == 0) {
    builder.whole();
  } else {
    builder.level(0, {}, all);
  }
  const Frame frame(space);
  // Only where there is more than one piece along an axis does exploding need room.
  Vector spread{1, 1, 1};
  for (std::size_t l = 0; l < shown; ++l) {
    for (std::size_t d = 0; d < 3; ++d)
      if (view.partitions[l].across[d] != 1) spread[d] = 1 + camera.explode;
  }
  auto radiusOf = [&](const Cuboid& c) {
    float sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const float side = float(c.to[d] - c.from[d]) / float(space.axes()[d].extent) * frame.side[d] * spread[d];
      sum += side * side;
    }
    return std::sqrt(sum) / 2;
  };
  // The piece that is cut at the level that is shown comes near when it would be small.
  Vector shift{};
  Cuboid parent = all;
  for (std::size_t l = 0; l + 1 < shown && !view.partitions[l].chosenPart.parts.empty(); ++l) {
    const Cuboid& lit = view.partitions[l].chosenPart.bounds;
    shift = plus(shift, middle(lit, space.axes()), middle(parent, space.axes()), camera.explode);
    parent = lit;
  }
  scene.range = all;
  scene.radius = radiusOf(all);
  Vector at{0.5F, 0.5F, 0.5F};
  if (const float wanted = radiusOf(parent) / kNear; wanted < 0.75F * scene.radius) {
    scene.radius = wanted;
    scene.range = parent;
    at = plus(shift, middle(parent, space.axes()), {}, 1);
  }
  scene.centre = frame.world(at);
  scene.radius /= std::max(0.05F, camera.zoom);
  for (std::size_t corner = 0; corner < 8; ++corner) {
    Vector share{};
    for (std::size_t d = 0; d < 3; ++d) {
      const float half = float(scene.range.to[d] - scene.range.from[d]) / float(space.axes()[d].extent) / 2;
      share[d] = at[d] + half * spread[d] * ((corner >> d & 1) != 0 ? 1.0F : -1.0F);
    }
    scene.corners[corner] = frame.world(share);
  }
  return scene;
}

}  // namespace loom::session
