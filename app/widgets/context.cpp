#include "app/widgets/context.h"

#include "app/session/session.h"

namespace loom::panels {

bool PanelContext::hasProgram() const { return workbench != nullptr && workbench->documents().target() != nullptr; }

}  // namespace loom::panels
