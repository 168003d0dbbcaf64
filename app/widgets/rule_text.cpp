#include "app/widgets/rule_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/plan/words.h"
#include "app/session/rule_steps.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"

namespace loom::panels {

namespace words = text::plan;
using window::Look;

std::string ruleTitle(const Look& look, const tune::PlanRow& row) {
  const tune::RuleTableRow* known = tune::ruleNumbered(row.number);
  const std::string own = known && known->name == row.rule ? look.tell(known->words) : row.rule;
  // A word that is the same in both languages, "warpgroup", stands there once.
  const bool adds = row.rule.find(own) == std::string::npos;
  return fmt::format("{} {}{}", row.number, row.rule, adds ? " " + own : "");
}

std::string ruleSentence(const Look& look, const session::RuleSteps& steps, const tune::PlanRow& row) {
  if (const tune::OwnRule* own = steps.ownRule(row)) return document::in(own->sentence, text::codeOf(look.language));
  const tune::RuleTableRow* known = tune::ruleNumbered(row.number);
  return known ? look.tell(known->sentence) : "";
}

std::string constructionText(const Look& look, const session::Session& session, const tune::RulesAt& rules) {
  const std::string& name = rules.shown().name;
  if (!rules.microseconds) return say(look, words::kBuiltUnpredicted, name);
  return say(look, words::kBuilt, name, timeText(*rules.microseconds),
             session::modelledDevice(session.modelDevice().status()));
}

}  // namespace loom::panels
