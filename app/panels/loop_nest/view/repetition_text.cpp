#include "app/panels/loop_nest/view/repetition_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/loop_nest/words.h"

namespace loom::notation {

namespace words = text::loop_nest;

std::string repetitionText(const session::NestRow& row, text::Language language) {
  std::string warning;
  const double flops = std::max(0.0, row.flops);
  for (const session::Repetition& r : row.repeated) {
    if (!warning.empty()) warning += " · ";
    const bool blocks = r.thread.starts_with("blockIdx");
    const text::Text& phrase = r.guarded       ? blocks ? words::kBlocksGuarded : words::kGuarded
                               : row.flops > 0 ? blocks ? words::kBlocksRepeatFlops : words::kRepeatFlops
                               : blocks        ? words::kBlocksRepeat
                                               : words::kRepeat;
    warning += fmt::format(fmt::runtime(phrase.in(language)), r.thread, r.extent, flopsText(flops * double(r.extent)),
                           flopsText(flops));
  }
  constexpr double kWell = 0.95;  // a last tile that is cut is no reason to warn
  if (row.holds < kWell) {
    if (!warning.empty()) warning += " · ";
    warning += fmt::format(fmt::runtime(words::kCondition.in(language)), shareText(row.holds));
  }
  return warning;
}

}  // namespace loom::notation
