// The notation of the golden lines on iterator maps and regions, on top of notation.h. Fields are separated by |, lists
// by ;. A line asks all questions about one list of index expressions:
//
//   LEVEL TRIVIAL SUB… | x=MIN+EXTENT … | PREDICATE | INDEX ; … | detected | padding | simplified | sums | divided |
//   inverse
//
// LEVEL is 0 (bijective), 1 (surjective) or 3 (no check); TRIVIAL is 0 or 1; SUB names the iterators of the subspace
// (`int64` among them makes all variables 64 bits wide). MIN and EXTENT are expressions. A sum is {split … base}, a
// split <mark lower extent scale>, a mark [source extent].
//
//   region | x=MIN+EXTENT … | PREDICATE | MIN , EXTENT ; … | strict | upper | interval
//   sets | x=MIN+EXTENT … | EXPR | interval
#pragma once
#include <string>
#include <vector>

namespace loom::arith::notation {

// The fields of a line, trimmed.
std::vector<std::string> fieldsOf(const std::string& line);
// The answers' fields for the questions' fields.
std::vector<std::string> answers(const std::vector<std::string>& fields);

}  // namespace loom::arith::notation
