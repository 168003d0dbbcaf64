// Schedule lines, the small part of Python that TVM's trace prints and people write, read into untyped calls. Which
// primitives there are, and what their arguments mean, core/schedule knows.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::script {

struct StepKeyword;

// An argument as written.
struct StepValue {
  enum class Kind {
    None,
    Bool,    // integer: 0 or 1
    Int,     // integer
    Float,   // real
    String,  // text
    Name,    // text: a handle, or in a lambda: its parameter, or tir.IndexMap.AXIS_SEPARATOR
    Typed,   // T.text(items[0]): T.float32(3), T.int64(1)
    List,    // items
    Tuple,   // items
    Dict,    // items: key, value, key, value …
    Star,    // *items[0], in a call, list or tuple
    Call,    // sch.text(items…, keywords…)
    Index,   // items[0][items[1]]
    Slice,   // items[0][items[1]:items[2]:items[3]], each of the last three None where left out
    Lambda,  // parameters, items[0]: the body
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
  int line = 0, column = 0;  // from 1; 0 for values that were not read from a text

  bool is(Kind k) const { return kind == k; }
  // Equal as values, wherever they stand.
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
  bool starred = false;  // `i, *rest = …`; at most one
};

// One line: `targets = value`.
struct StepCall {
  std::vector<StepTarget> targets;
  // The result is a list to unpack: several targets, or one with a comma (`b1, = sch.get_child_blocks(b0)`).
  bool unpack = false;
  // The call of a primitive, perhaps indexed or sliced (`sch.get_loops(b)[-2:]`); or no call at all (`k = loops[2]`).
  StepValue value;
  std::string source;  // the line without indentation and, if it goes over several lines, joined by blanks
  Place place;         // of its first character

  // Returns the outermost call, also if it is indexed or sliced; null if there is none.
  const StepValue* call() const;
  std::string_view primitive() const;  // "split", or ""
};

// Parses all lines of a text; blank ones and comments are left out. Error "ParseError" with its place for whatever is
// no step line: other statements (def, for, import), attributes other than sch.NAME and T.NAME, arithmetic outside
// lambdas on anything but numbers.
Result<std::vector<StepCall>> parseSchedule(std::string_view text, std::string_view file);

// Returns a value as Python: strings escaped, floats so that they read back as the same float.
std::string printValue(const StepValue& value);

// Make values without a text.
StepValue stepNone();
StepValue stepBool(bool value);
StepValue stepInt(std::int64_t value);
StepValue stepFloat(double value);
StepValue stepString(std::string value);
StepValue stepName(std::string name);
StepValue stepList(std::vector<StepValue> items);
StepValue stepTuple(std::vector<StepValue> items);

}  // namespace loom::script
