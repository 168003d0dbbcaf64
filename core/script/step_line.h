// Parses step lines: lines of Python that call a schedule primitive, such as `i, j = sch.split(k, [None, 16])`, as
// TVM's traces print them and people write them. Calls are untyped: core/schedule knows the primitives and their
// arguments. Outside lambdas arithmetic is done while reading, so that a value has only its result, an Int.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::script {

struct StepKeyword;

// A value as it is written in a step line. The comment of a kind names the members that it uses.
struct StepValue {
  enum class Kind {
    None,
    Bool,    // integer: 0 or 1
    Int,     // integer
    Float,   // real
    String,  // text
    Name,    // text: a variable of the script, a parameter of the lambda around, or tir.IndexMap.AXIS_SEPARATOR
    Typed,   // a constant with a dtype, T.text(items[0]): T.float32(3), T.int64(1)
    List,    // items
    Tuple,   // items
    Dict,    // items: key, value, key, value …
    Star,    // *items[0], in a call, list or tuple
    Call,    // a call of a primitive, sch.text(items…, keywords…)
    Index,   // items[0][items[1]]
    Slice,   // items[0][items[1]:items[2]:items[3]]; a bound that is left out is None
    Lambda,  // parameters; items[0] is the body
    Binary,  // items[0] text items[1], text one of + - * // % ^ & | << >>; only in lambdas
    Negate,  // -items[0]; only in lambdas
  };
  Kind kind = Kind::None;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<StepValue> items;
  std::vector<StepKeyword> keywords;
  std::vector<std::string> parameters;
  int line = 0, column = 0;  // where the value stands, from 1, columns in bytes; 0 if it was not read from a text

  bool is(Kind k) const { return kind == k; }
  // Values are equal whatever their lines and columns are.
  friend bool operator==(const StepValue& a, const StepValue& b);
};

// An argument that is given by its name.
struct StepKeyword {
  std::string name;
  StepValue value;
  friend bool operator==(const StepKeyword&, const StepKeyword&) = default;
};

// A name on the left of a step line.
struct StepTarget {
  std::string name;
  bool starred = false;  // whether it has a star, as `rest` in `i, *rest = …`; at most one target of a line has
};

// One step line: `targets = value`, or `value` alone.
struct StepCall {
  std::vector<StepTarget> targets;
  // Whether the value is a list that is unpacked: to several targets, or to one with a comma (`b1, = …`).
  bool unpack = false;
  // The call of a primitive, which may be indexed or sliced (`sch.get_loops(b)[-2:]`), or another value (`k =
  // loops[2]`).
  StepValue value;
  // The line without indentation; if it goes over several lines, they are joined by blanks, without their comments (a
  // comment behind a single line stays); if it shares its line with another one, the text printed from its values.
  std::string source;
  Place place;  // where the line's first character stands

  // Returns the call of the line, without the indices and slices applied to it; null if the line has no call.
  const StepValue* call() const;
  std::string_view primitive() const;  // returns the name of the called primitive, "split"; "" without a call
};

// Parses the step lines of a text, none for an empty one; `file` names the text in errors. Blank lines and comments are
// skipped. Error "ParseError", with its place, for the first that is no step line: other statements (def, for, import),
// attributes other than in calls sch.NAME(…) and T.NAME(…); outside lambdas operators other than + - * // % between
// whole numbers and a sign before a number; whole numbers and results of arithmetic that don't fit 64 bits.
Result<std::vector<StepCall>> parseSchedule(std::string_view text, std::string_view file);

// Returns the Python text of a value. Strings are escaped, and a float, except nan, is written so that it reads back
// as the same float.
std::string printValue(const StepValue& value);

// Make values that are not read from a text.
StepValue stepNone();
StepValue stepBool(bool value);
StepValue stepInt(std::int64_t value);
StepValue stepFloat(double value);
StepValue stepString(std::string value);
StepValue stepName(std::string name);
StepValue stepList(std::vector<StepValue> items);
StepValue stepTuple(std::vector<StepValue> items);

}  // namespace loom::script
