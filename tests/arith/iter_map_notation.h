// The notation of the golden files tests/arith/golden/{iter_map_*,region,int_set}.txt: each line is a query on index
// expressions, followed by TVM's answers. Fields are separated by |, entries of lists by ;. Expressions are written in
// prefix notation, "(add (mul x 4) y)", as notation.h says. A line on an iterator map (TVM's DetectIterMap and the
// like) has four fields of the query and six answers about one list of index expressions:
//
//   LEVEL TRIVIAL SUB… | x=MIN+EXTENT … | PREDICATE | INDEX ; … | detected | padding | simplified | sums | divided |
//   inverse
//
// LEVEL is the check that detection makes: 0 (bijective), 1 (surjective) or 3 (none; TVM's number). TRIVIAL is 1 if
// detection replaces iterators of extent 1 by their value, else 0. SUB are the names of the iterators of the subspace
// to divide by; the word `int64` among them makes all variables 64 bits wide. x=MIN+EXTENT gives the range of an
// iterator; MIN and EXTENT are expressions. PREDICATE is an expression, too, true for none. The answers are: the
// detected sums, the padding predicate ("null": there is none), the simplified indices, the normalized sums, the
// division into outer and inner iterators, and the inverse map. Where detection, division or the bound of a region
// fails, the answer is "none". The inverse is "none" if detection fails or LEVEL isn't 0, and "refused" if there is
// none all the same. A sum is written {split … base}, a split <mark lower extent scale>, a mark [source extent].
//
// A line that begins with `region` gives a region, by MIN and EXTENT of each dimension, and has its strict bound, its
// upper bound and its interval as answers. A line that begins with `sets` gives an expression and has its interval:
//
//   region | x=MIN+EXTENT … | PREDICATE | MIN , EXTENT ; … | strict | upper | interval
//   sets | x=MIN+EXTENT … | EXPR | interval
#pragma once
#include <string>
#include <vector>

namespace loom::arith::notation {

// Returns the fields of a line, without blanks around them.
std::vector<std::string> fieldsOf(const std::string& line);
// Returns what core/arith answers to the query with which `fields` begin, which are those of a line with or without its
// answers: all answers of such a line, in their order and notation. Throws an exception if the query can't be read.
std::vector<std::string> answers(const std::vector<std::string>& fields);

}  // namespace loom::arith::notation
