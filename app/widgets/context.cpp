#include "app/widgets/context.h"

#include "app/session/session.h"

namespace loom::panels {

bool PanelContext::hasProgram() const { return session != nullptr && session->documents().target() != nullptr; }

}  // namespace loom::panels
