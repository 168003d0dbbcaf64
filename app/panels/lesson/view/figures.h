#pragma once

#include <set>
#include <string>

#include "app/session/state_model.h"
#include "app/text/text.h"
#include "core/document/bench.h"

namespace loom::notation {

/// Returns a figure that a lesson's text refers to by name ("measured", "blocks"; document::figureNames) for a state,
/// the program after a schedule step, as text (times and bytes with their unit); "" if it or the name isn't known.
/// `model` is the model of the state, null while it isn't known: only "measured" is then known. `timed` is the state's
/// result, null while it hasn't been looked up: "measured" is then "". If `timed` has no measured time, "measured" is
/// the time that `model` predicts, and the text says so. `told`, which belongs to the text and is empty at its
/// beginning, has the origins of times (device, measured or recorded or predicted) that were named before: these aren't
/// repeated, and a new one is added.
std::string lessonFigure(const std::string& name, const session::StateModel* model, const document::KnownTime* timed,
                         text::Language language, std::set<std::string>& told);

}  // namespace loom::notation
