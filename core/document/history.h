// The history of a document: a tree of all states, branches included. A state is an immutable value, so that going back
// costs nothing. Functions take a state by its index in `nodes()`; 0 is the start. An `environment` has the tensor
// intrinsics that step lines may name.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/document/fold.h"
#include "core/document/sizes.h"
#include "core/schedule/instruction.h"
#include "core/script/printer.h"
#include "core/script/step_line.h"

namespace loom::document {

// A step line that was applied.
struct Line {
  std::uint32_t uid = 0;  // part of the ids of all loops, blocks and buffers that the line made; it stays when earlier
                          // steps are edited, and so do these ids
  std::string source;     // the text of the line
  double milliseconds = 0;  // time that applying the primitive took
};

// A state and the lines that led to it from its parent: any number of accessor lines, which only look up loops and
// blocks, and then one line that changed the text of the module, or decided something (a sampling step): the step.
struct Node {
  Node(schedule::State s, std::shared_ptr<const script::Script> text) : state(std::move(s)), script(std::move(text)) {}

  int parent = -1;                               // index in the tree; -1 for the start
  std::vector<int> children;                     // in the order in which they were made
  std::vector<Line> lines;                       // empty for the start; the last one is the step
  std::vector<Line> trailing;                    // accessor lines typed at this state
  schedule::State state;                         // after `lines` and `trailing`
  std::shared_ptr<const script::Script> script;  // the module as TVMScript; never null
  int number = 0;                                // steps from the start: 0 for the start
  std::string name, note;                        // given by the user; empty: none
  bool pinned = false;                           // whether the user has pinned the state
  bool deleted = false;                          // whether the state and all that follow from it are hidden; undo and
                                                 // `reveal` bring it back
  bool broken = false;  // whether an edit of an earlier step made this step inapplicable: the node is then deleted, and
                        // `state` is the one before that edit
  int fold = -1;        // the innermost fold (a group of states under one title) that has the state: an index in
                        // History::folds(); -1: none

  // Returns the line that is the step; null for the start.
  const Line* step() const { return lines.empty() ? nullptr : &lines.back(); }
  // Returns the time, in ms, that applying all `lines` took.
  double milliseconds() const;
};

// The tree of states that schedules of one program have led to. A node is a state with the step lines that led to it
// from its parent; the start is node 0.
class History {
 public:
  // Makes the history of an unscheduled module, with the start alone. Error "ValueError" if it can't be scheduled.
  static Result<History> create(const ir::Module& module);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(int index) const { return nodes_.at(std::size_t(index)); }
  // Return the current state, and make a state the current one, which must not be broken (`isBroken`).
  int current() const { return current_; }
  void select(int index) { current_ = index; }

  // The outcome of `apply`.
  struct Applied {
    int node = 0;                  // the last state that was reached
    int made = 0;                  // number of new states
    std::optional<Error> refusal;  // why a line was refused, with its place in the text; nothing if none was
  };
  // Applies step lines at state `at`, one after another. A line that changes the text of the module, or a sampling
  // step, makes a child, and the next line is applied there. An old child is used again instead, and shown if it was
  // hidden, if the same lines led to it, or if a single line led to it and the new one, which assigns no result to a
  // name, leads to the same text. Accessor lines at the end go to Node::trailing of the last state. A sampling step
  // without a decision draws one, if possible one that no child has, and keeps it as its argument. The last state
  // becomes the current one. If a line is refused, the lines before it stay applied. Error: "ParseError" if the text
  // can't be read; then nothing is applied. `file` is named in errors.
  Result<Applied> apply(int at, std::string_view text, const schedule::Environment& environment,
                        std::string_view file = "");

  // Returns what step lines would lead to at a state, without changing the history. Errors: "ParseError" if the text
  // can't be read or has no step, else why a primitive refuses.
  Result<schedule::Applied> preview(int at, std::string_view line, const schedule::Environment& environment) const;

  // Returns the states from the start to `index`, both included.
  std::vector<int> path(int index) const;
  // Returns whether the state, or another one on the path to it, is broken: its program isn't that of its steps.
  bool isBroken(int index) const;
  // Returns whether the state, or another one on the path to it, is deleted.
  bool isHidden(int index) const;
  // Returns for each state whether it is hidden (`isHidden`).
  std::vector<bool> hidden() const;
  // Returns the lines of the path to a state as the text of a schedule file.
  std::string schedule(int index) const;
  // Returns what made a loop, block or buffer of a state, for comments and hovers: "cache_read, step 21"; empty if the
  // unscheduled function had it.
  std::string describe(int index, ir::Id id) const;

