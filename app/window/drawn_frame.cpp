#include "app/window/drawn_frame.h"

#include <xxhash.h>

#include <array>
#include <bit>
#include <utility>

namespace loom::window {
namespace {

std::uint64_t wordOf(float a, float b) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(a)} << 32 | std::bit_cast<std::uint32_t>(b);
}

}  // namespace

bool DrawnFrame::differs(const ImDrawData& data, unsigned clear) {
  std::uint64_t hash = clear ^ wordOf(data.DisplaySize.x, data.DisplaySize.y);
  const auto add = [&](const void* bytes, std::size_t count) { hash = XXH3_64bits_withSeed(bytes, count, hash); };
  for (const ImDrawList* list : data.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      // Not the command as it lies in memory: its padding says nothing.
      const std::array<std::uint64_t, 8> words = {wordOf(command.ClipRect.x, command.ClipRect.y),
                                                  wordOf(command.ClipRect.z, command.ClipRect.w),
                                                  std::bit_cast<std::uintptr_t>(command.TexRef._TexData),
                                                  command.TexRef._TexID,
                                                  command.VtxOffset,
                                                  command.IdxOffset,
                                                  command.ElemCount,
                                                  std::bit_cast<std::uintptr_t>(command.UserCallback)};
      add(words.data(), sizeof words);
    }
    add(list->VtxBuffer.Data, std::size_t(list->VtxBuffer.size_in_bytes()));
    add(list->IdxBuffer.Data, std::size_t(list->IdxBuffer.size_in_bytes()));
  }
  return std::exchange(hash_, hash) != hash;
}

}  // namespace loom::window
