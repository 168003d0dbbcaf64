#include "app/window/paired_rectangles.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace loom::window {
namespace {

using Triangle = std::array<ImDrawIdx, 3>;

// What is seen of a list: its triangles that have an area, in order, with the offset of their vertices.
std::vector<std::pair<unsigned, Triangle>> seen(const ImDrawList& list) {
  std::vector<std::pair<unsigned, Triangle>> triangles;
  for (const ImDrawCmd& c : list.CmdBuffer) {
    if (c.UserCallback != nullptr) continue;
    for (unsigned i = c.IdxOffset; i < c.IdxOffset + c.ElemCount; i += 3) {
      const ImDrawIdx* at = list.IdxBuffer.Data + i;
      if (at[0] != at[1] || at[1] != at[2]) triangles.push_back({c.VtxOffset, {at[0], at[1], at[2]}});
    }
  }
  return triangles;
}

struct Drawing {
  Drawing() : list(&shared) {
    shared.TexUvWhitePixel = ImVec2(0, 0);
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {1000, 1000});
  }
  void rectangle(float x) { list.AddRectFilled({x, 2}, {x + 8, 14}, IM_COL32_WHITE); }
  void triangle(float x) { list.AddTriangleFilled({x, 0}, {x + 4, 0}, {x, 9}, IM_COL32_WHITE); }

  // Pairs, and holds that the picture stayed.
  void pair() {
    const auto before = seen(list);
    ImDrawData data;
    data.CmdLists.push_back(&list);
    data.DisplaySize = {1000, 1000};
    data.FramebufferScale = {1, 1};
    pairRectangles(data);
    EXPECT_EQ(seen(list), before);
    EXPECT_EQ(data.TotalIdxCount, list.IdxBuffer.Size);
    for (const ImDrawCmd& c : list.CmdBuffer) {
      EXPECT_EQ(c.ElemCount % 6, 0U);
      EXPECT_LE(c.ElemCount, unsigned(kMostPairedIndices));
    }
  }

  // Returns how many rectangles have both triangles together where a multiple of six begins.
  int paired() const {
    int count = 0;
    for (const ImDrawCmd& c : list.CmdBuffer) {
      for (unsigned i = c.IdxOffset; i + 6 <= c.IdxOffset + c.ElemCount; i += 6) {
        const ImDrawIdx* at = list.IdxBuffer.Data + i;
        count += at[0] == at[3] && at[2] == at[4] && at[0] != at[1] ? 1 : 0;
      }
    }
    return count;
  }

  ImDrawListSharedData shared;
  ImDrawList list;
};

TEST(PairedRectangles, StandAtMultiplesOfSixAfterAnOddNumberOfTriangles) {
  Drawing d;
  d.rectangle(0);
  d.triangle(10);
  d.rectangle(20);
  d.triangle(30);
  d.triangle(40);
  d.rectangle(50);
  d.pair();
  EXPECT_EQ(d.paired(), 3);
}

TEST(PairedRectangles, OfAnyPictureStayInTheirOrderAndInCommandsThatAreNotCutWithin) {
  std::mt19937 random(7);
  for (int run = 0; run < 40; ++run) {
    Drawing d;
    int rectangles = 0;
    for (int i = 0; i < 900; ++i) {
      if (random() % 3 == 0) {
        d.triangle(float(i));
      } else {
        d.rectangle(float(i));
        ++rectangles;
      }
      if (random() % 100 == 0) d.list.AddDrawCmd();
    }
    d.pair();
    EXPECT_EQ(d.paired(), rectangles);
  }
}

TEST(PairedRectangles, LeaveCallbacksWhereTheyWere) {
  Drawing d;
  d.triangle(0);
  d.list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
  d.rectangle(10);
  d.pair();
  ASSERT_EQ(d.list.CmdBuffer.Size, 3);
  EXPECT_EQ(d.list.CmdBuffer[0].ElemCount, 6U);
  EXPECT_NE(d.list.CmdBuffer[1].UserCallback, nullptr);
  EXPECT_EQ(d.list.CmdBuffer[2].ElemCount, 6U);
}

TEST(PairedRectangles, OfAnEmptyListAreNone) {
  Drawing d;
  d.pair();
  EXPECT_EQ(d.list.CmdBuffer.Size, 0);
}

}  // namespace
}  // namespace loom::window
