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

/// Texts on the rules of core/tune/rules and what they construct, the same in every panel and dialog.
namespace loom::panels {

/// Returns the number and name of a rule: "R4 multi-level tiling"; in other languages with its words after it.
std::string ruleTitle(const window::Look& look, const tune::PlanRow& row);
/// Returns what the rule does, as a sentence; empty if neither the table nor `steps` knows the rule.
std::string ruleSentence(const window::Look& look, const session::RuleSteps& steps, const tune::PlanRow& row);
/// Returns the name of a sketch in words; what nobody has translated stays as it is.
std::string sketchText(const window::Look& look, const std::string& name);
/// Returns what is constructed: "mma.sync: 14.2 µs predicted on NVIDIA H200".
std::string constructionText(const window::Look& look, const session::Session& session, const tune::RulesAt& rules);
/// Draws which parts of a program a sketch leaves open, which are fixed, and what each is predicted to take: a sentence
/// and a line each. Draws nothing where the program is planned as a whole.
void drawParts(const window::Look& look, const tune::Sketch& sketch);

}  // namespace loom::panels
