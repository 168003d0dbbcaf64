#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Makes the panel Lesson, which shows the text of the current chapter of the open lesson. Its buttons Back and Next go
/// to the neighbouring chapters; Play goes through all states of the lesson one after the other.
std::unique_ptr<Panel> makeLesson();

}  // namespace loom::panels
