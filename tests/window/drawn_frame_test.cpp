#include "app/window/drawn_frame.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <functional>
#include <utility>
#include <vector>

#include "tests/gui/kept_window.h"

namespace loom::window::drawn_frame_test {
namespace {

constexpr unsigned kClearColour = 0x202020;

// Frames of one list on a window of 640 × 320 px.
struct Frames {
  Frames() : list(&shared) { shared.TexUvWhitePixel = ImVec2(0, 0); }

  bool differs(const std::function<void(ImDrawList&)>& draw, unsigned clear = kClearColour, ImVec2 size = {640, 320}) {
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {640, 320});
    draw(list);
    ImDrawData data;
    data.CmdLists.push_back(&list);
    data.DisplaySize = size;
    data.FramebufferScale = {1, 1};
    return drawn.differs(data, clear);
  }

  ImDrawListSharedData shared;
  ImDrawList list;
  DrawnFrame drawn;
};

void box(ImDrawList& list, float x, float y, ImU32 colour = IM_COL32_WHITE) {
  list.AddRectFilled({x, y}, {x + 8, y + 8}, colour);
}

TEST(DrawnFrame, DiffersAtFirstAndAfterItsLossAndOnAnotherGroundOrSize) {
  Frames frames;
  auto draw = [](ImDrawList& list) { box(list, 4, 4); };
  EXPECT_TRUE(frames.differs(draw));
  EXPECT_FALSE(frames.differs(draw));
  frames.drawn.forget();
  EXPECT_TRUE(frames.differs(draw));
  EXPECT_TRUE(frames.differs(draw, 0xffffff));
  EXPECT_TRUE(frames.differs(draw, 0xffffff, {640, 300}));
}

TEST(DrawnFrame, DiffersWithPlaceColourOrderClipTextureAndCallback) {
  Frames frames;
  auto both = [&](const std::function<void(ImDrawList&)>& draw) {
    EXPECT_TRUE(frames.differs(draw));
    EXPECT_FALSE(frames.differs(draw));
  };
  both([](ImDrawList& list) { box(list, 4, 4); });
  both([](ImDrawList& list) { box(list, 5, 4); });
  both([](ImDrawList& list) { box(list, 5, 4, IM_COL32(9, 9, 9, 255)); });
  auto two = [](ImDrawList& list, ImU32 below, ImU32 above) { box(list, 4, 4, below), box(list, 4, 4, above); };
  both([&](ImDrawList& list) { two(list, 0xff0000ff, 0xff00ff00); });
  both([&](ImDrawList& list) { two(list, 0xff00ff00, 0xff0000ff); });
  auto clipped = [](ImDrawList& list, float right) {
    list.PushClipRect({0, 0}, {right, 20});
    box(list, 4, 4);
    list.PopClipRect();
  };
  both([&](ImDrawList& list) { clipped(list, 20); });
  both([&](ImDrawList& list) { clipped(list, 9); });
  auto textured = [](ImDrawList& list, ImTextureID texture) {
    list.PushTexture(ImTextureRef(texture));
    box(list, 4, 4);
    list.PopTexture();
  };
  both([&](ImDrawList& list) { textured(list, 5); });
  both([&](ImDrawList& list) { textured(list, 6); });
  both([](ImDrawList& list) {
    list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
    box(list, 4, 4);
  });
}

TEST(HostFrames, AreDrawnWhereTheyDifferAndPicturesAreOfTheWholeWindow) {
  HostOptions options;
  options.width = 700, options.height = 500, options.waitForScreen = false;
  auto host = openHost(options);
  ASSERT_TRUE(host.has_value()) << host.error().message.english();
  auto frame = [&](float x, Image* picture) {
    (*host)->waitForEvents(0.01);
    (*host)->beginFrame();
    ImGui::GetForegroundDrawList()->AddRectFilled({x, 20}, {x + 30, 60}, IM_COL32_WHITE);
    return (*host)->endFrame(kClearColour, picture);
  };
  const std::vector<std::uint8_t> ground(3, 0x20), white(3, 0xff);
  auto pixel = [](const Image& image, int x, int y) {
    const auto at = image.rgb.begin() + (std::ptrdiff_t(y) * image.width + x) * 3;
    return std::vector<std::uint8_t>(at, at + 3);
  };
  for (auto [width, height] : {std::pair{700, 500}, {800, 450}, {660, 620}}) {
    glfwSetWindowSize(glfwGetCurrentContext(), width, height);
    for (int i = 0; i < 200 && (*host)->facts().framebufferHeight != height; ++i) frame(50, nullptr);
    ASSERT_EQ((*host)->facts().framebufferHeight, height);
    frame(50, nullptr);
    EXPECT_FALSE(frame(50, nullptr)) << "it shows just this";
    EXPECT_TRUE(frame(90, nullptr));
    Image whole;
    EXPECT_FALSE(frame(90, &whole)) << "a picture is no other frame";
    ASSERT_EQ((std::pair{whole.width, whole.height}), (std::pair{width, height}));
    EXPECT_EQ(pixel(whole, 0, 0), ground);
    EXPECT_EQ(pixel(whole, width - 1, height - 1), ground);
    EXPECT_EQ(pixel(whole, 60, 40), ground) << "where it was before";
    EXPECT_EQ(pixel(whole, 100, 40), white);
  }
}

}  // namespace
}  // namespace loom::window::drawn_frame_test
