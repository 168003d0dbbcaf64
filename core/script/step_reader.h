// Reads a single Python statement as a step line, a call of a schedule primitive such as `i, j = sch.split(k, [None,
// 16])`. For readers of step lines that stand among other Python.
#pragma once
#include <vector>

#include "core/script/python_ast.h"
#include "core/script/step_line.h"

namespace loom::script {

// Reads step lines from statements.
class StepReader {
 public:
  // `source` is the text of the statements and must outlive the reader. If it can't be split into tokens, `sourceOf`
  // always returns "".
  explicit StepReader(const SourceText& source);

  // Reads a statement as a step line. Error "ParseError" with its place if the statement isn't one.
  Result<StepCall> read(const Statement& statement) const;
  // Returns the statement as written: its line without indentation and, if it goes over several lines, joined by
  // blanks; empty if it shares its line with another one.
  std::string sourceOf(const Statement& statement) const;

 private:
  const SourceText& source_;
  std::vector<Token> tokens_;
};

}  // namespace loom::script
