#include "app/widgets/context.h"

#include "app/session/workbench.h"

namespace loom::panels {

bool PanelContext::hasProgram() const { return workbench != nullptr && workbench->target() != nullptr; }

}  // namespace loom::panels
