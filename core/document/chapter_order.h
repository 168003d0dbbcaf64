#pragma once

#include <cstddef>

#include "core/document/figure.h"
#include "core/document/target.h"

/// Which chapter of a lesson another one is compared with. A chapter need not go on from the one before it: it may
/// start at the unscheduled program and come to its kernel by other steps; then the parent of its last state isn't what
/// it improves on. States are given by their index in the history.
namespace loom::document {

/// Returns the index of the chapter that `chapter`, an index of a chapter of the lesson, is compared with. This is the
/// chapter of the first `{{measured ID}}` in the text whose ID is the id of an earlier chapter; if the text has none,
/// the chapter before. −1 for the first chapter.
int comparedChapter(const Lesson& lesson, std::size_t chapter);

/// Returns the state that a figure in the text of `chapter` (an index) is of: the last one of the chapter that the
/// figure names, or of `chapter` itself if it names none. The target must be a lesson, and the figure not be
/// "published".
int figureNode(const Target& target, const Figure& figure, int chapter);

/// Returns the index of the first chapter that ends with the state; −1: none does, or the target is no lesson.
int chapterEndingAt(const Target& target, int node);

/// Returns the state at the end of the chapter with which the first chapter that ends with `node` is compared. If that
/// chapter also ends with `node`, has no state (−1 in Target::chapterNodes), or ends with a deleted one, the chapter
/// that it is compared with is taken instead, and so on. −1: no chapter ends with `node`, or none is left to take.
int comparedEnd(const Target& target, int node);

}  // namespace loom::document
