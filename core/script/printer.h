// TVMScript text of programs, equal to the byte to what TVM's `mod.script()` prints, and where each thing stands in it.
// Source of the rules: TVM 0.22, src/script/printer.
#pragma once
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::script {

// Tir is the text of TVM 0.22; STir the same program as current TVM (0.27, `from tvm.script import tirx as T`) reads
// it.
enum class Dialect { Tir, STir };

// A stretch of the text and the thing that it shows. Lines and columns count from 0, columns in bytes; the end is
// exclusive.
struct Span {
  enum class What {
    Function,    // `def …` to the end of its body; id is none
    Loop,        // the variable's name in a `for` header; id is the loop's
    LoopBody,    // the whole statement, header and body; one span per loop of a T.grid, all of one extent
    Block,       // `T.block("name")` in its header; id is the block's
    BlockBody,   // the whole statement
    Buffer,      // the name where the buffer is defined (parameter, alloc_buffer, match_buffer); id is the buffer's
    Region,      // an element of T.reads or T.writes; id is the buffer's
    Load,        // `A[i, j]` where it is read; id is the buffer's
    Store,       // `C[i, j]` where it is written; id is the buffer's
    Annotation,  // one entry of T.block_attr or of a loop's annotations; id is the block's or the loop's
  };
  int line0 = 0, col0 = 0, line1 = 0, col1 = 0;
  ir::Id id;
  What what = What::Loop;
  friend bool operator==(const Span&, const Span&) = default;
};

// A printed program, with where its parts stand in the text.
struct Script {
  std::string text;         // without a newline at the end, as TVM's
  std::vector<Span> spans;  // ordered by start, an outer span before an inner one
};

// Prints the whole module with its header comments and imports.
Script print(const ir::Module& module, Dialect dialect = Dialect::Tir);

// Return the text of one statement or expression for messages and panels. Variables and buffers that it doesn't define
// keep the names they have.
std::string printExpr(const ir::Expr& expr, Dialect dialect = Dialect::Tir);
std::string printStmt(const ir::Stmt& stmt, Dialect dialect = Dialect::Tir);
std::string printRegion(const ir::BufferRegion& region);
std::string printAnnotation(const ir::AnnotationValue& value, Dialect dialect = Dialect::Tir);

}  // namespace loom::script
