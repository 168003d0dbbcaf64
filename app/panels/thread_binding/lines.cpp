#include "app/panels/thread_binding/lines.h"

#include <algorithm>
#include <cmath>

#include "app/panels/thread_binding/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/cells.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels::pictures {

namespace words = text::binding;
using session::SharedLines;
using window::Look;
using window::Tone;

void sharedLines(const Look& look, const char* id, const SharedLines& lines, float width) {
  constexpr int kBanksOfPiece = SharedLines::kPiece / 4;
  const float left = look.px(44);
  const float w = std::floor(std::min(look.px(34), (width - left) / float(SharedLines::kAcross)));
  const float h = look.px(16), head = look.px(14);
  const Canvas c = canvas(id, left + w * float(SharedLines::kAcross), head + h * float(SharedLines::kRows));
  const float small = look.px(window::kUnitSize - 1);
  const auto write = [&](ImFont* font, float x, float y, const std::string& text) {
    c.draw->AddText(font, small, {c.at.x + x, c.at.y + y}, look.paint(Tone::kTextSecond), text.c_str());
  };
  write(look.fonts.text, 0, 0, look.say(words::kLinesHead));
  for (int k = 0; k < SharedLines::kAcross; ++k)
    write(look.fonts.code, left + w * float(k) + look.px(2), 0, std::to_string(k * kBanksOfPiece));
  std::string tip;
  for (int row = 0; row < SharedLines::kRows; ++row) {
    const float y = head + h * float(row);
    // The lines of these 128 bytes.
    const int perRow = SharedLines::kRow / lines.span, first = row * perRow;
    write(look.fonts.code, 0, y + look.px(2),
          perRow == 1 ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(first + perRow - 1));
    for (int k = 0; k < SharedLines::kAcross; ++k) {
      const SharedLines::Piece& piece = lines.pieces[std::size_t(row * SharedLines::kAcross + k)];
      const float x = left + w * float(k);
      cell(c, look, x, y, w, h, look.paint(Tone::kShared, piece.used ? 1.0F : 0.16F), std::to_string(piece.number),
           piece.used ? inkOn(look, Tone::kShared) : look.paint(Tone::kText));
      if (c.hovered && c.isOver(x, y, w, h))
        tip = say(look, words::kPieceHint, piece.line, piece.number, k * kBanksOfPiece,
                  k * kBanksOfPiece + kBanksOfPiece - 1);
    }
  }
  if (!tip.empty()) showTip(look, tip);
}

}  // namespace loom::panels::pictures
