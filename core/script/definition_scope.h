// Finds the innermost node around all uses of each variable, at which the printer declares the variables that no
// statement around their uses defines. Internal to core/script.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::script {

// For every variable and buffer of a function: the path from the function through statements and blocks to the
// innermost one that contains all uses of the variable or buffer, its definition included. A node that stands in two
// places of the tree counts only where it is met first, as in TVM. The paths are needed because some schedule
// primitives leave variables of an inner block in the regions of an outer one; TVM declares them at the end of their
// path. Everything is known by the addresses of nodes, so the function must outlive the object.
class DefinitionScopes {
 public:
  using Path = std::vector<const void*>;  // the FunctionNode, then StmtNodes and BlockNodes, outermost first
  explicit DefinitionScopes(const ir::FunctionNode& function);

  // Returns the path of a variable or buffer, given by the address of its VarNode or BufferNode; empty if the function
  // doesn't use it. The reference is valid as long as this object.
  const Path& pathOf(const void* varOrBuffer) const;
  // Returns the buffer whose data pointer is the variable, the first one that is met if there are several; null if
  // there is none.
  const ir::BufferNode* bufferOf(const ir::VarNode* data) const;

 private:
  std::unordered_map<const void*, Path> paths_;
  std::unordered_map<const ir::VarNode*, const ir::BufferNode*> buffers_;
  Path none_;
};

}  // namespace loom::script
