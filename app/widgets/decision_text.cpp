#include "app/widgets/decision_text.h"

#include "app/ui/look.h"
#include "app/widgets/decision_words.h"

namespace loom::panels {

std::string decidedText(const window::Look& look, bool isYesOrNo, std::int64_t value) {
  if (!isYesOrNo) return std::to_string(value);
  return look.say(value == 0 ? text::decision::kNo : text::decision::kYes);
}

}  // namespace loom::panels
