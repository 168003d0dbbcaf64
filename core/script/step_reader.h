// A single statement as a step line. Private to those who read lines among other Python.
#pragma once
#include <vector>

#include "core/script/python_ast.h"
#include "core/script/step_line.h"

namespace loom::script {

// Reads step lines from statements.
class StepReader {
 public:
  // The source must outlive the object.
  explicit StepReader(const SourceText& source);

  // Reads a statement as a step line. Error "ParseError" for whatever is none.
  Result<StepCall> read(const Statement& statement) const;
  // Returns the statement as written: its line without indentation and, if it goes over several lines, joined by
  // blanks; empty if it shares its line with another one.
  std::string sourceOf(const Statement& statement) const;

 private:
  const SourceText& source_;
  std::vector<Token> tokens_;
};

}  // namespace loom::script
