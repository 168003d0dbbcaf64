#include "app/widgets/occupancy_text.h"

#include <utility>

#include "app/panels/performance/words.h"
#include "app/ui/look.h"

namespace loom::panels {

namespace words = text::performance;
using model::Limiter;
using window::Look;

namespace {

const text::Text& wordOf(Limiter limiter) {
  switch (limiter) {
    case Limiter::Registers: return words::kLimitRegisters;
    case Limiter::Shared: return words::kLimitShared;
    case Limiter::Threads: return words::kLimitThreads;
    case Limiter::Blocks: return words::kLimitBlocks;
    case Limiter::TooLarge: break;
  }
  return words::kLimitTooLarge;
}

}  // namespace

std::string limitersText(const Look& look, const model::Occupancy& o) {
  std::string text = look.say(wordOf(o.limiter));
  const std::pair<Limiter, int> all[] = {{Limiter::Threads, o.byThreads},
                                         {Limiter::Blocks, o.byBlocks},
                                         {Limiter::Registers, o.byRegisters},
                                         {Limiter::Shared, o.byShared}};
  for (const auto& [limiter, blocks] : all)
    if (limiter != o.limiter && blocks == o.blocks && o.blocks > 0)
      text += std::string(look.say(words::kListed)) + look.say(wordOf(limiter));
  return text;
}

}  // namespace loom::panels
