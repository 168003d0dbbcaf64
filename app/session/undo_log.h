#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/problem.h"
#include "core/document/history.h"

namespace loom::session {

/// The description of what undo takes back, or redo does again, for a menu; Edits::undoable and Edits::redoable make it
/// of an entry. A state is the program after some steps of its schedule; states are given by their indices in the
/// history, the tree of all states.
struct UndoLabel {
  /// kGo: another state became current. kApply: steps were applied. kRemove: states were deleted. kEdit: a step of the
  /// past was edited. kMark: a state's StateLabels were changed.
  enum class Kind { kGo, kApply, kRemove, kEdit, kMark };
  Kind kind = Kind::kGo;
  int number = 0;    ///< steps from the start to the state concerned; for kGo, to the one that undo or redo goes to
  std::string line;  ///< line of the step that leads to that state; empty for kGo and for the start
  int states = 0;    ///< for kRemove, the number of deleted states; otherwise 0
  Message title{};   ///< for kApply, the title of several steps that were applied as one; otherwise empty
};

/// What the user has written or marked at a state: its name and its note, and whether it is pinned, so that the panel
/// History makes it stand out.
struct StateLabels {
  std::string name, note;
  bool pinned = false;
  friend bool operator==(const StateLabels&, const StateLabels&) = default;
};

/// Something that the user did and can undo (Edits::undo, Edits::redo).
struct UndoEntry {
  using Kind = UndoLabel::Kind;
  Kind kind = Kind::kGo;
  /// Indices of the current state before and after the action; for kEdit into `older` and `newer`.
  int before = 0, after = 0;
  /// Index of the state that was edited or marked; kRemove: of the one that was deleted with its descendants; kApply:
  /// of the last new state; kGo: not used.
  int node = 0;
  /// kGo: whether a neighbouring state became current. Navigation::go lets the next such move change `after` of this
  /// entry, instead of adding one of its own.
  bool walk = false;
  /// For kEdit, the whole histories before and after; `node` is an index into `newer`. Otherwise null.
  std::shared_ptr<const document::History> older{}, newer{};
  StateLabels marksBefore{}, marksAfter{};  ///< for kMark, the state's labels before and after
  /// The indices of the deleted states (History::removed) before and after an action of any kind, if they differ;
  /// nothing otherwise.
  std::optional<std::pair<std::vector<int>, std::vector<int>>> removed{};
  int states = 0;                ///< for kRemove, the number of deleted states
  std::vector<Problem> broke{};  ///< for kEdit, the refusals of later steps
  int number = 0;                ///< number of steps from the start to the state `node`; 0 for kGo
  std::string line{};            ///< line of the step that leads to `node`; empty for kGo and the start
  Message title{};               ///< for kApply, the title of several steps that were applied as one; otherwise empty

  /// Returns whether undoing or redoing the action changes the history, and not only which state is current: the
  /// deleted states, the labels of a state, or all of it. False for kApply without deleted states: the new states stay
  /// in the history when it is undone.
  bool changesTree() const { return removed || kind == Kind::kEdit || kind == Kind::kMark; }
  /// Sets `removed` to the values of History::removed before and after the action, unless they are the same.
  void noteRemoved(const std::vector<int>& was, const std::vector<int>& is) {
    if (was != is) removed.emplace(was, is);
  }
};

/// What can be undone and what can be redone. The next entry to undo or redo is the last of each.
struct UndoLog {
  std::vector<UndoEntry> undo, redo;

  /// Adds the entry of a new action, after which nothing can be redone. Unless it is of kind kGo, fills in `number` and
  /// `line` for its `node` from UndoEntry::newer or, if that is null, from `history`, the history after the action.
  /// (Edits moves entries between the two lists by itself.)
  void push(UndoEntry entry, const document::History& history) {
    if (entry.kind != UndoEntry::Kind::kGo) {
      const document::Node& of = (entry.newer ? *entry.newer : history).node(entry.node);
      entry.number = of.number;
      if (of.step() != nullptr) entry.line = of.step()->source;
    }
    undo.push_back(std::move(entry));
    redo.clear();
  }
  /// Removes all entries.
  void clear() {
    undo.clear();
    redo.clear();
  }
};

}  // namespace loom::session
