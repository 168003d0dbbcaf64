#pragma once

#include <string>
#include <vector>

#include "core/document/target.h"

namespace loom::session {

/// The steps by which a lesson's chapter differs from the chapter that its text compares it with
/// (document::comparedChapter). A chapter may start at the unscheduled program and repeat most of another one's steps:
/// what it does is in those that it doesn't repeat.
struct ChapterSteps {
  /// A step line that only one of the two chapters has.
  struct Line {
    bool isOwn = true;   ///< whether it is this chapter's; else the other one's
    std::string source;  ///< the step line
    friend bool operator==(const Line&, const Line&) = default;
  };
  int with = -1;  ///< index of the other chapter; −1: there is none, and all steps of the chapter are listed
  std::vector<Line> lines;  ///< in the order of both schedules; a line that only has another place isn't listed
};

/// Returns the steps of a chapter of the target, which must be a lesson.
ChapterSteps chapterSteps(const document::Target& target, std::size_t chapter);

}  // namespace loom::session
