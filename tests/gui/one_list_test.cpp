#include "app/window/one_list.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <vector>

namespace loom::window {
namespace {

// What is drawn: each command's clip rectangle, callback and the corners of its triangles, in order.
struct Drawn {
  ImVec4 clip;
  ImDrawCallback callback = nullptr;
  std::vector<float> corners;
  bool operator==(const Drawn& o) const {
    return clip.x == o.clip.x && clip.w == o.clip.w && callback == o.callback && corners == o.corners;
  }
};

std::vector<Drawn> drawn(const ImDrawData& data) {
  std::vector<Drawn> all;
  for (const ImDrawList* list : data.CmdLists) {
    for (const ImDrawCmd& c : list->CmdBuffer) {
      Drawn one{c.ClipRect, c.UserCallback, {}};
      for (unsigned i = 0; i < c.ElemCount; ++i) {
        const ImVec2 at = list->VtxBuffer[int(c.VtxOffset) + list->IdxBuffer[int(c.IdxOffset + i)]].pos;
        one.corners.insert(one.corners.end(), {at.x, at.y});
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

void nothing(const ImDrawList*, const ImDrawCmd*) {}

TEST(OneList, DrawsWhatManyDrew) {
  ImDrawListSharedData shared;
  shared.TexUvWhitePixel = ImVec2(0, 0);
  ImDrawList first(&shared), second(&shared), third(&shared), one(&shared);
  ImDrawData data;
  for (ImDrawList* list : {&first, &second, &third}) {
    list->_ResetForNewFrame();
    list->PushClipRect({0, 0}, {1000, 1000});
    data.CmdLists.push_back(list);
  }
  const auto rectangle = [](ImDrawList& list, float x) { list.AddRectFilled({x, 2}, {x + 8, 14}, IM_COL32_WHITE); };
  rectangle(first, 0);
  rectangle(first, 10);
  rectangle(third, 20);
  third.PushClipRect({5, 5}, {9, 9});
  third.AddTriangleFilled({3, 0}, {7, 0}, {3, 9}, IM_COL32_WHITE);
  third.AddCallback(nothing, nullptr);
  rectangle(third, 30);
  const auto before = drawn(data);
  const int vertices = first.VtxBuffer.Size + third.VtxBuffer.Size;
  for (int frame = 0; frame < 2; ++frame) {  // the list is used again, frame by frame
    ImDrawData again = data;
    moveIntoOne(again, one);
    ASSERT_EQ(again.CmdLists.Size, 1);
    EXPECT_EQ(drawn(again), before);
    EXPECT_EQ(one.VtxBuffer.Size, vertices);
  }
}

}  // namespace
}  // namespace loom::window
