// Prints programs as TVMScript, byte for byte as `mod.script()` of the dialect's TVM does, and says where each loop,
// block and buffer stands in the text. Source of the rules: TVM 0.22, src/script/printer.
#pragma once
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::script {

// The dialect of a text: Tir is that of TVM 0.22, STir that of current TVM (0.27, `from tvm.script import tirx as T`).
enum class Dialect { Tir, STir };

// A range of the text and the part of the program that it shows. Lines and columns count from 0, columns in bytes; the
// end is exclusive.
struct Span {
  enum class What {
    Function,    // from `def …` to the end of the function's body; id is none
    Loop,        // a loop variable's name in a `for` header; id is the loop's
    LoopBody,    // a whole `for` statement, header and body, once for each loop of a T.grid; id is the loop's
    Block,       // `T.block("name")` in a block's header, or in the comment that stands for a root block; id is the
                 // block's
    BlockBody,   // a whole block, header and body, but none for a root block that is a comment; id is the block's
    Buffer,      // the name where the buffer is defined (parameter, alloc_buffer, match_buffer); id is the buffer's
    Region,      // an element of T.reads or T.writes; id is the buffer's
    Load,        // `A[i, j]` where an element is read; id is the buffer's
    Store,       // `C[i, j]` where an element is written; id is the buffer's
    Annotation,  // one entry of T.block_attr or of a loop's annotations; id is the block's or the loop's
  };
  int line0 = 0, col0 = 0, line1 = 0, col1 = 0;
  ir::Id id;
  What what = What::Loop;
  friend bool operator==(const Span&, const Span&) = default;
};

// The text of a program and where its parts stand in it.
struct Script {
  std::string text;         // as in TVM, without a newline at the end
  std::vector<Span> spans;  // ordered by start, an outer span before an inner one
};

// Prints the whole module with its header comments and imports.
Script print(const ir::Module& module, Dialect dialect = Dialect::Tir);

// Return the text of an expression, statement, region or annotation (none null), without a newline at the end, for
// messages and panels. Variables and buffers that are defined outside of it are printed under the names stored in them.
std::string printExpr(const ir::Expr& expr, Dialect dialect = Dialect::Tir);
std::string printStmt(const ir::Stmt& stmt, Dialect dialect = Dialect::Tir);
std::string printRegion(const ir::BufferRegion& region);
std::string printAnnotation(const ir::AnnotationValue& value, Dialect dialect = Dialect::Tir);

}  // namespace loom::script
