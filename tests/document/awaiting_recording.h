/// Chapters of lessons that are newer than the recordings: whoever records next takes them off this list.
#pragma once
#include <algorithm>
#include <map>
#include <string>

#include "core/document/lesson.h"

namespace loom::tests {

/// By lesson: the first of the chapters whose states have not been recorded; those after it haven't been, either.
inline const std::map<std::string, std::string> kAwaitingRecording{};

/// Whether the chapter of that number is one of them.
inline bool awaitsRecording(const document::Lesson& lesson, std::size_t chapter) {
  const auto first = kAwaitingRecording.find(lesson.name);
  if (first == kAwaitingRecording.end()) return false;
  const auto found = std::ranges::find(lesson.chapters, first->second, &document::Chapter::id);
  return found <= lesson.chapters.begin() + std::ptrdiff_t(chapter);
}

}  // namespace loom::tests
