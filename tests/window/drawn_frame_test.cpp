#include "app/window/drawn_frame.h"

#include <dlfcn.h>
#include <glad/glad.h>
// After glad, which GLFW must not bring its own of.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include "app/window/host.h"
#include "tests/gui/bench.h"

extern "C" unsigned long glfwGetX11Window(GLFWwindow*);  // as GLFW/glfw3native.h has it, which needs X11's headers

namespace loom::window {
namespace {

constexpr int kTile = DrawnFrame::kTile;
constexpr unsigned kGround = 0x202020;

// Frames of one list on a window of 640 × 320 px.
struct Frames {
  Frames() : list(&shared) { shared.TexUvWhitePixel = ImVec2(0, 0); }

  std::vector<Area> next(const std::function<void(ImDrawList&)>& draw, unsigned clear = kGround) {
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {640, 320});
    draw(list);
    ImDrawData data;
    data.CmdLists.push_back(&list);
    data.DisplaySize = {640, 320};
    data.FramebufferScale = {1, 1};
    differs = whole.differs(data, clear);
    auto areas = drawn.changes(data, clear);
    EXPECT_TRUE(differs || areas.empty()) << "what differs in an area differs as a whole";
    return areas;
  }
  void forget() { drawn.forget(), whole.forget(); }

  ImDrawListSharedData shared;
  ImDrawList list;
  DrawnFrame drawn, whole;
  bool differs = false;  // the last frame, as a whole
};

Area tile(int column, int row) { return {column * kTile, row * kTile, (column + 1) * kTile, (row + 1) * kTile}; }

void box(ImDrawList& list, float x, float y, ImU32 colour = IM_COL32_WHITE) {
  list.AddRectFilled({x, y}, {x + 8, y + 8}, colour);
}

TEST(DrawnFrame, IsAllNewAtFirstAndAfterItsLossAndOnAnotherGround) {
  Frames frames;
  const std::vector<Area> whole{{0, 0, 640, 320}};
  auto draw = [](ImDrawList& list) { box(list, 4, 4); };
  EXPECT_EQ(frames.next(draw), whole);
  EXPECT_TRUE(frames.next(draw).empty());
  EXPECT_FALSE(frames.differs);
  frames.forget();
  EXPECT_EQ(frames.next(draw), whole);
  EXPECT_EQ(frames.next(draw, 0xffffff), whole);
}

TEST(DrawnFrame, ChangesWhereAShapeWasAndWhereItIs) {
  Frames frames;
  frames.next([](ImDrawList& list) { box(list, 4, 4); });
  const auto moved = frames.next([](ImDrawList& list) { box(list, 4 + 3 * kTile, 4); });
  EXPECT_EQ(moved, (std::vector<Area>{tile(0, 0), tile(3, 0)}));
}

TEST(DrawnFrame, ChangesWithColourOrderClipAndTexture) {
  Frames frames;
  auto change = [&](const std::function<void(ImDrawList&)>& draw) { return frames.next(draw).size(); };
  frames.next([](ImDrawList& list) { box(list, 4, 4); });
  EXPECT_EQ(change([](ImDrawList& list) { box(list, 4, 4, IM_COL32(9, 9, 9, 255)); }), 1U);
  auto two = [](ImDrawList& list, ImU32 below, ImU32 above) { box(list, 4, 4, below), box(list, 4, 4, above); };
  EXPECT_EQ(change([&](ImDrawList& list) { two(list, 0xff0000ff, 0xff00ff00); }), 1U);
  EXPECT_EQ(change([&](ImDrawList& list) { two(list, 0xff00ff00, 0xff0000ff); }), 1U);
  auto clipped = [](ImDrawList& list, float right) {
    list.PushClipRect({0, 0}, {right, 20});
    box(list, 4, 4);
    list.PopClipRect();
  };
  EXPECT_EQ(change([&](ImDrawList& list) { clipped(list, 20); }), 1U);
  EXPECT_EQ(change([&](ImDrawList& list) { clipped(list, 9); }), 1U);
  EXPECT_EQ(change([&](ImDrawList& list) { clipped(list, 9); }), 0U);
  auto textured = [](ImDrawList& list, ImTextureID texture) {
    list.PushTexture(ImTextureRef(texture));
    box(list, 4, 4);
    list.PopTexture();
  };
  EXPECT_EQ(change([&](ImDrawList& list) { textured(list, 5); }), 1U);
  EXPECT_EQ(change([&](ImDrawList& list) { textured(list, 6); }), 1U);
}

// A callback may set how all that follows is drawn.
TEST(DrawnFrame, ChangesAsAWholeWithACallback) {
  Frames frames;
  frames.next([](ImDrawList& list) { box(list, 4, 4); });
  const auto all = frames.next([](ImDrawList& list) {
    list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
    box(list, 4, 4);
  });
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], (Area{0, 0, 640, 320}));
}

