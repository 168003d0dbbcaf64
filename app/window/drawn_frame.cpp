#include "app/window/drawn_frame.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace loom::window {
namespace {

constexpr int kTile = DrawnFrame::kTile;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  return (std::rotl(hash, 29) ^ word) * 0x9E3779B97F4A7C15U;
}

std::uint64_t wordOf(ImVec2 v) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(v.x)} << 32 | std::bit_cast<std::uint32_t>(v.y);
}

// Of all bytes, eight at a time in four rows side by side: a row waits for its own product only.
std::uint64_t hashOf(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  std::array<std::uint64_t, 4> rows = {bytes, 1, 2, 3};
  for (std::size_t n = 0; n < bytes; n += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + n, std::min(sizeof word, bytes - n));
    std::uint64_t& row = rows[n / sizeof word % rows.size()];
    row = mixed(row, word);
  }
  return mixed(mixed(mixed(rows[0], rows[1]), rows[2]), rows[3]);
}

int tilesAlong(int pixels) { return (pixels + kTile - 1) / kTile; }

// What reaches each tile.
class Tiles {
 public:
  Tiles(const ImDrawData& data, unsigned clear)
      : data_(data),
        whole_(wholeOf(data)),
        columns_(tilesAlong(whole_.right)),
        hashes_(std::size_t(columns_) * std::size_t(tilesAlong(whole_.bottom)), clear) {
    for (const ImDrawList* list : data.CmdLists) {
      for (const ImDrawCmd& command : list->CmdBuffer) add(command, *list);
    }
  }

  std::vector<std::uint64_t> take() { return std::move(hashes_); }

 private:
  void add(const ImDrawCmd& command, const ImDrawList& list) {
    if (command.UserCallback != nullptr) {  // may change how all that follows is drawn
      put(whole_, std::bit_cast<std::uintptr_t>(command.UserCallback));
      return;
    }
    const Area clip = areaOf(command, data_);
    if (clip.empty()) return;
    std::uint64_t start = mixed(std::bit_cast<std::uintptr_t>(command.TexRef._TexData), command.TexRef._TexID);
    start = mixed(start, std::uint64_t(clip.left) << 48 | std::uint64_t(clip.top) << 32 |
                             std::uint64_t(clip.right) << 16 | std::uint64_t(clip.bottom));
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    forEachShape(command, list, vertices, [&](const ImDrawIdx* at, int count) {
      std::uint64_t hash = start;
      auto corner = [&](ImDrawIdx i) {
        const ImDrawVert& v = vertices[i];
        hash = mixed(mixed(mixed(hash, wordOf(v.pos)), wordOf(v.uv)), v.col);
      };
      for (int k : {0, 1, 2}) corner(at[k]);
      if (count == kPair) corner(at[5]);
      put(areaOf(at, vertices, data_).within(clip), hash);
    });
  }

  void put(const Area& area, std::uint64_t hash) {
    if (area.empty()) return;
    for (int row = area.top / kTile; row <= (area.bottom - 1) / kTile; ++row) {
      for (int column = area.left / kTile; column <= (area.right - 1) / kTile; ++column) {
        std::uint64_t& tile = hashes_[std::size_t(row * columns_ + column)];
        tile = mixed(tile, hash);
      }
    }
  }

  const ImDrawData& data_;
  const Area whole_;
  const int columns_;
  std::vector<std::uint64_t> hashes_;
};

Area around(const Area& a, const Area& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

double sizeOf(const Area& a) { return double(a.right - a.left) * (a.bottom - a.top); }

// Puts one area in place of two of them, and of all others that it meets: they must not overlap.
void join(std::vector<Area>& areas, std::size_t a, std::size_t b) {
  Area joined = around(areas[a], areas[b]);
  for (std::size_t before = 0; before != areas.size();) {
    before = areas.size();
    std::erase_if(areas, [&](const Area& other) {
      if (!other.meets(joined)) return false;
      joined = around(joined, other);
      return true;
    });
  }
  areas.push_back(joined);
}

// Joins first those that gain the fewest pixels by it.
void joinDownTo(std::vector<Area>& areas, std::size_t most) {
  while (areas.size() > most) {
    std::pair<std::size_t, std::size_t> best;
    double least = std::numeric_limits<double>::max();
    for (std::size_t a = 0; a < areas.size(); ++a) {
      for (std::size_t b = a + 1; b < areas.size(); ++b) {
        const double gain = sizeOf(around(areas[a], areas[b])) - sizeOf(areas[a]) - sizeOf(areas[b]);
        if (gain < least) least = gain, best = {a, b};
      }
    }
    join(areas, best.first, best.second);
  }
}

}  // namespace

bool DrawnFrame::differs(const ImDrawData& data, unsigned clear) {
  std::uint64_t hash = mixed(clear, wordOf(data.DisplaySize));
  for (const ImDrawList* list : data.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      const std::array<std::uint64_t, 8> words = {wordOf({command.ClipRect.x, command.ClipRect.y}),
                                                  wordOf({command.ClipRect.z, command.ClipRect.w}),
                                                  std::bit_cast<std::uintptr_t>(command.TexRef._TexData),
                                                  command.TexRef._TexID,
                                                  command.VtxOffset,
                                                  command.IdxOffset,
                                                  command.ElemCount,
                                                  std::bit_cast<std::uintptr_t>(command.UserCallback)};
      hash = mixed(hash, hashOf(words.data(), sizeof words));
    }
    hash = mixed(hash, hashOf(list->VtxBuffer.Data, std::size_t(list->VtxBuffer.size_in_bytes())));
    hash = mixed(hash, hashOf(list->IdxBuffer.Data, std::size_t(list->IdxBuffer.size_in_bytes())));
  }
  return std::exchange(hash_, hash) != hash;
}

std::vector<Area> DrawnFrame::changes(const ImDrawData& data, unsigned clear) {
  const Area whole = wholeOf(data);
  if (whole.empty()) {
    forget();
    return {};
  }
  const std::vector<std::uint64_t> before = std::exchange(tiles_, Tiles(data, clear).take());
  const Area wholeBefore = std::exchange(whole_, whole);
  if (before.size() != tiles_.size() || wholeBefore != whole) return {whole};
  std::vector<Area> areas;
  const int columns = tilesAlong(whole.right);
  std::vector<std::size_t> above;  // areas that end at the row before
  for (int row = 0; row * columns < int(tiles_.size()); ++row) {
    std::vector<std::size_t> ended;
    for (int column = 0; column < columns; ++column) {
      auto differs = [&](int c) {
        const auto i = std::size_t(row * columns + c);
        return c < columns && before[i] != tiles_[i];
      };
      if (!differs(column)) continue;
      const int first = column;
      while (differs(column + 1)) ++column;
      const Area run = Area{first * kTile, row * kTile, (column + 1) * kTile, (row + 1) * kTile}.within(whole);
      auto same = std::find_if(above.begin(), above.end(),
                               [&](std::size_t i) { return areas[i].left == run.left && areas[i].right == run.right; });
      if (same != above.end()) {
        areas[*same].bottom = run.bottom;
        ended.push_back(*same);
      } else {
        ended.push_back(areas.size());
        areas.push_back(run);
      }
    }
    above = std::move(ended);
  }
  joinDownTo(areas, kMostAreas);
  return areas;
}

}  // namespace loom::window
