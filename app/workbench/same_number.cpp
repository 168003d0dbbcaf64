#include "app/workbench/same_number.h"

#include <algorithm>

namespace loom::workbench {

int othersOfSameNumber(const document::History& history, int node) {
  const std::vector<bool> hidden = history.hidden();
  int others = 0;
  for (int i = 0; i < int(hidden.size()); ++i)
    others += i != node && !hidden[std::size_t(i)] && history.node(i).number == history.node(node).number;
  return others;
}

int firstOfBranch(const document::History& history, int node) {
  for (int at = node; history.node(at).parent >= 0; at = history.node(at).parent) {
    const std::vector<int>& children = history.node(history.node(at).parent).children;
    const auto first =
        std::find_if(children.begin(), children.end(), [&](int child) { return !history.node(child).deleted; });
    if (first != children.end() && *first != at) return at;
  }
  return -1;
}

}  // namespace loom::workbench
