#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The chapter's text with Back, Play and Next.
std::unique_ptr<Panel> makeLesson();

}  // namespace loom::panels
