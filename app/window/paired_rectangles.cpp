#include "app/window/paired_rectangles.h"

namespace loom::window {
namespace {

constexpr int kTriangle = 3;
constexpr int kPair = 2 * kTriangle;

// As Dear ImGui writes glyphs and rectangles: corners a b c, a c d, clockwise from the upper left.
bool isUprightRectangle(const ImDrawIdx* i, const ImDrawVert* vertices) {
  if (i[3] != i[0] || i[4] != i[2]) return false;
  const ImVec2 a = vertices[i[0]].pos, b = vertices[i[1]].pos, c = vertices[i[2]].pos, d = vertices[i[5]].pos;
  return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
}

// The commands of one list, written anew.
class Paired {
 public:
  explicit Paired(int indices) { indices_.reserve(indices + indices / 4); }

  void add(const ImDrawCmd& command, const ImDrawList& list) {
    if (command.UserCallback != nullptr) {
      commands_.push_back(command);
      return;
    }
    begin(command);
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* at = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawIdx* end = at + command.ElemCount;
    while (at < end) {
      const bool rectangle = end - at >= kPair && isUprightRectangle(at, vertices);
      if (rectangle) fillUp();
      if (size() + kPair > kMostPairedIndices) cut();
      const int count = rectangle ? kPair : kTriangle;
      for (int k = 0; k < count; ++k) indices_.push_back(at[k]);
      at += count;
    }
    cut();
  }

  void moveTo(ImDrawList& list) {
    list.IdxBuffer.swap(indices_);
    list.CmdBuffer.swap(commands_);
  }

 private:
  int size() const { return indices_.Size - static_cast<int>(open_.IdxOffset); }

  void begin(const ImDrawCmd& command) {
    open_ = command;
    open_.IdxOffset = static_cast<unsigned>(indices_.Size);
  }

  void fillUp() {
    if (size() % kPair == 0) return;
    const ImDrawIdx corner = indices_.back();
    for (int k = 0; k < kTriangle; ++k) indices_.push_back(corner);
  }

  void cut() {
    fillUp();
    if (size() == 0) return;
    open_.ElemCount = static_cast<unsigned>(size());
    commands_.push_back(open_);
    begin(open_);
  }

  ImVector<ImDrawIdx> indices_;
  ImVector<ImDrawCmd> commands_;
  ImDrawCmd open_;
};

}  // namespace

void pairRectangles(ImDrawData& data) {
  data.TotalIdxCount = 0;
  for (ImDrawList* list : data.CmdLists) {
    Paired paired(list->IdxBuffer.Size);
    for (const ImDrawCmd& command : list->CmdBuffer) paired.add(command, *list);
    paired.moveTo(*list);
    data.TotalIdxCount += list->IdxBuffer.Size;
  }
}

}  // namespace loom::window
