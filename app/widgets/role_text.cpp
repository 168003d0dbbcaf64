#include "app/widgets/role_text.h"

#include "app/notation/quantity_text.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/role_words.h"

namespace loom::panels {

std::string warpsText(const window::Look& look, const std::vector<int>& warps) {
  return say(look, warps.size() == 1 ? text::roles::kWarp : text::roles::kWarps, notation::runsText(warps));
}

}  // namespace loom::panels
