#include "core/document/same_number.h"

namespace loom::document {

int othersOfSameNumber(const History& history, int node) {
  const std::vector<bool> hidden = history.hidden();
  int others = 0;
  for (int i = 0; i < int(hidden.size()); ++i)
    others += i != node && !hidden[std::size_t(i)] && history.node(i).number == history.node(node).number;
  return others;
}

bool leadsTo(const History& history, int above, int node) {
  while (node > above) node = history.node(node).parent;  // a node's index is above its parent's
  return node == above;
}

int firstOfBranch(const History& history, int node) {
  for (int at = node; history.node(at).parent >= 0; at = history.node(at).parent) {
    const int first = history.firstChild(history.node(at).parent);
    if (first >= 0 && first != at) return at;
  }
  return -1;
}

}  // namespace loom::document