TEST(DrawnFrame, HasFewAreasThatDoNotOverlapAndHoldEveryChange) {
  std::mt19937 random(3);
  Frames frames;
  frames.next([](ImDrawList&) {});
  for (int run = 0; run < 60; ++run) {
    frames.next([](ImDrawList&) {});
    std::vector<std::pair<int, int>> places(1 + random() % 60);
    for (auto& p : places) p = {int(random() % 20), int(random() % 10)};
    const auto areas = frames.next([&](ImDrawList& list) {
      for (auto [column, row] : places) box(list, float(column * kTile + 5), float(row * kTile + 5));
    });
    EXPECT_LE(areas.size(), std::size_t(DrawnFrame::kMostAreas));
    for (std::size_t a = 0; a < areas.size(); ++a) {
      for (std::size_t b = a + 1; b < areas.size(); ++b) EXPECT_FALSE(areas[a].meets(areas[b]));
    }
    for (auto [column, row] : places) {
      EXPECT_TRUE(std::any_of(areas.begin(), areas.end(),
                              [&](const Area& a) { return tile(column, row).within(a) == tile(column, row); }))
          << column << " " << row;
    }
  }
}

// --- on a screen ----------------------------------------------------------------------------------------------------

using Pixels = std::vector<std::uint8_t>;  // red, green, blue, rows from the bottom

