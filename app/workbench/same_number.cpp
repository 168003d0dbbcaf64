#include "app/workbench/same_number.h"

namespace loom::workbench {

int othersOfSameNumber(const document::History& history, int node) {
  const std::vector<bool> hidden = history.hidden();
  int others = 0;
  for (int i = 0; i < int(hidden.size()); ++i)
    others += i != node && !hidden[std::size_t(i)] && history.node(i).number == history.node(node).number;
  return others;
}

}  // namespace loom::workbench
