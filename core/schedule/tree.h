// The tree of the loops and blocks of a module, by which a loop or block is found by its id. It is TVM's sref tree:
// there is a node for each For and each block, except for loops inside of T.init, whose ids it doesn't know.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::schedule {

using ir::Id;

// The loops and blocks of a module, as a tree that can be searched by id. Unless a comment says otherwise, an id that
// is given to a function must be that of a loop or block of the module, else it throws std::logic_error. References
// that are returned live as long as the tree.
class Tree {
 public:
  static constexpr int kNone = -1;

  // One loop or block. Indices count nodes in program order, parents before children; a node's descendants are
  // [its index + 1, end).
  struct Node {
    Id id;
    bool isBlock = false;
    ir::Stmt stmt;         // the For, or the BlockRealize of the block
    int parent = kNone;    // the index of the node directly around; kNone for a function's root block
    int end = 0;           // the index after the last descendant
    int seqIndex = kNone;  // position when it stands directly in a Seq of its parent's body, else kNone
    int function = 0;      // index in Module::functions
  };

  Tree() = default;
  // Every loop and block must have an id of its own (else std::logic_error).
  explicit Tree(const ir::Module& module);

  const std::vector<Node>& nodes() const { return nodes_; }
  // Returns the index of a loop or block; kNone if the module has none with this id.
  int find(Id id) const;
  bool contains(Id id) const { return find(id) != kNone; }
  // Returns the node of a loop or block.
  const Node& at(Id id) const;

  // Return whether the id is that of a block, or of a loop; false for unknown ids.
  bool isBlock(Id id) const;
  bool isLoop(Id id) const;
  // Return the loop, the block with its binding, or the block with this id; throw std::logic_error for the other kind.
  ir::For loop(Id id) const;
  ir::BlockRealize realize(Id id) const;
  ir::Block block(Id id) const { return realize(id)->block; }

  // Returns the loop or block directly around the one with this id; Id{} for a root block.
  Id parent(Id id) const;
  // Returns the loops around the block (or loop), outermost first, as far as the next block around it.
  std::vector<Id> loopsAbove(Id block) const;
  // Returns the blocks below `id` without another block in between, in program order (TVM's child blocks).
  std::vector<Id> childBlocks(Id id) const;
  // Returns the loops and blocks whose parent is `id`, in program order.
  std::vector<Id> children(Id id) const;
  // Returns whether `above` is `below` itself or one of its ancestors; false for unknown ids.
  bool isAncestorOrSelf(Id above, Id below) const;
  // Returns the closest loop or block that each of `ids` is, or is inside of. Throws std::logic_error if there is none,
  // as for ids of two functions, and if `ids` is empty.
  Id lowestCommonAncestor(const std::vector<Id>& ids) const;
  // Returns the root block of the function with this index in Module::functions; throws std::logic_error if there is
  // none.
  Id root(int function) const;
  Id rootOf(Id id) const { return root(at(id).function); }

 private:
  struct Builder;
  void index();

  std::vector<Node> nodes_;
  std::vector<int> slots_;  // hash table from ids to indices: open addressing, a power of two; kNone is an empty slot
};

}  // namespace loom::schedule
