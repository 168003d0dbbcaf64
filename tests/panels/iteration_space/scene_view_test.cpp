#include "app/panels/iteration_space/view/scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/document/target.h"
#include "tests/model/programs.h"

namespace loom::session::iteration_space_scene_view_test {
namespace {

using testing::SizeIs;
using Role = SceneBox::Role;

struct Shown {
  std::shared_ptr<const IterationSpace> space;
  IterationView view;
};

const Shown& tensorCore() {
  static const Shown shown = [] {
    const std::string path = "tests/oracle/cases/lessons/tensorcore";
    const auto replay = model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py"));
    auto start = schedule::State::create(*script::parseModule(model::readText(path + ".func.py"), "test.py"));
    auto space = IterationSpace::of(*start, replay.last, LoopNest{});
    auto view = (*space)->view({27, 5}, 99);
    return Shown{*space, *view};
  }();
  return shown;
}

SpaceScene scene(int level, const SpaceCamera& camera = {}) {
  return sceneOf(*tensorCore().space, tensorCore().view, level, camera);
}

std::ptrdiff_t count(const SpaceScene& scene, Role role) {
  return std::count_if(scene.boxes.begin(), scene.boxes.end(), [&](const SceneBox& box) { return box.role == role; });
}

const SceneBox& chosen(const SpaceScene& scene) {
  return *std::find_if(scene.boxes.begin(), scene.boxes.end(),
                       [](const SceneBox& box) { return box.role == Role::kChosen; });
}

double volume(const SpaceScene& scene) {
  double sum = 0;
  for (const SceneBox& b : scene.boxes) {
    sum += double(b.to[0] - b.from[0]) * double(b.to[1] - b.from[1]) * double(b.to[2] - b.from[2]);
  }
  return sum;
}

TEST(SpaceScene, TheChosenBlockIsCutFurtherAndTheOthersVeiled) {
  EXPECT_THAT(scene(-1).boxes, SizeIs(1));
  const SpaceScene blocks = scene(0);
  EXPECT_EQ(count(blocks, Role::kPiece), 63) << "each reaches the surface";
  EXPECT_EQ(count(blocks, Role::kChosen), 1);
  const SpaceScene warps = scene(1);
  EXPECT_EQ(count(warps, Role::kVeil), 63);
  EXPECT_EQ(count(warps, Role::kPiece), 15);
  EXPECT_EQ(count(warps, Role::kChosen), 1);
  for (int level = -1; level < 3; ++level) EXPECT_NEAR(volume(scene(level)), 1, 1e-4) << "pieces fill the box, once";
  for (const SceneBox& box : warps.boxes) {
    const bool front = std::abs(box.to[2] - 0.5F) < 1e-5F;
    EXPECT_EQ((box.hidden >> 2 & 1) == 0, front) << "what others cover is left out";
  }
}

TEST(SpaceScene, FartherBoxesComeBeforeTheNearer) {
  for (const float yaw : {0.4F, 2.0F, -1.1F, 3.0F}) {
    for (const float pitch : {0.5F, -0.7F}) {
      SpaceCamera camera;
      camera.yaw = yaw;
      camera.pitch = pitch;
      const SpaceScene made = scene(1, camera);
      // Of two boxes that a plane between them parts, the one on the viewer's side comes later.
      const auto& m = made.rotation;
      for (std::size_t a = 0; a < made.boxes.size(); a += 3) {
        for (std::size_t b = a + 1; b < made.boxes.size(); b += 5) {
          bool farther = false, nearer = false;
          for (std::size_t d = 0; d < 3; ++d) {
            const bool low = made.boxes[a].to[d] <= made.boxes[b].from[d] + 1e-6F;
            const bool high = made.boxes[b].to[d] <= made.boxes[a].from[d] + 1e-6F;
            farther |= (low && m[6 + d] > 0) || (high && m[6 + d] < 0);
            nearer |= (low && m[6 + d] < 0) || (high && m[6 + d] > 0);
          }
          EXPECT_TRUE(farther || !nearer) << "yaw " << yaw << ": box " << a << " covers box " << b;
        }
      }
    }
  }
}

TEST(SpaceScene, ExplodedPiecesNeverOverlap) {
  SpaceCamera camera;
  camera.explode = 0.7F;
  const SpaceScene made = scene(2, camera);
  EXPECT_NEAR(volume(made), 1, 1e-4);
  for (std::size_t a = 0; a < made.boxes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      bool apart = false;
      for (std::size_t d = 0; d < 3; ++d) {
        apart |= made.boxes[a].to[d] <= made.boxes[b].from[d] + 1e-5F ||
                 made.boxes[b].to[d] <= made.boxes[a].from[d] + 1e-5F;
      }
      EXPECT_TRUE(apart) << a << " and " << b;
    }
  }
}

TEST(SpaceScene, ACutTakesAwayWhatLiesBefore) {
  SpaceCamera camera;
  camera.cut = {512, 0, 256};
  EXPECT_NEAR(volume(scene(0, camera)), 0.5 * 0.75, 1e-4);
  camera.cut = {1024, 0, 0};
  EXPECT_THAT(scene(0, camera).boxes, SizeIs(0));
}

TEST(SpaceScene, WhatIsPointedAtIsTheNearest) {
  const SpaceScene made = scene(0);
  // The middle of the front of block 27, the fourth row's fourth: what is seen there is that block.
  const SceneBox& box = chosen(made);
  const std::array<float, 3> front = {(box.from[0] + box.to[0]) / 2, (box.from[1] + box.to[1]) / 2, box.to[2]};
  const auto seen = made.seen(front);
  const int at = made.at(seen[0], seen[1]);
  ASSERT_GE(at, 0);
  EXPECT_EQ(made.boxes[std::size_t(at)].child, 27);
  EXPECT_EQ(made.at(5, 5), -1);
}

TEST(SpaceScene, ASmallPieceComesNear) {
  EXPECT_FLOAT_EQ(scene(2).radius, scene(0).radius) << "a warp's part is as long as the box";
  const SpaceScene near = scene(4);
  EXPECT_LT(near.radius, scene(0).radius / 5);
  EXPECT_EQ(near.range, tensorCore().view.partitions[3].chosenPart.bounds);
  const auto middle = near.seen(near.centre);
  EXPECT_NEAR(middle[0], 0, 1e-5);
  EXPECT_NEAR(middle[1], 0, 1e-5);
}

TEST(SpaceCamera, TurnsButNeverUpsideDown) {
  SpaceCamera camera;
  turn(camera, 100000, 100000);
  EXPECT_LE(camera.pitch, SpaceCamera::kMostPitch);
  EXPECT_LE(std::abs(camera.yaw), 3.2F);
  turn(camera, 0, -100000);
  EXPECT_GE(camera.pitch, -SpaceCamera::kMostPitch);
}

}  // namespace
}  // namespace loom::session::iteration_space_scene_view_test
