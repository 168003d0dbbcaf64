#include "app/widgets/role_text.h"

#include "app/notation/quantity_text.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/role_words.h"

namespace loom::panels {

std::string warpsText(const window::Look& look, const std::vector<int>& warps) {
  return say(look, warps.size() == 1 ? text::roles::kWarp : text::roles::kWarps, notation::runsText(warps));
}

std::string roleText(const window::Look& look, const model::WarpRole& role) {
  namespace words = text::roles;
  const text::Text& does = role.multiplies ? words::kMultiply
                           : role.copies   ? (role.warps.size() == 1 ? words::kLoads : words::kLoad)
                           : role.idle()   ? words::kIdle
                                           : words::kWork;
  std::string text = say(look, does, warpsText(look, role.warps));
  if (role.registers > 0) text += say(look, words::kRegisters, role.registers);
  return text;
}

}  // namespace loom::panels
