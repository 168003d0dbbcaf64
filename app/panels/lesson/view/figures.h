#pragma once

#include <set>
#include <string>

#include "app/session/state_model.h"
#include "app/text/text.h"
#include "core/document/bench.h"

namespace loom::notation {

/// What a figure of a lesson's text (document::figureNames) is for a state, in the unit in which it reads best. Either
/// may be null: not known yet. Empty where the figure isn't known. `told`: the origins of times that the text has named
/// already; they aren't repeated.
std::string lessonFigure(const std::string& name, const session::StateModel* model, const document::KnownTime* timed,
                         text::Language language, std::set<std::string>& told);

}  // namespace loom::notation
