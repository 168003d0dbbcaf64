#include "app/window/one_list.h"

#include <cstring>

namespace loom::window {
namespace {

template <typename T>
void append(ImVector<T>& to, const ImVector<T>& from) {
  if (from.empty()) return;
  const int at = to.Size;
  to.resize(at + from.Size);
  std::memcpy(to.Data + at, from.Data, std::size_t(from.size_in_bytes()));
}

}  // namespace

void moveIntoOne(ImDrawData& data, ImDrawList& all) {
  all.VtxBuffer.resize(0);
  all.IdxBuffer.resize(0);
  all.CmdBuffer.resize(0);
  all.VtxBuffer.reserve(data.TotalVtxCount);
  all.IdxBuffer.reserve(data.TotalIdxCount);
  for (const ImDrawList* list : data.CmdLists) {
    const auto vertices = unsigned(all.VtxBuffer.Size), indices = unsigned(all.IdxBuffer.Size);
    append(all.VtxBuffer, list->VtxBuffer);
    append(all.IdxBuffer, list->IdxBuffer);
    for (ImDrawCmd command : list->CmdBuffer) {
      command.VtxOffset += vertices;
      command.IdxOffset += indices;
      all.CmdBuffer.push_back(command);
    }
  }
  data.CmdLists.resize(0);
  data.CmdLists.push_back(&all);
}

}  // namespace loom::window
