#pragma once

#include <set>
#include <string>

#include "app/session/state_model.h"
#include "app/text/text.h"
#include "core/document/bench.h"

namespace loom::notation {

/// Returns a figure of a lesson's text (document::figureNames) for a state, as text in a readable unit; empty if it
/// isn't known. `model` and `timed` are those of the state, null while they aren't known. `told` has the origins of
/// times that the text has named already, which aren't repeated; new ones are added to it.
std::string lessonFigure(const std::string& name, const session::StateModel* model, const document::KnownTime* timed,
                         text::Language language, std::set<std::string>& told);

}  // namespace loom::notation
