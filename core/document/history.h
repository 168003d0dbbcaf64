// The tree of states: every step ever taken, branches included. States are immutable, so that going back costs nothing.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/document/sizes.h"
#include "core/schedule/instruction.h"
#include "core/script/printer.h"
#include "core/script/step_line.h"

namespace loom::document {

// One line as applied.
struct Line {
  std::uint32_t uid = 0;  // of the step: ids of what it made carry it. Stays when earlier steps are edited.
  std::string source;
  double milliseconds = 0;  // of the primitive
};

// A state and the lines that led to it from its parent: accessor lines, then one line that changed the text of the
// module.
struct Node {
  Node(schedule::State s, std::shared_ptr<const script::Script> text) : state(std::move(s)), script(std::move(text)) {}

  int parent = -1;             // index in the tree; -1 for the start
  std::vector<int> children;   // in the order in which they were made
  std::vector<Line> lines;     // empty for the start; the last one is the step
  std::vector<Line> trailing;  // accessor lines typed at this state
  schedule::State state;       // after `trailing`
  std::shared_ptr<const script::Script> script;
  int number = 0;          // steps from the start: 0 for the start
  std::string name, note;  // given by the user
  bool pinned = false;
  bool deleted = false;  // hidden, with its subtree; undo brings it back, and whoever goes there

  bool broken = false;  // by an edit before it: deleted, and its state is of before the edit

  const Line* step() const { return lines.empty() ? nullptr : &lines.back(); }
  double milliseconds() const;  // of all its lines
};

class History {
 public:
  // Of the unscheduled module. ValueError where it can't be scheduled.
  static Result<History> create(const ir::Module& module);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(int index) const { return nodes_.at(std::size_t(index)); }
  int current() const { return current_; }
  void select(int index) { current_ = index; }

  // Applies step lines at a node, one after another; a line that changes the text makes (or, where the same line was
  // applied there before, finds) a child, and the next one is applied there. Gives the last node. On a refusal the
  // lines before stay applied and the error's place has the line within `text`.
  struct Applied {
    int node = 0;
    int made = 0;  // how many new states
    std::optional<Error> refusal;
  };
  Result<Applied> apply(int at, std::string_view text, const schedule::Environment& environment,
                        std::string_view file = "");

  // What a line would give, without a trace in the tree.
  Result<schedule::Applied> preview(int at, std::string_view line, const schedule::Environment& environment) const;

  // Nodes from the start to `index`, both included.
  std::vector<int> path(int index) const;
  // Whether it, or one on the way to it, is broken: nobody can go there.
  bool isBroken(int index) const;
  // Deleted, or below one that is; of one node, and by node.
  bool isHidden(int index) const;
  std::vector<bool> hidden() const;
  // The lines of the path, one per line of text, as a schedule file.
  std::string schedule(int index) const;
  // What made a loop, block or buffer, for comments and hovers: "cache_read, step 21"; "" for what the function had.
  std::string describe(int index, ir::Id id) const;

  // Hides the node and what follows from it; the start can't be deleted. The current state moves to the parent if it's
  // inside.
  void remove(int index);
  // Brings a hidden node back, and those that lead to it: nobody stands on a state that isn't there. What was hidden
  // beside them and after it stays hidden.
  void reveal(int index);
  // The nodes that are deleted themselves, for undo.
  std::vector<int> removed() const;
  void setRemoved(const std::vector<int>& nodes);
  // A node and what follows from it, without what is deleted.
  std::vector<int> statesFrom(int index) const;
  // The way that was first taken from a node, of those that aren't deleted; -1: none.
  int firstChild(int index) const;
  void rename(int index, std::string name) { nodes_.at(std::size_t(index)).name = std::move(name); }
  void annotate(int index, std::string note) { nodes_.at(std::size_t(index)).note = std::move(note); }
  void pin(int index, bool pinned) { nodes_.at(std::size_t(index)).pinned = pinned; }

  // The same tree with the step of `index` replaced and all that follows applied again.
  struct Edited;
  Result<Edited> edit(int index, std::string_view line, const schedule::Environment& environment) const;

  // Of the function's symbols, as they were named; the same in all states.
  const Sizes& sizes() const { return sizes_; }
  void setSizes(Sizes sizes) { sizes_ = std::move(sizes); }

  std::uint32_t nextUid() const { return nextUid_; }

  // For reading documents: a step with the uids that it had. Gives the new node. Errors: "ParseError" for what no
  // document has (uids out of range or twice), else the primitives'.
  Result<int> restoreStep(int parent, const std::vector<std::string>& lines, const std::vector<std::uint32_t>& uids,
                          const schedule::Environment& environment);
  Result<void> restoreTrailing(int at, const std::vector<std::string>& lines, const std::vector<std::uint32_t>& uids,
                               const schedule::Environment& environment);
  // Keeps the uids from new steps: those of a document's steps that can't be applied here.
  void reserve(const std::vector<std::uint32_t>& uids);

 private:
  History() = default;
  int addChild(int parent, Node node);
  // Applies each line in turn to `state`; times are filled in.
  static Result<void> run(std::vector<Line>& lines, schedule::State& state, const schedule::Environment& environment);

  Result<void> claim(const std::vector<Line>& lines);

  std::vector<Node> nodes_;
  std::set<std::uint32_t> uids_;  // of restored steps
  int current_ = 0;
  std::uint32_t nextUid_ = 1;
  Sizes sizes_;
};

struct History::Edited {
  History history;
  int node = 0;  // the replaced step's
  struct Broken {
    int node = 0;  // in the old tree
    Error error;
  };
  std::vector<Broken> broken;  // steps that are refused now; what followed them is gone
  int changed = 0;             // states whose text differs from before
};

}  // namespace loom::document
