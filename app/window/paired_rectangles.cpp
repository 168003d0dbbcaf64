#include "app/window/paired_rectangles.h"

#include <span>
#include <utility>

namespace loom::window {
namespace {

constexpr int kTriangle = 3, kPair = 2 * kTriangle;

using Indices = std::span<const ImDrawIdx>;

// Whether indices begin with a rectangle as Dear ImGui writes it: corners a b c, a c d, clockwise from the upper left.
bool beginWithRectangle(Indices indices, const ImDrawVert* vertices) {
  if (indices.size() < kPair || indices[3] != indices[0] || indices[4] != indices[2]) return false;
  const ImVec2 a = vertices[indices[0]].pos, b = vertices[indices[1]].pos;
  const ImVec2 c = vertices[indices[2]].pos, d = vertices[indices[5]].pos;
  return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
}

// Writes the commands of a list anew.
class Pairing {
 public:
  explicit Pairing(ImDrawList& list) : list_(list) {
    constexpr int kGapsOf = 8;  // one index of so many, more or less
    indices_.reserve(list.IdxBuffer.Size + list.IdxBuffer.Size / kGapsOf);
  }

  void run() {
    for (const ImDrawCmd& command : list_.CmdBuffer) {
      if (command.UserCallback != nullptr)
        commands_.push_back(command);
      else
        add(command);
    }
    list_.IdxBuffer.swap(indices_);
    list_.CmdBuffer.swap(commands_);
  }

 private:
  void add(const ImDrawCmd& command) {
    const ImDrawVert* vertices = list_.VtxBuffer.Data + command.VtxOffset;
    Indices left(list_.IdxBuffer.Data + command.IdxOffset, command.ElemCount);
    begin(command);
    while (!left.empty()) {
      const bool isRectangle = beginWithRectangle(left, vertices);
      if (isRectangle) fillGap();
      if (size() + kPair > kMostPairedIndices) end();
      const Indices shape = left.first(isRectangle ? kPair : kTriangle);
      for (const ImDrawIdx index : shape) indices_.push_back(index);
      left = left.subspan(shape.size());
    }
    end();
  }

  int size() const { return indices_.Size - int(open_.IdxOffset); }

  void begin(const ImDrawCmd& command) {
    open_ = command;
    open_.IdxOffset = unsigned(indices_.Size);
  }

  // Adds the command that is open to the list, and opens one like it.
  void end() {
    fillGap();
    if (size() == 0) return;
    open_.ElemCount = unsigned(size());
    commands_.push_back(open_);
    begin(open_);
  }

  void fillGap() {
    if (size() % kPair == 0) return;
    const ImDrawIdx corner = indices_.back();
    for (int k = 0; k < kTriangle; ++k) indices_.push_back(corner);
  }

  ImDrawList& list_;
  ImVector<ImDrawIdx> indices_;
  ImVector<ImDrawCmd> commands_;
  ImDrawCmd open_;
};

}  // namespace

void pairRectangles(ImDrawData& data) {
  data.TotalIdxCount = 0;
  for (ImDrawList* list : data.CmdLists) {
    Pairing(*list).run();
    data.TotalIdxCount += list->IdxBuffer.Size;
  }
}

}  // namespace loom::window
