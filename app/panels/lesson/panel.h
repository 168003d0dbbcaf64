#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Makes the panel Lesson: the text of the chapter, with Back, Play and Next.
std::unique_ptr<Panel> makeLesson();

}  // namespace loom::panels
