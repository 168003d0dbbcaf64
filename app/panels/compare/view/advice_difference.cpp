#include "app/panels/compare/view/advice_difference.h"

#include <algorithm>

namespace loom::session {

std::vector<model::Advice> adviceOnlyIn(const std::vector<model::Advice>& of, const std::vector<model::Advice>& other) {
  std::vector<model::Advice> only;
  auto has = [](const std::vector<model::Advice>& all, const model::Advice& a) {
    return std::any_of(all.begin(), all.end(),
                       [&](const model::Advice& b) { return b.code == a.code && b.subject == a.subject; });
  };
  for (const model::Advice& a : of)
    if (a.code != "busiest" && !has(other, a) && !has(only, a)) only.push_back(a);
  return only;
}

}  // namespace loom::session
