#include "app/widgets/change_text.h"

#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/window/step_bar_words.h"

namespace loom::panels {

namespace words = text::step_bar;

std::string changeText(const window::Look& look, const std::optional<session::UndoLabel>& change, bool undo) {
  const char* name = look.say(undo ? words::kUndo : words::kRedo);
  if (!change) return name;
  using Kind = session::UndoLabel::Kind;
  const std::string step = abbreviatedStep(change->line);
  std::string what;
  switch (change->kind) {
    case Kind::kGo: what = say(look, undo ? words::kGoBackTo : words::kGoTo, change->number); break;
    case Kind::kApply:
      what = change->title.empty() ? say(look, words::kApplied, change->number, step)
                                   : say(look, words::kAppliedAsOne, change->number, look.tell(change->title));
      break;
    case Kind::kRemove:
      what = change->states > 1 ? say(look, words::kRemovedAll, change->number, step, change->states - 1)
                                : say(look, words::kRemoved, change->number, step);
      break;
    case Kind::kEdit: what = say(look, words::kEdited, change->number, step); break;
    case Kind::kMark: what = say(look, words::kMarked, change->number); break;
  }
  return say(look, words::kWhat, name, what);
}

}  // namespace loom::panels
