// The notation of the golden lines: prefix, one word per node kind. `5` is int32, `5l` int64, `true` bool; single
// letters p, q are bool variables, all others have the line's integer dtype.
//
//   [int64] [#EXTENSIONS] x=MIN+EXTENT y:VALUE z~ MIN EXTENT … @CONDITION | EXPR | simplify | rewriteSimplify |
//   canonicalSimplify | MIN MAX | COEFF BASE FACTS | CONDITION | proven, symbolic (only with symbolic bounds) or
//   unproven
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/arith/analyzer.h"

namespace loom::arith::notation {

class Reader {
 public:
  explicit Reader(ir::DType integers) : integers_(integers) {}
  // The expression at the start of text, which is advanced past it.
  ir::Expr read(std::string_view& text);
  ir::Expr readAll(std::string_view text) { return read(text); }
  ir::Var variable(const std::string& name);

 private:
  std::string word(std::string_view& text);
  ir::DType integers_;
  std::map<std::string, ir::Var> variables_;
};

std::string show(const ir::Expr& e);

struct Line {
  std::string text, facts, input, simplified, rewritten, canonical, bound, modular;
};
std::vector<Line> readLines(const std::string& path);

// What an analyzer with the line's facts makes of its input, in the form of the line.
Line run(const Line& line);
// The verdict on a line's condition; such a line has it in place of the simplified expression.
std::string proofs(const Line& line);

}  // namespace loom::arith::notation
