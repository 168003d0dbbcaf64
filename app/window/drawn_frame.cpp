#include "app/window/drawn_frame.h"

#include <algorithm>
#include <cstring>

namespace loom::window {
namespace {

template <typename T>
bool takeIn(std::vector<T>& kept, const ImVector<T>& now) {
  const auto bytes = static_cast<std::size_t>(now.size_in_bytes());
  if (kept.size() == static_cast<std::size_t>(now.Size) &&
      (bytes == 0 || std::memcmp(kept.data(), now.Data, bytes) == 0)) {
    return false;
  }
  kept.assign(now.begin(), now.end());
  return true;
}

// Member by member: the padding of a command isn't the same twice.
bool same(const ImDrawCmd& a, const ImDrawCmd& b) {
  return std::memcmp(&a.ClipRect, &b.ClipRect, sizeof a.ClipRect) == 0 && a.TexRef._TexData == b.TexRef._TexData &&
         a.TexRef._TexID == b.TexRef._TexID && a.VtxOffset == b.VtxOffset && a.IdxOffset == b.IdxOffset &&
         a.ElemCount == b.ElemCount && a.UserCallback == b.UserCallback && a.UserCallbackData == b.UserCallbackData;
}

}  // namespace

bool DrawnFrame::differs(const ImDrawData& data) {
  bool differs = lists_.size() != static_cast<std::size_t>(data.CmdLists.Size) || size_.x != data.DisplaySize.x ||
                 size_.y != data.DisplaySize.y;
  size_ = data.DisplaySize;
  lists_.resize(static_cast<std::size_t>(data.CmdLists.Size));
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const ImDrawList& now = *data.CmdLists[static_cast<int>(i)];
    List& kept = lists_[i];
    if (!std::equal(kept.commands.begin(), kept.commands.end(), now.CmdBuffer.begin(), now.CmdBuffer.end(), same)) {
      kept.commands.assign(now.CmdBuffer.begin(), now.CmdBuffer.end());
      differs = true;
    }
    differs = takeIn(kept.vertices, now.VtxBuffer) || differs;
    differs = takeIn(kept.indices, now.IdxBuffer) || differs;
  }
  if (data.Textures != nullptr) {
    differs = differs || std::any_of(data.Textures->begin(), data.Textures->end(), [](const ImTextureData* texture) {
                return texture->Status != ImTextureStatus_OK;
              });
  }
  return differs;
}

}  // namespace loom::window
