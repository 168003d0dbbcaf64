#include "core/document/branches.h"

#include <algorithm>

namespace loom::document {
namespace {

class Collector {
 public:
  Collector(const History& history, const std::set<int>& unfolded, int shown)
      : history_(history), unfolded_(unfolded), onWay_(history.nodes().size()) {
    for (int node : history.path(shown)) onWay_[std::size_t(node)] = true;
  }

  std::vector<HistoryRow> take() && {
    collect(0, 0, 0);
    return std::move(rows_);
  }

 private:
  bool onWay(int node) const { return node >= 0 && onWay_[std::size_t(node)]; }

  void collect(int from, int depth, std::uint64_t passing) {
    for (int at = from; at >= 0; at = history_.firstChild(at)) {
      HistoryRow row{at, depth, depth > 0 && at == from, 0, false, onWay(at), passing};
      if (row.branch) row.states = int(history_.statesFrom(at).size());
      row.folded = row.states > 1 && unfolded_.count(at) == 0;
      rows_.push_back(row);
      if (row.folded) return;
      const int next = history_.firstChild(at);
      std::vector<int> others;
      for (int child : history_.node(at).children)
        if (child != next && !history_.node(child).deleted) others.push_back(child);
      bool passes = onWay(next);  // the branches that come before what the way takes
      const std::uint64_t column = depth < kColumns ? std::uint64_t{1} << depth : 0;
      std::vector<std::uint64_t> beside(others.size());
      for (std::size_t i = others.size(); i-- > 0;) {
        beside[i] = passing | (passes ? column : 0);
        passes = passes || onWay(others[i]);
      }
      for (std::size_t i = 0; i < others.size(); ++i) collect(others[i], depth + 1, beside[i]);
    }
  }

  static constexpr int kColumns = 64;
  const History& history_;
  const std::set<int>& unfolded_;
  std::vector<bool> onWay_;
  std::vector<HistoryRow> rows_;
};

}  // namespace

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

std::vector<HistoryRow> historyRows(const History& history, const std::set<int>& unfolded, int shown) {
  return Collector(history, unfolded, shown).take();
}

std::vector<int> statesByWay(const History& history) {
  std::vector<int> states, open{0};
  while (!open.empty()) {
    std::vector<int> branches;
    int at = open.back();
    open.pop_back();
    while (at >= 0) {
      states.push_back(at);
      const int ahead = history.firstChild(at);
      for (int child : history.node(at).children)
        if (child != ahead && !history.node(child).deleted) branches.push_back(child);
      at = ahead;
    }
    open.insert(open.end(), branches.rbegin(), branches.rend());
  }
  return states;
}

std::vector<int> branchesAround(const History& history, int node) {
  std::vector<int> heads;
  for (int at = node; at > 0; at = history.node(at).parent) {
    const int parent = history.node(at).parent;
    if (at != node && parent >= 0 && history.firstChild(parent) != at) heads.push_back(at);
  }
  std::reverse(heads.begin(), heads.end());
  return heads;
}

}  // namespace loom::document
