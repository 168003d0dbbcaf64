#pragma once

#include <cstddef>

#include "core/document/target.h"

/// Which chapter of a lesson another one is compared with. A chapter need not go on from the one before it: it may
/// start at the unscheduled program and come to its kernel by other steps, so that the states before its end on the
/// path say nothing of what the chapter gained. States are given by their index in the history.
namespace loom::document {

/// Returns the index of the chapter that a chapter is compared with: the first earlier chapter whose measured time the
/// text quotes, `{{measured ID}}`; if it quotes none, the chapter before. −1 for the first chapter.
int comparedChapter(const Lesson& lesson, std::size_t chapter);

/// Returns the index of the first chapter that ends with the state; −1: none does, or the target is no lesson.
int chapterEndingAt(const Target& target, int node);

/// Returns the state at the end of the chapter with which the chapter that ends with `node` is compared. Chapters that
/// end with `node`, too, are passed over. −1: no chapter ends with `node`, or it is compared with none whose end is
/// there and isn't deleted.
int comparedEnd(const Target& target, int node);

}  // namespace loom::document
