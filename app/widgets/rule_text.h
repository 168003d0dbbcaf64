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
/// such as tile sizes) of a program, and choose a value for each decision. A plan (tune::RulePlan) has these sketches,
/// and rows that say of each rule and block whether the rule applied.
namespace loom::panels {

/// Returns the number and name of the rule of a row of the plan: "R4 multi-level tiling"; in other languages, followed
/// by the translated name, unless the name contains it.
std::string ruleTitle(const window::Look& look, const tune::PlanRow& row);
/// Returns what the rule of a row of the plan does, as a sentence; empty if neither the table of rules nor `steps`,
/// which has the user's own rules, knows it.
std::string ruleSentence(const window::Look& look, const session::RuleSteps& steps, const tune::PlanRow& row);
/// Returns the name of a sketch in the user's language, or `name` if there is no translation.
std::string sketchText(const window::Look& look, const std::string& name);
/// Returns the name of the sketch that `rules` shows, of which there must be one, and the predicted time of the
/// schedule that the rules choose of it, "mma.sync: 14.2 µs predicted on NVIDIA H200", or that no time is predicted.
/// `session` tells the device that predictions are for.
std::string constructionText(const window::Look& look, const session::Session& session, const tune::RulesAt& rules);
/// Draws which parts of a program (groups of its blocks that have sketches of their own, tune::partsOf) have open
/// decisions in a sketch and which are fixed, each in a line with its predicted time, if there is one, below a sentence
/// with their number. Draws nothing if the sketch has no parts but is of the whole program.
void drawParts(const window::Look& look, const tune::Sketch& sketch);

}  // namespace loom::panels
