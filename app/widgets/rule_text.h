#pragma once

#include <string>

#include "core/tune/rules/rules_at.h"

namespace loom::window {
struct Look;
}
namespace loom::session {
class RuleSteps;
class Session;
}  // namespace loom::session

/// Texts on the rules that construct schedules (core/tune/rules): they make sketches (schedules with open decisions,
/// such as tile sizes) of a program, and choose a value for each decision.
namespace loom::panels {

/// Returns the number and name of the rule of a row of the plan: "R4 multi-level tiling"; in other languages, followed
/// by the translated name, unless the name contains it.
std::string ruleTitle(const window::Look& look, const tune::PlanRow& row);
/// Returns what the rule of a row of the plan does, as a sentence; empty if neither the table of rules nor `steps`,
/// which has the user's own rules, knows it.
std::string ruleSentence(const window::Look& look, const session::RuleSteps& steps, const tune::PlanRow& row);
/// Returns the name of a sketch in the user's language, or `name` if there is no translation.
std::string sketchText(const window::Look& look, const std::string& name);
/// Returns the name of the sketch whose decisions the rules have chosen and the predicted time of this schedule,
/// "mma.sync: 14.2 µs predicted on NVIDIA H200", or that no time is predicted. Requires that the plan of `rules` has a
/// sketch.
std::string constructionText(const window::Look& look, const session::Session& session, const tune::RulesAt& rules);
/// Draws which parts of a program have open decisions in a sketch and which are fixed, each in a line with its
/// predicted time, if there is one, below a sentence. Draws nothing if the rules plan the program as a whole.
void drawParts(const window::Look& look, const tune::Sketch& sketch);

}  // namespace loom::panels
