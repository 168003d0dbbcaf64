#pragma once

#include <set>
#include <string>

#include "app/session/state_model.h"
#include "app/text/text.h"
#include "core/document/bench.h"

namespace loom::notation {

/// Returns a figure that a lesson's text refers to by name ("measured", "blocks"; document::figureNames) for a state,
/// as text with a unit; "" if it isn't known. For "measured" without a measured time, returns the predicted time and
/// says so. `model` is the model of the state and `timed` its measured time; each is null while it isn't known. `told`
/// has the origins of times (device, measured or recorded or predicted) that the text has named before: these aren't
/// repeated, and a new one is added.
std::string lessonFigure(const std::string& name, const session::StateModel* model, const document::KnownTime* timed,
                         text::Language language, std::set<std::string>& told);

}  // namespace loom::notation
