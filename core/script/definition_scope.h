// Where a variable that nothing around it defines must be declared. Private to the room.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::script {

// For every variable and buffer of a function, the path of statements (and blocks) from the function to the innermost
// one that contains all its uses, definitions included. A part that is shared between two places of the tree counts
// where it is met first, as in TVM. Some primitives leave a block's regions with variables of a block inside it; this
// finds the place where TVM declares them.
class DefinitionScopes {
 public:
  using Path = std::vector<const void*>;  // FunctionNode, StmtNode and BlockNode, outermost first
  explicit DefinitionScopes(const ir::FunctionNode& function);

  // Returns where a variable or buffer is used; empty if it isn't.
  const Path& pathOf(const void* varOrBuffer) const;
  // Returns the buffer that a pointer variable is the data of; null if there is none.
  const ir::BufferNode* bufferOf(const ir::VarNode* data) const;

 private:
  std::unordered_map<const void*, Path> paths_;
  std::unordered_map<const ir::VarNode*, const ir::BufferNode*> buffers_;
  Path none_;
};

}  // namespace loom::script
