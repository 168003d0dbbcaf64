#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Makes the panel Lesson, which shows the text of the current chapter of the open lesson: a function with chapters of
/// text and schedule steps. Its buttons Back and Next go to the neighbouring chapters; Play goes through the programs
/// after each step one after the other.
std::unique_ptr<Panel> makeLesson();

}  // namespace loom::panels