  // Deletes a state with all that follow from it; they stay in the tree as hidden ones. If the current state is among
  // them, the parent becomes the current one. Has no effect on the start.
  void remove(int index);
  // Brings a hidden state and those on the path to it back. Other states that were hidden beside or below them stay
  // hidden.
  void reveal(int index);
  // Return and set the states that are deleted themselves, as opposed to hidden because an ancestor is; used for undo.
  std::vector<int> removed() const;
  void setRemoved(const std::vector<int>& nodes);
  // Returns a state and all that follow from it, in no particular order, without deleted states and those that follow
  // from these; empty if the state itself is deleted.
  std::vector<int> statesFrom(int index) const;
  // Returns the oldest child of a state that isn't deleted; -1 if there is none.
  int firstChild(int index) const;
  void rename(int index, std::string name) { nodes_.at(std::size_t(index)).name = std::move(name); }
  void annotate(int index, std::string note) { nodes_.at(std::size_t(index)).note = std::move(note); }
  void pin(int index, bool pinned) { nodes_.at(std::size_t(index)).pinned = pinned; }

  // Returns all folds that states stand under, or stood under before they were deleted.
  const std::vector<Fold>& folds() const { return folds_; }
  // Puts the last `made` states of the path to `last`, which `apply` made from lines at state `at`, under a new fold
  // with the title of `titles`, which also divides the lines into parts. Each part that has a title and several of the
  // states, but not all of them, gets a fold within the new one. Has no effect if fewer than two states were made, or
  // without a title.
  void foldSteps(int at, int last, int made, const FoldTitles& titles);
  // Returns the folds that a state stands under, the outermost first.
  std::vector<int> foldsAround(int index) const;

  // Returns a copy of the history in which `line`, a single one, replaces the step that led to `index` (its accessor
  // lines stay), with all later steps applied again. The indices of states stay. A state that an earlier edit broke is
  // shown again if its step now applies. The current state stays, or becomes `index` if it is broken now. Errors:
  // "ValueError" for the start, else why `line`, or an accessor line at the state, can't be read or is refused.
  struct Edited;
  Result<Edited> edit(int index, std::string_view line, const schedule::Environment& environment) const;

  // Return and set the values that the user named for the function's symbols. They are the same in all states.
  const Sizes& sizes() const { return sizes_; }
  void setSizes(Sizes sizes) { sizes_ = std::move(sizes); }

  // Returns the uid that the next line will get.
  std::uint32_t nextUid() const { return nextUid_; }

  // The following functions rebuild the history of a document that is read. The current state stays; after an error no
  // state has changed.

  // Adds a child with these lines and the uids that they had, and returns its index. Errors: "ParseError" if a uid is
  // out of range or was used before, else the refusal of a primitive.
  Result<int> restoreStep(int parent, const std::vector<std::string>& lines, const std::vector<std::uint32_t>& uids,
                          const schedule::Environment& environment);
  // Applies accessor lines with the uids that they had at the state `at` (Node::trailing). Errors as those of
  // `restoreStep`.
  Result<void> restoreTrailing(int at, const std::vector<std::string>& lines, const std::vector<std::uint32_t>& uids,
                               const schedule::Environment& environment);
  // Add a fold, whose `outer` must have been added before, and put a state under the fold with the index `fold`.
  void restoreFold(Fold fold) { folds_.push_back(std::move(fold)); }
  void restoreFoldOf(int index, int fold) { nodes_.at(std::size_t(index)).fold = fold; }
  // Reserves uids, so that no new line gets them: those of steps of the document that can't be applied.
  void reserve(const std::vector<std::uint32_t>& uids);

 private:
  History() = default;
  int addChild(int parent, Node node);
  // Applies each line in turn to `state`; times are filled in.
  static Result<void> run(std::vector<Line>& lines, schedule::State& state, const schedule::Environment& environment);

  Result<void> claim(const std::vector<Line>& lines);
  // Returns the child of a state that has these lines; -1 if there is none.
  int childWith(int parent, const std::vector<Line>& lines) const;

  std::vector<Node> nodes_;
  std::vector<Fold> folds_;
  std::set<std::uint32_t> uids_;  // of restored steps
  int current_ = 0;
  std::uint32_t nextUid_ = 1;
  Sizes sizes_;
};

// The outcome of `edit`.
struct History::Edited {
  History history;
  int node = 0;  // the state whose step was replaced
  struct Broken {
    int node = 0;  // index of the state
    Error error;   // why the step is refused
  };
  std::vector<Broken> broken;  // states whose step no longer applies; they and all that follow from them are deleted
  int changed = 0;             // number of states whose text differs from before
};

}  // namespace loom::document