Pixels drawn(int width, int height) {
  Pixels rgb(std::size_t(width) * std::size_t(height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
  return rgb;
}

// What the X server shows of the window, by the functions' names: no header of X11 is needed to build.
Pixels shown(int width, int height) {
  using Name = unsigned long;
  constexpr int kZPixmap = 2;
  void* library = dlopen("libX11.so.6", RTLD_NOW);
  const auto get =
      reinterpret_cast<void* (*)(void*, Name, int, int, unsigned, unsigned, Name, int)>(dlsym(library, "XGetImage"));
  const auto pixel = reinterpret_cast<unsigned long (*)(void*, int, int)>(dlsym(library, "XGetPixel"));
  const auto destroy = reinterpret_cast<int (*)(void*)>(dlsym(library, "XDestroyImage"));
  void* display = reinterpret_cast<void* (*)()>(glfwGetProcAddress("glXGetCurrentDisplay"))();
  const Name window = glfwGetX11Window(glfwGetCurrentContext());
  void* image = get(display, window, 0, 0, unsigned(width), unsigned(height), ~Name{0}, kZPixmap);
  Pixels rgb;
  for (int y = height - 1; y >= 0; --y) {
    for (int x = 0; x < width; ++x) {
      const unsigned long at = pixel(image, x, y);
      for (int shift : {16, 8, 0}) rgb.push_back(std::uint8_t(at >> shift & 0xff));
    }
  }
  destroy(image);
  return rgb;
}

void drawRandomShapes(std::uint32_t seed) {
  std::mt19937 random(seed);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  auto number = [&](int below) { return float(random() % unsigned(below)) + float(random() % 4) / 4; };
  for (int i = 0; i < 120; ++i) {
    const ImVec2 at{number(400), number(300)};
    const ImU32 colour = IM_COL32(random() % 256, random() % 256, random() % 256, 60 + random() % 196);
    const bool clips = random() % 4 == 0;
    if (clips) list.PushClipRect({at.x + 1.6F, at.y + 2.3F}, {at.x + 40.7F, at.y + 22.4F}, true);
    switch (random() % 5) {
      case 0: list.AddRectFilled(at, {at.x + number(90), at.y + number(40)}, colour, number(9)); break;
      case 1: list.AddLine(at, {number(400), number(300)}, colour, 1 + number(3)); break;
      case 2: list.AddCircleFilled(at, number(40), colour); break;
      case 3: list.AddText(at, colour, "for i0, j0 in T.grid(64, 64):"); break;
      default: list.AddTriangleFilled(at, {number(400), number(300)}, {number(400), number(300)}, colour);
    }
    if (clips) list.PopClipRect();
  }
  // Most of a frame stays as it is.
  const float x = float(seed * 37 % 300);
  list.AddRectFilled({x, 250}, {x + 50, 280}, IM_COL32(255, 255, 0, 128));
}

TEST(PartialFrames, ShowWhatAWholeFrameShows) {
  HostOptions options;
  options.width = 400, options.height = 300, options.waitForScreen = false;
  auto host = Host::open(options);
  ASSERT_TRUE(host.has_value()) << host.error().message.english();
  if ((*host)->waitsForScreen()) GTEST_SKIP() << "this display draws whole frames only";
  auto frame = [&](std::uint32_t picture, std::uint32_t mark, Image* out) {
    (*host)->waitForEvents(0);
    (*host)->beginFrame();
    ImGui::GetForegroundDrawList()->AddRectFilled({float(mark % 350), 20}, {float(mark % 350) + 30, 60}, 0x80ff8040);
    drawRandomShapes(picture);
    return (*host)->endFrame(kGround, out);
  };
  for (std::uint32_t i = 0; i < 6; ++i) frame(0, i, nullptr);  // until frames are shown by parts
  for (std::uint32_t i = 1; i < 40; ++i) {
    ASSERT_TRUE(frame(i / 10, i * 31, nullptr)) << i;
    const Pixels partly = drawn(400, 300);
    EXPECT_TRUE(shown(400, 300) == partly) << i;
    Image whole;
    frame(i / 10, i * 31, &whole);
    EXPECT_TRUE(drawn(400, 300) == partly) << i;
  }
}

TEST(PartialFrames, FollowTheSizeOfTheWindow) {
  HostOptions options;
  options.width = 400, options.height = 300, options.waitForScreen = false;
  auto host = Host::open(options);
  ASSERT_TRUE(host.has_value()) << host.error().message.english();
  for (auto [width, height] : {std::pair{300, 400}, {500, 200}, {400, 300}}) {
    glfwSetWindowSize(glfwGetCurrentContext(), width, height);
    for (int i = 0, after = 0; i < 200 && after < 8; ++i) {
      after += (*host)->facts().framebufferWidth == width ? 1 : 0;
      (*host)->waitForEvents(0.01);
      (*host)->beginFrame();
      drawRandomShapes(1);
      (*host)->endFrame(kGround);
    }
    ASSERT_EQ((*host)->facts().framebufferHeight, height);
    const Pixels partly = drawn(width, height);
    EXPECT_TRUE(shown(width, height) == partly) << width;
    Image whole;
    (*host)->beginFrame();
    drawRandomShapes(1);
    (*host)->endFrame(kGround, &whole);
    EXPECT_TRUE(drawn(width, height) == partly) << width;
    // In the upper left corner as anywhere: not shifted by what the height was.
    const std::size_t upperLeft = std::size_t(height - 1) * std::size_t(width) * 3;
    EXPECT_NE((std::array{partly[upperLeft], partly[upperLeft + 1], partly[upperLeft + 2]}),
              (std::array<std::uint8_t, 3>{0, 0, 0}));
  }
}

using PartialFramesOfAWorkbench = Bench;

TEST_F(PartialFramesOfAWorkbench, ShowWhatAWholeFrameShows) {
  if (host().waitsForScreen()) GTEST_SKIP() << "this display draws whole frames only";
  workbench::Session& model = workbench().model();
  auto settle = [&] {
    for (int still = 0, frames = 0; still < 5 && frames < 2000; ++frames) {
      host().waitForEvents(0.005);
      workbench().frame();
      still = workbench().drawn() || model.activity().busy ? 0 : still + 1;
    }
  };
  settle();
  ASSERT_NE(model.documents().target(), nullptr);
  const int width = host().facts().framebufferWidth, height = host().facts().framebufferHeight;
  int compared = 0;
  for (int step = 0; step < 12; ++step) {
    for (int k = 0; k < 3; ++k) model.navigation().stepBack();
    settle();
    const Pixels partly = drawn(width, height);
    Image whole;
    workbench().frame(&whole);
    if (workbench().drawn()) continue;  // something came in meanwhile, and it isn't the same frame
    ++compared;
    EXPECT_TRUE(drawn(width, height) == partly) << step;
  }
  EXPECT_GE(compared, 6);
}

}  // namespace
}  // namespace loom::window
