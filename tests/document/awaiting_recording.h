/// A list of chapters of lessons: those whose times haven't been recorded on a GPU yet, for tests that compare recorded
/// times. Whoever records a lesson removes it from this list.
#pragma once
#include <algorithm>
#include <map>
#include <string>

#include "core/document/lesson.h"

namespace loom::tests {

/// By name of a lesson: the id of the first chapter, which must exist, whose times haven't been recorded. The chapters
/// after it haven't been recorded, either.
inline const std::map<std::string, std::string> kAwaitingRecording{};

/// Returns whether the chapter with the index `chapter` of a lesson hasn't been recorded.
inline bool awaitsRecording(const document::Lesson& lesson, std::size_t chapter) {
  const auto first = kAwaitingRecording.find(lesson.name);
  if (first == kAwaitingRecording.end()) return false;
  const auto found = std::ranges::find(lesson.chapters, first->second, &document::Chapter::id);
  return found <= lesson.chapters.begin() + std::ptrdiff_t(chapter);
}

}  // namespace loom::tests
