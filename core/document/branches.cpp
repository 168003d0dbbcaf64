#include "core/document/branches.h"

#include <algorithm>
#include <utility>

namespace loom::document {
namespace {

class Collector {
 public:
  Collector(const History& history, const OpenRows& open, int shown)
      : history_(history), open_(open), shown_(shown), onWay_(history.nodes().size()) {
    for (int node : history.path(shown)) onWay_[std::size_t(node)] = true;
  }

  std::vector<HistoryRow> take() && {
    collect(0, 0, 0);
    return std::move(rows_);
  }

 private:
  bool onWay(int node) const { return node >= 0 && onWay_[std::size_t(node)]; }

  HistoryRow rowOf(int node, int depth, std::uint64_t passing) const {
    HistoryRow row;
    row.node = row.first = node;
    row.depth = depth;
    row.onWay = onWay(node);
    row.passing = passing;
    return row;
  }

  // The title of a fold whose first state this is.
  HistoryRow titleOf(int fold, HistoryRow row) const {
    row.fold = fold;
    row.open = open_.folds.contains(fold);
    row.steps = 0;
    for (int at = row.first; at >= 0 && isUnder(at, fold); at = history_.firstChild(at)) {
      row.node = at;
      ++row.steps;
      row.holdsShown = row.holdsShown || at == shown_;
    }
    return row;
  }

  bool isUnder(int node, int fold) const {
    const std::vector<int> around = history_.foldsAround(node);
    return std::ranges::find(around, fold) != around.end();
  }

  // Adds a row; says whether those after it of its way are left out.
  bool add(HistoryRow row, bool isHead) {
    row.branch = isHead;
    if (isHead) row.states = int(history_.statesFrom(row.first).size());
    row.folded = row.states > 1 && !open_.branches.contains(row.first);
    row.open = row.open && !row.folded;
    row.holdsShown = row.holdsShown && !row.open;
    rows_.push_back(row);
    return row.folded;
  }

  void collect(int from, int depth, std::uint64_t passing) {
    std::vector<int> before;  // folds around the state before
    for (int at = from; at >= 0;) {
      bool isHead = depth > 0 && at == from;
      const std::vector<int> around = history_.foldsAround(at);
      auto level = std::ranges::mismatch(before, around).in2 - around.begin();
      int last = at;  // of the states that the rows added here stand for
      for (; level < std::ptrdiff_t(around.size()); ++level) {
        HistoryRow title = titleOf(around[std::size_t(level)], rowOf(at, depth, passing));
        title.level = int(level);
        if (add(title, std::exchange(isHead, false))) return;
        if (!title.open) break;
      }
      const bool isClosed = level < std::ptrdiff_t(around.size());
      if (isClosed) {
        last = rows_.back().node;
      } else {
        HistoryRow row = rowOf(at, depth, passing);
        row.level = int(around.size());
        if (add(row, isHead)) return;
      }
      for (int state = at;; state = history_.firstChild(state)) {
        collectBranches(state, depth, passing);
        if (state == last) break;
      }
      before = history_.foldsAround(last);
      if (isClosed) before.resize(std::size_t(level) + 1);
      at = history_.firstChild(last);
    }
  }

  // The branches off a state.
  void collectBranches(int at, int depth, std::uint64_t passing) {
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

  static constexpr int kColumns = 64;
  const History& history_;
  const OpenRows& open_;
  const int shown_;
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

std::vector<HistoryRow> historyRows(const History& history, const OpenRows& open, int shown) {
  return Collector(history, open, shown).take();
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

void openAround(OpenRows& open, const History& history, int node) {
  for (int at = node; at > 0; at = history.node(at).parent) {
    const int parent = history.node(at).parent;
    if (at != node && parent >= 0 && history.firstChild(parent) != at) open.branches.insert(at);
  }
  const int next = history.firstChild(node);
  if (next < 0) return;
  const std::vector<int> here = history.foldsAround(node), there = history.foldsAround(next);
  for (int fold : here)
    if (std::ranges::find(there, fold) != there.end()) open.folds.insert(fold);
}

}  // namespace loom::document
