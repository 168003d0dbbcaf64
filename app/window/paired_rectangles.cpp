#include "app/window/paired_rectangles.h"

namespace loom::window {
namespace {

// The commands of one list, written anew.
class Paired {
 public:
  Paired(const ImDrawList& list, const ImDrawData& data) : list_(list), data_(data) {
    indices_.reserve(list.IdxBuffer.Size + list.IdxBuffer.Size / 4);
  }

  void add(const ImDrawCmd& command, std::span<const Area> areas) {
    if (command.UserCallback != nullptr) {
      commands_.push_back(command);
      return;
    }
    const Area reach = areaOf(command, data_);
    for (const Area& area : areas) {
      if (const Area clip = area.within(reach); !clip.empty()) add(command, clip);
    }
  }

  void moveTo(ImDrawList& list) {
    list.IdxBuffer.swap(indices_);
    list.CmdBuffer.swap(commands_);
    if (list.IdxBuffer.empty()) list.VtxBuffer.resize(0);
  }

 private:
  void add(const ImDrawCmd& command, const Area& clip) {
    begin(command);
    const ImVec2 offset = data_.DisplayPos, scale = data_.FramebufferScale;
    open_.ClipRect = {float(clip.left) / scale.x + offset.x, float(clip.top) / scale.y + offset.y,
                      float(clip.right) / scale.x + offset.x, float(clip.bottom) / scale.y + offset.y};
    const ImDrawVert* vertices = list_.VtxBuffer.Data + command.VtxOffset;
    forEachShape(command, list_, vertices, [&](const ImDrawIdx* at, int count) {
      if (!areaOf(at, vertices, data_).meets(clip)) return;
      if (count == kPair) fillUp();
      if (size() + kPair > kMostPairedIndices) cut();
      for (int k = 0; k < count; ++k) indices_.push_back(at[k]);
    });
    cut();
  }

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

  const ImDrawList& list_;
  const ImDrawData& data_;
  ImVector<ImDrawIdx> indices_;
  ImVector<ImDrawCmd> commands_;
  ImDrawCmd open_;
};

}  // namespace

void pairRectangles(ImDrawData& data, std::span<const Area> areas) {
  data.TotalIdxCount = 0;
  for (ImDrawList* list : data.CmdLists) {
    Paired paired(*list, data);
    for (const ImDrawCmd& command : list->CmdBuffer) paired.add(command, areas);
    paired.moveTo(*list);
    data.TotalIdxCount += list->IdxBuffer.Size;
  }
}

}  // namespace loom::window
