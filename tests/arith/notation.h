// The notation of the golden files tests/arith/golden/*.txt: each line has an expression, the facts known of its
// variables, and what TVM's arithmetic analyzer makes of it. Expressions are in prefix notation with one word for each
// kind of node: "(add (mul x 4) y)". `5` is an int32, `5l` an int64, `true` a bool. p and q are bool variables; all
// others have the line's integer type: int64 if the line begins with `int64`, else int32. The fields of a line:
//
//   [int64] [#EXTENSIONS] x=MIN+EXTENT y:VALUE z~ MIN EXTENT … @CONDITION | EXPR | simplify | rewriteSimplify |
//   canonicalSimplify | MIN MAX | COEFF BASE
//   FACTS | CONDITION | proven, symbolic or unproven
//
// The facts of the first form are: x has the values MIN … MIN + EXTENT - 1, which are constants; y is VALUE; z has a
// range of which MIN and EXTENT are expressions; CONDITION holds. EXTENSIONS is a digit, the bits of the analyzer's
// optional rules. The results are three simplified expressions, the constant bounds (-inf and inf: none), and the
// modular set (EXPR = COEFF·n + BASE). In the second form, `symbolic` says that only the use of symbolic bounds proves
// the condition.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/arith/analyzer.h"

namespace loom::arith::notation {

// Reads expressions. Within one reader, a name stands for the same variable everywhere.
class Reader {
 public:
  // `integers` is the type of all variables but p and q.
  explicit Reader(ir::DType integers) : integers_(integers) {}
  // Returns the expression at the start of `text`, and removes it from `text`. Throws std::runtime_error if there is
  // none.
  ir::Expr read(std::string_view& text);
  // Returns the expression at the start of `text`, as `read` does; what follows it is ignored.
  ir::Expr readAll(std::string_view text) { return read(text); }
  // Returns the variable with this name, which is made in the first call.
  ir::Var variable(const std::string& name);

 private:
  std::string word(std::string_view& text);
  ir::DType integers_;
  std::map<std::string, ir::Var> variables_;
};

// Returns an expression in the notation; "?" for kinds of nodes that the notation lacks.
std::string show(const ir::Expr& e);

// A line of a golden file: its whole text, and its fields from left to right. A line in the second form has its verdict
// in `simplified`, and the fields after it are empty.
struct Line {
  std::string text, facts, input, simplified, rewritten, canonical, bound, modular;
};
// Returns the lines of a file, empty ones too, with the fields that a line lacks empty; throws std::runtime_error if
// the file can't be read.
std::vector<Line> readLines(const std::string& path);

// Returns a line in the first form with its results, from `simplified` to `modular`, replaced by those of core/arith;
// `text` stays.
Line run(const Line& line);
// Returns what core/arith finds out about the condition of a line in the second form: "proven", "symbolic" or
// "unproven".
std::string proofs(const Line& line);

}  // namespace loom::arith::notation
